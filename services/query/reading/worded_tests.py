"""Tests whose bound the word itself names: 便宜, 破净, 亏损, 为负.

Each function gives None where the words do not fit together.
"""

from dataclasses import replace
from datetime import date
from decimal import Decimal

from services.core.symbols import Symbol
from services.query.algebra.limit_moves import limit_edge, limit_test
from services.query.algebra.nodes import (
    Across,
    AllOf,
    Arith,
    Compare,
    Const,
    Direction,
    Loss,
    Metric,
    Pred,
    Sign,
    both,
)
from services.query.reading.errors import ChoiceError
from services.query.reading.figures_said import base, growth_of, unit
from services.query.reading.phrases import Amount, Fig, Time, constant, figure, is_one_day
from services.query.reading.predicates import (
    AskedOf,
    Condition,
    DayTest,
    Sort,
    between,
    compare,
    limited,
    sorted_by,
    times,
    versus,
)
from services.query.reading.reasons import reason

# A round number may stand for what is so near to it: 600亿 for 596亿.
_ROUNDED = Decimal("0.01")
NOUGHT = Amount(0.0, "number")


def cheap(level: str) -> Compare:
    """便宜 is below the median of its own industry, and said so."""
    of = Metric(id="pe_ttm")
    return Compare(
        sign="lt" if level == "low" else "gt",
        left=of,
        right=Across(how="median", of=of, own="industry"),
    )


def below_book() -> Pred | None:
    """破净: below its book, which is above nought."""
    of = Metric(id="pb")
    above = Compare(sign="ge", left=of, right=Const(value=0, unit="multiple"))
    return both(above, Compare(sign="lt", left=of, right=Const(value=1, unit="multiple")))


def losing(phrase: Fig, sense: str) -> Condition | None:
    """亏损: the newest multiple is missing, or the profit of a year negative; 盈利 the opposite."""
    if phrase.mets not in ((), ("net_profit",), ("pe_ttm",)) or phrase.agg or phrase.peer:
        return None
    if phrase.when is not None and is_of_a_year(phrase.when):
        phrase = replace(phrase, when=None)  # 最近十二个月: what the newest multiple is of
    if phrase.when is not None:
        held = figure("net_profit", phrase)
        sign: Sign = "lt" if sense == "loss" else "gt"
        zero = Const(value=0, unit="money")
        return limited(phrase, held and Compare(sign=sign, left=held, right=zero))
    if phrase.ents:
        return None
    if sense == "loss":
        return limited(phrase, Loss())
    return limited(
        phrase,
        Compare(sign="gt", left=Metric(id="pe_ttm"), right=Const(value=0, unit="multiple")),
    )


def is_of_a_year(time: Time) -> bool:
    """Whether it is the twelve months up to now."""
    days = time.days
    if days is None or not isinstance(days.first, date) or not isinstance(days.last, date):
        return False
    is_whole = (days.first.month, days.first.day) == (days.last.month, days.last.day)
    return time.periods is None and is_whole and days.last.year - days.first.year == 1


def missing(name: str) -> Loss | None:
    """没给市盈率: of earnings alone a missing multiple says what they are, negative."""
    return Loss(of=name) if name in ("pe_ttm", "pe_lyr") else None


def given(name: str) -> Compare | None:
    """能看到市盈率的: whoever has a multiple of earnings has made some."""
    if name not in ("pe_ttm", "pe_lyr"):
        return None
    return Compare(sign="gt", left=Metric(id=name), right=Const(value=0, unit="multiple"))


def lost_so_much(phrase: Fig, sense: str, test: tuple[Sign, Amount]) -> Condition | None:
    """2016年亏损超过10亿: the profit is below minus so much; 盈利超过10亿 above it."""
    is_less = sense == "profit" and test[0] in ("lt", "le")  # of a profit that is one: two bounds
    if phrase.mets not in ((), ("net_profit",)) or is_less:
        return None
    name = "net_profit:lost" if sense == "loss" else "net_profit"
    return compare(replace(phrase, mets=(name,)), *test)


def near(phrase: Fig, other: Fig, amount: Amount) -> Condition | None:
    """在行业中位数上下5%: no further from it than that part of it."""
    held = versus(replace(phrase, scope=None, ents=()), "ge", other)
    if not isinstance(held, Compare) or amount.unit != "percent" or not 0 < amount.value < 100:
        return None
    low, high = (times(held.right, 1 + part / 100) for part in (-amount.value, amount.value))
    upper = Compare(sign="le", left=held.left, right=high)
    return limited(phrase, both(held.but(right=low), upper))


def claimed(phrase: Fig, amount: Amount) -> Condition | None:
    """净利润是620.81亿吗: that much to the last digit said, which a round number says less of."""
    said = Decimal(f"{amount.value:.12g}").normalize()
    if not phrase.ents or phrase.scope is not None or amount.vague or not said:
        return None
    last = Decimal(1).scaleb(int(said.as_tuple().exponent))
    half = float(min(last / 2, abs(said) * _ROUNDED))
    ends = (amount.value - half, amount.value + half)
    return between(phrase, (amount._replace(value=ends[0]), amount._replace(value=ends[1])))


def negative(phrase: Fig) -> Condition | None:
    """市盈率为负 is a loss; any other figure below nought."""
    if phrase.mets in (("pe_ttm",), ("pe_lyr",)) and not phrase.ents and not phrase.when:
        return limited(phrase, Loss(of=phrase.mets[0]))
    return compare(phrase, "lt", NOUGHT)


def part_of(phrase: Fig, sign: Sign | None, share: float, other: Fig) -> Condition | None:
    """Less than half the static P/E, twice the industry median: so many times the other."""
    held = versus(phrase, sign, other)
    if not isinstance(held, Compare | AllOf):
        return None
    last = held.items[-1] if isinstance(held, AllOf) else held
    if not isinstance(last, Compare):
        return None
    test = last.but(right=times(last.right, share))
    return both(*held.items[:-1], test) if isinstance(held, AllOf) else test


def times_of(phrase: Fig, sign: Sign | None, by: Amount, other: Fig) -> Condition | None:
    """市盈率TTM低于0.5倍静态市盈率: of another figure of its kind, no bound of that one."""
    if by.unit != "multiple" or by.vague or phrase.single is None or not other.mets:
        return None
    stems = {one.partition("_")[0] for one in (base(phrase.single), base(other.mets[0]))}
    if len(stems) > 1 or other.mets == phrase.mets:
        return None
    return part_of(phrase, sign, by.value, other)


def grown_more(phrase: Fig, sign: Sign, other: Fig) -> Condition | None:
    """Whether profit grew faster than revenue, or than the other's: growths of one time."""
    name = phrase.single
    if name is None or growth_of(name) is None or len(other.mets) > 1:
        return None
    against = tuple(growth for one in other.mets if (growth := growth_of(one)) is not None)
    if len(against) != len(other.mets):
        return None
    time = phrase.when or other.when
    grown = replace(phrase, mets=(f"{base(name)}:yoy",), when=time)
    return versus(grown, sign, replace(other, mets=against, when=other.when or time))


def factor(phrase: Fig, other: Fig, sign: Sign | None, amount: Amount) -> Condition | None:
    """比B大10倍 → A > B × 10; 比B高5个百分点 → A − B > 5."""
    held = versus(phrase, sign, other)
    test = held.pred if isinstance(held, AskedOf) else held
    pred = _factored((phrase.mets or other.mets)[0], test, sign, amount) if test else None
    return replace(held, pred=pred) if pred and isinstance(held, AskedOf) else pred


def _factored(name: str, held: Pred, sign: Sign | None, amount: Amount) -> Pred | None:
    if not isinstance(held, Compare):
        return None
    if amount.unit == "multiple" and not amount.vague:
        by = 2.0 if amount.value == 1 else amount.value  # 高一倍 is twice as high
        return held.but(right=times(held.right, by))
    if amount.unit == "percent" and unit(name) != "percent" and not amount.vague:
        if not 0 < amount.value < 100 or sign not in ("lt", "le"):
            return None
        return held.but(right=times(held.right, amount.value / 100))
    by = constant(name, amount)
    if by is None or held.sign not in ("gt", "ge", "lt", "le"):
        return None
    more, less = (held.left, held.right) if held.sign in ("gt", "ge") else (held.right, held.left)
    return Compare(sign="ge", left=Arith(how="sub", left=more, right=less), right=by)


def first_asked(phrase: Fig | None, direction: Direction) -> Sort | None:
    """茅台市值是不是A股最高的: whether it is the first; 是不是A股最高的, of what was told."""
    if phrase is None or phrase == Fig() or phrase.agg or phrase.series or len(phrase.mets) > 1:
        return None
    among = Sort(phrase, direction) if phrase == Fig(scope=phrase.scope, peer=phrase.peer) else None
    made = sorted_by(phrase, direction) if phrase.mets else among
    return replace(made, is_asked=True) if made is not None else None


def limit_days(phrase: Fig, way: str) -> DayTest | None:
    """2015年有几天涨停, 哪些天跌停."""
    if phrase.mets or phrase.agg or phrase.peer or phrase.scope or len(phrase.ents) > 1:
        return None
    return DayTest(phrase, limit_test(way))


def at_limit(phrase: Fig, way: str) -> AskedOf | AllOf | None:
    """2015年12月18日涨停了吗: of a day that was said."""
    time = phrase.when
    if time is None or time.days is None or not is_one_day(time) or phrase.scope:
        return None
    if phrase.mets or phrase.agg or phrase.peer or phrase.series:
        return None
    test = limit_test(way, time.days)
    return AskedOf(phrase.ents, test) if phrase.ents else test


def need_limits(pred: Pred, symbols: tuple[str, ...]) -> None:
    """Raises: ChoiceError where a limit is asked of what has none."""
    known = (Symbol(one) for one in symbols)
    if limit_edge(pred) and any(one.market != "CN" or one.is_index for one in known):
        raise ChoiceError(reason("no_limits"), [])
