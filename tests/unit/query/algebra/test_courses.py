"""How closes went, years of prices, shares of the first so many: against pandas on the bundle."""

import math
from datetime import date
from statistics import stdev

import pandas as pd
import pytest

from services.core.claims import Claim, Figure
from services.query.algebra.nodes import Query
from tests.unit.query.algebra.asked import Asked, ask
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.asking import query

TENCENT = "00700.HK"


def closes(symbol: str, first: date, last: date) -> pd.Series:
    bars = frames().bars
    mine = bars[(bars.symbol == symbol) & (bars.date >= first) & (bars.date <= last)]
    return mine.set_index("date").close


def moves(symbol: str, first: date, last: date) -> pd.Series:
    """What each close of the window is above the one before it, its first one's too."""
    change = closes(symbol, date(2010, 1, 1), last).pct_change()
    return change[change.index >= first]


def asked(text: str) -> Asked:
    found = query(text)
    assert isinstance(found, Query), text
    made = ask(found)
    assert made.failures == ()
    return made


def first_figure(text: str) -> Figure:
    return next(iter(asked(text).outcome.rows[0].figures.values()))


def is_close(figure: Figure, wanted: float) -> bool:
    return isinstance(figure, Claim) and math.isclose(figure.value, wanted, rel_tol=1e-9)


def _longest(moves: pd.Series, sign: int) -> int:
    best = run = 0
    for move in moves:
        run = run + 1 if move * sign > 0 else 0
        best = max(best, run)
    return best


def test_how_closes_went_in_a_year() -> None:
    of_year = closes(TENCENT, date(2016, 1, 1), date(2016, 12, 31))
    moved = moves(TENCENT, date(2016, 1, 1), date(2016, 12, 31))
    assert is_close(
        first_figure("腾讯2016年最大回撤"), ((of_year / of_year.cummax()) - 1).min() * 100
    )
    assert is_close(first_figure("腾讯2016年最长连跌几天"), _longest(moved, -1))
    assert is_close(first_figure("腾讯2016年最长连涨几天"), _longest(moved, 1))
    assert is_close(first_figure("腾讯2016年日收益率标准差"), stdev(moved.tolist()) * 100)
    highs = (of_year > of_year.cummax().shift()).sum()
    assert is_close(first_figure("腾讯2016年收盘新高次数"), highs)
    assert _longest(moved, -1) > 2
    assert highs > 5


@pytest.mark.parametrize("place", range(2, 40, 7))
def test_a_run_from_the_first_session_is_counted_from_the_close_before(place: int) -> None:
    days = list(closes(TENCENT, date(2017, 2, 1), date(2017, 5, 31)).index)
    first, last = days[place], days[place + 4]
    moved = moves(TENCENT, first, last)
    for word, sign in (("连涨", 1), ("连跌", -1)):
        found = first_figure(f"腾讯{first}到{last}最长{word}几天")
        assert is_close(found, _longest(moved, sign)), (first, word)


def test_who_fell_less_is_who_has_the_shallower_fall() -> None:
    made = asked("腾讯和友邦保险2016年谁的最大回撤小")
    falls: dict[str, float] = {}
    for symbol in (TENCENT, "01299.HK"):
        of_year = closes(symbol, date(2016, 1, 1), date(2016, 12, 31))
        if len(of_year):
            falls[symbol] = ((of_year / of_year.cummax()) - 1).min()
    first = made.outcome.rows[0].symbol
    assert first == max(falls, key=falls.__getitem__)


def _by_year(symbol: str) -> dict[int, float]:
    """What the last close of each year is above that of the year before, in per cent."""
    last: dict[int, float] = {}
    for day, close in closes(symbol, date(2010, 1, 1), date(2017, 12, 31)).items():
        assert isinstance(day, date)
        last[day.year] = float(close)
    return {year: (last[year] / last[year - 1] - 1) * 100 for year in last if year - 1 in last}


def test_each_year_of_a_price() -> None:
    wanted = _by_year(TENCENT)
    rows = asked("腾讯2012到2016年每年涨跌幅").outcome.rows
    assert len(rows) == 5
    for row, year in zip(rows, range(2012, 2017), strict=True):
        assert is_close(next(iter(row.figures.values())), wanted[year]), year


def test_the_year_and_the_years_of_a_price() -> None:
    wanted = {year: one for year, one in _by_year(TENCENT).items() if year <= 2016}
    best = asked("腾讯哪年涨得最多").outcome.rows
    assert is_close(next(iter(best[0].figures.values())), max(wanted.values()))
    rows = asked("腾讯过去五年有哪几年涨幅超过50%").outcome.rows
    many = [one for year, one in wanted.items() if one > 50 and year >= 2012]
    assert len(rows) == len(many) > 0


def test_the_share_of_the_ten_largest() -> None:
    worth = frames().companies.query("market == 'CN'").market_cap.dropna()
    wanted = worth.nlargest(10).sum() / worth.sum() * 100
    assert is_close(first_figure("市值最大的十家公司占全部A股总市值的比重"), wanted)


def test_both_ends_of_the_industries() -> None:
    table = frames().companies.query("market == 'CN'")
    medians = table.groupby("industry").pb.median().dropna().sort_values()
    made = asked("哪个行业PB中位数最高，哪个最低")
    assert made.outcome.rows[0].label.zh == medians.index[-1]
    assert medians.index[0] in made.outcome.sentences[0].zh
    assert medians.index[-1] in made.outcome.sentences[0].zh


def test_figures_of_a_row_put_together() -> None:
    table = frames().companies.query("market == 'CN'")
    wanted = table.query("pe_ttm >= 0 and pb >= 0 and pe_ttm * pb <= 22.5")
    made = asked("市盈率乘以市净率不超过22.5的A股有几家")
    assert is_close(next(iter(made.outcome.rows[-1].figures.values())), len(wanted))


def test_whether_it_holds_of_all_is_no_further_condition() -> None:
    before = query("A股银行市净率低于2")
    assert isinstance(before, Query)
    found = query("它们市盈率都低于8吗", [before])
    assert isinstance(found, Query)
    assert found.check is not None
    assert found.where == before.where
    table = frames().companies.query("market == 'CN' and industry == '银行'")
    rows = table.query("pb >= 0 and pb < 2")
    held = rows.query("pe_ttm >= 0 and pe_ttm < 8")
    made = ask(found)
    assert made.failures == ()
    assert len(made.outcome.rows) == len(rows) > len(held) > 0
    assert made.outcome.sentences[0].zh.startswith("不都是")


def test_a_figure_asked_beside_a_list_has_its_sentence() -> None:
    before = query("A股银行市净率最低的5只")
    assert isinstance(before, Query)
    found = query("它们的股息率呢", [before])
    assert isinstance(found, Query)
    assert any("股息率" in one.zh for one in ask(found).outcome.sentences)


def test_what_nobody_has_is_not_said_to_be_found_nowhere() -> None:
    said = asked("2016年营业收入增长且净利润下降的A股").outcome.sentences[0].zh
    assert "营业收入同比" in said or "净利润同比" in said
    assert "可判断" in said


ALIKE = (
    (
        "2016年营业收入增长且2016年净利润下降的公司",
        "2016年营业收入同比大于0且2016年净利润同比小于0的公司",
    ),
    ("盈利且市盈率最低的10只A股", "市盈率大于0的A股里市盈率最低的10只"),
    ("净利润下降但营业收入增长的A股", "净利润同比小于0且营业收入同比大于0的A股"),
    ("海康威视的PB在行业里排第几，由高到低", "海康威视的PB在行业里排第几"),
)


@pytest.mark.parametrize(("said", "plain"), ALIKE)
def test_nothing_that_was_said_falls(said: str, plain: str) -> None:
    assert query(plain) is not None
    assert query(said) == query(plain)


def test_a_place_from_the_end_is_another() -> None:
    up, down = (query(f"海康威视的PB在行业里排第几，{way}") for way in ("由低到高", "由高到低"))
    assert up is not None
    assert up != down


def test_a_place_says_of_how_many() -> None:
    figures = [*asked("招商银行在银行行业里ROE排第几").outcome.rows[0].figures.values()]
    table = frames().companies.query("market == 'CN' and industry == '银行'")
    place = (table.roe > table.roe["600036.SH"]).sum() + 1
    assert is_close(figures[0], place)
    assert is_close(figures[2], table.roe.notna().sum())


def test_a_share_of_sets_says_of_how_many_it_is() -> None:
    made = asked("银行业市值前五大占整个行业市值的比重")
    worth = frames().companies.query("market == 'CN' and industry == '银行'").market_cap
    wanted = worth.nlargest(5).sum() / worth.sum() * 100
    assert is_close(next(iter(made.outcome.rows[0].figures.values())), wanted)
    counts = {claim.value for claim in made.ledger.claims}
    assert {float(worth.notna().sum()), float(len(worth))} <= counts
    assert any("有总市值的公司数" in note.zh for note in made.outcome.notes)


def test_the_industries_whose_fold_is_below() -> None:
    table = frames().companies.query("market == 'CN'")
    medians = table.groupby("industry").pb.median()
    made = asked("哪些行业的市净率中位数低于2")
    assert {row.label.zh for row in made.outcome.rows} == set(medians[medians < 2].index)


def _going(symbol: str, sign: int) -> int:
    """How many of the last moves in a row were up or down."""
    moves = closes(symbol, date(2017, 4, 1), date(2017, 12, 31)).diff().dropna().tolist()
    run = 0
    for move in reversed(moves):
        if move * sign <= 0:
            break
        run += 1
    return run


@pytest.mark.parametrize("symbol", ["00700.HK", "01299.HK", "AAPL", "TSLA"])
def test_a_run_of_sessions_up_to_the_newest(symbol: str) -> None:
    name = {"00700.HK": "腾讯", "01299.HK": "友邦保险", "AAPL": "苹果", "TSLA": "特斯拉"}[symbol]
    for word, sign in (("涨", 1), ("跌", -1)):
        figure = first_figure(f"{name}连{word}几天了")
        assert not isinstance(figure, Claim) or figure.value == _going(symbol, sign)
        assert isinstance(figure, Claim) or symbol != TENCENT


def test_a_run_is_a_condition_too() -> None:
    """As many sessions as it has gone on hold, one more does not."""
    (run, word) = max((_going(TENCENT, sign), word) for sign, word in ((1, "涨"), (-1, "跌")))
    for count, wanted in ((max(run, 1), run > 0), (run + 1, False)):
        told = asked(f"腾讯连{word}{count}天了吗").outcome.sentences[0].zh
        assert ("不满足" not in told and "否" not in told) == wanted, told


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("净利润连续增长年数最多的3家银行", "银行里净利润连续增长年数最多的三家"),
        ("茅台连涨几天了", "how many days in a row has Moutai risen"),
        ("连涨三天以上的银行股", "banks up three days in a row"),
        ("茅台连续多少年分红", "茅台连续分红几年了"),
    ],
)
def test_a_run_is_a_figure_however_it_is_said(one: str, other: str) -> None:
    assert query(one) is not None
    assert query(one) == query(other)


def test_a_run_of_years_says_how_far_back_it_could_count() -> None:
    made = asked("招商银行净利润连续几年增长")
    assert any("最早一期" in note.zh for note in made.outcome.notes)


def test_a_run_ends_at_a_lost_session_and_says_so() -> None:
    found = asked("腾讯2017年最长连涨几天")
    spans = ((date(2017, 1, 1), date(2017, 1, 11)), (date(2017, 1, 16), date(2017, 7, 26)))
    moves = [closes(TENCENT, *span).diff().dropna() for span in spans]
    figure = next(iter(found.outcome.rows[0].figures.values()))
    assert is_close(figure, max(_longest(one, 1) for one in moves))
    notes = "".join(note.zh for note in found.outcome.notes)
    assert "2017-01-12、2017-01-13" in notes
    assert "不跨缺日线的交易日" in notes
