"""涨停 and 跌停 of a company: how many sessions, which, and whether a day was one."""

from services.core.symbols import Symbol
from services.query.algebra.limit_moves import limit_edge, limit_test
from services.query.algebra.nodes import AllOf, Pred
from services.query.reading.errors import ChoiceError
from services.query.reading.phrases import Fig, is_one_day
from services.query.reading.predicates import AskedOf, DayTest
from services.query.reading.reasons import reason


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
