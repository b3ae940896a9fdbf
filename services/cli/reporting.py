"""`report`: a deep analysis of a company or of the market, written and proved."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from services.cli.documents import print_json, write_file
from services.cli.opening import open_services
from services.cli.telling import StepTelling
from services.core.errors import InputError, NoDataError, NotVerifiedError
from services.core.text import Language as Spoken
from services.settings import load_settings

if TYPE_CHECKING:
    from services.agents.results import AgentRunResult
    from services.core.trace import Trace

_LANGUAGES = ("zh", "en")
Language = Annotated[
    str | None, typer.Option("--lang", metavar="zh|en", help="Language of the text.")
]


def report_command(
    symbol: Annotated[
        str | None, typer.Argument(help="Company by code or name; none for a market's skill.")
    ] = None,
    question: Annotated[str, typer.Option("--question", help="What to find out.")] = "",
    skill: Annotated[
        str | None, typer.Option("--skill", help="stock_analysis (stock) or market_overview.")
    ] = None,
    language: Language = None,
    *,
    by_rule: Annotated[
        bool, typer.Option("--by-rule", help="Ask no model, though one is configured.")
    ] = False,
    markdown: Annotated[
        str | None, typer.Option("--markdown", metavar="FILE", help="Write the report there too.")
    ] = None,
    pack: Annotated[
        str | None,
        typer.Option("--pack", metavar="FILE", help="Write an evidence pack (.youju.zip) too."),
    ] = None,
    every: Annotated[
        str | None,
        typer.Option(
            "--every",
            metavar="daily|weekly|never",
            help="Have the workbench write it again and again, not now; without a company: list.",
        ),
    ] = None,
    session: Annotated[
        str, typer.Option("--session", help="Session the run is stored under.")
    ] = "cli",
) -> None:
    """深度报告 A deep analysis: AgentRunResult, or VerifiedFailure with exit 4, as JSON.

    Exit 3, after the report that says why, when no source brought anything.
    """
    from services.agents.results import AgentRunRequest, AgentRunResult
    from services.cli.verifying import write_pack
    from services.evidence_pack.answers import report_pack

    spoken = language or load_settings().language
    if spoken not in _LANGUAGES:
        raise InputError("--lang", spoken, " | ".join(_LANGUAGES))
    written: Spoken = "en" if spoken == "en" else "zh"
    if every is not None:
        _schedule(symbol, every, written)
        return
    request = AgentRunRequest(
        question=question,
        skill_id=skill,
        symbol=symbol,
        language=written,
        by_rule=by_rule,
    )
    with open_services() as youju:
        found = youju.analyses.run(request, session, StepTelling())
        document = found.model_dump(mode="json")
        packed = report_pack(youju, found, document) if pack is not None else None
    print_json(document)
    if pack is not None and packed is not None:
        write_pack(pack, packed)
    if not isinstance(found, AgentRunResult):
        raise NotVerifiedError([one.reason.zh for one in found.refusals])
    if markdown is not None:
        _write_markdown(markdown, found)
    if not found.claims and not _texts(found.trace):
        raise NoDataError("report", "; ".join(one.zh for one in found.warnings))


def _schedule(symbol: str | None, said: str, language: Spoken) -> None:
    """Set how often a report of the company is written; print what is set for all."""
    from services.store.schedules import EVERY, Every
    from services.workbench.desk import Desk

    if said not in {*EVERY, "never"}:
        raise InputError("--every", said, " | ".join([*EVERY, "never"]))
    every: Every = "weekly" if said == "weekly" else "daily"
    with open_services(kept=True) as youju:
        if symbol is not None and said != "never":
            Desk(youju).schedule(symbol, every, language)
        elif symbol is not None:
            wanted = youju.names.resolve(symbol).value
            for one in youju.schedules.list():
                if one.wanted.symbol == wanted:
                    youju.schedules.remove(one.schedule_id)
        print_json([one.model_dump(mode="json") for one in youju.schedules.list()])


def _write_markdown(file: str, found: "AgentRunResult") -> None:
    """The report, and its pictures as SVG beside it, each named where it belongs."""
    from services.views.report_charts import chart_svg, charts_of

    asked, told = found.analysis_input, found.final_report.markdown
    charts = (
        charts_of(found.claims, found.trace, asked.symbol, asked.language) if asked.symbol else ()
    )
    claims = {claim.claim_id: claim for claim in found.claims}
    stem = file.removesuffix(".md")
    for chart in charts:
        beside = f"{stem}-{chart.key}.svg"
        write_file("--markdown", beside, chart_svg(chart, claims, asked.language).encode())
    lines = [f"![{chart.title}]({Path(stem).name}-{chart.key}.svg)" for chart in charts]
    # Behind the key points, before the third heading of the second level.
    parts = told.split("\n## ")
    at = min(3, len(parts))
    pictures = "\n".join(lines)
    parts[at - 1] = f"{parts[at - 1].rstrip()}\n\n{pictures}\n" if lines else parts[at - 1]
    write_file("--markdown", file, "\n## ".join(parts).encode())


def _texts(trace: "Trace") -> bool:
    return any(call.items for call in trace.tool_calls)
