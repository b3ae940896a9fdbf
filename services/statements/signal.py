"""What an indicator of the newest session says by its registered rule."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from services.core.claims import Claim
from services.statements.alike import cited, need_own, print_alike, size_of
from services.statements.book import Book, limit
from services.statements.deriving import derived
from services.statements.statement import Clause, Held, Stance, Statement, StatementTime, need
from services.statements.tongue import Tongue

Rule = Literal[
    "rsi", "above_ma20", "above_ma60", "ma_order", "boll", "macd", "volume", "high_20", "low_20"
]
WANTED: Mapping[Rule, tuple[str, ...]] = {
    "rsi": ("rsi",),
    "above_ma20": ("close", "ma_20"),
    "above_ma60": ("close", "ma_60"),
    "ma_order": ("ma_5", "ma_20", "ma_60"),
    "boll": ("close", "boll_upper", "boll_lower"),
    "macd": ("macd_dif", "macd_dea"),
    "volume": ("volume_multiple",),
    "high_20": ("high", "high_20"),
    "low_20": ("low", "low_20"),
}
RSI, VOLUME = "indicator.rsi", "abnormal.volume20"


@dataclass(frozen=True, slots=True)
class _Found:
    word: str
    stance: Stance = 0
    size: float = 0.1
    derived: tuple[Claim, ...] = ()


class SignalStatement(Statement):
    """`claims` are the inputs of `rule`, in its order."""

    kind: Literal["signal"] = "signal"
    rule: Rule
    claims: tuple[str, ...] = Field(min_length=1, max_length=3)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        claims = cited(book, *self.claims)
        need_own(book, *claims)
        metrics = tuple(one.metric for one in claims)
        need(metrics == WANTED[self.rule], "not_the_inputs_of_the_rule", self.rule)
        day = claims[0].as_of
        need(len({one.as_of for one in claims}) == 1, "day_differs")
        need(day == book.last_day, "stale", f"{day} / {book.last_day}")
        found = self._find_signal(book, claims)
        average = self.rule in {"above_ma20", "above_ma60"}
        return Held(
            found.word, "close" if average else self.rule, "price", found.stance, found.size,
            tuple(claims), found.derived, StatementTime(day=day),
        )  # fmt: skip

    def _find_signal(self, book: Book, claims: list[Claim]) -> _Found:
        values = [one.value for one in claims]
        match self.rule:
            case "rsi":
                return _rsi(book, claims[0])
            case "volume":
                line = book.rule(VOLUME, "volume_limit", claims[0].as_of)
                heavy = values[0] >= line.value
                return (
                    _Found("heavy", 0, 0.8, (line,)) if heavy else _Found("usual", 0, 0.1, (line,))
                )
            case "boll":
                above, below = values[0] > values[1], values[0] < values[2]
                return (
                    _Found("above", -1, 0.6)
                    if above
                    else _Found("below", 1, 0.5)
                    if below
                    else _Found("inside")
                )
            case "ma_order":
                bull, bear = values[0] > values[1] > values[2], values[0] < values[1] < values[2]
                return (
                    _Found("bull", 1, 0.6)
                    if bull
                    else _Found("bear", -1, 0.6)
                    if bear
                    else _Found("tangled", 0, 0.2)
                )
            case "high_20" | "low_20":
                need(values[0] == values[1], "not_an_extreme")
                return _Found("high", 1, 0.6) if self.rule == "high_20" else _Found("low", -1, 0.6)
            case "macd":
                if print_alike(*claims):
                    return _Found("near")
                return (
                    _Found("above", 1, 0.5) if values[0] > values[1] else _Found("below", -1, 0.5)
                )
            case _:
                return _average(book, claims[0], claims[1])

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        first, places = held.uses[0], [tongue.figure(one) for one in held.uses]
        match self.rule:
            case "rsi":
                return Clause(tongue.stated(first), _rsi_tail(held, tongue))
            case "volume":
                return _volume(held, tongue, places[0])
            case "boll":
                return Clause(tongue.stated(first), _band(held.word, tongue, places))
            case "ma_order":
                zh, en = _ORDERS[held.word]
                return Clause(
                    tongue.pick(
                        f"5、20、60 日均线{zh}", f"the 5-, 20- and 60-session averages {en}"
                    )
                )
            case "macd":
                (zh, en), end = _BESIDE[held.word], "相当" if held.word == "near" else ""
                return Clause(
                    tongue.pick(
                        f"MACD 的 DIF {places[0]}{zh} DEA {places[1]}{end}",
                        f"the MACD's DIF of {places[0]} was {en} its DEA of {places[1]}",
                    )
                )
            case "high_20" | "low_20":
                zh, en = ("高", "highest") if held.word == "high" else ("低", "lowest")
                return Clause(
                    tongue.pick(
                        f"盘中触及 20 个交易日最{zh}价 {places[1]}",
                        f"it touched the {en} price of 20 sessions, {places[1]}",
                    )
                )
            case _:
                return Clause(tongue.stated(first), self._average_tail(held, tongue, places[1]))

    def _average_tail(self, held: Held, tongue: Tongue, average: str) -> str:
        sessions = self.rule[-2:]
        if held.word == "near":
            return tongue.pick(
                f"贴近 {sessions} 日均线 {average}",
                f"at its {sessions}-session average of {average}",
            )
        far = tongue.figure(held.derived[0])
        higher = "高" if held.word == "above" else "低"
        return tongue.pick(
            f"比 {sessions} 日均线 {average}{higher} {far}",
            f"{far} {held.word} its {sessions}-session average of {average}",
        )

    def brief(self, held: Held, tongue: Tongue) -> str:
        """As `Statement.brief`."""
        if self.rule in {"above_ma20", "above_ma60"} and held.word != "near":
            over = "上" if held.word == "above" else "下"
            return tongue.pick(
                f"{tongue.price}在 {self.rule[-2:]} 日均线之{over}",
                f"{tongue.price} is {held.word} its {self.rule[-2:]}-session average",
            )
        told = _BRIEFS.get((self.rule, held.word))
        return tongue.pick(*told).format(price=tongue.price) if told else ""


_BRIEFS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("rsi", "overbought"): ("RSI 超买", "the RSI is overbought"),
    ("rsi", "oversold"): ("RSI 超卖", "the RSI is oversold"),
    ("boll", "above"): ("{price}升破布林上轨", "{price} is above its Bollinger bands"),
    ("boll", "below"): ("{price}跌破布林下轨", "{price} is below its Bollinger bands"),
    ("ma_order", "bull"): ("均线多头排列", "the averages stand in rising order"),
    ("ma_order", "bear"): ("均线空头排列", "the averages stand in falling order"),
    ("macd", "above"): ("MACD 偏强", "the MACD is above its signal line"),
    ("macd", "below"): ("MACD 偏弱", "the MACD is below its signal line"),
    ("high_20", "high"): ("触及 20 日高点", "{price} touched a 20-session high"),
    ("low_20", "low"): ("触及 20 日低点", "{price} touched a 20-session low"),
}


_ORDERS: Mapping[str, tuple[str, str]] = {
    "bull": ("自上而下排列（多头）", "stand in rising order"),
    "bear": ("自下而上排列（空头）", "stand in falling order"),
    "tangled": ("没有排成一个方向", "point no one way"),
}
_BESIDE: Mapping[str, tuple[str, str]] = {
    "above": ("高于", "above"),
    "below": ("低于", "below"),
    "near": ("与", "level with"),
}


def _volume(held: Held, tongue: Tongue, multiple: str) -> Clause:
    line, reached = tongue.figure(held.derived[0]), held.word == "heavy"
    return Clause(
        tongue.pick(
            f"成交量是此前 20 日均量的 {multiple}", f"volume was {multiple} its 20-session mean"
        ),
        tongue.pick(
            f"{'达到' if reached else '未到'}放量线 {line}",
            f"{'at or above' if reached else 'below'} the line of {line}",
        ),
    )


def _band(word: str, tongue: Tongue, places: list[str]) -> str:
    told = {
        "above": (f"升破布林上轨 {places[1]}", f"above the upper Bollinger band of {places[1]}"),
        "below": (f"跌破布林下轨 {places[2]}", f"below the lower Bollinger band of {places[2]}"),
        "inside": ("在布林带之内", "inside its Bollinger bands"),
    }
    return tongue.pick(*told[word])


def _rsi(book: Book, rsi: Claim) -> _Found:
    high = book.rule(RSI, "rsi_overbought", rsi.as_of)
    low = book.rule(RSI, "rsi_oversold", rsi.as_of)
    if rsi.value > high.value:
        return _Found("overbought", -1, 0.8, (high,))
    return _Found("oversold", 1, 0.8, (low,)) if rsi.value < low.value else _Found("neutral")


def _rsi_tail(held: Held, tongue: Tongue) -> str:
    if held.word == "neutral":
        return tongue.pick("不在超买或超卖区", "neither overbought nor oversold")
    line = tongue.figure(held.derived[0])
    return {
        "overbought": tongue.pick(f"高于超买线 {line}", f"above the overbought line of {line}"),
        "oversold": tongue.pick(f"低于超卖线 {line}", f"below the oversold line of {line}"),
    }[held.word]


def _average(book: Book, close: Claim, average: Claim) -> _Found:
    far = (close.value / average.value - 1) * 100
    if abs(far) < limit("near_share") or print_alike(close, average):
        return _Found("near")
    above = far > 0
    expression = "(price / average - 1) * 100" if above else "(1 - price / average) * 100"
    word = "above" if above else "below"
    made = derived(book, f"{word}_{average.metric}", (close, average), expression)
    return _Found(word, 1 if above else -1, size_of(0.4 + abs(far) / 30), (made,))
