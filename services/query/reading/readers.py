"""Who reads a question: the reader of the algebra, then what is asked of other tools.

The algebra answers where its plan passes all its checks; a tool where its words and slots cover
the question. Anything else is put back, saying why.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from services.core.catalogue import CATALOGUE
from services.core.clock import Clock
from services.core.rendering import Language
from services.language.lattice import FUNCTION
from services.language.plain_text import simplified
from services.market.calendar import Calendar
from services.market.names.names import Names
from services.query.algebra.explain import explain
from services.query.algebra.nodes import (
    Ask,
    In,
    OtherTool,
    Query,
    Several,
    ToolAction,
    Unheld,
    rewrite,
)
from services.query.algebra.scopes import named_symbols, symbols_in
from services.query.algebra.types import check_query
from services.query.algebra.wire import read_query
from services.query.planning.metadata import Metadata
from services.query.planning.nlir import AskBack, Nlir, NlirNode
from services.query.planning.plir import Session
from services.query.planning.slots import NodeDraft, node_id, node_of
from services.query.reading.action_drafts import Actions
from services.query.reading.at_home import at_home
from services.query.reading.causes import figure_to_explain
from services.query.reading.clarification import (
    EXAMPLES,
    UNREAD,
    AskedBack,
    ask_back,
    asked,
    language_told,
)
from services.query.reading.conversations import Conversations, are_of_same_rows, points_into_one
from services.query.reading.entities import NameBook
from services.query.reading.errors import UnusedError
from services.query.reading.figures_compared import shown_of_list
from services.query.reading.figures_said import base
from services.query.reading.names_beside import names_chosen
from services.query.reading.off_topic import off_topic
from services.query.reading.other_tools import Meant, Served
from services.query.reading.putback import Unanswered
from services.query.reading.question_words import UNLISTED, industry_labels
from services.query.reading.ranking import check_sense
from services.query.reading.reader import AskReader, Reading
from services.query.reading.reasons import reason
from services.query.reading.refusals import is_of_analysts
from services.query.reading.remade import as_the_figure
from services.query.reading.replies import bare, choice_of, choices_in_set, joined, points_at_told
from services.query.reading.said_in_full import ways_in_full
from services.query.reading.searches import addressed, explained, searched
from services.query.reading.shapes import Market, whole_scopes
from services.query.reading.tagging import Lattice

# What the newer tools say of a company, one after another.
_TOOLS = frozenset({"indicator", "profile", "news", "billboard", "score"})
_BESIDE_NAMES = frozenset({FUNCTION, "COMMA", "ENT", "follow", "add", "join", "bool"})
_SEVERAL, _FEW = 2, 3
_WORD = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class ReadTurn:
    """One turn as read: nodes, or a question back; `query` where the algebra is to be done.
    `goes_on`: without the turns before it would be another one, or none. `is_unread`: it is put
    back for words not understood, not on purpose: a model may know them. `left_aside`: words of
    the turn before that were not read and are in nothing of this one. `options`: its readings,
    where it is put back for having several.
    """

    answer: Nlir | AskBack | None
    query: Query | Several | OtherTool | None = None
    goes_on: bool = False
    is_unread: bool = False
    left_aside: tuple[str, ...] = ()
    options: tuple[Query, ...] = ()


@dataclass(frozen=True, slots=True)
class _Unread:
    """A text that means nothing as it stands, and what says why: at length, with choices read."""

    text: str
    reading: Reading
    unanswered: Unanswered
    goes_on: bool


def _is_put_back(found: ReadTurn | _Unread) -> bool:
    return isinstance(found, _Unread) or isinstance(found.answer, AskBack)


class Readers:
    """Reads questions. Safe to share between threads."""

    def __init__(
        self, reader: AskReader, names: Names, metadata: Metadata, clock: Clock, calendar: Calendar
    ) -> None:
        """`reader` reads the algebra; `clock` and `calendar` say what days a tool is asked of."""
        self._reader, self._names, self._metadata = reader, names, metadata
        self._clock, self._turns = clock, Conversations(reader, names)
        self._actions = Actions(names, metadata, calendar)

    def read(self, text: str, context: Session) -> ReadTurn:
        """What the next turn of the session means. Never raises."""
        language = language_told(text, context)
        if (chosen := self._find_chosen(text, context, language)) is not None:
            return ReadTurn(None, chosen)
        last = context.turns[-1] if context.turns else None
        if last is None or last.ask_back is None or text in last.ask_back.choices:
            found = self._understand(text, context, language)
            told = self._explained(found)
            if isinstance(found, _Unread) and told.is_unread:
                return self._in_full(text, context, language) or told
            return told
        meant = choice_of(text, last.user_query, last.ask_back)
        meant = meant or self._find_in_set(text, context, last.ask_back.choices)
        if len(meant) == 1:
            return self.read(meant[0], context)
        if 1 < len(meant) < len(last.ask_back.choices):
            return ReadTurn(last.ask_back.but(choices=tuple(meant)))
        found = self._understand(text, context, language)
        if not _is_put_back(found):
            return self._explained(found)
        lattice = self._reader.lattice(text)
        is_reply = not (points_at_told(lattice) or self._turns.changes_told(lattice, context))
        is_of_each = lattice.has("follow") and lattice.has("METRIC")
        if is_of_each and self._find_options(context, language):
            # 利润呢, behind 换成洋河 which left two to choose from: of each of those.
            behind = self._read_behind(text, context, language)
            if behind is not None:
                return behind
        whole = joined(text, last.user_query) if is_reply else ()
        whole = (*whole, *self._completed(text, last.user_query))
        again = (self._understand(one, context, language) for one in whole)
        full = next((one for one in again if not _is_put_back(one)), None)
        if full is not None:
            return self._without_the_other(self._explained(full), text)
        return self._read_behind(text, context, language) or self._explained(found)

    def _in_full(self, text: str, context: Session, language: Language) -> ReadTurn | None:
        """A turn that is not understood as it stands, with what it leaves out; None where that is
        not understood either.
        """
        before, lattice = self._turns.answered(context), self._reader.lattice(text)
        for one in ways_in_full(lattice, before, self._market, language):
            read = self._understand(one.text, context, language, one.seen)
            query = None if isinstance(read, _Unread) else read.query
            if isinstance(query, Query) and one.is_meant(query, goes_on=read.goes_on):
                return replace(cast("ReadTurn", read), goes_on=read.goes_on or bool(one.seen))
        return None

    @property
    def _market(self) -> Market:
        return Market(self._reader.book, industry_labels())

    def _without_the_other(self, full: ReadTurn, text: str) -> ReadTurn:
        """那中兴通讯的呢, behind a company nobody has: of this one alone."""
        query = full.query
        if not isinstance(query, Query) or query.unheld is None:
            return full
        if not self._reader.lattice(text).has("ENT") or not query.unheld.companies:
            return full
        kept = Unheld(figures=query.unheld.figures)
        unheld = kept if kept != Unheld() else None
        return replace(full, query=query.but(unheld=unheld))

    def _find_in_set(self, text: str, context: Session, choices: Sequence[str]) -> Sequence[str]:
        """The choices about companies of a set: 地产那个, of those that a name may mean."""
        reply = self._reader.lattice(bare(text))
        if len(choices) < _SEVERAL or not reply.has("SCOPE"):
            return ()
        told = self._find_options(context, language_told(text, context))
        read = {one: told.get(one) or self._reader.read(one).answer for one in choices}
        queries = {one: query for one, query in read.items() if isinstance(query, Query)}
        return choices_in_set(reply, queries, self._market) if len(queries) == len(choices) else ()

    def _completed(self, text: str, before: str) -> tuple[str, ...]:
        """神华呢, behind a figure of nobody known: that figure of it."""
        asked = self._turns.asked_of_nobody(before)
        return joined(text, asked) if asked and self._reader.lattice(text).has("ENT") else ()

    def _read_behind(self, text: str, context: Session, language: Language) -> ReadTurn | None:
        """What a turn means behind one that was put back: done where nothing is left open, else
        offered; None where it means nothing there.
        """
        found = self._turns.readings(text, context)
        if len(found) == 1 and found[0][1] and not points_into_one(text, found[0][0]):
            aside = self._turns.unread_words(context)
            return replace(self._as_turn(found[0][0], context), left_aside=aside)
        told = [self.told(one, language) for one, _ in found if isinstance(one, Query)]
        if told:
            back = ask_back(language, "behind_unread", choices=told)
            return ReadTurn(back, is_unread=True)
        if (why := self._turns.not_held(context, self._reader.lattice(text))) is None:
            return None
        return ReadTurn(ask_back(language, "nothing_left", why), is_unread=True)

    def _as_turn(self, meant: Meant, context: Session) -> ReadTurn:
        if isinstance(meant, Served):
            drafts = meant.drafts(self._metadata)
            return ReadTurn(written(drafts, context, self._reader.book))
        return ReadTurn(None, meant)

    def _understand(
        self, text: str, context: Session, language: Language, seen: Sequence[Query] = ()
    ) -> ReadTurn | _Unread:
        """What a text means, behind what is `seen`; why it means nothing is told elsewhere."""
        before = seen or self._turns.answered(context)
        reading = self._reader.read(text, before)
        together = self._turns.told_together(context)
        query = self._read_of_each(text, together) or reading.answer
        if isinstance(query, Several | OtherTool):
            return ReadTurn(None, query, goes_on=self._goes_on(text, together or before, query))
        if isinstance(query, Served):
            open_turn = self._ask_what_of(query, reading, context, language)
            return open_turn or self._as_turn(query, context)
        if isinstance(query, Ask) and (same := self._same_tool(context, reading)) is not None:
            return ReadTurn(None, same, goes_on=True)
        unanswered = self._explain_unanswered(reading, before, language)
        if (refused := self._refuse_early(text, unanswered)) is not None:
            return ReadTurn(refused.ask_back)
        if (bare := unanswered.bare()) is not None:
            return ReadTurn(bare.ask_back)
        if isinstance(query, Query):
            return self._of_query(text, query, reading, context, language)
        uncaused = self._without_cause(reading, before, language)
        try:
            asked_of = self._ask_of_tools(text, reading, context, language)
        except AskedBack as back:
            return ReadTurn(back.ask_back)
        tools = {node.action for node in asked_of.nodes} if asked_of is not None else set[str]()
        if asked_of is not None and (uncaused is None or tools != {"abnormal"}):
            return ReadTurn(asked_of)
        if uncaused is not None:
            return ReadTurn(uncaused.ask_back)
        return _Unread(text, reading, unanswered, goes_on=bool(before))

    def _read_of_each(self, text: str, told: Sequence[Query]) -> Several | None:
        """What was the volume, behind the best day and the worst: of each that the last turn told;
        None where it told one thing, a list and how many are in it, or the text stands by itself.
        """
        if not told:
            return None
        found = [self._reader.read(text, (one,)).answer for one in told]
        queries = tuple(one for one in found if isinstance(one, Query))
        is_apart = not are_of_same_rows(queries)
        is_edit = len(queries) == len(told) and self._reader.read(text).answer not in queries
        return Several(queries=queries) if is_edit and is_apart else None

    def _explained(self, found: ReadTurn | _Unread) -> ReadTurn:
        if isinstance(found, ReadTurn):
            return found
        back = self._put_back(found.text, found.reading, found.unanswered)
        ask = found.reading.answer
        is_open = isinstance(ask, Ask) and back.kind == "several" and not ask.unread
        queries = ask.options if isinstance(ask, Ask) and is_open else ()  # of names: who asks says
        options = tuple(one for one in queries if isinstance(one, Query))
        return ReadTurn(
            back.ask_back,
            goes_on=found.goes_on and bool(options),
            is_unread=back.kind in UNREAD,
            options=options if len(options) >= _SEVERAL else (),
        )

    def _ask_what_of(
        self, served: Served, reading: Reading, context: Session, language: Language
    ) -> ReadTurn | None:
        """纳指呢, behind a question that was put back: what that asked, and no quote of it."""
        last = context.turns[-1] if context.turns else None
        if last is None or last.ask_back is None or not reading.lattice.has("follow"):
            return None
        if reading.lattice.has("METRIC", "ask", "WHEN"):
            return None
        named = tuple(self._reader.book.called(one, language) for one in served.symbols)
        return ReadTurn(ask_back(language, "of_what_named", choices=named), is_unread=True)

    def _of_query(
        self, text: str, query: Query, reading: Reading, context: Session, language: Language
    ) -> ReadTurn:
        """The query, or a question back where it rests on a turn that was not answered."""
        goes_on = self._goes_on(text, self._turns.answered(context), query)
        backs = [turn.ask_back for turn in context.turns[-1:] if turn.ask_back is not None]
        is_chosen = any(text in back.choices for back in backs)
        is_open = not is_chosen and self._turns.was_unread(context, reading.lattice)
        why = "earlier_turn" if is_open else None
        if why is not None and not goes_on:
            is_of_it = self._turns.is_of_what_was_unread(context, reading.lattice)
            why = "of_whom_before" if is_of_it else None
        if why is not None:
            back = ask_back(language, why, choices=(self.told(query, language),))
            return ReadTurn(back, is_unread=True)
        return ReadTurn(None, query, goes_on=goes_on)

    def _without_cause(
        self, reading: Reading, before: Sequence[Query], language: Language
    ) -> AskedBack | None:
        """怎么会这么高, behind a figure of a report: no source says; None for other turns."""
        figure = figure_to_explain(reading.lattice, before[-1]) if before else None
        if figure is None:
            return None
        return self._actions.no_cause(figure, named_symbols(before[-1].scope) or (), language)

    def _ask_of_tools(
        self, text: str, reading: Reading, context: Session, language: Language
    ) -> Nlir | None:
        """What another tool is asked; None where none is. Raises: AskedBack."""
        text = simplified(text)
        drafts = addressed(text, language)
        if not drafts and (found := searched(text)) is not None:
            drafts = [found]
        if not drafts and not reading.has_lost:
            last = next((one for one in reversed(context.turns) if one.nlir is not None), None)
            today = self._clock.now().date()
            drafts = self._actions.drafts(reading.lattice, last, today, language) or []
        if not drafts and (found := explained(reading.lattice, text)) is not None:
            drafts = [found]
        return written(drafts, context, self._reader.book) if drafts else None

    def _goes_on(
        self, text: str, before: Sequence[Query], query: Query | Several | OtherTool
    ) -> bool:
        return bool(before) and self._reader.read(text).answer != query

    @property
    def book(self) -> NameBook:
        """The names as they are now."""
        return self._reader.book

    def lattice(self, text: str) -> Lattice:
        """Every word of a text as it may be read; nothing is chosen."""
        return self._reader.lattice(text)

    def names_chosen(self, text: str) -> list[tuple[str, str, tuple[str, ...]]]:
        """Each name of several companies that was taken for one: 平安, beside 招行."""
        found = self.lattice(text)
        return list(names_chosen(found.text, found.tokens, self.book))

    def _refuse_early(self, text: str, unanswered: Unanswered) -> AskedBack | None:
        """Advice, what will be, other subjects: put back for what they are, whatever is said."""
        if unanswered.refused_kind == "prediction" and is_of_analysts(text):
            return None
        return unanswered.refused()

    def _explain_unanswered(
        self, reading: Reading, before: Sequence[Query], language: Language
    ) -> Unanswered:
        options = reading.answer.options if isinstance(reading.answer, Ask) else ()
        told = tuple(self.told(one, language) for one in options if isinstance(one, Query))

        def can_read(text: str) -> bool:
            answer = self._reader.read(text, before).answer
            return isinstance(answer, Query | Several | Served | OtherTool)

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

    def _same_tool(self, context: Session, reading: Reading) -> OtherTool | Query | None:
        """五粮液呢, behind what another tool said of a company: the same of this one; behind what a
        word means, that figure of it.
        """
        last = next((turn.nlir for turn in reversed(context.turns) if turn.nlir is not None), None)
        if last is None or reading.lattice.unread:
            return None
        actions = {node.action for node in last.nodes}
        words = [one for one in reading.lattice.tokens if one.is_sure]
        named = [cast("tuple[str, ...]", one.sem) for one in words if one.cat == "ENT"]
        plain = all(one.cat in _BESIDE_NAMES for one in words)
        if len(actions) != 1 or not named or not plain or any(len(one) != 1 for one in named):
            return None
        action = cast("ToolAction", next(iter(actions)))
        said = str(last.nodes[0].arg("query") or "")
        if action == "knowledge":
            return self._example(said, [one[0] for one in named])
        if action not in _TOOLS:
            return None
        return OtherTool(action=action, symbols=tuple(one[0] for one in named), text=said)

    def _example(self, asked: str, symbols: Sequence[str]) -> Query | None:
        """茅台的呢, behind 市净率怎么看: the figures whose meaning was asked, of those."""
        figures = dict.fromkeys(str(one.sem) for one in self._reader.lattice(asked).has("METRIC"))
        names = [CATALOGUE[base(one)].zh for one in figures]
        called = [self._reader.book.called(one, "zh") for one in symbols]
        found = self._reader.read(f"{'、'.join(called)}的{'、'.join(names)}").answer
        return found if names and isinstance(found, Query) else None

    def _find_chosen(self, text: str, context: Session, language: Language) -> Query | None:
        """The option of the question put back last that this text is."""
        last = context.turns[-1] if context.turns else None
        if last is None or last.ask_back is None or text not in last.ask_back.choices:
            return None
        return self._find_options(context, language).get(text)

    def _find_options(self, context: Session, language: Language) -> Mapping[str, Query]:
        """The queries the question put back last leaves to choose from, each as it is told."""
        last = context.turns[-1]
        if last.options and last.ask_back is not None:
            return dict(zip(last.ask_back.choices, map(read_query, last.options), strict=False))
        earlier = Session(session_id=context.session_id, turns=context.turns[:-1])
        back = self._reader.read(last.user_query, self._turns.answered(earlier)).answer
        options = back.options if isinstance(back, Ask) else (back,)
        kept = [one for one, _ in self._turns.readings(last.user_query, earlier)]
        return {
            self.told(one, language): one for one in (*options, *kept) if isinstance(one, Query)
        }

    def _put_back(self, text: str, reading: Reading, unanswered: Unanswered) -> AskedBack:
        """Why it is put back: with readings to choose from where there are some."""
        language = unanswered.language
        if not _WORD.search(text):
            return asked(language, "empty", choices=EXAMPLES[language])
        if (kind := off_topic(text)) is not None:
            today = self._clock.now().date().isoformat()
            return asked(language, kind, today, choices=EXAMPLES[language])
        if times := reading.lattice.has("BADTIME"):
            told, today = str(times[0].sem), self._clock.now().date().isoformat()
            return asked(language, "impossible_day", told, today, choices=unanswered.told)
        ask = reading.answer
        if isinstance(ask, Ask) and reading.is_said:
            unlisted = any(one.sem == UNLISTED for one in reading.lattice.has("CONCEPT"))
            why = ask.why[0] if language == "zh" else ask.why[1]
            return unanswered.not_held(why, of_companies=unlisted)
        is_said = isinstance(ask, Ask) and (
            unanswered.told or reading.has_lost or not (ask.unread or ask.why == reason("no_sense"))
        )
        # What no source has is told with whom and when it was asked of.
        is_held = not (unanswered.told and reading.lattice.has("NOFIG"))
        if isinstance(ask, Ask) and is_said and is_held and not reading.lattice.unread:
            why = ask.why[0] if language == "zh" else ask.why[1]
            kind = "unread" if reading.has_lost else "several"
            return AskedBack(AskBack(reason=why, choices=unanswered.told), kind)
        return unanswered.put_back()

    def earlier(self, context: Session) -> list[tuple[str, Sequence[Query]]]:
        """The turns a next one may go on from, oldest first, each with its queries."""
        return self._turns.turns_answered(context)

    def made_sound(self, query: Query | OtherTool) -> Query | OtherTool:
        """A query read otherwise than here, as those read here are: in the market's own money and
        flavour of figures, with its days. Raises: UnusedError where it makes no sense.
        """
        if isinstance(query, OtherTool):
            return query
        asked: Query = rewrite(query, as_the_figure)
        if asked.scope is None and asked.first is not None:  # of the same set, unless it says other
            asked = asked.but(scope=asked.first.scope)
        if asked.rows == "companies" and not (asked.fold or asked.check):
            shown = shown_of_list(asked.show, asked.order, asked.where)
            asked = asked.but(show=shown)
        home = at_home(whole_scopes(asked, self._market))
        check_sense(home)
        dated = self._reader.dated(home)
        if not isinstance(dated, Query) or check_query(dated):
            raise UnusedError("sense")
        return dated

    def told(self, query: Query, language: Language) -> str:
        """The query in words."""
        if language == "zh":
            return explain(query, self._names.short, language)
        called = {symbol: self._names.text(symbol).en for symbol in symbols_in(query)}
        return explain(query, called, language)


def written(drafts: Sequence[NodeDraft], context: Session, book: NameBook) -> Nlir:
    """The nodes of the next turn: node_1 … in the first, node_{n}a … in a later one."""
    turn = len(context.turns) + 1
    nodes: list[NlirNode] = []
    for at, draft in enumerate(drafts):
        row = book.row(draft.symbol) if draft.symbol else None
        if draft.symbol:
            entity = {"entity": book.shown(draft.symbol)}
            draft = replace(draft, args={**entity, **draft.args}, symbol=None)
        nodes.append(node_of(draft, node_id(turn, at), row))
    return Nlir(nodes=tuple(nodes))
