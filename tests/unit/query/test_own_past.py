"""Prices against their own past: lines, records and places, read and computed."""

import pytest

from services.core.claims import Claim
from services.query.algebra.nodes import Compare, HistoryRank, Over, Query, Rank, When
from tests.unit.query.algebra.asked import ask
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.asking import query

TENCENT = "00700.HK"


def last_closes(count: int) -> list[float]:
    bars = frames().bars
    mine = bars[bars.symbol == TENCENT].set_index("date").close.sort_index().tolist()
    return mine[-count:]


def figures(text: str) -> list[object]:
    found = query(text)
    assert isinstance(found, Query), text
    made = ask(found)
    assert made.failures == ()
    (row,) = made.outcome.rows
    return [one.value if isinstance(one, Claim) else None for one in row.figures.values()]


@pytest.mark.parametrize("count", [20, 60])
def test_how_far_a_price_is_off_its_line(count: int) -> None:
    closes = last_closes(count)
    mean = sum(closes) / count
    off, _, line = figures(f"腾讯现在比{count}日均线高多少")
    assert line == pytest.approx(mean)
    assert off == pytest.approx((closes[-1] / mean - 1) * 100)


@pytest.mark.parametrize(
    ("said", "sessions"),
    [("60日线", 60), ("年线", 250), ("半年线", 120), ("二十日均线", 20), ("ma30", 30)],
)
def test_a_line_is_the_mean_of_so_many_sessions(said: str, sessions: int) -> None:
    found = query(f"股价站上{said}的银行股")
    assert isinstance(found, Query)
    assert isinstance(found.where, Compare)
    line = Over(how="mean", of="close", window=When(kind="lastn", count=sessions, unit="sessions"))
    assert found.where.right == line
    assert found.where.sign == "gt"
    below = query(f"跌破{said}的银行股")
    assert isinstance(below, Query)
    assert below.where == found.where.model_copy(update={"sign": "lt"})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("创一年新高的银行股", "banks at a 52-week high"),
        ("股价站上200日线的银行股", "banks above the 200-day average"),
        ("创历史新低的银行股", "创出历史新低的银行股"),
    ],
)
def test_the_same_said_otherwise(one: str, other: str) -> None:
    assert query(one) is not None
    assert query(one) == query(other)


def test_a_new_high_is_no_close_above_the_newest() -> None:
    found = query("腾讯创三个月新高了吗")
    assert isinstance(found, Query)
    told = ask(found).outcome.sentences[0].zh
    first = found.check
    assert isinstance(first, Compare)
    assert isinstance(first.right, Over)
    bars = frames().bars
    mine = bars[(bars.symbol == TENCENT) & (bars.date >= first.right.window.first)]
    is_high = mine.set_index("date").close.sort_index().iloc[-1] >= mine.close.max()
    assert ("：是" in told) == is_high
    assert ("：否" in told) != is_high


@pytest.mark.parametrize("said", ["茅台历史高点是多少", "茅台新高是多少", "Moutai all-time high"])
def test_the_highest_of_all_time_is_not_that_of_today(said: str) -> None:
    found = query(said)
    assert isinstance(found, Query)
    assert found.show == (Over(how="max", of="high", window=When(kind="all")),)


def test_a_place_in_its_own_past_names_its_time() -> None:
    found = query("茅台股价近一年什么分位")
    assert isinstance(found, Query)
    (place,) = found.show
    assert isinstance(place, HistoryRank)
    assert place.of == "close"
    assert place.window.kind == "days"
    ever = query("茅台市盈率历史分位")
    assert isinstance(ever, Query)
    absent = ask(ever).outcome.absent
    assert absent is not None
    assert "没有历史" in absent.zh


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("茅台今年股价最高到过多少", "茅台今年最高价"),
        ("茅台股价处在近一年什么分位", "茅台股价在近一年什么分位"),
        ("茅台离52周新高多少", "how far below its 52-week high is Moutai"),
        ("茅台股价近一年什么分位", "what percentile is Moutai's price over the past year"),
    ],
)
def test_an_edge_and_a_place_said_otherwise(one: str, other: str) -> None:
    assert query(one) is not None
    assert query(one) == query(other)


def test_a_place_in_its_industry_is_no_place_in_its_past() -> None:
    found = query("What percentile is Midea's ROE in its industry?")
    assert isinstance(found, Query)
    assert isinstance(found.show[0], Rank)
    assert found.show[0].percentile


@pytest.mark.parametrize("text", ["茅台TTM净利润", "茅台净利润TTM", "茅台2017年一季度TTM营收"])
def test_ttm_beside_a_figure_is_no_company(text: str) -> None:
    assert query(text) is None
    assert query("茅台市盈率TTM") is not None
    # Nor beside one that has no basis: the company of that code is asked by its name.
    assert query("TTM的市值") is None


@pytest.mark.parametrize(
    "text",
    [
        "腾讯2016年跌破过150吗",
        "腾讯跌破过150吗2016年",
        "Has Tencent ever traded below 150 HKD in 2016?",
        "Has Tencent traded below 150 at any point in 2016?",
    ],
)
def test_a_time_may_stand_behind_what_a_price_once_did(text: str) -> None:
    found = query(text)
    assert isinstance(found, Query)
    closes = frames().bars
    of_year = closes[(closes.symbol == TENCENT) & (closes.date.astype(str).str[:4] == "2016")]
    (claim,) = (one for row in ask(found).outcome.rows for one in row.figures.values())
    assert isinstance(claim, Claim)
    assert claim.value == of_year.close.min()
