"""A turn told back: the query its plan carries, in one exact sentence, whoever read it."""

from collections.abc import Iterator, Mapping

from services.core.errors import InputError
from services.core.names import NameRow
from services.core.text import Language, Text
from services.market.names.english_names import latin_name
from services.market.names.names import Names
from services.query.algebra.explain import explain
from services.query.algebra.nodes import Query
from services.query.algebra.scopes import symbols_in
from services.query.algebra.wire import query_of
from services.query.answering.listings import is_also_at_home
from services.query.planning.plir import Turn
from services.query.reading.conversations import kept_query


def told_turn(turn: Turn, names: Names, language: Language) -> str:
    """The sentence; empty for a turn that another action answers (news, moves, peers)."""
    told = [explain(one, names_in(one, names, language), language) for one in queries_of(turn)]
    return ("；" if language == "zh" else "; ").join(told)


def told_aside(turn: Turn) -> tuple[Text, ...]:
    """What was not read of the turn before, where this one goes on from the rest of it."""
    zh = "、".join(f"「{one}」" for one in turn.left_aside)
    en = ", ".join(f"“{one}”" for one in turn.left_aside)
    told = Text(f"上一句没有读懂的{zh}没有算在内", f"not understood before, and left aside: {en}")
    return (told,) if turn.left_aside else ()


def queries_of(turn: Turn) -> tuple[Query, ...]:
    """The queries a turn carries, in order; none where any of its nodes is another action's."""
    if (whole := kept_query(turn)) is not None:
        return (whole,)
    found = list(_queries(turn))
    return tuple(one for one in found if one is not None) if None not in found else ()


def names_in(query: Query, names: Names, language: Language) -> Mapping[str, str]:
    """What the companies of a query are called; two listings of one name with their codes, and one
    elsewhere whose name means an A share.
    """
    called = {one: _name_company(names.row(one), one, language) for one in symbols_in(query)}
    return {
        symbol: f"{name}({symbol})"
        if (name != symbol and names.told_of(name) != symbol)
        or is_also_at_home(names, names.row(symbol))
        else name
        for symbol, name in called.items()
    }


def _name_company(row: NameRow | None, symbol: str, language: Language) -> str:
    if row is None:
        return symbol
    return row.name if language == "zh" else latin_name(row.name, row)


def _queries(turn: Turn) -> Iterator[Query | None]:
    for node in turn.plir.nodes if turn.plir is not None else ():
        try:
            yield query_of(node)
        except InputError:
            yield None
