"""How each technical indicator is computed: rows that core/formulas.py registers as formulas.

The expression names the parameters. A recursive indicator takes the whole series it is given, a
plain one exactly `window` values. `least` is how many values it needs to say anything.
"""

from typing import NamedTuple

from services.core.candles import PATTERNS
from services.core.limits import COMPETENCES
from services.core.sessions import Adjacency

_HLC = ("high", "low", "close")
# From so many bars on where a recursive indicator started no longer shows.
_SETTLED = COMPETENCES["indicator.settled"].values
SETTLED, SETTLED_KDJ = int(_SETTLED["settled_sessions"]), int(_SETTLED["settled_kdj"])
_RSI = COMPETENCES["indicator.rsi"].values
_BAND = f"band(rsi, {_RSI['rsi_oversold']:g}, {_RSI['rsi_overbought']:g})"
# From where on a score is not bearish: there a position begins, and is whole at 100.
_NIL = COMPETENCES["indicator.stance"].values["bearish_to"]


class Indicator(NamedTuple):
    """One indicator; `series` are metrics over the same days, `inputs` claims of one day."""

    metric: str
    expression: str
    series: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    unit: str = "first"
    window: int | None = None
    least: int = 0
    accuracy: str | None = None
    adjacent: Adjacency = "any"


def _mean(length: int) -> Indicator:
    return Indicator(
        f"ma_{length}", f"sma(close, {length})", ("close",), window=length, least=length
    )


def _range(length: int) -> tuple[Indicator, Indicator]:
    return (
        Indicator(
            f"high_{length}",
            "max(high)",
            ("high",),
            window=length,
            least=length,
            accuracy=f"近 {length} 个交易日最高价中的最高",
        ),
        Indicator(
            f"low_{length}",
            "min(low)",
            ("low",),
            window=length,
            least=length,
            accuracy=f"近 {length} 个交易日最低价中的最低",
        ),
    )


_SMOOTHED = "Wilder 平滑，首值为简单平均"
INDICATORS: tuple[Indicator, ...] = (
    *(_mean(length) for length in (5, 10, 20, 60)),
    *_range(20),
    *_range(60),
    Indicator("boll_mid", "boll(close, 20, 0)", ("close",), window=20, least=20),
    Indicator(
        "boll_upper",
        "boll(close, 20, 2)",
        ("close",),
        window=20,
        least=20,
        accuracy="20 日均线加 2 倍总体标准差",
    ),
    Indicator(
        "boll_lower",
        "boll(close, 20, -2)",
        ("close",),
        window=20,
        least=20,
        accuracy="20 日均线减 2 倍总体标准差",
    ),
    Indicator(
        "rsi", "rsi(close, 14)", ("close",), unit="index", least=15, accuracy=f"14 日，{_SMOOTHED}"
    ),
    Indicator(
        "macd_dif",
        "last(dif(close, 12, 26))",
        ("close",),
        least=26,
        accuracy="EMA(12) − EMA(26)，EMA 以首个收盘为起点",
    ),
    Indicator(
        "macd_dea",
        "last(dea(close, 12, 26, 9))",
        ("close",),
        least=34,
        accuracy="DIF 的 EMA(9)，EMA 以首值为起点",
    ),
    Indicator(
        "macd_histogram",
        "2 * (dif - dea)",
        inputs=("dif=macd_dif", "dea=macd_dea"),
        accuracy="柱 = 2 × (DIF − DEA)，国内口径",
    ),
    Indicator(
        "kdj_k",
        "kdj_k(high, low, close, 9, 3)",
        _HLC,
        unit="index",
        least=9,
        accuracy="KDJ(9,3,3)，K 从 50 起递推",
    ),
    Indicator(
        "kdj_d",
        "kdj_d(high, low, close, 9, 3, 3)",
        _HLC,
        unit="index",
        least=9,
        accuracy="KDJ(9,3,3)，D 从 50 起递推",
    ),
    Indicator(
        "kdj_j",
        "3 * k - 2 * d",
        inputs=("k=kdj_k", "d=kdj_d"),
        unit="index",
        accuracy="KDJ(9,3,3)，J = 3K − 2D",
    ),
    Indicator("atr", "atr(high, low, close, 14)", _HLC, least=15, accuracy=f"14 日，{_SMOOTHED}"),
    Indicator(
        "trend_strength",
        "adx(high, low, close, 14) / 100",
        _HLC,
        unit="index",
        least=28,
        accuracy=f"ADX(14) / 100，{_SMOOTHED}",
    ),
    Indicator(
        "obv_share",
        "obv(close, volume) / after_first(volume) * 100",
        ("close", "volume"),
        unit="percent",
        window=21,
        least=21,
        accuracy="近 20 日能量潮净增占成交量",
    ),
    Indicator(
        "box_height",
        "(high / low - 1) * 100",
        inputs=("high=high_20", "low=low_20"),
        unit="percent",
    ),
    Indicator(
        "technical_score",
        "50 + 10 * sign(close - short) + 10 * sign(short - middle) + 10 * sign(middle - long)"
        f" + 10 * sign(histogram) + 5 * sign(obv) + 5 * {_BAND}",
        inputs=(
            "close",
            "short=ma_5",
            "middle=ma_20",
            "long=ma_60",
            "histogram=macd_histogram",
            "obv=obv_share",
            "rsi",
        ),
        unit="score",
        accuracy="本工作台打分规则 indicator.score，不是预测",
    ),
    Indicator(
        "stop_loss",
        "close - 2 * atr",
        inputs=("close", "atr"),
        accuracy="收盘 − 2 × ATR(14)，规则 indicator.exit",
    ),
    Indicator(
        "take_profit",
        "close + 3 * atr",
        inputs=("close", "atr"),
        accuracy="收盘 + 3 × ATR(14)，规则 indicator.exit",
    ),
    Indicator(
        "position_suggestion",
        f"max(score - {_NIL:g}, 0) / {100 - _NIL:g} * 0.8",
        inputs=("score=technical_score",),
        unit="index",
        accuracy="规则 indicator.exit，不构成投资建议",
    ),
    *(
        Indicator(
            "signal_confidence",
            expression,
            inputs=("score=technical_score",),
            unit="index",
            accuracy="由技术评分折算，规则 indicator.signal，不是概率",
        )
        for expression in ("score / 100", "1 - score / 100", "1 - abs(score - 50) / 50")
    ),
)
# That a candlestick pattern ends with a bar: 1, or −1 for one that points down.
CANDLES: tuple[Indicator, ...] = tuple(
    Indicator(
        f"candle_{name}",
        f"{name}(open, high, low, close)",
        ("open", *_HLC),
        unit="number",
        window=pattern.window,
        least=pattern.window,
        accuracy="1 为成立，−1 为成立且看跌，规则 indicator.candles",
        adjacent="all",
    )
    for name, pattern in PATTERNS.items()
)
