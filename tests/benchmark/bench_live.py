"""A market of 5,500 shares: pulled, stored and screened by us, beside AkShare on the same server.

The server is a process of its own with every page ready. AkShare's HTTP layer (requests) is turned
to it and its pauses between pages are left out, which is said with the numbers: what is compared
is work, not waiting. It stores nothing, and is called again for every answer, as it would be.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import akshare
import pytest
import requests

from services.core.clock import BEIJING, FixedClock
from services.core.requests import Bound, ScreenRequest, SpotRequest, UniverseRequest
from services.market.calendar import Calendar
from services.market.freshness import expiry
from services.market.sync import Sync
from services.providers.chain import Chain
from services.providers.eastmoney.provider import EastmoneyProvider
from services.providers.http import Http
from services.providers.market_copy import MarketCopyProvider
from services.providers.provider_context import Kit
from services.providers.response_cache import Keeper
from services.settings import Settings, load_settings
from services.store.database import Database
from services.store.fetches import Fetches
from services.store.market_copy import MarketCopy
from tests.unit.market.bundled import tables

ROOT = Path(__file__).resolve().parents[2]
# AkShare 1.19.5 uses what pandas 3.1 deprecates.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
COMPANIES = 5_500
PAGES = COMPANIES // 100
MORNING = datetime(2026, 11, 20, 10, 0, tzinfo=BEIJING)
CALENDAR = Calendar()
REFRESHES, ANSWERS, CALLS = 7, 300, 7
SCREEN = ScreenRequest(
    market="CN", bounds=(Bound(field="pettm", at_least=0.0, below=30.0),), order_by="market_cap"
)


@pytest.fixture(scope="module")
def address() -> Iterator[dict[str, str]]:
    command = [sys.executable, "-m", "tests.benchmark.played", str(COMPANIES), MORNING.isoformat()]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
        process.kill()


@pytest.fixture
def spot_by_akshare(
    address: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[], object]:
    """`stock_zh_a_spot_em`, its requests turned to the server and its pauses left out."""
    real = requests.sessions.Session.request

    def turned(session: Any, method: str, url: str, **more: Any) -> Any:
        assert urlsplit(url).hostname == "82.push2.eastmoney.com"
        return real(session, method, address["EASTMONEY_PUSH2_URL"] + urlsplit(url).path, **more)

    monkeypatch.setattr(requests.sessions.Session, "request", turned)
    monkeypatch.setattr("akshare.utils.func.time.sleep", lambda _seconds: None)
    monkeypatch.setattr("akshare.utils.func.get_tqdm", lambda: lambda pages, **_: pages)
    return akshare.stock_zh_a_spot_em


@dataclass(frozen=True)
class Desk:
    """Ours at one instant."""

    sync: Sync
    chain: Chain
    provider: EastmoneyProvider


def desk(address: dict[str, str], database: Database, now: datetime) -> Desk:
    settings = _settings(address)
    clock = FixedClock(now)
    copy = MarketCopy(database)
    kit = Kit(settings, clock, Http(settings, clock), tables())
    eastmoney = EastmoneyProvider(kit)
    late: list[Sync] = []
    local = MarketCopyProvider(
        Kit(settings, clock, kit.http, kit.market, lambda name: late[0].refresh(name), copy)
    )
    chains = dict.fromkeys(("universe", "market_reports", "spot"), ("eastmoney",))
    keeper = Keeper(Fetches(database), expiry(CALENDAR), clock)
    chain = Chain(
        {"eastmoney": eastmoney, "market_copy": local},
        {**chains, "screen": ("market_copy",)},
        clock,
        keeper=keeper,
    )
    late.append(Sync(chain, copy, CALENDAR, clock))
    return Desk(late[0], chain, eastmoney)


def _settings(address: dict[str, str]) -> Settings:
    given = {name: url for name, url in address.items() if name != "url"}
    return load_settings({"YOUJU_MODE": "live", "API_PACE": "0", "API_TIMEOUT": "30", **given})


def timed(runs: int, work: Callable[[], object]) -> list[float]:
    taken: list[float] = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        taken.append((time.perf_counter() - started) * 1000)
    return sorted(taken)


def said(name: str, taken: list[float], against: list[float] | None = None) -> None:
    p95 = taken[min(len(taken) - 1, int(len(taken) * 0.95))]
    beside = f"   {_ratio(median(against) / median(taken))}" if against else ""
    print(f"  {name:<44} p50 {median(taken):9.2f} ms   p95 {p95:9.2f} ms{beside}")


def _ratio(times: float) -> str:
    return f"{times:.1f} × faster" if times >= 1 else f"{1 / times:.1f} × slower"


@pytest.mark.benchmark
def test_a_refresh_of_a_whole_market(
    address: dict[str, str], spot_by_akshare: Callable[[], Any], tmp_path: Path
) -> None:
    print(f"\n{COMPANIES:,} A shares, {PAGES} pages:")
    assert len(spot_by_akshare()) == COMPANIES
    theirs = timed(CALLS, spot_by_akshare)
    said("AkShare stock_zh_a_spot_em, pauses left out", theirs)
    database = Database(str(tmp_path / "live.duckdb"))
    first = desk(address, database, MORNING)
    first.provider.fetch(UniverseRequest(market="CN"))
    parsed = timed(REFRESHES, lambda: first.provider.fetch(UniverseRequest(market="CN")))
    said("ours, fetched and parsed to checked facts", parsed, theirs)
    instants = iter([MORNING + timedelta(minutes=6 * n) for n in range(REFRESHES + 1)])

    def refresh() -> None:
        done = desk(address, database, next(instants)).sync.run("CN", ("universe",))
        assert done.pulled == {"universe": 1}

    refresh()
    stored = timed(REFRESHES, refresh)
    said("ours, to the stored and screenable market", stored, theirs)
    print(
        f"  pauses between pages, which come on top: AkShare {PAGES * 0.5:.0f} to "
        f"{PAGES * 1.5:.0f} s, ours {PAGES * Settings().pace_s:.0f} s"
    )
    database.close()


@pytest.mark.benchmark
def test_an_answer_that_is_kept(
    address: dict[str, str], spot_by_akshare: Callable[[], Any], tmp_path: Path
) -> None:
    database = Database(str(tmp_path / "live.duckdb"))
    here = desk(address, database, MORNING)
    here.sync.run("CN", ("universe", "reports"))
    spot_by_akshare()
    print("\nan answer that is there already, against AkShare called for it:")

    def their_price() -> object:
        frame = spot_by_akshare()
        return frame[frame["代码"] == "600519"]["最新价"].iloc[0]

    def their_screen() -> object:
        frame = spot_by_akshare()
        found = frame[(frame["市盈率-动态"] >= 0) & (frame["市盈率-动态"] < 30)]
        return found.sort_values("总市值", ascending=False).head(10).to_dict("records")

    price, screened = timed(CALLS, their_price), timed(CALLS, their_screen)
    said("AkShare, one price", price)
    ask = SpotRequest(symbol="600519.SH")
    assert here.chain.ask(ask).error is None
    said("ours, one price, kept", timed(ANSWERS, lambda: here.chain.ask(ask)), price)
    said("AkShare, a screen", screened)
    assert here.chain.ask(SCREEN).error is None
    said("ours, a screen of the copy", timed(ANSWERS, lambda: here.chain.ask(SCREEN)), screened)
    database.close()
