"""What the words of an indicator ask beside its figures: overbought or oversold, crossed or not.

Each is told by a rule of the catalogue and the figures shown; the words are `超买超卖` and
`金叉死叉` of the lexicon.
"""

from collections.abc import Iterator, Mapping

from services.core.claims import Claim, Figure
from services.core.limits import COMPETENCES
from services.core.rendering import place
from services.core.text import Text
from services.market.indicators.indicators import Indicators

EXTREMES, CROSSES = "超买超卖", "金叉死叉"
# The figure it is told by, what it is called, and whose limits.
_LIMITED = (("rsi", "RSI", "indicator.rsi"), ("kdj_k", "KDJ K", "indicator.kdj"))


# Lines that cross: the quicker, the slower, what they are called, and the crosses of that name.
_CROSSING = (
    ("macd_dif", "macd_dea", "DIF", "DEA", "macd"),
    ("kdj_k", "kdj_d", "K", "D", ""),
    ("ma_5", "ma_20", "MA5", "MA20", "ma"),
)


def tell_states(said: str, made: Indicators, figures: Mapping[str, Figure]) -> Iterator[Text]:
    """The states the words ask for, of the figures shown."""
    if EXTREMES in said:
        yield from _tell_extremes(figures)
    if CROSSES in said:
        yield from _tell_crosses(made, figures)


def _tell_extremes(figures: Mapping[str, Figure]) -> Iterator[Text]:
    for metric, name, rule in _LIMITED:
        figure, values = figures.get(metric), COMPETENCES[rule].values
        if not isinstance(figure, Claim):
            continue
        high, low = values[f"{name[:3].lower()}_overbought"], values[f"{name[:3].lower()}_oversold"]
        zh, en = "既不超买也不超卖", "neither overbought nor oversold"
        if figure.value > high:
            zh, en = "超买", "overbought"
        elif figure.value < low:
            zh, en = "超卖", "oversold"
        yield Text(
            f"{name} {place(figure)}：{zh}（高于 {high:g} 为超买，低于 {low:g} 为超卖）",
            f"{name} {place(figure)}: {en} (above {high:g} overbought, below {low:g} oversold)",
        )


def _tell_crosses(made: Indicators, figures: Mapping[str, Figure]) -> Iterator[Text]:
    """The quicker line above the slower is what a golden cross leaves; its day, if of late."""
    late = made.patterns.late if made.patterns is not None else ()
    for quick, slow, name, other, line in _CROSSING:
        one, two = figures.get(quick), figures.get(slow)
        if not isinstance(one, Claim) or not isinstance(two, Claim) or one.value == two.value:
            continue
        is_up = one.value > two.value
        cross = f"{line}_{'golden' if is_up else 'death'}_cross"
        day = max((each.day for each in late if each.name == cross), default=None)
        zh, en = ("高于", "above") if is_up else ("低于", "below")
        after, after_en = ("金叉", "golden") if is_up else ("死叉", "death")
        when, when_en = (f"，最近一次在 {day}", f", the last on {day}") if day else ("", "")
        yield Text(
            f"{name} {zh} {other}，处在{after}之后{when}",
            f"{name} is {en} {other}, as after a {after_en} cross{when_en}",
        )
