"""Live answers frozen and opened again with every source gone: the same figures, the same cites."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest

from services.container import Services, SystemClock, build_services
from services.core.errors import NoDataError
from services.core.requests import BarsRequest, Bound, ScreenRequest, SummaryRequest
from services.core.symbols import Symbol
from services.providers.frozen import Recording
from services.settings import load_settings
from services.workbench.desk import Desk
from services.workbench.freeze import FreezeChoice, FreezeResult, freeze
from tests.contract.frozen_pages import said, traced
from tests.fakes import everything

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
CHOSEN = ("600519.SH", "00700.HK", "HSI")


@dataclass(frozen=True)
class Frozen:
    """What the pages said while the sources answered, and what was frozen of it."""

    before: dict[str, list[str]]
    who: set[tuple[str, str, str]]
    done: FreezeResult
    folder: Path
    all_folder: Path


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Frozen:
    """The sources are gone when this returns."""
    folder, recording = tmp_path_factory.mktemp("live") / "day", Recording()
    all_folder = folder.with_name("all")
    with everything.world() as world:
        given = everything.environment(world, API_TIMEOUT="0.5", YOUJU_STORE=":memory:")
        services = build_services(load_settings(given), recording=recording)
        try:
            before = said(services, CHOSEN)
            who = traced(Desk(services).stock("600519.SH", None, None, "reader").trace)
            choice = FreezeChoice("symbols", CHOSEN, windows=())
            done = freeze(
                services, recording, choice, folder, name="day", version="t", real=SystemClock()
            )
            # With nothing recorded: what the store has kept, and the copy of whole markets.
            freeze(
                services,
                Recording(),
                FreezeChoice("all"),
                all_folder,
                name="all",
                version="t",
                real=SystemClock(),
            )
        finally:
            services.close()
    return Frozen(before, who, done, folder, all_folder)


@pytest.fixture(scope="module")
def loaded(frozen: Frozen) -> Iterator[Services]:
    given = {"YOUJU_STORE": ":memory:", "YOUJU_SNAPSHOT": str(frozen.folder)}
    services = build_services(load_settings(given))
    yield services
    services.close()


def test_every_page_is_the_same_offline_in_a_fresh_process(frozen: Frozen) -> None:
    command = [sys.executable, "-m", "tests.contract.frozen_pages", str(frozen.folder), *CHOSEN]
    done = subprocess.run(command, cwd=ROOT, env={}, capture_output=True, timeout=120, check=True)
    after = json.loads(done.stdout)
    assert set(after) == set(frozen.before)
    for page, words in frozen.before.items():
        assert len(words) > 1, page
        assert after[page] == words, page


def test_who_answered_is_still_who_answered(frozen: Frozen, loaded: Services) -> None:
    who = traced(Desk(loaded).stock("600519.SH", None, None, "reader").trace)
    assert who == frozen.who
    assert {"eastmoney", "tushare", "cninfo"} <= {name for name, _, _ in who}
    assert "snapshot" not in {name for name, _, _ in who}


def test_it_stands_at_the_instant_it_was_frozen(frozen: Frozen, loaded: Services) -> None:
    instant = datetime.fromisoformat(everything.NOW)
    assert frozen.done.manifest.clock == instant
    assert loaded.clock.now() == instant
    overview = Desk(loaded).overview("reader")
    assert all(call.fetched_at <= instant for call in overview.trace.tool_calls)
    assert overview.snapshot is not None
    assert overview.snapshot.name == "day"


def test_no_source_is_asked_and_what_was_not_frozen_is_told(loaded: Services) -> None:
    for request in (BarsRequest(symbol="600000.SH"), SummaryRequest(market="US")):
        outcome = loaded.chain.ask(request)
        assert isinstance(outcome.error, NoDataError)
        assert "not in the frozen snapshot day" in str(outcome.error.why)
    assert loaded.chain.pull(SummaryRequest(market="CN")).fetched == ()
    assert set(loaded.settings.chains.values()) == {("snapshot",)}


def test_bars_of_fewer_days_are_those_of_the_days_kept(loaded: Services) -> None:
    symbol = Symbol("600519.SH").value
    start, end = datetime(2026, 9, 1).date(), datetime(2026, 9, 30).date()  # noqa: DTZ001
    outcome = loaded.chain.ask(BarsRequest(symbol=symbol, start=start, end=end))
    assert outcome.error is None
    days = {fact.as_of for part in outcome.fetched for fact in part.rows}
    assert days
    assert start <= min(days) <= max(days) <= end
    assert outcome.provider != "snapshot"


def _kept(words: list[str]) -> list[str]:
    """Without the words on the one index no source had bars of: that is no answer to keep."""
    return [word for word in words if "IXIC" not in word]


def test_the_kept_answers_and_the_copy_of_markets_show_the_same_pages(frozen: Frozen) -> None:
    """Everything: no page was recorded, and a screen nobody looked at is answered by the copy."""
    given = {"YOUJU_STORE": ":memory:", "YOUJU_SNAPSHOT": str(frozen.all_folder)}
    services = build_services(load_settings(given))
    try:
        for page, words in said(services, ()).items():
            assert _kept(words) == _kept(frozen.before[page]), page
        cheap = ScreenRequest(market="CN", bounds=(Bound(field="pb", above=0, below=1),), size=500)
        outcome = services.chain.ask(cheap)
        assert outcome.provider == "market_copy"
        assert {part.source for part in outcome.fetched} == {"eastmoney"}
        assert all(part.fetched_at <= services.clock.now() for part in outcome.fetched)
    finally:
        services.close()
