"""What the words of an indicator ask beside its figures: overbought or oversold, crossed or not.

Each is told by a rule of the catalogue and the figures shown; the words are `超买超卖` and
`金叉死叉` of the lexicon.
"""

from collections.abc import Iterator, Mapping

from services.core.claims import Claim, Figure
from services.core.limits import COMPETENCES
from services.core.rendering import place
from services.core.text import NO_TEXT, Text
from services.market.indicators.indicators import Indicators
from services.query.sayings import saying

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
        state = Text("既不超买也不超卖", "neither overbought nor oversold")
        if figure.value > high:
            state = Text("超买", "overbought")
        elif figure.value < low:
            state = Text("超卖", "oversold")
        told = {"name": name, "figure": place(figure), "state": state}
        yield saying("bought_or_sold", **told, high=f"{high:g}", low=f"{low:g}")


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
        side = Text("高于", "above") if is_up else Text("低于", "below")
        after = Text("金叉", "golden") if is_up else Text("死叉", "death")
        when = Text(f"，最近一次在 {day}", f", the last on {day}") if day else NO_TEXT
        yield saying("crossed", name=name, side=side, other=other, after=after, when=when)
