"""Indicators of made and of bundled bars: the figures, what is said of them, and what is not."""

from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from services.core.claims import Claim, DerivedCite, Missing
from services.core.competence import COMPETENCES
from services.core.ledger import Ledger
from services.core.rendering import show
from services.core.symbols import Symbol
from services.core.trace import Gap
from services.core.verifier import verify
from services.market.history import PriceHistory, price_history
from services.market.indicators import Indicators, indicators, stance_of
from tests.unit.market import made
from tests.unit.market.bundled import bundle

BANK = "600000.SH"
Row = tuple[float, float, float, float, float]


def rising(count: int) -> list[Row]:
    """Closes 100, 101, 102 …, each bar from half a yuan below its close to half above."""
    return [(99.5 + n, 100.5 + n, 99.5 + n, 100.0 + n, 1000.0) for n in range(count)]


def falling(count: int) -> list[Row]:
    return [(300.5 - n, 300.5 - n, 299.5 - n, 300.0 - n, 1000.0) for n in range(count)]


class Read:
    """The indicators of these bars, every claim verified."""

    def __init__(self, rows: Sequence[Row], gaps: Sequence[Gap] = ()) -> None:
        days = [date(2017, 1, 2) + timedelta(days=n) for n in range(len(rows))]
        call = made.call(BANK, made.bar_facts(BANK, days, rows), gaps=gaps)
        self.ledger: Ledger = made.ledger_of({"daily_bars": lambda _request: call})
        self.history: PriceHistory = price_history(self.ledger, Symbol(BANK), None, None)
        self.found: Indicators = indicators(self.ledger, self.history)
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
    # 80 bars, closes 100 … 179.
    read = Read(rising(80))
    assert read.value("ma_5") == pytest.approx(177.0)  # 175 … 179
    assert read.value("ma_20") == pytest.approx(169.5)  # 160 … 179
    assert read.value("ma_60") == pytest.approx(149.5)  # 120 … 179
    assert read.value("rsi") == 100.0
    assert read.value("atr") == pytest.approx(1.5)  # high − close before = 100.5 − 99
    assert read.value("trend_strength") == pytest.approx(1.0)
    assert read.value("obv_share") == pytest.approx(100.0)
    assert read.value("volume_multiple") == pytest.approx(1.0)
    assert read.value("high_20") == 179.5
    assert read.value("low_60") == 119.5
    # population variance of 20 consecutive numbers: (400 − 1) / 12 = 33.25
    assert read.value("boll_upper") == pytest.approx(169.5 + 2 * 33.25**0.5)
    found = read.found
    assert (found.direction, found.alignment, found.obv_trend) == ("up", "bullish", "up")
    assert found.patterns == ("breakout", "rsi_overbought")
    # 50 + 10 + 10 + 10 (averages) + 10 (histogram) + 5 (volume) − 5 (overbought)
    assert read.value("technical_score") == 90.0
    assert found.stance == "bullish"
    assert read.value("position_suggestion") == pytest.approx(55 / 65 * 0.8)
    assert read.value("stop_loss") == pytest.approx(179 - 2 * 1.5)
    assert read.value("take_profit") == pytest.approx(179 + 3 * 1.5)
    assert found.signals is not None
    (last,) = found.signals
    assert (last.date, last.signal) == (found.as_of, "buy")
    assert isinstance(last.confidence, Claim)
    assert last.confidence.value == pytest.approx(0.9)


def test_a_steady_fall_has_no_stop_for_a_buyer() -> None:
    read = Read(falling(80))
    assert (read.found.direction, read.found.alignment) == ("down", "bearish")
    assert read.found.patterns == ("breakdown", "rsi_oversold")
    assert read.value("technical_score") == 10.0  # 50 − 45 + 5 (oversold)
    assert read.found.stance == "bearish"
    assert read.value("position_suggestion") == 0.0
    assert read.why("stop_loss") == "立场偏空，不给多头的止损止盈"
    assert read.why("take_profit") == "立场偏空，不给多头的止损止盈"


def test_macds_bar_is_twice_the_distance() -> None:
    read = Read(rising(80))
    distance = read.value("macd_dif") - read.value("macd_dea")
    assert read.value("macd_histogram") == pytest.approx(2 * distance)
    figure = read.found.figures["macd_histogram"]
    assert isinstance(figure, Claim)
    assert isinstance(figure.cite, DerivedCite)
    assert figure.cite.note == "柱 = 2 × (DIF − DEA)，国内口径"


def test_supports_lie_below_the_close_and_resistances_above_nearest_first() -> None:
    read = Read(rising(80))
    assert read.found.support is not None
    assert [claim.metric for claim in read.found.support] == ["ma_20", "low_20", "boll_lower"]
    assert read.found.resistance is not None
    assert [claim.metric for claim in read.found.resistance] == ["high_20", "boll_upper"]


@pytest.mark.parametrize(
    ("count", "there", "absent"),
    [
        (8, ("ma_5",), ("ma_10", "kdj_k", "rsi")),
        (14, ("ma_10", "kdj_k"), ("rsi", "atr")),
        (27, ("rsi", "atr", "macd_dif", "boll_mid"), ("trend_strength", "macd_dea", "ma_60")),
        (33, ("trend_strength",), ("macd_dea", "macd_histogram", "technical_score")),
        (34, ("macd_dea", "macd_histogram"), ("ma_60", "technical_score")),
        (60, ("ma_60", "technical_score"), ()),
    ],
)
def test_what_lacks_bars_is_missing_and_says_how_many_it_needs(
    count: int, there: Sequence[str], absent: Sequence[str]
) -> None:
    read = Read(rising(count))
    for metric in there:
        assert isinstance(read.found.figures[metric], Claim), metric
    for metric in absent:
        assert "至少需要" in read.why(metric)
        assert f"只有 {count} 根" in read.why(metric)


def test_judgements_that_lack_bars_are_none_and_not_neutral() -> None:
    found = Read(rising(15)).found
    assert (found.direction, found.alignment, found.obv_trend) == (None, None, None)
    assert (found.stance, found.patterns, found.signals) == (None, None, None)
    assert found.support is None
    assert found.resistance is None


def test_one_bar_is_enough_not_to_fail() -> None:
    found = Read(rising(1)).found
    assert isinstance(found.figures["close"], Claim)
    assert sum(isinstance(figure, Claim) for figure in found.figures.values()) == 1


def test_prices_that_never_move_have_no_rsi() -> None:
    read = Read([(10.0, 10.0, 10.0, 10.0, 0.0)] * 70)
    assert read.why("rsi") == "区间内价格或成交量没有变化，无法计算"
    assert read.why("obv_share") == "区间内价格或成交量没有变化，无法计算"
    assert read.why("volume_multiple") == "区间内价格或成交量没有变化，无法计算"
    assert read.found.stance is None


def test_a_golden_cross_is_a_buy_signal_with_its_days_score() -> None:
    read = Read(
        [*falling(70), *[(o + 1, h + 9, o, o + 8, 5000.0) for o, h, *_ in falling(78)[70:]]]
    )
    found = read.found
    assert found.signals is not None
    crossed = [one for one in found.signals[:-1] if one.signal == "buy"]
    assert crossed
    assert all(isinstance(one.confidence, Claim) for one in crossed)
    assert [one.date for one in found.signals] == sorted(one.date for one in found.signals)


def test_lines_that_only_touch_have_not_crossed() -> None:
    # Flat until the end: MA5 equals MA20 throughout, then both rise; they were never apart before.
    rows = [made.flat(100.0)] * 60 + [made.flat(101.0 + n) for n in range(5)]
    signals = Read(rows).found.signals
    assert signals is not None
    assert len(signals) == 1


def test_an_engulfing_bar_covers_the_opposite_body_before_it() -> None:
    calm = [(100.0, 101.0, 99.0, 100.0 + (n % 2) * 0.2, 1000.0) for n in range(60)]
    rows = [*calm, (100.5, 101.0, 98.0, 99.5, 1000.0), (99.0, 102.0, 98.5, 101.0, 1000.0)]
    patterns = Read(rows).found.patterns
    assert patterns is not None
    assert "bullish_engulfing" in patterns
    mirrored = [*calm, (99.5, 101.0, 98.0, 100.5, 1000.0), (101.0, 102.0, 98.5, 99.0, 1000.0)]
    patterns = Read(mirrored).found.patterns
    assert patterns is not None
    assert "bearish_engulfing" in patterns


def test_short_and_broken_histories_are_noted() -> None:
    hole = Gap(symbol=BANK, start=date(2017, 2, 1), end=date(2017, 2, 3), sessions=3, kind="hole")
    notes = Read(rising(60), [hole]).found.notes
    assert any("递推指标的起点仍有影响" in note for note in notes)
    assert any("来源缺若干交易日" in note for note in notes)
    whole = Read(rising(150)).found.notes
    assert not any("起点" in note or "来源缺" in note for note in whole)


@pytest.mark.parametrize("symbol", ["000002.SZ", "300104.SZ", "00700.HK", "000001.SH"])
def test_every_claim_on_bundled_bars_holds(symbol: str) -> None:
    market = bundle()
    ledger = market.ledger()
    history = price_history(ledger, Symbol(symbol), date(2016, 7, 26), None)
    found = indicators(ledger, history)
    assert market.verified(ledger).failures == ()
    assert sum(isinstance(figure, Claim) for figure in found.figures.values()) > 20
    for claim in ledger.claims:
        show(claim)


def test_a_figure_over_other_days_or_of_another_value_is_refused() -> None:
    read = Read(rising(80))
    now = made.FETCHED_AT.replace(year=2018)
    atr = read.found.figures["atr"]
    assert isinstance(atr, Claim)
    assert isinstance(atr.cite, DerivedCite)
    wrong = atr.model_copy(update={"value": atr.value + 0.01})
    (failure,) = verify([wrong], read.ledger.trace, now).failures
    assert failure.check == "value_recomputed"
    high, low, close = atr.cite.series
    shifted = high.model_copy(update={"start": high.start + timedelta(days=1), "count": 79})
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
