"""Who reads a question: the reader of the algebra, and the older rules beside it.

The new reader answers where its plan passes all its checks. The older reader alone answers only
where no word of the question is lost in its plan; what it does for other tools (news, events,
macro, prices over time) it does as before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from services.core.errors import InputError
from services.core.rendering import Language
from services.language.lattice import FUNCTION
from services.market.names.names import Names
from services.query.algebra.explain import explain
from services.query.algebra.nodes import Ask, In, Query, Several, Tool, ToolAction
from services.query.algebra.wire import KEY, query_of_plan
from services.query.planning.nlir import AskBack, Nlir
from services.query.planning.plir import Session, Turn
from services.query.reading.clarification import AskedBack, language_in
from services.query.reading.figures_said import unknown_figures
from services.query.reading.parser import RuleParser
from services.query.reading.putback import Unanswered
from services.query.reading.reader import NO_SENSE, AskReader, Reading
from services.query.reading.refusals import refused_kind
from services.query.reading.served import Served
from services.query.reading.tagging import Lattice
from services.query.reading.text_usage import FORECAST, lost_in_text

# What the newer tools say of a company, one after another.
_TOOLS = frozenset({"indicator", "profile", "news", "billboard", "score"})
_BESIDE_NAMES = frozenset({FUNCTION, "COMMA", "ENT", "follow", "add", "join", "bool"})
# Asked where a turn goes on and the one before it was not answered.
_EARLIER: Mapping[Language, str] = {
    "zh": "上一句没有答上来，这一句是接着更早那一问看吗？请选择，或把要看的说全。",
    "en": "The turn before was not answered: does this one go on from the earlier question? Choose "
    "it, or say in full what to look at.",
}
_CHEAP = 2.0
_FEW = 3
# What the older rules know of times, markets and other sources, and the newer reader does not say.
_KNOWN_BETTER = frozenset({
    "empty", "too_long", "what_it_does", "not_covered", "impossible_day", "reversed_days",
    "no_report", "no_year", "foreign_macro", "no_cause", "no_past_value", "unlisted_there",
    "bad_host", "which_periods", "no_limit_moves", "too_many", "no_such_place",
})  # fmt: skip
# What is asked of other tools takes the question's text whole: nothing of it is lost.
_WHOLE = frozenset(
    {"feed", "knowledge", "web_search", "site_search", "user_feed", "visit", "abnormal", "macro"}
)


@dataclass(frozen=True, slots=True)
class Read:
    """One turn as read: nodes, or a question back; `query` where the algebra is to be done.
    `goes_on`: without the turns before it would be another one, or none.
    """

    answer: Nlir | AskBack | None
    query: Query | Several | Tool | None = None
    goes_on: bool = False


class Readers:
    """Both readers. Safe to share between threads."""

    def __init__(self, rules: RuleParser, reader: AskReader, names: Names) -> None:
        """`rules` are the older reader, asked beside the new one."""
        self._rules, self._reader, self._names = rules, reader, names

    def read(self, text: str, context: Session) -> Read:
        """What the next turn of the session means. Never raises."""
        language = language_in(text, [turn.user_query for turn in context.turns])
        if (chosen := self._chosen(text, context, language)) is not None:
            return Read(None, chosen)
        before, is_open = self._before(context)
        reading = self._reader.read(text, before)
        known = context if is_open else _fresh(context)
        query = reading.answer
        if isinstance(query, Several | Tool):
            return Read(None, query, goes_on=self._goes_on(text, before, query))
        if isinstance(query, Served):
            return Read(self._rules.written(query.drafts(self._rules.metadata), context))
        if (same := self._same_tool(context, reading)) is not None and isinstance(query, Ask):
            return Read(None, same, goes_on=True)
        unanswered = self._unanswered(reading, before, language)
        if (refused := self._refused(text, unanswered)) is not None:
            return Read(refused)
        if (bare := unanswered.bare()) is not None:
            return Read(bare)
        if isinstance(query, Query):
            goes_on = self._goes_on(text, before, query)
            if goes_on and self._was_unread(context):
                told = self._told(query, language)
                return Read(AskBack(reason=_EARLIER[language], choices=(told,)))
            return Read(None, query, goes_on=goes_on)
        old = self._parsed(text, known)
        if isinstance(old, Nlir) and not reading.has_lost:
            return Read(self._checked(text, known, reading, old, unanswered))
        return Read(self._put_back(reading, old, unanswered))

    def _was_unread(self, context: Session) -> bool:
        """Whether the turn before was put back for its words: what it would have changed is not in
        the query this one goes on from. Advice and forecasts that were refused change nothing.
        """
        last = context.turns[-1] if context.turns else None
        if last is None or last.ask_back is None or not last.user_query:
            return False
        lattice = self._reader.lattice(last.user_query)
        is_of_shares = bool(lattice.has("METRIC", "SCOPE"))
        return refused_kind(lattice.has("refuse"), is_of_shares=is_of_shares) is None

    def _goes_on(self, text: str, before: Sequence[Query], query: Query | Several | Tool) -> bool:
        return bool(before) and self._reader.read(text).answer != query

    def lattice(self, text: str) -> Lattice:
        """Every word of a text as it may be read; nothing is chosen."""
        return self._reader.lattice(text)

    def _refused(self, text: str, unanswered: Unanswered) -> AskBack | None:
        """Advice, what will be, other subjects: put back for what they are, whatever is said."""
        if unanswered.refused_kind == "prediction" and FORECAST.search(text):
            return None  # what analysts say is told as theirs
        return unanswered.refused()

    def _unanswered(
        self, reading: Reading, before: Sequence[Query], language: Language
    ) -> Unanswered:
        options = reading.answer.options if isinstance(reading.answer, Ask) else ()
        told = tuple(self._told(one, language) for one in options if isinstance(one, Query))

        def can_read(text: str) -> bool:
            return isinstance(self._reader.read(text, before).answer, Query | Served | Tool)

        return Unanswered(
            reading.lattice, language, self._reader.book, can_read, told,
            goes_on=bool(before), before=self._companies_of(before, language),
        )  # fmt: skip

    def _companies_of(self, before: Sequence[Query], language: Language) -> tuple[str, ...]:
        """The company the last answer was of."""
        scope = before[-1].scope if before else None
        if not isinstance(scope, In) or scope.dim != "symbol" or len(scope.values) > _FEW:
            return ()
        return tuple(self._reader.book.called(one, language) for one in scope.values)

    def _parsed(self, text: str, context: Session) -> Nlir | AskedBack:
        """What the older rules make of it, or why they put it back."""
        try:
            return self._rules.read(text, context)
        except AskedBack as back:
            return back

    def _told_of(self, turn: Turn) -> Query | None:
        """Whom another tool was asked about, with nothing asked of them yet."""
        said = [node.arg("entity") for node in (turn.nlir.nodes if turn.nlir is not None else ())]
        try:
            symbols = [self._names.resolve(str(one)).value for one in said if one is not None]
        except InputError:
            return None
        if not symbols or len(symbols) != len(said):
            return None
        return Query(scope=In(dim="symbol", values=tuple(dict.fromkeys(symbols))))

    def _same_tool(self, context: Session, reading: Reading) -> Tool | None:
        """五粮液呢, behind what another tool said of a company: the same of this one."""
        last = next((turn.nlir for turn in reversed(context.turns) if turn.nlir is not None), None)
        if last is None or reading.lattice.unread:
            return None
        actions = {node.action for node in last.nodes}
        words = [one for one in reading.lattice.tokens if one.cost < _CHEAP]
        named = [cast("tuple[str, ...]", one.sem) for one in words if one.cat == "ENT"]
        plain = all(one.cat in _BESIDE_NAMES for one in words)
        if len(actions) != 1 or not named or not plain or any(len(one) != 1 for one in named):
            return None
        action = cast("ToolAction", next(iter(actions)))
        if action not in _TOOLS:
            return None
        said = str(last.nodes[0].arg("query") or "")
        return Tool(action=action, symbols=tuple(one[0] for one in named), text=said)

    def _before(self, context: Session) -> tuple[list[Query], bool]:
        """The queries to go on from, and whether the older reader may go on from the last turn.

        After a turn that no query says, nothing before it is gone on from; after one that only the
        algebra says, the older reader has nothing to go on from.
        """
        found: list[Query] = []
        for turn in context.turns:
            if turn.nlir is None:
                continue
            query = kept_query(turn) or self._told_of(turn)
            found = [*found, query] if query is not None else []
        last = next((turn for turn in reversed(context.turns) if turn.nlir is not None), None)
        is_algebra = last is not None and any(
            node.action in _TOOLS or any(slot.key == KEY for slot in node.args)
            for node in (last.nlir.nodes if last.nlir else ())
        )
        return found, not is_algebra

    def _chosen(self, text: str, context: Session, language: Language) -> Query | None:
        """The option of the question put back last that this text is."""
        last = context.turns[-1] if context.turns else None
        if last is None or last.ask_back is None or text not in last.ask_back.choices:
            return None
        earlier = Session(session_id=context.session_id, turns=context.turns[:-1])
        back = self._reader.read(last.user_query, self._before(earlier)[0]).answer
        options = back.options if isinstance(back, Ask) else (back,)
        told = {self._told(one, language): one for one in options if isinstance(one, Query)}
        return told.get(text)

    def _checked(
        self, text: str, context: Session, reading: Reading, old: Nlir, unanswered: Unanswered
    ) -> Nlir | AskBack:
        """The older plan, if every word of the question is in it."""
        if any(node.action in _WHOLE for node in old.nodes):
            return old
        if unanswered.told and not reading.lattice.unread:
            return self._put_back(reading, None, unanswered)
        if _loses_its_time(context, old):
            return self._put_back(reading, old, unanswered)
        asks = isinstance(reading.answer, Ask) and bool(reading.answer.options)
        if asks and not reading.lattice.unread:  # else the older one may know the word
            return self._put_back(reading, old, unanswered)
        told = reading.lattice.text or text
        nobodys = [
            one
            for one in reading.lattice.has("NOFIG", "CONCEPT", "ratio")
            # The name of an index is that of its members, too: said of prices it is the index.
            if one.cat != "CONCEPT" or not self._is_index(told[one.start : one.end])
            # A figure of the catalogue without a column of the algebra is the older plan's.
            if one.cat != "NOFIG" or one.sem not in unknown_figures()
        ]
        if nobodys and isinstance(reading.answer, Ask):
            return self._put_back(reading, None, unanswered)
        lost = lost_in_text(text, reading.lattice, old, lambda one: self._rules.parse(one, context))
        if lost or nobodys:
            return self._put_back(reading, None, unanswered)
        return old

    def _is_index(self, word: str) -> bool:
        try:
            return self._names.resolve(word).is_index
        except InputError:
            return False

    def _put_back(
        self, reading: Reading, old: Nlir | AskedBack | None, unanswered: Unanswered
    ) -> AskBack:
        """Why it is put back: with readings to choose from where there are some."""
        if isinstance(old, AskedBack) and old.kind in _KNOWN_BETTER:
            return old.ask_back
        ask = reading.answer
        is_said = isinstance(ask, Ask) and (
            unanswered.told or reading.has_lost or not (ask.unread or ask.why == NO_SENSE)
        )
        if isinstance(ask, Ask) and is_said and not reading.lattice.unread:
            return AskBack(
                reason=ask.why[0] if unanswered.language == "zh" else ask.why[1],
                choices=unanswered.told,
            )
        return unanswered.put_back()

    def _told(self, query: Query, language: Language) -> str:
        names: Mapping[str, str] = {symbol: row.name for symbol, row in self._names.known.items()}
        return explain(query, names, language)


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
            query = query.model_copy(update={"take": None})
        if node.arg("order_by") is None:
            query = query.model_copy(update={"order": ()})
    return query


def _loses_its_time(context: Session, old: Nlir) -> bool:
    """两个哪个跌得多, behind prices of a span: today's figures are no answer to it."""
    last = next((turn.nlir for turn in reversed(context.turns) if turn.nlir is not None), None)
    if last is None or not any(node.arg("start_date") for node in last.nodes):
        return False
    return any(
        node.action == "query" and node.ref_id is not None and node.arg("period") == "最新"
        for node in old.nodes
    ) or all(node.action == "query" and node.arg("period") == "最新" for node in old.nodes)


def _fresh(context: Session) -> Session:
    return Session(session_id=context.session_id)
