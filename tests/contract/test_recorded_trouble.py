"""Answers that went wrong at the source, as recorded: what passes is no changed format."""

import json
from collections.abc import Callable
from datetime import date

import pytest

from services.core.errors import ChangedError, NoDataError, ProviderError, UnavailableError
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    SignalsRequest,
    SpotRequest,
    UniverseRequest,
    ValuationRequest,
)
from services.providers.eastmoney.provider import EastmoneyProvider
from services.providers.xueqiu.provider import XueqiuProvider
from tests.contract.recorded import play, recorded, rows, there
from tests.fakes.server import Asked

pytestmark = there
BUSY = "eastmoney/datacenter/error-9701-busy.json"
VALUES = "eastmoney/datacenter/RPT_VALUEANALYSIS_DET-600519-2026-08-14.json"
EMPTY = "xueqiu/quotec/empty-body-2026-05-03.txt"
NOTHING = "eastmoney/datacenter/error-9201-2026-10-02.json"


def in_turn(*paths: str) -> tuple[Callable[[Asked], str], list[Asked]]:
    """A source that answers these one after another, the last again and again; who asked."""
    seen: list[Asked] = []

    def answer(asked: Asked) -> str:
        seen.append(asked)
        return paths[min(len(seen), len(paths)) - 1]

    return answer, seen


def refusal(bodies: dict[str, str], request: FetchRequest, now: str) -> type[ProviderError]:
    with pytest.raises(ProviderError) as caught:
        play(EastmoneyProvider, bodies, request, now)
    return type(caught.value)


def test_a_busy_datacenter_is_asked_again() -> None:
    source, seen = in_turn(BUSY, VALUES)
    request = ValuationRequest(symbol="600519.SH")
    found = rows(play(EastmoneyProvider, {"VALUEANALYSIS": source}, request, "2026-08-15"))
    assert {fact.metric: fact.value for fact in found}["pe_ttm"] == 20.28
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("path", "error"),
    [(BUSY, UnavailableError), ("eastmoney/datacenter/error-9501.json", ChangedError)],
)
def test_what_the_datacenter_says_went_wrong(path: str, error: type[ProviderError]) -> None:
    request = ValuationRequest(symbol="600519.SH")
    assert refusal({"VALUEANALYSIS": path}, request, "2026-08-15") is error


def test_bars_that_are_left_out_are_no_changed_format() -> None:
    bodies = {"kline": "eastmoney/kline/688622-no-klines-2024-11-05.json"}
    request = BarsRequest(symbol="688622.SH")
    assert refusal(bodies, request, "2024-11-05T18:00") is UnavailableError


@pytest.mark.parametrize(
    "name", ["000300-no-bars-2021-08-22", "rc100-data-null", "rc102-data-null"]
)
def test_no_bars_and_no_such_share_are_no_data(name: str) -> None:
    bodies = {"kline": f"eastmoney/kline/{name}.json"}
    with pytest.raises(NoDataError):
        play(EastmoneyProvider, bodies, BarsRequest(symbol="000300.SH"), "2021-08-22T18:00")


def test_an_empty_quote_is_asked_again_with_a_token() -> None:
    source, seen = in_turn(EMPTY, "xueqiu/quotec/sh600519-2024-08-01.json")
    request = SpotRequest(symbol="600519.SH")
    found = rows(play(XueqiuProvider, {"quotec": source}, request, "2024-08-01T15:30"))
    assert {fact.metric: fact.value for fact in found}["current_price"] == 1386.16
    assert [bool(asked.headers.get("cookie")) for asked in seen] == [False, True]


def test_a_quote_that_stays_empty_is_a_passing_failure() -> None:
    with pytest.raises(UnavailableError, match="empty"):
        play(XueqiuProvider, {"quotec": EMPTY}, SpotRequest(symbol="600519.SH"), "2024-08-01T15:30")


def _near_the_limit(code: str, *days: str) -> str:
    """Daily lines of a share that closed ten percent up on each of these days."""
    lines = [f"{day},10,11,11,10,1000,1100000,10,10,1,1" for day in days]
    return json.dumps({"rc": 0, "data": {"code": code, "klines": lines}})


def test_a_pool_of_another_day_is_missing_and_the_rest_stays() -> None:
    def pool(asked: Asked) -> str:
        wanted = {"20260707": "another-day-2026-07-08", "20260708": "another-day-2026-07-08"}
        name = wanted.get(asked.query["date"], "rc102-empty")
        # Its publisher cut the times of the row: the day before the cut, first and last seal.
        cut = json.loads(recorded(f"eastmoney/limit_pool/{name}.json"))
        for row in (cut["data"] or {}).get("pool", []):
            row.update(fbt=92500, lbt=92500)
        return json.dumps(cut)

    bodies = {
        "kline": _near_the_limit("002841", "2026-07-07", "2026-07-08"),
        "getTopicZTPool": pool,
        "Pool": "eastmoney/limit_pool/rc102-empty.json",
        "getAllStockChanges": json.dumps({"rc": 0, "data": None}),
        "BILLBOARD": NOTHING,
    }
    request = SignalsRequest(symbol="002841.SZ", start=date(2026, 7, 7), end=date(2026, 7, 8))
    found = rows(play(EastmoneyProvider, bodies, request, "2026-07-08T18:00"))
    assert {(f.metric, f.value) for f in found if f.as_of == date(2026, 7, 8)} >= {
        ("signal_price", 43.08),
        ("pct_change", 10.01),
        ("seal_fund", 520_606_032),
        ("limit_streak", 1),
    }
    assert {fact.as_of for fact in found} == {date(2026, 7, 8)}
    # With nothing else to tell, what is missing is said, not that nothing was flagged.
    alone = SignalsRequest(symbol="002841.SZ", start=date(2026, 7, 7), end=date(2026, 7, 7))
    with pytest.raises(UnavailableError, match="of 2026-07-08, not of 2026-07-07"):
        play(EastmoneyProvider, bodies, alone, "2026-07-08T18:00")


def test_a_list_does_not_count_what_was_delisted() -> None:
    name = "eastmoney/clist/with-delisted-2026-07-08-playable.json"
    stamp = {"f57": "000001", "f86": 1_783_409_697}
    bodies = {"clist": name, "stock/get": json.dumps({"rc": 0, "data": stamp})}
    (part,) = play(EastmoneyProvider, bodies, UniverseRequest(market="CN"), "2026-07-08T08:00")
    assert set(part.labels) == {"000001.SZ", "000002.SZ"}
    close = {fact.symbol: fact.value for fact in part.rows if fact.metric == "close"}
    assert close == {"000001.SZ": 10.47, "000002.SZ": 2.99}
    assert {fact.as_of for fact in part.rows} == {date(2026, 7, 7)}
