"""`snapshot freeze` and `snapshot load`: what was seen today, opened anywhere as it was."""

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from services.cli.documents import print_json
from services.core.errors import InputError, StoreError, StoreHeldError
from services.core.text import Text
from services.settings import FROZEN, Settings, load_settings, program_version
from services.tools.schema import NOTHING

if TYPE_CHECKING:
    from services.container import Services
    from services.providers.frozen import Recording
    from services.store.frozen_file import OpenedSnapshot
    from services.store.screens import Screen
    from services.workbench.freeze import FreezeChoice, FreezeResult

# As services/store/frozen_file.py and services/workbench/freeze.py have them: those are imported
# when something is frozen, these stand in the help.
SUFFIX = ".youju-snapshot.zip"
MOST = 200
_SEPARATORS = re.compile(r"[,，、;；\s]+")


def freeze_command(
    name: Annotated[str, typer.Argument(help="What it is to be called; a file name too.")],
    symbols: Annotated[
        str | None,
        typer.Option("--symbols", metavar="A,B,…", help=f"Codes or names, at most {MOST}."),
    ] = None,
    screen: Annotated[
        str | None, typer.Option("--screen", metavar="SAVED", help="The result of a saved screen.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="FOLDER", help="Default: data/frozen/NAME."),
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="All the data there are.")] = False,
) -> None:
    """冻结 Write what the pages show now, with every answer behind it, as a snapshot and one file.

    Of chosen companies: every page about them, and the whole-market figures beside them as they
    are now. Live, sources are asked for what is not kept yet; what failed is told under `skipped`.
    """
    from services.store.frozen_file import check_name, open_frozen, pack
    from services.system_clock import SystemClock
    from services.workbench.freeze import freeze_whole

    check_name(name)
    folder = Path(target) if target else FROZEN / name
    asked = (symbols, screen, everything or None)
    if sum(one is not None for one in asked) != 1:
        raise InputError("--symbols", symbols or NOTHING, "one of --symbols, --screen and --all")
    file = folder.with_name(name + SUFFIX)
    if folder.exists() or file.exists():
        raise InputError("--target", str(folder), "a folder that is not there yet, nor its file")
    settings = load_settings()
    if everything and settings.mode == "snapshot":
        done = freeze_whole(
            settings, folder, name=name, version=program_version(), real=SystemClock()
        )
    else:
        done = _walk(settings, symbols, screen, name, folder)
    pack(folder, file)
    print_json(
        {
            **_write_opened(open_frozen(folder)),
            "file": str(file),
            "bytes": file.stat().st_size,
            "answers": done.answers,
            "skipped": [{"page": one.page, "why": one.why} for one in done.skipped],
        }
    )


def load_command(
    source: Annotated[
        str, typer.Argument(metavar="FILE|FOLDER", help=f"NAME{SUFFIX}, or its folder.")
    ],
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="FOLDER", help="Default: data/frozen/NAME."),
    ] = None,
) -> None:
    """打开 Check a frozen snapshot, unpack it, and print the command that opens it.

    Every part must have its sha256. It opens with its own clock and a store of its own beside it;
    no source is asked.
    """
    from services.store.frozen_file import open_frozen, unpack

    path = Path(source)
    if path.is_dir():
        if target is not None:
            raise InputError("--target", target, "nothing: a folder is opened where it is")
        found = open_frozen(path.resolve())
    elif path.is_file():
        found = unpack(path, Path(target).resolve() if target else None, FROZEN)
    else:
        raise InputError("FILE", source, "a file or folder that exists")
    store = found.folder.with_name(found.folder.name + ".duckdb")
    _prepare(found, store)
    given = {"YOUJU_MODE": "snapshot", "YOUJU_SNAPSHOT": found.folder, "YOUJU_STORE": store}
    words = [f"{name}={shlex.quote(str(value))}" for name, value in given.items()]
    print_json({**_write_opened(found), "command": " ".join([*words, "make", "run"])})


def _walk(
    settings: Settings, symbols: str | None, screen: str | None, name: str, folder: Path
) -> "FreezeResult":
    from services.providers.frozen import Recording
    from services.system_clock import SystemClock
    from services.workbench.freeze import freeze

    recording = Recording()
    screens = _read_screens(settings, screen)
    with _open_recording(settings, recording) as youju:
        return freeze(
            youju,
            recording,
            _choice(youju, symbols, screen, screens),
            folder,
            name=name,
            version=program_version(),
            real=SystemClock(),
            tell=_tell,
        )


def _write_opened(found: "OpenedSnapshot") -> dict[str, Any]:
    manifest, scope = found.manifest, found.manifest.scope
    return {
        "folder": str(found.folder),
        "name": manifest.name,
        "clock": manifest.clock.isoformat(),
        "scope": scope.model_dump(mode="json", exclude={"industries"}) if scope else None,
        "made_from": manifest.made_from.model_dump(mode="json") if manifest.made_from else None,
        "parts": {part.file: part.rows for part in manifest.parts},
        "sha256": found.key,
    }


def _prepare(found: "OpenedSnapshot", store: Path) -> None:
    """Open it once in its store: what cannot be opened is told now, not in the demo room.

    The saved screens that were frozen go into the store, unless there is one of that name.
    """
    from services.container import build_services

    settings = replace(load_settings({}), mode="snapshot", snapshot=found.folder, store=str(store))
    scope = found.manifest.scope
    youju = build_services(settings)
    try:
        there = {screen.name for screen in youju.screens.list()}
        for name, arguments in (scope.screens if scope else {}).items():
            if name not in there:
                youju.screens.save(name, arguments)
    finally:
        youju.close()


@contextmanager
def _open_recording(settings: Settings, recording: "Recording") -> Iterator["Services"]:
    """The services that record. The snapshot is walked in memory, so that the workbench may stay
    open; live, the kept answers and the copy are in the store.
    """
    from services.container import build_services
    from services.store.database import MEMORY

    if settings.mode == "snapshot":
        settings = replace(settings, store=MEMORY)
    try:
        youju = build_services(settings, recording=recording)
    except StoreHeldError as error:
        raise _stop_first(error) from error
    try:
        yield youju
    finally:
        youju.close()


def _choice(
    youju: "Services", symbols: str | None, screen: str | None, screens: "tuple[Screen, ...]"
) -> "FreezeChoice":
    from services.workbench.freeze import FreezeChoice, list_screened, resolve_symbols

    if symbols is not None:
        chosen = resolve_symbols(youju, _SEPARATORS.split(symbols))
        return FreezeChoice("symbols", chosen, screens=screens)
    if screen is None:
        return FreezeChoice("all", screens=screens)
    wanted = next((one for one in screens if one.name == screen.strip()), None)
    if wanted is None:
        names = tuple(one.name for one in screens)
        raise InputError("--screen", screen, "the name of a saved screen", choices=names)
    return FreezeChoice("screen", list_screened(youju, wanted), wanted.name, screens)


def _read_screens(settings: Settings, wanted: str | None) -> "tuple[Screen, ...]":
    """The saved screens of the store; none, said on stderr, while the workbench holds it.

    Raises: StoreHeldError when one of them is `wanted`.
    """
    from services.store.database import MEMORY, Database
    from services.store.screens import Screens

    filed = settings.store != MEMORY and settings.records_url is None
    if filed and not Path(settings.store).exists():
        return ()
    try:
        database = Database(settings.store, records_url=settings.records_url)
    except StoreError as error:
        if wanted is not None or settings.mode == "live":
            raise _stop_first(error) from error
        sys.stderr.write(f"未含已存条件 saved screens left out: {error}\n")
        return ()
    try:
        return Screens(database).list()
    finally:
        database.close()


def _stop_first(error: StoreError) -> StoreError:
    """The same, with what to do when the workbench holds the store."""
    if not isinstance(error, StoreHeldError):
        return error
    return StoreHeldError(
        Text(
            f"{error} 冻结要读其中保存的内容，请先关闭工作台",
            "freezing reads what is kept in it: stop the workbench first",
        )
    )


def _tell(page: str) -> None:
    sys.stderr.write(f"冻结 freezing {page}\n")
