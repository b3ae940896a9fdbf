"""What would change the view: a trigger of a closed list, at a figure not crossed yet."""
# ruff: noqa: E501 - both languages of a sentence side by side, a line each

from collections.abc import Mapping
from typing import Literal

from services.statements.alike import cited, need_own, size_of
from services.statements.book import Book, is_annual, method
from services.statements.signal import RSI
from services.statements.statement import Clause, Held, Statement, StatementTime, need
from services.statements.tongue import Tongue

Trigger = Literal[
    "below_ma60", "below_ma20", "above_boll", "overbought", "below_low_20", "next_profit"
]
WATCHED: Mapping[Trigger, tuple[str, str | None]] = {
    "below_ma60": ("close", "ma_60"),
    "below_ma20": ("close", "ma_20"),
    "above_boll": ("close", "boll_upper"),
    "overbought": ("rsi", None),
    "below_low_20": ("close", "low_20"),
    "next_profit": ("net_profit", None),
}


class WatchStatement(Statement):
    """`now` is the figure that is watched, `level` what it may cross, where that is a figure too."""

    kind: Literal["watch"] = "watch"
    trigger: Trigger
    now: str
    level: str | None = None

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        (now,) = cited(book, self.now)
        need_own(book, now)
        level = cited(book, self.level)[0] if self.level is not None else None
        wanted = WATCHED[self.trigger]
        got = (now.metric, level.metric if level is not None else None)
        need(got == wanted, "not_the_inputs_of_the_rule", self.trigger)
        if self.trigger == "next_profit":
            run = book.run("net_profit")
            newest = bool(run) and now.period == run[-1].period and method(now) == "reported"
            need(is_annual(now) and newest, "stale", now.period or "")
            need(now.value > 0, "negative_base")
            before = book.one("net_profit", str(int((now.period or "0")[:4]) - 1) + "_Q4")
            need(before is not None, "gap_in_run", now.period or "")
            grew = before is not None and now.value > before.value
            word = "next_profit" if grew else "next_profit_fell"
            return Held(word, "net_profit", "growth", 0, 0.5, (now,))
        need(now.as_of == book.last_day, "stale", str(now.as_of))
        line = level if level is not None else book.rule(RSI, "rsi_overbought", now.as_of)
        need(line.symbol == now.symbol and line.as_of == now.as_of, "stale")
        below = self.trigger.startswith("below")
        need(now.value > line.value if below else now.value < line.value, "already_crossed")
        size = size_of(max(0.0, 1 - abs(now.value / line.value - 1) * 5))
        added = () if level is not None else (line,)
        return Held(self.trigger, now.metric, "price", 0, size, (now, line), added, StatementTime())

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        places = [tongue.figure(one) for one in held.uses]
        level = places[-1]
        told = {
            "below_ma60": (f"收盘若跌破 60 日均线 {level}，走势转弱", f"a close below the 60-session average of {level} would turn the trend"),
            "below_ma20": (f"收盘若跌破 20 日均线 {level}，短期走势转弱", f"a close below the 20-session average of {level} would weaken the short trend"),
            "below_low_20": (f"收盘若跌破 20 日最低 {level}，近期底部失守", f"a close below the 20-session low of {level} would break recent support"),
            "above_boll": (f"收盘若升破布林上轨 {level}，短线偏热", f"a close above the upper Bollinger band of {level} would be stretched"),
            "overbought": (f"RSI(14) 现为 {places[0]}，若越过 {level} 即为超买", f"the RSI(14) at {places[0]} becomes overbought past {level}"),
            "next_profit": (f"下一份年报净利润若低于 {places[0]}，增长的判断不再成立", f"an annual net profit below {places[0]} would end the growth case"),
            "next_profit_fell": (f"下一份年报净利润若高于 {places[0]}，下降的判断不再成立", f"an annual net profit above {places[0]} would end the fall"),
        }  # fmt: skip
        return Clause(tongue.pick(*told[held.word]))
