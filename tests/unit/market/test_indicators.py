"""Indicators of made and of bundled bars: the figures, what is said of them, and what is not."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

import numpy as np
import pytest

from services.core.claims import Claim, DerivedCite, Missing
from services.core.ledger import Ledger
from services.core.limits import COMPETENCES
from services.core.rendering import show
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import SessionGap
from services.core.verifier import verify
from services.market.history import PriceHistory, price_history
from services.market.indicators.backends import Choice, IndicatorLine
from services.market.indicators.indicators import Indicators, indicators, stance_of
from services.market.indicators.reading import BarReader, Second
from tests.unit.market import made
from tests.unit.market.bundled import bundle

BANK = "600000.SH"
_STILL = Text("近 20 个交易日价格没有变化，没有信号", "no price moved in 20 sessions: no signal")
Row = tuple[float, float, float, float, float]


def rising(count: int) -> list[Row]:
    """Closes 100, 101, 102 …, each bar from half a yuan below its close to half above."""
    return [(99.5 + n, 100.5 + n, 99.5 + n, 100.0 + n, 1000.0) for n in range(count)]


def falling(count: int) -> list[Row]:
    return [(300.5 - n, 300.5 - n, 299.5 - n, 300.0 - n, 1000.0) for n in range(count)]


class Read:
    """The indicators of these bars, every claim verified."""

    def __init__(
        self,
        rows: Sequence[Row],
        gaps: Sequence[SessionGap] = (),
        *,
        note: str | None = None,
        backend: Choice = "auto",
    ) -> None:
        days = [date(2016, 11, 1) + timedelta(days=n) for n in range(len(rows))]
        call = made.call(BANK, made.bar_facts(BANK, days, rows, note=note), gaps=gaps)
        self.ledger: Ledger = made.ledger_of({"daily_bars": lambda _request: call})
        self.history: PriceHistory = price_history(self.ledger, Symbol(BANK), None, None)
        self.found: Indicators = indicators(self.ledger, self.history, backend=backend)
        now = made.FETCHED_AT.replace(year=2018)
        self.failures = verify(self.ledger.claims, self.ledger.trace, now).failures
        assert self.failures == ()

    def value(self, metric: str) -> float:
        figure = self.found.figures[metric]
        assert isinstance(figure, Claim), figure
        return figure.value

    def why(self, metric: str) -> str:
        figure = self.found.figures[metric]
        assert isinstance(figure, Missing), figure
        return figure.reason


def test_a_steady_rise_is_read_as_one() -> None:
    # 140 bars, closes 100 … 239.
    read = Read(rising(140))
    assert read.value("ma_5") == pytest.approx(237.0)  # 235 … 239
    assert read.value("ma_20") == pytest.approx(229.5)  # 220 … 239
    assert read.value("ma_60") == pytest.approx(209.5)  # 180 … 239
    assert read.value("rsi") == 100.0
    assert read.value("atr") == pytest.approx(1.5)  # high − close before = 100.5 − 99
    assert read.value("trend_strength") == pytest.approx(1.0)
    assert read.value("obv_share") == pytest.approx(100.0)
    assert read.value("volume_multiple") == pytest.approx(1.0)
    assert read.value("high_20") == 239.5
    assert read.value("low_60") == 179.5
    # population variance of 20 consecutive numbers: (400 − 1) / 12 = 33.25
    assert read.value("boll_upper") == pytest.approx(229.5 + 2 * 33.25**0.5)
    found = read.found
    assert (found.direction, found.alignment, found.obv_trend) == ("up", "bullish", "up")
    assert found.patterns is not None
    assert found.patterns.now == ("breakout", "rsi_overbought")
    # 50 + 10 + 10 + 10 (averages) + 10 (histogram) + 5 (volume) − 5 (overbought)
    assert read.value("technical_score") == 90.0
    assert found.stance == "bullish"
    assert read.value("position_suggestion") == pytest.approx(55 / 65 * 0.8)
    assert read.value("stop_loss") == pytest.approx(239 - 2 * 1.5)
    assert read.value("take_profit") == pytest.approx(239 + 3 * 1.5)
    assert found.signals is not None
    (last,) = found.signals
    assert (last.date, last.signal) == (found.as_of, "buy")
    assert isinstance(last.confidence, Claim)
    assert last.confidence.value == pytest.approx(0.9)


def test_a_steady_fall_has_no_stop_for_a_buyer() -> None:
    read = Read(falling(140))
    assert (read.found.direction, read.found.alignment) == ("down", "bearish")
    assert read.found.patterns is not None
    assert read.found.patterns.now == ("breakdown", "rsi_oversold")
    assert read.value("technical_score") == 10.0  # 50 − 45 + 5 (oversold)
    assert read.found.stance == "bearish"
    assert read.value("position_suggestion") == 0.0
    assert read.why("stop_loss").zh == "立场偏空，不给多头的止损止盈"
    assert read.why("take_profit").zh == "立场偏空，不给多头的止损止盈"
    assert not {"stop_loss", "take_profit"} & {claim.metric for claim in read.ledger.claims}


def test_macds_bar_is_twice_the_distance() -> None:
    read = Read(rising(140))
    distance = read.value("macd_dif") - read.value("macd_dea")
    assert read.value("macd_histogram") == pytest.approx(2 * distance)
    figure = read.found.figures["macd_histogram"]
    assert isinstance(figure, Claim)
    assert isinstance(figure.cite, DerivedCite)
    assert figure.cite.note == "柱 = 2 × (DIF − DEA)，国内口径"


def test_supports_lie_below_the_close_and_resistances_above_nearest_first() -> None:
    read = Read(rising(140))
    assert read.found.support is not None
    assert [claim.metric for claim in read.found.support] == ["ma_20", "low_20", "boll_lower"]
    assert read.found.resistance is not None
    assert [claim.metric for claim in read.found.resistance] == ["high_20", "boll_upper"]


RECURSIVE = ("rsi", "macd_dif", "macd_dea", "atr", "trend_strength")
KDJ = ("kdj_k", "kdj_d", "kdj_j")


@pytest.mark.parametrize(
    ("count", "there", "absent"),
    [
        (8, ("ma_5",), ("ma_10", "boll_mid", *RECURSIVE)),
        (20, ("ma_10", "boll_mid", "high_20"), ("ma_60", "obv_share", "volume_multiple")),
        (21, ("obv_share", "volume_multiple"), ("ma_60", "macd_histogram", *RECURSIVE)),
        (29, ("ma_20",), ("ma_60", *KDJ, *RECURSIVE)),
        (30, ("ma_20", *KDJ), ("ma_60", *RECURSIVE)),
        (60, ("ma_60", "high_60"), ("technical_score", "stop_loss", *RECURSIVE)),
        (119, ("ma_60",), ("technical_score", "macd_histogram", *RECURSIVE)),
        (120, ("technical_score", "macd_histogram", *RECURSIVE), ()),
    ],
)
def test_what_lacks_bars_is_missing_and_says_how_many_it_needs(
    count: int, there: Sequence[str], absent: Sequence[str]
) -> None:
    read = Read(rising(count))
    for metric in there:
        assert isinstance(read.found.figures[metric], Claim), metric
    for metric in absent:
        if metric != "stop_loss":
            assert "至少需要" in str(read.why(metric))
            assert f"只有 {count} 根" in read.why(metric)


def test_where_kdj_started_no_longer_shows() -> None:
    """What thirty bars give is what twice as many give, within 0.1: K and D started elsewhere."""
    random = Random(3)
    closes = [100.0]
    for _ in range(400):
        closes.append(closes[-1] * (1 + random.uniform(-0.04, 0.04)))
    rows = [(one, one * 1.01, one * 0.99, one, 1000.0) for one in closes]
    for end in range(100, 400, 25):
        for metric in ("kdj_k", "kdj_d"):
            few, many = (Read(rows[end - count : end]).found.figures[metric] for count in (30, 60))
            assert isinstance(few, Claim)
            assert isinstance(many, Claim)
            assert abs(few.value - many.value) < 0.1


def test_judgements_that_lack_bars_are_none_and_not_neutral() -> None:
    found = Read(rising(15)).found
    assert (found.direction, found.alignment, found.obv_trend) == (None, None, None)
    assert (found.stance, found.patterns, found.signals) == (None, None, None)
    assert found.support is None
    assert found.resistance is None


@pytest.mark.parametrize("backend", ["ta-lib", "pandas-ta", "builtin"])
def test_one_bar_is_enough_not_to_fail(backend: Choice) -> None:
    found = Read(rising(1), backend=backend).found
    assert isinstance(found.figures["close"], Claim)
    assert sum(isinstance(figure, Claim) for figure in found.figures.values()) == 1


def test_prices_that_never_move_have_no_rsi() -> None:
    read = Read([(10.0, 10.0, 10.0, 10.0, 0.0)] * 130)
    for metric in ("rsi", "kdj_k", "kdj_d", "obv_share", "volume_multiple"):
        assert read.why(metric).zh.startswith("区间内价格或成交量没有变化，无法计算")


def test_prices_that_rest_of_late_give_no_signal() -> None:
    # They moved before, so RSI and the score could be computed; they say nothing of today.
    read = Read([*rising(130), *[(230.0, 230.0, 230.0, 230.0, 0.0)] * 20])
    assert isinstance(read.found.figures["rsi"], Claim)
    for metric in ("technical_score", "position_suggestion", "stop_loss", "take_profit"):
        assert read.why(metric) == _STILL
    found = read.found
    assert (found.stance, found.patterns, found.signals) == (None, None, None)
    assert found.why == _STILL
    assert "technical_score" not in {claim.metric for claim in read.ledger.claims}
    assert Read([*rising(130), *[(230.0, 230.0, 230.0, 230.0, 9.0)] * 19]).found.stance


def test_a_golden_cross_is_a_buy_signal_with_its_days_score() -> None:
    read = Read(
        [*falling(130), *[(o + 1, h + 9, o, o + 8, 5000.0) for o, h, *_ in falling(138)[130:]]]
    )
    found = read.found
    assert found.signals is not None
    crossed = [one for one in found.signals[:-1] if one.signal == "buy"]
    assert crossed
    assert all(isinstance(one.confidence, Claim) for one in crossed)
    assert [one.because for one in crossed] == [("macd_golden_cross",)]
    assert [one.date for one in found.signals] == sorted(one.date for one in found.signals)


def test_lines_that_only_touch_have_not_crossed() -> None:
    # Flat until the end: MA5 equals MA20 throughout, then both rise; they were never apart before.
    rows = [made.flat(100.0)] * 130 + [made.flat(101.0 + n) for n in range(5)]
    signals = Read(rows).found.signals
    assert signals is not None
    assert len(signals) == 1


def test_an_engulfing_bar_covers_the_opposite_body_before_it() -> None:
    calm = [(100.0, 101.0, 99.0, 100.0 + (n % 2) * 0.2, 1000.0) for n in range(60)]
    rows = [*calm, (100.5, 101.0, 98.0, 99.5, 1000.0), (99.0, 102.0, 98.5, 101.0, 1000.0)]
    patterns = Read(rows).found.patterns
    assert patterns is not None
    assert "bullish_engulfing" in patterns.now
    mirrored = [*calm, (99.5, 101.0, 98.0, 100.5, 1000.0), (101.0, 102.0, 98.5, 99.0, 1000.0)]
    patterns = Read(mirrored).found.patterns
    assert patterns is not None
    assert "bearish_engulfing" in patterns.now


def test_short_and_broken_histories_are_noted() -> None:
    hole = SessionGap(
        symbol=BANK, start=date(2016, 12, 1), end=date(2016, 12, 3), sessions=3, kind="hole"
    )
    notes = Read(rising(60), [hole]).found.notes
    assert any("日线不足 120 根" in str(note) for note in notes)
    assert any(note.zh.startswith("近 60 根日线之间缺 3 个交易日的日线") for note in notes)
    closed = hole.model_copy(update={"kind": "suspension"})
    notes = Read(rising(60), [closed]).found.notes
    assert any("停牌" in str(note) for note in notes)
    assert not any("之间缺" in note for note in notes)
    whole = Read(rising(150)).found.notes
    assert not any("不足" in note or "之间缺" in note for note in whole)


@pytest.mark.parametrize("symbol", ["000002.SZ", "300104.SZ", "00700.HK", "000001.SH"])
def test_every_claim_on_bundled_bars_holds(symbol: str) -> None:
    market = bundle()
    ledger = market.ledger()
    history = price_history(ledger, Symbol(symbol), date(2016, 1, 26), None)
    found = indicators(ledger, history)
    assert market.verified(ledger).failures == ()
    # Of the newest 120 none lacks more than a fifth; test_windows.py has each.
    assert sum(isinstance(figure, Claim) for figure in found.figures.values()) > 20
    for claim in ledger.claims:
        show(claim)


def test_a_figure_over_other_days_or_of_another_value_is_refused() -> None:
    read = Read(rising(140))
    now = made.FETCHED_AT.replace(year=2018)
    atr = read.found.figures["atr"]
    assert isinstance(atr, Claim)
    assert isinstance(atr.cite, DerivedCite)
    wrong = atr.model_copy(update={"value": atr.value + 0.01})
    (failure,) = verify([wrong], read.ledger.trace, now).failures
    assert failure.check == "value_recomputed"
    high, low, close = atr.cite.series
    shifted = high.model_copy(update={"start": high.start + timedelta(days=1), "count": 139})
    cite = atr.cite.model_copy(update={"series": (shifted, low, close)})
    (failure,) = verify([atr.model_copy(update={"cite": cite})], read.ledger.trace, now).failures
    assert failure.check == "series_complete"
    assert "same days" in failure.reason
    average = read.found.figures["ma_20"]
    assert isinstance(average, Claim)
    assert isinstance(average.cite, DerivedCite)
    (ref,) = average.cite.series
    longer = ref.model_copy(update={"start": ref.start - timedelta(days=1), "count": 21})
    cite = average.cite.model_copy(update={"series": (longer,)})
    (failure,) = verify(
        [average.model_copy(update={"cite": cite})], read.ledger.trace, now
    ).failures
    assert failure.check == "series_complete"


def test_the_bands_and_weights_are_the_registered_ones() -> None:
    assert [stance_of(score) for score in (None, 35, 35.1, 64.9, 65)] == [
        None,
        "bearish",
        "neutral",
        "neutral",
        "bullish",
    ]
    statement = COMPETENCES["indicator.score"].statement_zh
    assert "±10" in statement
    assert "±5" in statement
    assert COMPETENCES["indicator.rsi"].values == {"rsi_overbought": 70.0, "rsi_oversold": 30.0}


@pytest.mark.parametrize("unit", ["未复权", "不复权"])
def test_bars_before_a_split_in_unadjusted_prices_are_left_out(unit: str) -> None:
    # 130 bars near 200, then ten for one: 130 bars near 20. What is told is of the latter alone.
    before = [(200.0, 201.0, 199.0, 200.0 + n % 2, 1000.0) for n in range(130)]
    after = [(20.0, 20.1, 19.9, 20.0 + n % 2 / 10, 9000.0) for n in range(130)]
    split = Read([*before, *after], note=unit)
    alone = Read(after)
    assert split.value("ma_60") == pytest.approx(20.05)
    assert split.value("rsi") == pytest.approx(alone.value("rsi"))
    assert split.value("atr") == pytest.approx(alone.value("atr"))
    day = split.history.bars[130].date
    told = f"价格未复权，{day} 的跳变视为除权或拆股，此前的日线不用"
    assert any(told in note for note in split.found.notes)
    # A source that does adjust may have such a day: it was one of trading.
    adjusted = Read([*before, *after], note="前复权")
    assert adjusted.value("rsi") < alone.value("rsi")
    assert not any("跳变" in str(note) for note in adjusted.found.notes)


def test_unadjusted_prices_without_a_jump_are_told_as_such() -> None:
    notes = Read(rising(130), note="未复权").found.notes
    assert any("价格未复权：除权除息日的跳变会进入指标" in note for note in notes)


def test_each_figure_over_bars_says_which_library_agrees() -> None:
    read = Read(rising(140), backend="pandas-ta")
    assert read.found.recomputed_by == "pandas-ta-classic 0.8.32"
    for metric in ("ma_5", "boll_upper", "macd_dif", "kdj_d", "trend_strength", "volume_multiple"):
        figure = read.found.figures[metric]
        assert isinstance(figure, Claim)
        assert figure.cite.note is not None
        assert figure.cite.note.endswith("pandas-ta-classic 0.8.32 复算一致")
    calls = [call for call in read.ledger.trace.tool_calls if call.table == "recomputation"]
    (call,) = calls
    assert {fact.metric for fact in call.rows} >= {"rsi", "atr", "obv_share"}
    assert call.arguments == {"bars": read.history.call.tool_call_id}


def test_without_a_library_the_figures_are_the_same_and_say_nothing_of_one() -> None:
    alone, checked = Read(rising(140), backend="builtin"), Read(rising(140))
    assert alone.found.recomputed_by is None
    for metric, figure in checked.found.figures.items():
        if isinstance(figure, Claim):
            assert alone.value(metric) == figure.value
    assert not any("复算一致" in (claim.cite.note or "") for claim in alone.ledger.claims)
    assert any("没有第二种算法复算" in str(note) for note in alone.found.notes)


def test_a_figure_on_which_the_library_disagrees_is_not_given() -> None:
    read = Read(rising(140), backend="builtin")
    last = len(read.history.bars) - 1
    right = read.value("rsi")
    lines = {
        "rsi": IndicatorLine(np.full(last + 1, right - 1e-6), "RSI(14)"),
        "ma_5": IndicatorLine(np.full(last + 1, read.value("ma_5")), "SMA"),
    }
    ledger = made.ledger_of({"daily_bars": lambda _request: read.history.call})
    history = price_history(ledger, Symbol(BANK), None, None)
    reading = BarReader(ledger, history, Second("Another 1.0", lines, {}))
    reading.record([("rsi", last), ("ma_5", last)])
    refused = reading.figure("rsi", last)
    assert isinstance(refused, Missing)
    assert refused.reason.zh.startswith("两种算法不一致：Another 1.0 复算的结果不同，不给出")
    assert "rsi" not in {claim.metric for claim in ledger.claims}
    # The library's own figure stays in the trace, for who wants to know.
    assert right - 1e-6 in {fact.value for call in ledger.trace.tool_calls for fact in call.rows}
    # What rests on it is not given either; what agrees is.
    score = reading.figure("technical_score", last)
    assert isinstance(score, Missing)
    assert score.reason == refused.reason
    mean = reading.figure("ma_5", last)
    assert isinstance(mean, Claim)
    assert mean.cite.note == "Another 1.0 复算一致"
