"""`sync`: pulling whole markets into the store, with how far it is on stderr."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from services.cli.documents import print_json
from services.core.errors import ConfigError, InputError, YoujuError
from services.core.symbols import Market
from services.market.sync_plan import KINDS, MARKETS, Kind, Synced, SyncProgress
from services.settings import Settings, load_settings

if TYPE_CHECKING:
    from services.market.sync import Sync

_NAMES: Mapping[Kind, str] = {"universe": "名单与行情", "reports": "财报", "bars": "日线"}


def sync_command(
    market: Annotated[str, typer.Option("--market", help="CN, HK or US.")] = "CN",
    kinds: Annotated[
        str | None, typer.Option("--kinds", help="Of universe,reports,bars; all without it.")
    ] = None,
    limit: Annotated[
        str | None, typer.Option("--limit", help="Bars of that many companies, largest first.")
    ] = None,
) -> None:
    """同步 Pull a whole market into the store: list, reports, bars. Stop it and run it again: it
    goes on; the next day it pulls what is new.
    """
    settings = load_settings()
    _refuse_snapshot(settings)
    asked = (_read_market(market), _read_kinds(kinds), _read_limit(limit))
    from services.container import build_services

    youju = build_services(settings)
    try:
        summary, error = _sync_market(youju.sync, *asked)
    finally:
        youju.close()
    print_json(summary)
    if error is not None:
        raise error


def _refuse_snapshot(settings: Settings) -> None:
    """Raises: ConfigError in snapshot mode, where there is no source to pull from."""
    if settings.mode == "snapshot":
        raise ConfigError(
            "YOUJU_MODE",
            "got 'snapshot', which is bundled and needs no sync; set YOUJU_MODE=live to pull "
            "from live sources (快照模式无需同步，改为 live 后再运行)",
        )


def _read_market(text: str) -> Market:
    """The market of that name. Raises: InputError."""
    for market in MARKETS:
        if text.strip().upper() == market:
            return market
    raise InputError("--market", text, " | ".join(MARKETS), choices=MARKETS)


def _read_kinds(text: str | None) -> tuple[Kind, ...]:
    """The kinds named, in the order they are pulled; all without a text. Raises: InputError."""
    if text is None:
        return KINDS
    named = [part.strip() for part in text.split(",")]
    if unknown := [part for part in named if part not in KINDS]:
        raise InputError("--kinds", unknown[0], ",".join(KINDS), choices=KINDS)
    return tuple(kind for kind in KINDS if kind in named)


def _read_limit(text: str | None) -> int | None:
    """How many companies' bars; None: all. Raises: InputError."""
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 99_999):
        raise InputError("--limit", text, "a whole number from 1 to 99999")
    return int(text)


class _Bar:
    """One line on a terminal that is written over; elsewhere a line now and then."""

    def __init__(self) -> None:
        """Nothing was shown yet."""
        self._over = sys.stderr.isatty()
        self._kind = ""

    def show(self, progress: SyncProgress) -> None:
        """How far this kind is."""
        started = progress.kind != self._kind
        self._kind = progress.kind
        share = progress.done / progress.total
        filled = round(share * 24)
        words = (
            f"{_NAMES[progress.kind]} [{'#' * filled}{'.' * (24 - filled)}] "
            f"{progress.done}/{progress.total} {progress.subject}"
        )
        if self._over:
            sys.stderr.write(("\n" if started else "") + f"\r\x1b[2K{words}")
        elif started or progress.done == progress.total or progress.done % 100 == 0:
            sys.stderr.write(words + "\n")
        sys.stderr.flush()

    def end(self) -> None:
        """Leave the line."""
        if self._over and self._kind:
            sys.stderr.write("\n")


def _sync_market(
    sync: "Sync", market: Market, kinds: tuple[Kind, ...], limit: int | None
) -> tuple[dict[str, Any], YoujuError | None]:
    """Pull it; the summary, and the first error when something is left to do."""
    bar = _Bar()
    try:
        done = sync.run(market, kinds, bar.show, limit=limit)
    finally:
        bar.end()
    return _summary(done), done.failures[0].error if done.failures else None


def _summary(done: Synced) -> dict[str, Any]:
    return {
        "ok": not done.failures,
        "market": done.market,
        "pulled": done.pulled,
        "good_already": done.good_already,
        "nothing_there": done.nothing,
        "failed": [
            {"task": one.task, "error": type(one.error).__name__, "message": str(one.error)}
            for one in done.failures[:20]
        ],
        "failed_count": len(done.failures),
        "stopped": done.stopped,
        "next": "" if not done.failures else "run it again: it goes on where it stopped",
    }
