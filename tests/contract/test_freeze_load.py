"""What was frozen today is what is shown tomorrow: every page, figure and cite, offline."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from services.container import Services, SystemClock, build_services
from services.core.errors import InputError, NoDataError
from services.core.requests import PeersRequest, ScreenRequest, SummaryRequest
from services.providers.frozen import Recording
from services.settings import load_settings
from services.store.frozen_file import SUFFIX, pack, unpack
from services.workbench.desk import Desk
from services.workbench.freeze import (
    FreezeChoice,
    FreezeResult,
    freeze,
    freeze_whole,
    resolve_symbols,
)
from tests.contract.frozen_pages import said, view_said
from tests.unit.market.counted import figures_over

pytestmark = pytest.mark.thorough

CHOSEN = ("600519.SH", "00700.HK", "AAPL", "HSI")


@dataclass(frozen=True)
class Frozen:
    """What the pages said before, and where the frozen snapshot lies."""

    before: dict[str, list[str]]
    done: FreezeResult
    folder: Path


@pytest.fixture(scope="module")
def bundled() -> Iterator[tuple[Services, Recording]]:
    recording = Recording()
    settings = load_settings({"YOUJU_STORE": ":memory:"})
    services = build_services(settings, recording=recording)
    yield services, recording
    services.close()


@pytest.fixture(scope="module")
def before(bundled: tuple[Services, Recording]) -> dict[str, list[str]]:
    """What the pages say of the bundled market, asked of its own provider."""
    return said(bundled[0], CHOSEN)


@pytest.fixture(scope="module")
def frozen(
    bundled: tuple[Services, Recording],
    before: dict[str, list[str]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Frozen:
    """Four of the bundled market, through the file someone would send, on another folder."""
    services, recording = bundled
    made = tmp_path_factory.mktemp("made") / "demo"
    choice = FreezeChoice("symbols", resolve_symbols(services, CHOSEN))
    done = freeze(
        services, recording, choice, made, name="demo", version="test", real=SystemClock()
    )
    file = made.with_name("demo" + SUFFIX)
    pack(made, file)
    shutil.rmtree(made)
    found = unpack(file, None, tmp_path_factory.mktemp("elsewhere"))
    return Frozen(before, done, found.folder)


@pytest.fixture(scope="module")
def loaded(frozen: Frozen) -> Iterator[Services]:
    settings = load_settings({"YOUJU_STORE": ":memory:", "YOUJU_SNAPSHOT": str(frozen.folder)})
    services = build_services(settings)
    yield services
    services.close()


def test_every_page_about_the_chosen_is_the_same(frozen: Frozen, loaded: Services) -> None:
    """In a process of its own without a network: tests/live/test_freeze_live.py."""
    assert frozen.done.skipped == ()
    after = said(loaded, CHOSEN)
    assert set(after) == set(frozen.before)
    for page, words in frozen.before.items():
        assert len(words) > 1 or "Error" in words[0], page
        assert after[page] == words, page


def test_everything_frozen_is_the_bundle_itself(
    before: dict[str, list[str]], tmp_path: Path
) -> None:
    settings = load_settings({"YOUJU_STORE": ":memory:"})
    target = tmp_path / "all"
    done = freeze_whole(settings, target, name="all", version="test", real=SystemClock())
    for part in done.manifest.parts:
        assert (target / part.file).read_bytes() == (settings.snapshot / part.file).read_bytes()
    opened = build_services(
        load_settings({"YOUJU_STORE": ":memory:", "YOUJU_SNAPSHOT": str(target)})
    )
    try:
        arguments = {"category": "HK", "order_by": "market_cap", "order": "desc"}
        assert view_said(Desk(opened).screen(arguments, "reader")) == before["screen HK"]
        assert len(Desk(opened).industries("CN")) == 28
    finally:
        opened.close()


def test_what_was_not_frozen_is_told_and_never_counted_from_a_part(loaded: Services) -> None:
    """Nothing about a market or an industry is worked out from the four."""
    for request in (
        ScreenRequest(market="CN", industry="银行"),
        PeersRequest(symbol="600519.SH", size=3),
    ):
        outcome = loaded.chain.ask(request)
        assert outcome.fetched == ()
        assert isinstance(outcome.error, NoDataError)
        assert "冻结的数据 demo 不含此项" in str(outcome.error.why)
        assert "it holds 4 symbols" in str(outcome.error.why)
    summary = loaded.chain.ask(SummaryRequest(market="CN"))
    (part,) = summary.fetched
    assert figures_over(part.members)["CN", "company_count"] > 3000


def test_bars_of_the_chosen_are_there_for_any_window(loaded: Services) -> None:
    view = Desk(loaded).stock("AAPL", None, loaded.clock.now().date().replace(year=2016), "reader")
    assert view.bars is not None
    assert view.bars.bars[-1].date.isoformat() == "2016-07-25"


def test_a_company_that_is_only_named_has_no_figures_and_says_why(loaded: Services) -> None:
    assert loaded.names.name("601318.SH") == "中国平安"
    view = Desk(loaded).stock("601318.SH", None, None, "reader")
    assert view.claims == {}
    assert view.bars_missing is not None
    assert "冻结" in view.bars_missing.zh
    assert "frozen" in view.bars_missing.en


def test_a_name_that_is_not_in_it_says_what_is(loaded: Services) -> None:
    with pytest.raises(InputError, match="the frozen snapshot holds 4 symbols"):
        loaded.names.resolve("隆平高科")


def test_industries_for_the_filter_are_those_there_were(
    bundled: tuple[Services, Recording], loaded: Services
) -> None:
    whole = Desk(bundled[0]).industries("CN")
    assert len(whole) == 28
    assert Desk(loaded).industries("CN") == whole


def test_pages_name_what_was_frozen(loaded: Services) -> None:
    for facts in (Desk(loaded).overview("reader").snapshot, Desk(loaded).sources().snapshot):
        assert facts is not None
        assert facts.name == "demo"
        assert facts.clock == "2017-07-26T16:30:00+08:00"
        assert facts.scope is not None
        assert facts.scope.zh == "4 个代码（贵州茅台、腾讯控股、苹果等）"
        assert facts.scope.en == "4 symbols (600519.SH, 00700.HK, AAPL, …)"
    assert {part.file for part in Desk(loaded).sources().snapshot.parts} >= {"answers.parquet"}


def test_freezing_a_frozen_snapshot_again_keeps_what_it_says_of_itself(
    frozen: Frozen, tmp_path: Path
) -> None:
    settings = load_settings({"YOUJU_STORE": ":memory:", "YOUJU_SNAPSHOT": str(frozen.folder)})
    done = freeze_whole(settings, tmp_path / "again", name="again", version="x", real=SystemClock())
    assert done.manifest.scope == frozen.done.manifest.scope
    assert done.manifest.clock == frozen.done.manifest.clock
