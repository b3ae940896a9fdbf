"""The company page over the real snapshot: one basis, every figure a verified claim.

600036.SH: close 25.53 on 2017-07-25; the source valued it on 2017-05-25 at 5,525.84 亿 (21.91 a
share), PE TTM 8.67, PB 1.31. So at 25.53: 8.67 × 25.53 ÷ 21.91 = 10.10, 1.31 × … = 1.526.
"""

import csv
from datetime import date
from functools import cache
from math import log, prod
from pathlib import Path
from statistics import fmean

import pandas as pd
import pytest

from services.core.catalogue import metric_words
from services.core.claims import Claim, DerivedCite, Missing
from services.core.errors import InputError
from services.core.text import Text
from services.core.verifier import verify
from services.market.candles import Interval, group_bars
from services.views.company.build import SectionRequest, wanted_of
from services.views.company.chart import ChartPart, ChartRequest
from services.views.company.statements import StatementsAsked, StatementsPart
from services.views.company.view import CompanyView
from services.workbench.replay import replay
from tests.unit.reports.bundled import desk, services, session

BANK = "600036.SH"
ROOT = Path(__file__).resolve().parents[3]


@cache
def view(symbol: str, wanted: SectionRequest = SectionRequest()) -> CompanyView:  # noqa: B008 — frozen
    return desk().company(symbol, wanted, session())


def chart(symbol: str, asked: ChartRequest) -> ChartPart:
    part = view(symbol, SectionRequest(chart=asked)).part
    assert isinstance(part, ChartPart)
    return part


def value(figure: object) -> float:
    assert isinstance(figure, Claim)
    return figure.value


def test_multiples_stand_at_the_price_shown_and_the_sources_own_in_the_basis() -> None:
    head = view(BANK).head
    found = {stat.figure.metric: stat.figure for stat in head.stats}
    assert value(head.quote.price) == 25.53
    assert value(found["pe_ttm"]) == pytest.approx(8.67 * 25.53 / 21.91, rel=1e-3)
    assert value(found["pb"]) == pytest.approx(1.31 * 25.53 / 21.91, rel=1e-3)
    assert value(found["dy_l"]) == pytest.approx(0.74 / 25.53 * 100)
    claims = [one for one in found.values() if isinstance(one, Claim) and one.metric != "roe"]
    assert {one.as_of for one in claims} == {date(2017, 7, 25)}
    assert [one.value for one in head.basis.given] == [8.67, 1.31]
    assert (head.basis.priced_on, head.basis.valued_on) == (date(2017, 7, 25), date(2017, 5, 24))


def test_the_year_is_the_lowest_and_highest_price_and_says_what_lacks() -> None:
    low, high = view(BANK).head.year
    bars = chart(BANK, ChartRequest()).bars
    assert bars is not None
    year = [bar for bar in bars.bars if bar.date >= date(2016, 7, 25)]
    assert (value(low), value(high)) == (min(b.low for b in year), max(b.high for b in year))
    assert isinstance(high, Claim)
    assert isinstance(high.cite, DerivedCite)
    assert "缺 9 个交易日" in (high.cite.note or "")
    assert view(BANK).head.basis.lacking == 9


@pytest.mark.parametrize(
    ("symbol", "other"),
    [(BANK, "03968.HK"), ("03968.HK", BANK), ("601398.SH", "01398.HK")],
)
def test_the_same_company_elsewhere_is_known_by_its_full_name(symbol: str, other: str) -> None:
    assert [one.symbol for one in view(symbol).head.siblings] == [other]


def test_a_like_short_name_is_no_other_listing() -> None:
    # 辉煌科技 of Shenzhen and of Hong Kong are two companies.
    assert view("002296.SZ").head.siblings == ()


def test_a_company_without_figures_has_a_head_that_says_so() -> None:
    head = view("601398.SH").head
    assert not head.has_figures
    assert isinstance(head.quote.price, Missing)


@pytest.mark.parametrize("symbol", [BANK, "00700.HK", "AAPL", "000001.SH", "600519.SH"])
def test_every_claim_of_the_page_holds_and_the_run_can_be_done_again(symbol: str) -> None:
    shown = view(symbol, SectionRequest(chart=ChartRequest("3y", "w")))
    at = services().clock.now()
    assert verify(tuple(shown.claims.values()), shown.trace, at).ok
    assert replay(services(), shown.run_ids[0], "zh").holds


def test_averages_are_over_the_sessions_held_whatever_lacks_between() -> None:
    part = chart(BANK, ChartRequest())
    assert part.bars is not None
    closes = [bar.close for bar in part.bars.bars]
    for length in (5, 20, 60):
        assert value(part.readout[f"ma_{length}"]) == pytest.approx(fmean(closes[-length:]))
    note = part.readout["ma_60"]
    assert isinstance(note, Claim)
    assert isinstance(note.cite, DerivedCite)
    assert "缺" in (note.cite.note or "")


def test_a_week_is_called_by_its_last_session_and_an_open_one_is_told() -> None:
    part = chart(BANK, ChartRequest("3y", "w"))
    assert part.bars is not None
    # 2017-07-24 was a Monday: Monday and Tuesday are all there is of that week.
    last, before = part.candles[-1], part.candles[-2]
    assert (last.first, last.last) == (date(2017, 7, 24), date(2017, 7, 25))
    assert before.last == date(2017, 7, 21)
    assert part.open_sessions == 2
    days = [bar for bar in part.bars.bars if bar.date >= date(2017, 7, 24)]
    assert value(part.readout["high"]) == max(bar.high for bar in days)
    assert value(part.readout["open"]) == days[0].open
    assert value(part.readout["volume"]) == sum(bar.volume or 0 for bar in days)


@pytest.mark.parametrize(
    ("symbol", "interval", "rule"),
    [(BANK, "w", "W-SUN"), (BANK, "m", "ME"), ("601766.SH", "w", "W-SUN"), ("00700.HK", "m", "ME")],
)
def test_averages_of_weeks_and_months_are_of_their_last_closes(
    symbol: str, interval: Interval, rule: str
) -> None:
    """By pandas over the parquet; every one a claim that holds."""
    part = chart(symbol, ChartRequest("1y", interval))
    bars = pd.read_parquet(ROOT / "data/snapshot/bars.parquet")
    bars = bars[bars["symbol"] == symbol].sort_values("date")
    closes = bars.set_index(pd.to_datetime(bars["date"]))["close"].resample(rule).last().dropna()
    for length in (5, 20, 60):
        figure = part.readout[f"ma_{length}"]
        assert value(figure) == pytest.approx(float(closes.iloc[-length:].mean()))
        assert isinstance(figure, Claim)
        assert figure.metric == {"w": "ma_week", "m": "ma_month"}[interval]
        assert f"{length} " in (figure.cite.note or "")
    whole = view(symbol, SectionRequest(chart=ChartRequest("1y", interval)))
    assert verify(list(whole.claims.values()), whole.trace, services().clock.now()).failures == ()


def test_what_an_average_lacks_and_what_was_not_judged_stand_beside_them() -> None:
    """Off gaps.parquet: of the 65 sessions of MA60 five are lost, 9 of the year."""
    part = chart(BANK, ChartRequest("1y"))
    assert (part.lost[5], part.lost[60]) == (0, 5)
    assert len(part.events) == 9
    assert part.unjudged.zh.startswith("16 个交易日未能判断：9 日缺日线")
    assert part.tables()[0].note == part.unjudged


def test_groups_lose_nothing() -> None:
    part = chart(BANK, ChartRequest("all", "d"))
    assert part.bars is not None
    bars = part.bars.bars
    for interval in ("w", "m"):
        groups = group_bars(bars, interval)
        assert sum(one.places[1] - one.places[0] + 1 for one in groups) == len(bars)
        assert max(one.high for one in groups) == max(bar.high for bar in bars)
        assert sum(one.volume or 0 for one in groups) == sum(bar.volume or 0 for bar in bars)
        assert [one.last for one in groups] == sorted({one.last for one in groups})


def test_single_sessions_of_an_interval_stand_under_it() -> None:
    rows = chart("000002.SZ", ChartRequest("3y")).events
    spans = [row for row in rows if row.event.start != row.event.end]
    assert any(row.within for row in spans)
    inner = {one.event.end for row in spans for one in row.within}
    assert not inner & {row.event.end for row in rows if row.event.start == row.event.end}


def test_an_overlay_that_has_no_bars_is_named_with_why() -> None:
    part = chart(BANK, ChartRequest(overlays=("000001.SH", "601398.SH")))
    assert [one.symbol for one in part.overlays] == ["000001.SH"]
    assert "工商银行" in part.refused[0].zh


def test_a_range_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="range"):
        desk().company(BANK, SectionRequest(chart=ChartRequest("7y")), session())


def statements(symbol: str, count: int = 5) -> StatementsPart:
    part = view(symbol, SectionRequest(tab="fin", fin=StatementsAsked(count=count))).part
    assert isinstance(part, StatementsPart)
    return part


def test_the_bundle_expects_nothing_and_says_so() -> None:
    part = statements(BANK)
    assert part.forecasts.why == Text(
        "快照不含机构预期", "no institutions' forecasts in the snapshot"
    )
    assert not part.forecasts.tables()


def test_dupont_of_a_bank_by_hand() -> None:
    # 2016: 620.81 / 2,090.25 = 29.70 %, 2,090.25 / 59,423.11 = 3.5176 %, 59,423.11 / 4,023.50 =
    # 14.769; 2015: 576.96 / 2,014.71, 2,014.71 / 54,749.78, 54,749.78 / 3,608.06.
    found = statements(BANK).dupont
    assert found is not None
    now = (620.81 / 2090.25, 2090.25 / 59423.11, 59423.11 / 4023.50)
    then = (576.96 / 2014.71, 2014.71 / 54749.78, 54749.78 / 3608.06)
    step = (prod(now) - prod(then)) * 100
    assert value(found.step) == pytest.approx(step, rel=1e-3)
    for term, new, old in zip(found.terms, now, then, strict=True):
        share = step * log(new / old) / log(prod(now) / prod(then))
        assert value(term.share) == pytest.approx(share, rel=1e-2)
    assert sum(value(one.share) for one in found.terms) == pytest.approx(value(found.step))


def test_two_bases_of_one_return_are_both_told() -> None:
    (apart,) = statements(BANK).apart
    assert (round(apart.one.value, 2), round(apart.other.value, 2)) == (15.43, 14.72)


def test_the_oldest_period_shown_has_its_growth_from_the_one_before_it() -> None:
    part = statements("600036.SH", 3)
    assert part.periods == ("2016_Q4", "2015_Q4", "2014_Q4")
    (growth,) = [r for r in part.matrix.rows if r.cells["metric"] == metric_words("revenue_yoy")]
    assert value(growth.cells["2014_Q4"]) == pytest.approx((1658.63 / 1326.04 - 1) * 100, rel=1e-4)


def test_figures_a_share_before_a_split_are_not_drawn_beside_later_ones() -> None:
    small = {one.metric: one for one in statements("00700.HK").small}
    assert small["eps"].points[0].period == "2013_Q4"
    assert small["revenue"].points[0].period == "2012_Q4"


def test_a_period_without_the_figure_keeps_its_place_between_those_that_have_it() -> None:
    dps = {one.metric: one for one in statements("002594.SZ").small}["dps"]
    # It paid for 2013 and for 2016.
    assert [one.period for one in dps.points] == ["2013_Q4", "2016_Q4"]
    assert dps.periods == ("2013_Q4", "2014_Q4", "2015_Q4", "2016_Q4")


def test_a_company_without_reports_shows_what_its_valuation_implies() -> None:
    part = statements("600519.SH")
    assert part.implied
    assert part.dupont is None
    assert part.small == ()


def beside(symbol: str, other: str, *rows: str) -> StatementsPart:
    asked = StatementsAsked(beside=other, rows=rows)
    part = view(symbol, SectionRequest(tab="fin", fin=asked)).part
    assert isinstance(part, StatementsPart)
    return part


def reported(symbol: str, metric: str) -> dict[int, float]:
    """The year and the figure, out of the bundled file by hand."""
    with (ROOT / "data" / "annual_figures.csv").open(encoding="utf-8") as lines:
        return {
            int(row["fiscal_year"]): float(row["value"])
            for row in csv.DictReader(lines)
            if (row["symbol"], row["metric"]) == (symbol, metric)
        }


def test_the_figures_of_a_company_beside_are_those_of_its_own_reports() -> None:
    part, wanted = beside(BANK, "00700.HK"), reported("00700.HK", "revenue")
    assert part.beside is not None
    assert part.beside.name.en == "Tencent"
    (row,) = [r for r in part.matrix.rows if r.cells["metric"] == metric_words("revenue")]
    told = {int(period[:4]): value(row.cells[key]) for key, period in part.beside.columns.items()}
    assert told == pytest.approx({year: wanted[year] for year in range(2012, 2017)})
    shown = view(BANK, SectionRequest(tab="fin", fin=StatementsAsked(beside="00700.HK")))
    assert verify(tuple(shown.claims.values()), shown.trace, services().clock.now()).ok


@pytest.mark.parametrize(
    ("other", "word"), [("000001.SH", "不是公司"), ("601398.SH", "没有它的报表")]
)
def test_one_without_reports_is_told_and_has_no_columns(other: str, word: str) -> None:
    part = beside(BANK, other)
    assert part.beside is not None
    assert part.beside.why is not None
    assert word in part.beside.why.zh
    assert [one.key for one in part.matrix.columns] == ["metric", *part.periods]


def test_the_company_itself_is_not_put_beside_itself() -> None:
    assert beside(BANK, "SH600036").beside is None


def test_the_figures_chosen_are_the_rows_and_the_others_are_still_offered() -> None:
    part = beside(BANK, "", "roe", "revenue")
    assert [row.cells["metric"] for row in part.matrix.rows] == [
        metric_words("revenue"), metric_words("roe"),
    ]  # fmt: skip
    assert set(part.held) == set(beside(BANK, "").held) > {"revenue", "roe", "net_profit"}


def test_a_run_of_statements_is_asked_again_as_it_was() -> None:
    wanted = SectionRequest(tab="fin", fin=StatementsAsked("annual", 3, "00700.HK", ("roe",)))
    (run_id,) = view(BANK, wanted).run_ids
    assert wanted_of(services().runs.load(run_id).run.arguments) == wanted
    assert replay(services(), run_id, "zh").holds
