"""估值 and 同行: multiples of the past against a second computation with pandas, ranks by hand."""

from datetime import date
from functools import cache

import numpy as np
import pandas as pd
import pytest

from services.core.claims import Claim, DerivedCite
from services.core.verifier import verify
from services.views.company.build import SectionRequest
from services.views.company.peers import Among, PeersAsked, PeersPart
from services.views.company.valuation import Channel, Span, ValuationPart
from services.views.company.valuation_past import Band
from services.views.company.view import CompanyView
from services.workbench.replay import replay
from tests.unit.market.bundled import FOLDER
from tests.unit.reports.bundled import desk, services, session

OWN_CHOICE = ("601169.SH", "002142.SZ", "002807.SZ", "002839.SZ")
BANK = "600036.SH"
# Annual reports of the bank: earnings and dividend a share, equity in 亿 (annual_figures.csv).
REPORTS = {
    2013: (2.30, 0.62, 2654.65),
    2014: (2.22, 0.67, 3144.04),
    2015: (2.29, 0.69, 3608.06),
    2016: (2.46, 0.74, 4023.50),
}
SHARES = 252.1985  # 亿


@cache
def view(symbol: str, tab: str, **more: object) -> CompanyView:
    wanted = SectionRequest(tab=tab, **more)  # type: ignore[arg-type]
    return desk().company(symbol, wanted, session())


def valuation(symbol: str, past: Span = "all") -> ValuationPart:
    part = view(symbol, "valuation", past=past).part
    assert isinstance(part, ValuationPart)
    return part


def band(metric: str, past: Span = "all") -> Band:
    return next(one for one in valuation(BANK, past).bands if one.metric == metric)


def peers(among: Among, chosen: tuple[str, ...] = ()) -> PeersPart:
    part = view(BANK, "peers", peers=PeersAsked(among=among, chosen=chosen)).part
    assert isinstance(part, PeersPart)
    return part


def past(per_share: dict[int, float]) -> pd.Series:
    """Each session's multiple, worked out row by row: a report is known from the 120th day after
    its year, its dividend is in the adjusted close's future until the 181st.
    """
    bars = pd.read_parquet(FOLDER / "bars.parquet")
    closes = bars[bars["symbol"] == BANK].set_index("date")["close"]
    closes.index = pd.to_datetime(closes.index)
    made: dict[object, float] = {}
    sorted_closes = closes.sort_index()
    days = [pd.Timestamp(day) for day in sorted_closes.index]
    for day, close in zip(days, sorted_closes.to_list(), strict=True):
        known = [y for y in REPORTS if day >= pd.Timestamp(y, 12, 31) + pd.Timedelta(days=120)]
        if not known or day > pd.Timestamp(2017, 7, 25):
            continue
        owed = sum(
            dps
            for year, (_, dps, _) in REPORTS.items()
            if year >= max(known) and day < pd.Timestamp(year, 12, 31) + pd.Timedelta(days=181)
        )
        made[day] = (close + owed) / per_share[max(known)]
    return pd.Series(made)


MULTIPLES = {
    "pe_report": {year: eps for year, (eps, _, _) in REPORTS.items()},
    "pb_report": {year: equity / SHARES for year, (_, _, equity) in REPORTS.items()},
}


@pytest.mark.parametrize(("metric", "per_share"), MULTIPLES.items())
def test_the_past_is_what_a_second_computation_gives(
    metric: str, per_share: dict[int, float]
) -> None:
    found, wanted = band(metric), past(per_share)
    assert [dot.day for dot in found.dots] == [pd.Timestamp(day).date() for day in wanted.index]
    assert [dot.value for dot in found.dots] == pytest.approx(wanted.to_list(), rel=1e-3)
    told = {word: one.value for word, one in found.told.items() if isinstance(one, Claim)}
    assert told["median"] == pytest.approx(wanted.median(), rel=1e-3)
    for word, percent in (("p10", 10), ("p25", 25), ("p75", 75), ("p90", 90)):
        assert told[word] == pytest.approx(np.percentile(wanted, percent), rel=1e-3)
    share = (wanted <= wanted.iloc[-1]).mean() * 100
    assert told["percentile"] == pytest.approx(share, abs=0.3)
    assert told["now"] == pytest.approx(wanted.iloc[-1], rel=1e-3)


@pytest.mark.parametrize(("span", "days"), [("1y", 365), ("3y", 1095)])
@pytest.mark.parametrize("metric", ["pe_report", "pb_report"])
def test_a_shorter_past_is_told_of_those_sessions_alone(metric: str, span: Span, days: int) -> None:
    found, whole = band(metric, span), past(MULTIPLES[metric])
    wanted = whole[whole.index >= pd.Timestamp(2017, 7, 25) - pd.Timedelta(days=days)]
    assert [dot.day for dot in found.dots] == [pd.Timestamp(day).date() for day in wanted.index]
    assert [dot.value for dot in found.dots] == pytest.approx(wanted.to_list(), rel=1e-3)
    told = {word: one.value for word, one in found.told.items() if isinstance(one, Claim)}
    assert told["median"] == pytest.approx(wanted.median(), rel=1e-3)
    assert told["p10"] == pytest.approx(np.percentile(wanted, 10), rel=1e-3)
    share = (wanted <= wanted.iloc[-1]).mean() * 100
    assert told["percentile"] == pytest.approx(share, abs=0.3)
    shown = view(BANK, "valuation", past=span)
    assert verify(tuple(shown.claims.values()), shown.trace, services().clock.now()).ok


def test_on_the_day_the_source_valued_it_both_agree() -> None:
    found = band("pe_report")
    assert found.given is not None
    (before,) = [dot.value for dot in found.dots if dot.day == date(2017, 5, 24)]
    assert before == pytest.approx(found.given.value, abs=0.02)


def test_the_assumption_stands_in_the_note_of_each_figure() -> None:
    for one in band("pe_report").told.values():
        assert isinstance(one, Claim)
        assert isinstance(one.cite, DerivedCite)
        assert "六月三十日" in (one.cite.note or "")
        assert one.as_of == date(2017, 7, 25)


@pytest.mark.parametrize(("symbol", "why"), [("00700.HK", "币种"), ("600519.SH", "日线")])
def test_where_there_is_no_past_it_is_said_why(symbol: str, why: str) -> None:
    part = valuation(symbol)
    assert part.bands == ()
    assert part.why is not None
    assert why in part.why.zh


@pytest.mark.parametrize("tab", ["valuation", "peers", "fin"])
@pytest.mark.parametrize("symbol", [BANK, "000002.SZ", "AAPL", "601398.SH"])
def test_every_claim_of_a_section_holds(symbol: str, tab: str) -> None:
    shown = view(symbol, tab)
    claims = tuple(shown.claims.values())
    assert verify(claims, shown.trace, services().clock.now()).ok


def test_peers_are_named_ranked_and_those_without_a_valuation_told() -> None:
    part = view(BANK, "peers").part
    assert isinstance(part, PeersPart)
    values = {
        line.symbol: figure.value
        for line in part.lines
        if isinstance(figure := line.figures["pb"], Claim)
    }
    rank = part.standings["pb"].rank
    assert isinstance(rank, Claim)
    assert rank.value == sorted(values.values(), reverse=True).index(values[BANK]) + 1
    best = {line.symbol for line in part.lines if line.places.get("pb") == "best"}
    assert best == {min(values, key=values.__getitem__)}
    assert not any("market_cap" in line.places or "net_profit" in line.places
                   for line in part.lines)  # fmt: skip
    lacking = {one.zh for one in part.lacking}
    assert {"工商银行", "平安银行"} <= lacking
    assert not lacking & {line.name.zh for line in part.lines}


def test_peers_like_in_size_are_worth_a_third_of_it_to_three_times_as_much() -> None:
    sizes = {
        line.symbol: figure.value
        for line in peers("all").lines
        if isinstance(figure := line.figures["market_cap"], Claim)
    }
    like = {one for one, size in sizes.items() if sizes[BANK] / 3 <= size <= sizes[BANK] * 3}
    part = peers("size")
    assert {line.symbol for line in part.lines} == like
    assert like < set(sizes)
    count = part.standings["pb"].count
    assert isinstance(count, Claim)
    assert count.value == len(like)


def test_peers_of_ones_own_choice_are_those_and_the_company() -> None:
    part = peers("own", OWN_CHOICE)
    assert {line.symbol for line in part.lines} == {BANK, *OWN_CHOICE}
    shown = {line.symbol: line.figures["pb"] for line in part.lines}
    rank, median = part.standings["pb"].rank, part.standings["pb"].median
    values = [one.value for one in shown.values() if isinstance(one, Claim)]
    mine = shown[BANK]
    assert isinstance(rank, Claim)
    assert isinstance(median, Claim)
    assert isinstance(mine, Claim)
    assert rank.value == sorted(values, reverse=True).index(mine.value) + 1
    assert median.value == pytest.approx(np.median(values))
    assert set(part.every) > set(OWN_CHOICE)


def test_of_three_of_ones_own_choice_there_is_no_median_and_the_count_is_told() -> None:
    standing = peers("own", OWN_CHOICE[:2]).standings["pb"]
    assert not isinstance(standing.median, Claim)
    assert not isinstance(standing.rank, Claim)
    assert isinstance(standing.count, Claim)
    assert standing.count.value == 3


# Of how many companies of the industry there is a P/E (TTM), and how many it has, by SQL over the
# snapshot; the median of them.
@pytest.mark.parametrize(
    ("symbol", "have", "total", "median", "lacking"),
    [
        ("600519.SH", 63, 71, 44.20, 4),
        ("600028.SH", 198, 222, 49.97, 3),
        (BANK, 10, 22, 11.235, 12),
    ],
)
def test_every_tab_tells_the_median_of_the_whole_industry(
    symbol: str, have: int, total: int, median: float, lacking: int
) -> None:
    beside, value = view(symbol, "peers").part, valuation(symbol)
    assert isinstance(beside, PeersPart)
    for part, told in ((beside, beside.total), (value, value.peers)):
        standing = part.standings["pe_ttm"]
        assert isinstance(standing.median, Claim)
        assert isinstance(standing.count, Claim)
        assert isinstance(told, Claim)
        assert (standing.count.value, told.value) == (have, total)
        assert standing.median.value == pytest.approx(median, abs=0.005)
    assert len(beside.lacking) == lacking
    assert len(beside.lines) <= 13


def test_a_yield_of_one_company_is_no_median() -> None:
    standing = valuation("600519.SH").standings["dy_l"]
    assert not isinstance(standing.median, Claim)
    assert isinstance(standing.count, Claim)
    assert standing.count.value == 1


def test_only_companies_without_any_figure_are_told_to_have_none() -> None:
    part = view("600519.SH", "peers").part
    assert isinstance(part, PeersPart)
    assert not {"西藏发展", "兰州黄河", "惠泉啤酒", "麦趣尔", "莲花健康", "通葡股份", "*ST皇台"} & {
        one.zh for one in part.lacking
    }


def test_nobody_chosen_is_nobody_to_compare_with() -> None:
    part = peers("own")
    assert [line.symbol for line in part.lines] == [BANK]
    assert not isinstance(part.standings["pb"].median, Claim)


def channel(metric: str) -> Channel:
    part = view(BANK, "valuation", drawn="price").part
    assert isinstance(part, ValuationPart)
    return next(one for one in part.channels if one.band.metric == metric)


@pytest.mark.parametrize(("metric", "per_share"), MULTIPLES.items())
def test_each_line_of_a_channel_comes_to_that_multiple_of_the_newest_report(
    metric: str, per_share: dict[int, float]
) -> None:
    found, wanted = channel(metric), past(per_share)
    for word, percent in (("p90", 90), ("p75", 75), ("median", 50), ("p25", 25), ("p10", 10)):
        line = found.lines[word]
        assert isinstance(line, Claim)
        # The newest report is of 2016; nothing is paid after July, so the price is the close.
        price = np.percentile(wanted, percent) * per_share[2016]
        assert (line.value, line.unit) == (pytest.approx(price, rel=2e-3), "CNY")
    assert (found.close.value, found.close.as_of) == (25.53, date(2017, 7, 25))


def test_the_prices_of_a_channel_hold_and_are_asked_again_as_they_were() -> None:
    shown = view(BANK, "valuation", drawn="price")
    assert verify(tuple(shown.claims.values()), shown.trace, services().clock.now()).ok
    assert replay(services(), shown.run_ids[0], "zh").holds
    assert {"channel", "valuation"} <= {table.key for table in shown.tables()}


def test_without_a_past_there_is_no_channel_and_why_is_said() -> None:
    part = view("00700.HK", "valuation", drawn="price").part
    assert isinstance(part, ValuationPart)
    assert part.channels == ()
    assert part.why is not None
