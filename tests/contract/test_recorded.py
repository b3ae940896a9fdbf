"""Every recorded body a client of ours reads: read right, or refused with the class it calls for.

A case names the bodies, the question and the day of the asking, and what INDEX.csv says of them;
`UNREAD` says of the others why no client reads them.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

import pytest

from services.core.clock import BEIJING
from services.core.errors import YoujuError
from services.core.requests import FinancialsRequest, NoticesRequest
from services.core.trace import Fact
from services.providers.base import Fetched, Provider
from services.providers.cninfo import CninfoProvider
from services.providers.eastmoney.provider import EastmoneyProvider
from services.providers.provider_context import Kit
from services.providers.tushare.provider import TushareProvider
from services.providers.xueqiu.provider import XueqiuProvider
from tests.contract.recorded import index, no_rows, play, rows, there
from tests.contract.recorded_cases import CASES, Case
from tests.contract.recorded_refusals import REFUSALS

pytestmark = there


@dataclass(frozen=True)
class Notice:
    """A notice as it is told, and where."""

    make: Callable[[Kit], Provider]
    bodies: Mapping[str, str]
    symbol: str
    now: str
    item_id: str
    published: str
    url: str

    @property
    def paths(self) -> set[str]:
        return set(self.bodies.values())


def of_cninfo(name: str, symbol: str, number: str, day: str) -> Notice:
    return Notice(
        CninfoProvider,
        {
            "szse_stock": "cninfo/szse_stock/three.json",
            "hisAnnouncement": f"cninfo/hisAnnouncement/{name}.json",
        },
        symbol,
        f"{day}T12:00",
        f"notice:{number}",
        day,
        f"http://static.cninfo.com.cn/finalpage/{day}/{number}.PDF",
    )


NOTICES = (
    of_cninfo("600600-2020-09-04", "600600.SH", "1208388950", "2020-09-04"),
    of_cninfo("000001-2019-10-22", "000001.SZ", "1206997843", "2019-10-22"),
    of_cninfo("600231-2018-10-10", "600231.SH", "1205488844", "2018-10-10"),
    Notice(
        EastmoneyProvider,
        {"security/ann": "eastmoney/notices/600519-2026-08-14.json"},
        "600519.SH",
        "2026-09-21",
        "notice:AN202608141827994407",
        "2026-08-14T20:41:29",
        "https://data.eastmoney.com/notices/detail/600519/AN202608141827994407.html",
    ),
)

# Whose list of reports a file is and which: the lists of one company belong together. Cash flows
# are not among them, no client asks for them.
_LIST = re.compile(r"xueqiu/finance_(hk|us|cn)/(\w+)-(income|balance|indicator)(-\S+)?\.json")
# `revenue 196458000000 CNY 2026_Q1 as_of 2026-03-31`; of several figures of one day only the last
# names the day, so it is looked for ahead.
_EXPECTED = re.compile(
    r"(revenue|net_profit|total_assets|total_liabilities|roe|eps|bps|equity) (-?[\d.]+)"
    r" (percent|[A-Z]{3}(?:/share)?)(?=[^;]*?(\d{4}_Q\d) as_of (\d{4}-\d\d-\d\d))"
)
# When the newest report was taken in: a day, the time after it left out.
_TAKEN_IN = re.compile(r"newest row known from (\d{4}-\d\d-\d\d)")
# Read for the mainland and Hong Kong only: no US balance is asked for.
_STATEMENTS = {"us": ("income", "indicator")}
UNREAD: Mapping[str, str] = {
    "xueqiu/quotec/fx-2026-05-03.json": "no client asks for exchange rates",
    "xueqiu/screener_quote_list/": "one or nine rows of thousands: a client refuses the page",
    "eastmoney/stock_get/600123-unscaled-2023-02-17.json": "asked without fltt=2; we ask with it",
    "eastmoney/datacenter/RPT_DMSK_FN_INCOME-2026.json": "no client reads this table",
    "eastmoney/datacenter/RPT_DMSK_FN_CASHFLOW-2026.json": "no client reads this table",
    "eastmoney/search_jsonp/": "made up by its publisher, without the column `content`",
    "tushare/stk_limit/": "no client reads this table",
    "tushare/stock_basic/": "no client reads this table",
}


def lists_of(market: str, code: str, suffix: str) -> Mapping[str, str]:
    """The recorded lists of a company that the client reads, by the name of the list."""
    return {
        match[3]: line["path"]
        for line in index()
        if (match := _LIST.fullmatch(line["path"]))
        and (match[1], match[2], match[4] or "") == (market, code, suffix)
        and match[3] in _STATEMENTS.get(market, (match[3],))
    }


COMPANIES = (
    *(
        ("hk", code, f"{code}.HK", "", "2026-05-17T20:00")
        for code in ("00700", "02519", "03690", "09988", "00388", "00941", "00939", "01024")
    ),
    ("hk", "00700", "00700.HK", "-before-results", "2026-05-10T20:00"),
    ("hk", "09988", "09988.HK", "-before-results", "2026-05-10T20:00"),
    *(("us", code, code, "", "2026-05-17T20:00") for code in ("BABA", "JD", "POM", "HTT")),
    ("cn", "sz002415", "002415.SZ", "-2022Q3", "2023-01-05T20:00"),
)


@pytest.mark.parametrize("name", CASES)
def test_a_recorded_body_is_read_to_the_digit(name: str) -> None:
    case = CASES[name]
    environ = {"TUSHARE_TOKEN": "x"} if case.make is TushareProvider else {}
    parts = play(case.make, case.bodies, case.request, case.now, **environ)
    found = _of(parts, case)
    for metric, value, unit in (figure.split() for figure in case.figures.split("; ")):
        fact = found[metric]
        assert to_the_digit(fact.value, value) == float(value), metric
        assert fact.unit == unit
    assert not case.absent & set(found)


def to_the_digit(value: float, like: str) -> float:
    """`value` with as many decimals as the index gives."""
    return round(value, len(like.partition(".")[2]))


def _of(parts: tuple[Fetched, ...], case: Case) -> dict[str, Fact]:
    """The facts of the case's symbol (or the signal whose id holds it), day and period."""
    return {
        fact.metric: fact
        for fact in rows(parts)
        if (fact.symbol == case.symbol or f":{case.symbol}" in fact.symbol)
        and (fact.as_of, fact.period) == (case.as_of, case.period)
    }


@pytest.mark.parametrize("name", REFUSALS)
def test_a_recorded_refusal_is_of_its_class(name: str) -> None:
    case = REFUSALS[name]
    with pytest.raises(YoujuError) as caught:
        play(case.make, case.bodies, case.request, case.now)
    assert type(caught.value) is case.error


@pytest.mark.parametrize("case", NOTICES, ids=lambda case: case.item_id)
def test_a_recorded_notice_is_dated_and_linked(case: Notice) -> None:
    parts = play(case.make, case.bodies, NoticesRequest(symbol=case.symbol), case.now)
    (item,) = [item for part in parts for item in part.items if item.item_id == case.item_id]
    assert item.published_at == datetime.fromisoformat(case.published).replace(tzinfo=BEIJING)
    assert (item.url, item.symbol) == (case.url, case.symbol)


@pytest.mark.parametrize(
    ("market", "code", "symbol", "suffix", "now"), COMPANIES, ids=lambda value: str(value)
)
def test_the_lists_of_a_company_are_read_together(
    market: str, code: str, symbol: str, suffix: str, now: str
) -> None:
    paths = lists_of(market, code, suffix)
    bodies = {f"{name}.json": path for name, path in paths.items()}
    bodies |= {f"finance/{market}/": no_rows()}
    # Half years are asked for by name: without one only American fiscal years are told.
    asked = ("2025_Q2", "2021_Q4") if code == "POM" else ()
    years = play(XueqiuProvider, bodies, FinancialsRequest(symbol=symbol), now)
    halves = (
        play(XueqiuProvider, bodies, FinancialsRequest(symbol=symbol, periods=asked), now)
        if asked
        else ()
    )
    told = {(f.metric, f.period, f.as_of): f for f in (*rows(years), *rows(halves))}
    expected = {line["path"]: line["expected"] for line in index()}
    compared = 0
    for path in paths.values():
        for metric, value, unit, period, on in _EXPECTED.findall(expected[path]):
            fact = told[metric, period, date.fromisoformat(on)]
            assert to_the_digit(fact.value, value) == float(value), (path, metric)
            assert fact.unit == unit
            compared += 1
        if known := _TAKEN_IN.search(expected[path]):
            incomes = [fact for key, fact in told.items() if key[0] == "net_profit"]
            newest = max(incomes, key=lambda fact: fact.as_of)
            assert f"来源收录于 {known[1]}" in (newest.note or "")
    assert compared >= 2
    # What the income list has tells the other lists when it was taken in.
    shared = [f for f in told.values() if ("net_profit", f.period, f.as_of) in told]
    assert all("来源收录于" in (fact.note or "") for fact in shared)


def test_every_recorded_body_has_its_case_or_its_reason() -> None:
    read = {path for case in (*CASES.values(), *REFUSALS.values(), *NOTICES) for path in case.paths}
    for market, code, _, suffix, _ in COMPANIES:
        read |= set(lists_of(market, code, suffix).values())
    unread = {line["path"] for line in index()} - read
    no_reason = {path for path in unread if not path.startswith(tuple(UNREAD))}
    # Cash flows and American balances are not asked for by the client of Xueqiu.
    assert {path for path in no_reason if "-cash_flow" not in path} == {
        f"xueqiu/finance_us/{code}-balance.json" for code in ("BABA", "JD", "POM", "HTT")
    }
    assert all(any(path.startswith(reason) for path in unread) for reason in UNREAD)
