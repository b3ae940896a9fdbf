"""The screener's sentence: read as 问答 reads a question, as the conditions of a screen; what these
cannot hold is told.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from services.core.text import LANGUAGES, NO_TEXT, Language, Text
from services.query.algebra.explain import explain
from services.query.algebra.nodes import Query
from services.query.algebra.scopes import markets_of, named_symbols
from services.query.algebra.words import MARKS
from services.query.planning.plir import Turn
from services.query.reading.clarification import language_of
from services.query.screening.screen_tests import AskedSet, screen_arguments, set_of_query
from services.query.told_turns import names_in, queries_of
from services.views.ask_chips import Chips
from services.views.parts import Parts, industries

_OTHER = Text("这句话问的不是一组公司，没有可放进来的条件", "this asks for no set of companies")
_NO_SCREEN = Text(
    "这些条件选股放不下（要逐日行情、逐期数据，或跨几个市场）",
    "a screen cannot hold these conditions (daily bars, figures by period, or several markets)",
)


@dataclass(frozen=True, slots=True)
class ScreenRead:
    """A sentence as read. `arguments`: the screen it is, empty where it is none, for which `why`
    says the reason; `told`: how it was understood; `left`: what of it no condition holds.
    """

    text: str
    arguments: dict[str, str]
    told: Text
    left: tuple[Text, ...] = ()
    why: Text = NO_TEXT


def read(parts: Parts, text: str, market: str, language: Language) -> ScreenRead:
    """The sentence read; one that names no market is of the one looked at. See Desk.read_screen."""
    turn = _read_in(parts, text, market, language)
    if turn.ask_back is not None:
        reason = turn.ask_back.reason
        return ScreenRead(text, {}, NO_TEXT, why=Text(reason, reason))
    queries = queries_of(turn)
    if len(queries) != 1 or (named_symbols(queries[0].scope) and queries[0].where is None):
        return ScreenRead(text, {}, NO_TEXT, why=_OTHER)
    query = queries[0]
    told = Text(*(explain(query, names_in(query, parts.names, one), one) for one in LANGUAGES))
    if (asked := set_of_query(query)) is None:
        return ScreenRead(text, {}, told, why=_NO_SCREEN)
    made = screen_arguments(asked, industries(parts, asked.market))
    return ScreenRead(text, made, told, tuple(_list_left(parts, query, asked)))


def _read_in(parts: Parts, text: str, market: str, language: Language) -> Turn:
    """The turn it is read as. Nobody's market is the mainland's: where another is looked at, it is
    said first, and stands where the sentence then is of that one alone.
    """
    if market != "CN":
        zh, en = f"{MARKS[market].zh}，{text}", f"{MARKS[market].en}: {text}"
        turn = parts.query.read(zh if language_of(text) == "zh" else en, language)
        queries = queries_of(turn)
        if len(queries) == 1 and markets_of(queries[0].scope) == (market,):
            return turn
    return parts.query.read(text, language)


def _list_left(parts: Parts, query: Query, asked: AskedSet) -> Iterator[Text]:
    """What is asked beside the set: figures counted or summed, an order of no column."""
    if asked.is_whole:
        return
    names = (names_in(query, parts.names, "zh"), names_in(query, parts.names, "en"))
    kept = [f"fold_{at}" for at, one in enumerate(query.fold) if one.of is not None]
    kept += [] if asked.order is not None else [f"order_{at}" for at, _ in enumerate(query.order)]
    for chip in Chips(query, names, lambda _: ()).made():
        if chip.key in kept:
            yield Text(f"{chip.label.zh} {chip.value.zh}", f"{chip.label.en} {chip.value.en}")
    if query.unheld is not None:
        words = (*query.unheld.figures, *query.unheld.companies)
        yield Text("、".join(words), ", ".join(words))
