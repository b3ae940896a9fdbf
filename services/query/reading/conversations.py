"""The turns before the one that is read: which queries it may go on from, and how surely.

Nothing is remembered here: what a turn that was put back leaves is worked out from its text.
"""

import re
from collections.abc import Sequence
from datetime import date
from itertools import takewhile

from services.core.errors import InputError
from services.language.lattice import FUNCTION
from services.language.plain_text import is_cjk
from services.market.names.names import Names
from services.query.algebra.nodes import In, OtherTool, Query, When
from services.query.algebra.scopes import named_symbols
from services.query.algebra.wire import KEY, query_of, query_of_plan
from services.query.planning.nlir import NlirNode
from services.query.planning.plir import Session, Turn
from services.query.reading.causes import asks_why
from services.query.reading.figures_told import is_of_companies
from services.query.reading.left_behind import TurnsBehind, contexts_behind
from services.query.reading.off_topic import off_topic
from services.query.reading.other_tools import Meant, Served
from services.query.reading.reader import AskReader
from services.query.reading.refusals import refused_kind
from services.query.reading.tagging import Lattice

# Words of a turn that would have changed more than whom it is about.
_CHANGING = (
    "METRIC", "NOFIG", "SCOPE", "several", "cmp", "postcmp", "sup", "best", "agg", "except",
    "group", "count", "COUNT", "TOP", "WHEN", "loss", "indicator", "toolask",
)  # fmt: skip
# What is asked of a set, where that is said.
_ASKING = tuple(one for one in _CHANGING if one != "SCOPE")
# Words that speak of what was answered before.
_REFERRING = ("follow", "add", "swap", "only", "edit", "MORE")
# Words that change what was told: they are no part of the question that was put back.
_EDITS = ("except", "add", "swap", "edit", "MORE")
# What is asked, and what may stand beside it where nobody is named.
_WHAT = ("METRIC", "WHEN")
_OF_NOBODY = frozenset({*_WHAT, FUNCTION, "COMMA", "ORD", "lastplace", "follow", "noun"})
_MOST = 4
# What points into a list: behind a question that was put back it is that one's.
_POINTS = re.compile(r"里面|里头|其中|当中|\b(?:among|of) (?:them|those|these)\b")
# What says that companies of a market are asked about, not those spoken of: 股票, 10只, stocks.
_ALL = re.compile(r"公司|股票|个股|股|只|家|票|compan|stock|share|name|market|firm")


class Conversations:
    """Reads the turns of sessions. Safe to share between threads; keeps nothing."""

    def __init__(self, reader: AskReader, names: Names) -> None:
        self._reader, self._names = reader, names

    def answered(self, context: Session) -> list[Query]:
        """The queries of the turns that were answered, oldest first, each of a turn that had
        several; of one that another tool answered whom it was about, and which days.
        """
        return [one for _, queries in self.turns_answered(context) for one in queries]

    def turns_answered(self, context: Session) -> list[tuple[str, Sequence[Query]]]:
        """The turns that were answered as they were asked, oldest first, each with its queries."""
        turns = (turn for turn in context.turns if turn.nlir is not None)
        return [(turn.user_query, self._queries_of(turn)) for turn in turns]

    def _queries_of(self, turn: Turn) -> Sequence[Query]:
        one = kept_query(turn)
        found = (one,) if one is not None else queries_together(turn) or (self._find_told(turn),)
        return [one for one in found if one is not None]

    def told_together(self, context: Session) -> Sequence[Query]:
        """The queries of the last turn, where it was answered and had several."""
        last = context.turns[-1] if context.turns else None
        return queries_together(last) if last is not None else ()

    def left(self, context: Session) -> tuple[TurnsBehind, ...]:
        """What the turns put back since the last answer leave to go on from; none where they leave
        nothing. One that named nobody and asked nothing anew leaves what the one before it left.
        """
        found, answered = tuple[TurnsBehind, ...](), tuple(self.answered(context))
        for turn in put_back(context):
            reached = [
                one
                for held in found or (TurnsBehind(answered),)
                for one in self._behind(turn, held)
            ]
            found = tuple(dict.fromkeys(reached))[:_MOST] or found
        return found

    def _behind(self, turn: Turn, held: TurnsBehind) -> tuple[TurnsBehind, ...]:
        reading = self._reader.read(turn.user_query, held.before)
        return tuple(
            TurnsBehind(one.before, is_sure=one.is_sure and (held.is_sure or _is_own(one, held)))
            for one in contexts_behind(reading.answer, reading.lattice, held.before)
        )

    def was_unread(self, context: Session, now: Lattice) -> bool:
        """Whether the turn before was put back for its words: what it would have changed is not in
        the query this one goes on from. What was refused changes nothing, nor do words that say
        nothing of shares; a company that was not found gives way to the one named `now`.
        """
        last = next(reversed(put_back(context)), None)
        if last is None or not last.user_query or off_topic(last.user_query) is not None:
            return False  # a greeting changes nothing
        lattice = self._reader.lattice(last.user_query)
        if (now.has("ENT") and not lattice.has(*_CHANGING)) or asks_why(lattice):
            return False
        is_of_shares = bool(lattice.has("METRIC", "SCOPE"))
        return refused_kind(lattice.has("refuse"), is_of_shares=is_of_shares) is None

    def changes_told(self, now: Lattice, context: Session) -> bool:
        """Whether a turn goes on from what was answered, and is no reply to what was put back: it
        changes that, or what was put back asked why it is so.
        """
        last = next(reversed(put_back(context)), None)
        is_why = last is not None and asks_why(self._reader.lattice(last.user_query))
        return (is_why or bool(now.has(*_EDITS))) and bool(self.answered(context))

    def is_of_what_was_unread(self, context: Session, now: Lattice) -> bool:
        """三家谁的市盈率最低, where a question of three companies was put back and nothing answered
        since: of them, not of all A shares; nor what points into a list (里面), nor a ranking that
        names no companies (按市值取前三), whatever was put back.
        """
        # which of those are banks; only the banks
        refers = now.has("only") or any(one.sem == "these" for one in now.has("follow"))
        unread = put_back(context)
        if now.has("SCOPE") and now.has("follow") and not now.has(*_ASKING):
            return bool(unread)  # and banks?
        if now.has("ENT") or (now.has("SCOPE") and not refers):
            return False
        ranks = now.has("sup", "bigsup", "best", "order", "TOP") and not now.has("cmp")
        if _POINTS.search(now.text) or (ranks and not _ALL.search(now.text)):
            return bool(unread)
        return any(self._reader.lattice(one.user_query).has("ENT", "SCOPE") for one in unread)

    def readings(self, text: str, context: Session) -> list[tuple[Meant, bool]]:
        """What a text means behind the turns put back, each meaning once, and whether surely: of
        what those left, and of the last answer where they spoke of it.
        """
        left, answered = list(self.left(context)), tuple(self.answered(context))
        refers = any(
            self._reader.lattice(one.user_query).has(*_REFERRING) for one in put_back(context)
        )
        if left and answered and (refers or not all(one.is_sure for one in left)):
            left.append(TurnsBehind(answered, is_sure=False))
        found: list[tuple[Meant, bool]] = []
        for one in left:
            meant = self._reader.read(text, one.before).answer
            if isinstance(meant, Query | OtherTool | Served) and all(
                meant != two for two, _ in found
            ):
                found.append((meant, one.is_sure))
        return found

    def unread_words(self, context: Session) -> tuple[str, ...]:
        """What nobody read of the turns since the last answer."""
        words = (self._reader.lattice(one.user_query).unread_words for one in put_back(context))
        return tuple(dict.fromkeys(word for each in words for word in each))

    def asked_of_nobody(self, text: str) -> str:
        """The figure and the time of a text that says of whom by a place alone; else nothing."""
        lattice = self._reader.lattice(text)
        words = lattice.has(*_WHAT)
        others = [one for one in lattice.tokens if one.is_sure and one.cat not in _OF_NOBODY]
        if lattice.unread or not lattice.has("METRIC") or others:
            return ""
        ordered = sorted(words, key=lambda one: one.start)
        gap = "" if is_cjk(lattice.text[:1]) else " "
        return gap.join(lattice.text[one.start : one.end] for one in ordered)

    def not_held(self, context: Session, now: Lattice) -> str | None:
        """Why the turn that `now` can only go on from was put back, where its figure or its set is
        not held; None where it was put back for anything else.
        """
        if now.unread or now.has("ENT", "SCOPE", "NOFIG", "CONCEPT"):
            return None  # 员工总数也没有吗: what this one lacks is told of itself
        for turn in reversed(put_back(context)):
            lattice = self._reader.lattice(turn.user_query)
            if lattice.has("NOFIG", "CONCEPT") and not lattice.unread and turn.ask_back:
                return turn.ask_back.reason.rstrip("。.")
            if lattice.has("ENT", "SCOPE"):
                return None
        return None

    def _find_told(self, turn: Turn) -> Query | None:
        nodes = turn.nlir.nodes if turn.nlir is not None else ()
        said = [node.arg("entity") for node in nodes]
        try:
            symbols = [self._names.resolve(str(one)).value for one in said if one is not None]
        except InputError:
            return None
        if not symbols or len(symbols) != len(said):
            return None
        windows = [_days_of(node) for node in nodes]
        return Query(
            scope=In(dim="symbol", values=tuple(dict.fromkeys(symbols))),
            window=windows[0] if windows.count(windows[0]) == len(windows) else None,
        )


def queries_together(turn: Turn) -> Sequence[Query]:
    """The queries of a turn that was answered and had several; else none."""
    if turn.plir is None or turn.nlir is None or kept_query(turn) is not None:
        return ()
    try:
        found = [query_of(node) for node in turn.plir.nodes]
    except InputError:
        return ()
    return [one for one in found if one is not None] if len(found) > 1 and all(found) else ()


def are_of_same_rows(queries: Sequence[Query]) -> bool:
    """Whether some of them tell the same: the same list, whatever is shown beside it."""
    told = [one if is_of_companies(one) else one.but(show=()) for one in queries]
    return len(set(told)) < len(told)


def points_into_one(text: str, meant: Meant) -> bool:
    """Whether a text points into several (among them) and is read of one company."""
    if not isinstance(meant, Query) or meant.rows != "companies" or not is_of_companies(meant):
        return False
    return bool(_POINTS.search(text)) and len(named_symbols(meant.scope) or ()) == 1


def put_back(context: Session) -> list[Turn]:
    """The turns since the last answer, oldest first."""
    return list(takewhile(lambda turn: turn.ask_back is not None, reversed(context.turns)))[::-1]


def _is_own(one: TurnsBehind, held: TurnsBehind) -> bool:
    """Whether it is of other companies than what it stands behind: it rests on nothing of that."""
    if not held.before:
        return True
    theirs = set(named_symbols(held.before[-1].scope) or ())
    return not theirs & set(named_symbols(one.before[-1].scope) or ())


def _days_of(node: NlirNode) -> When | None:
    """The days a tool was asked about."""
    try:
        first, last = (date.fromisoformat(str(node.arg(f"{one}_date"))) for one in ("start", "end"))
    except ValueError:
        return None
    return When(kind="days", first=first, last=last)


def kept_query(turn: Turn) -> Query | None:
    """The query of an earlier turn, rebuilt from its plan; None where another action answered it.

    A number of rows or an order that nobody said is the tool's own: no part of the query.
    """
    if turn.plir is None or turn.nlir is None:
        return None
    try:
        query = query_of_plan(turn.plir)
    except InputError:
        return None
    if query is None or len(turn.nlir.nodes) != 1:
        return query
    node = turn.nlir.nodes[0]
    if node.action == "screen" and node.arg(KEY) is None:
        if node.arg("size") is None and node.arg("rank") is None:
            query = query.but(take=None)
        if node.arg("order_by") is None:
            query = query.but(order=())
    return query
