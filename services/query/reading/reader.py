"""The reader: a question in words becomes a query of the algebra, or is put back naming its words.

`AskReader.read` gives a query only where it covers the text, is near the cheapest cover, has every
content word in it, and makes sense; else an `Ask`. What other tools answer is `None`: not its own.
"""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from typing import Any, cast

from services.core.clock import Clock
from services.language.lattice import FUNCTION, Token
from services.market.calendar import Calendar
from services.market.names.names import Names
from services.query.algebra.explain import say_unheld
from services.query.algebra.nodes import (
    Arith,
    Ask,
    Metric,
    Node,
    OtherTool,
    Query,
    Several,
    When,
    rewrite,
    walk,
)
from services.query.reading.causes import uncaused, without_why
from services.query.reading.chart import OverBudgetError
from services.query.reading.coverage import lost_words
from services.query.reading.entities import NameBook
from services.query.reading.expected import as_expected
from services.query.reading.figures_said import HAD, base, is_of_days
from services.query.reading.figures_told import holds
from services.query.reading.left_aside import clauses_of, is_worth_asking
from services.query.reading.names_listed import meant_beside_set, meant_beside_share, meant_in_list
from services.query.reading.other_tools import Served
from services.query.reading.own_money import as_own_money
from services.query.reading.phrases import dimensions
from services.query.reading.publication import around_publication
from services.query.reading.question_words import industry_labels
from services.query.reading.ranking import (
    EXCLUDED,
    OF_WHOM,
    Candidate,
    Ranked,
    chart_of,
    points_back,
    ranked,
)
from services.query.reading.reasons import ask_why, make_ask, reason
from services.query.reading.sense import meant_apart, of_each, without_sense
from services.query.reading.sessions_said import name_days, name_days_served
from services.query.reading.set_words import quote_unknown
from services.query.reading.shapes import MAINLAND, NOBODY_LEFT, Market
from services.query.reading.spoken_before import as_spoken_before, with_what_was_told
from services.query.reading.tagging import Lattice, Tagger
from services.query.reading.told import ToldReader
from services.query.reading.unheld import Partly, carried, read_partly

# Edges of the chart that may be made for a question, with all its checks.
BUDGET = 60_000
LONGEST = 500
# So many readings are kept: what goes on from turns, or is offered, is read again and again.
_KEPT = 256
_MOST_COMPANIES = 6
# Two questions are two only where a mark that ends one stands between them.
_BREAK = re.compile(r"[?？;；。]|\.\s|，?另外[,，]?")
# Where a question may go on from the one before it.
_GOING_ON = re.compile(r"[?？]|[,，](?=其中|里头|里面|当中|这里面|那里面)")
_MARKS = " ,，.。…、;；:：-—~!！"
_NOT_MINE = ("refuse", "tool")
_UNKNOWN = ("CONCEPT", "NOFIG", "BADTIME")


Answer = Query | Served | OtherTool | Several | Ask | None


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of a question. `answer` None: other words than this reader's (news, advice).

    `lattice` says what was read, `leaves` the words the plan rests on.
    """

    answer: Answer
    lattice: Lattice
    leaves: tuple[Token, ...] = ()
    # A plan was found that lost words of the question.
    has_lost: bool = False
    # The reason it is put back says all there is to say.
    is_said: bool = False


@dataclass(frozen=True, slots=True)
class _Ready:
    """What questions of a day are read with, by the names there are."""

    book: NameBook
    today: date
    tagger: Tagger
    read: Callable[[str, tuple[Query, ...]], Reading]


class AskReader:
    """Reads questions by rules. Safe to share between threads; what it keeps changes no answer."""

    def __init__(self, names: Names, clock: Clock, calendar: Calendar | None = None) -> None:
        self._names, self._clock = names, clock
        self._calendar = calendar or Calendar()
        self._making = threading.Lock()
        self._made: _Ready | None = None

    def read(self, text: str, before: Sequence[Query] = ()) -> Reading:
        """The query meant, in the context of those answered before (oldest first). Never raises."""
        return self._current().read(text, tuple(before))

    def _read_anew(
        self,
        tagger: Tagger,
        market: Market,
        read_told: Callable[[str], Answer],
        text: str,
        before: Sequence[Query],
    ) -> Reading:
        if len(text) > LONGEST:
            return Reading(ask_why("too_long"), Lattice("", (), ()))
        if (told := read_told(text)) is not None:
            return Reading(told, tagger.lattice(text))
        today = self._clock.now().date()
        text = with_what_was_told(text, before)
        lattice = as_expected(tagger.lattice(text), today)
        lattice = as_spoken_before(lattice, before, today)
        lattice = meant_in_list(lattice, before, market, tagger.book)
        lattice = meant_beside_set(meant_beside_share(lattice, before, market), market)
        lattice = as_own_money(lattice, before, market)
        if (meant := self._taken_back(lattice, before, market, tagger)) is not None:
            return replace(meant, answer=self.dated(meant.answer))
        query_of = partial(self._query_of, before, market)
        if (put := around_publication(lattice, before, market, today, query_of)) is not None:
            return Reading(put, replace(lattice, unread=()))
        if (told := self._without_cause(lattice, before, query_of)) is not None:
            return told
        if refused := self._find_refusal(lattice, before):
            partly = read_partly(lattice, text, before, query_of)
            if partly is not None and (reading := self._answer_partly(partly, lattice)) is not None:
                return reading
            return self._with_rest(refused, before, market)
        try:
            found = self._several(lattice, market, tagger) or self._read(lattice, before, market)
            if not before:
                found = self._one_after_other(lattice, market, tagger, found)
            answer = found.answer
            answer = carried(answer, lattice, before) if isinstance(answer, Query) else answer
            return replace(found, answer=self.dated(answer))
        except OverBudgetError:
            return Reading(ask_why("too_many"), lattice)

    def _read_told(self, reader: ToldReader, market: Market, text: str) -> Answer:
        """The query whose explanation the text is; None where it is none. Of an industry that the
        source does not split, the whole is told, and meant.
        """
        if (told := reader.read(text)) is None:
            return None
        queries = told.queries if isinstance(told, Several) else (told,)
        if not all(map(_is_asked_so, queries)):
            return None
        asked = (without_sense(one, (one,), market) for one in queries if isinstance(one, Query))
        return next((one for one in asked if one is not None), None) or self.dated(told)

    def dated(self, answer: Answer) -> Answer:
        """What was read with its days: a window that reaches into what is to come ends today, and
        a number of sessions is named by its days.
        """
        today = self._clock.now().date()
        until = _until(today, answer)
        if isinstance(until, Query):
            return name_days(until, self._calendar, today)
        return (
            name_days_served(until, self._calendar, today) if isinstance(until, Served) else until
        )

    def lattice(self, text: str) -> Lattice:
        """Every word of a text as it may be read; nothing is chosen."""
        return self._current().tagger.lattice(text[:LONGEST])

    def _current(self) -> _Ready:
        """What questions are read with: made anew when names joined or a day began."""
        today = self._clock.now().date()
        kept = self._made
        if kept is None or kept.book.is_stale or kept.today != today:
            with self._making:
                book = NameBook(self._names)
                market = Market(book, industry_labels(), calendar=self._calendar)
                tagger, keep = Tagger(book, today), lru_cache(maxsize=_KEPT)
                told = keep(partial(self._read_told, ToldReader(self._names, market), market))
                read = keep(partial(self._read_anew, tagger, market, told))
                kept = self._made = _Ready(book, today, tagger, read)
        return kept

    @property
    def book(self) -> NameBook:
        """The names as they are now."""
        return self._current().book

    def _answer_partly(self, partly: Partly, lattice: Lattice) -> Reading | None:
        """What is held, answered without what is not; or put back, saying what hangs on that."""
        unheld, rest = partly.unheld, partly.rest
        if partly.place == "shown":
            assert rest is not None  # noqa: S101 — something to show is left
            return Reading(self.dated(rest.but(unheld=unheld)), lattice)
        zh, en = reason(f"hangs_{partly.place}")
        lack = say_unheld(unheld)
        options = (_until(self._clock.now().date(), rest),) if rest is not None else ()
        why = (f"{lack.zh}，{zh}。", f"There is {lack.en}: {en}.")
        return Reading(Ask(why=why, options=options), lattice, is_said=True)

    def _without_cause(
        self,
        lattice: Lattice,
        before: Sequence[Query],
        read: Callable[[Lattice], Query | None],
    ) -> Reading | None:
        """A figure of reports and why it is so: the figure, and that no source says why."""
        rest = without_why(lattice)
        if rest is None or self._find_refusal(rest, before):
            return None
        found = uncaused(read(rest), lattice)
        return Reading(self.dated(found), rest) if found is not None else None

    def _with_rest(self, put: Reading, before: Sequence[Query], market: Market) -> Reading:
        """What is put back for words nobody knows, with the plan of all the others to choose, or
        of the parts of the question without such a word.
        """
        lattice = put.lattice
        unknown = ((one.start, one.end) for one in lattice.has(*_UNKNOWN))
        spans = [*lattice.unread_spans, *unknown]
        if not isinstance(put.answer, Ask) or not spans:
            return put
        for gone in (spans, clauses_of(lattice.text, spans)):
            found = self._read_without(lattice, gone, before, market) if gone else None
            if found is not None:
                told = _until(self._clock.now().date(), found)
                return replace(put, answer=put.answer.but(options=(told,)))
        return put

    def _read_without(
        self,
        lattice: Lattice,
        spans: Sequence[tuple[int, int]],
        before: Sequence[Query],
        market: Market,
    ) -> Query | None:
        """The plan of what is left without those characters; None where too little is."""
        kept = [
            one for one in lattice.tokens
            if not any(one.start < end and start < one.end for start, end in spans)
        ]  # fmt: skip
        gone = [Token(FUNCTION, start, end, None, 0.0) for start, end in spans]
        rest = Lattice(lattice.text, (*kept, *gone), ())
        if not is_worth_asking(rest, spans):
            return None
        found = self._query_of(before, market, rest)
        # Left without a term a ratio is another one.
        is_other = (
            lattice.has("NOFIG") and found and any(isinstance(one, Arith) for one in walk(found))
        )
        return None if is_other else found

    def _query_of(self, before: Sequence[Query], market: Market, lattice: Lattice) -> Query | None:
        """The query of these words; None where they make none."""
        try:
            found = self._read(lattice, before, market).answer
        except OverBudgetError:
            return None
        return found if isinstance(found, Query) else None

    def _taken_back(
        self, lattice: Lattice, before: Sequence[Query], market: Market, tagger: Tagger
    ) -> Reading | None:
        """What follows 不对, where it is a whole question of its own: what stands before is taken
        back by whoever said it. 招行2015年……不对，2016年净利润 is none: of whom stands before.
        At the head of a turn it says that of the turn before, and what follows may go on from it.
        """
        text = lattice.text
        said = [one for one in lattice.has("takeback") if _is_set_off(one, text)]
        rest = tagger.lattice(text[said[-1].end :].lstrip(_MARKS)) if said else None
        if rest is None or self._find_refusal(rest):
            return None
        is_head = not text[: said[-1].start].strip(_MARKS)
        if is_head and any(one.start == said[-1].start for one in lattice.has("swap")):
            return None  # 说错了，洋河: in place of one that was told
        try:
            found = self._read(rest, before if is_head else (), market)
        except OverBudgetError:
            return None
        meant = found.answer
        is_whole = isinstance(meant, Query) and meant.scope not in (None, MAINLAND)
        return found if is_whole or (is_head and isinstance(meant, Query)) else None

    def _several(self, lattice: Lattice, market: Market, tagger: Tagger) -> Reading | None:
        """Two whole questions side by side: 茅台的市盈率是多少？哪些银行市净率低于1？"""
        at = _BREAK.search(lattice.text)
        if at is None or not lattice.text[at.end() :].strip():
            return None
        parts = [
            tagger.lattice(lattice.text[: at.start()]),
            tagger.lattice(lattice.text[at.end() :]),
        ]
        if any(self._find_refusal(one) for one in parts):
            return None
        found = [self._read(one, (), market) for one in parts]
        queries = tuple(one.answer for one in found if isinstance(one.answer, Query))
        if len(queries) != len(parts) or any(one.scope in (None, MAINLAND) for one in queries):
            return None  # a part that names nobody goes on from the other
        return Reading(
            Several(queries=queries), lattice, tuple(leaf for one in found for leaf in one.leaves)
        )

    def _one_after_other(
        self, lattice: Lattice, market: Market, tagger: Tagger, whole: Reading
    ) -> Reading:
        """A question and one that goes on from it: 破净的有几只，其中有银行吗. The whole as it was
        read, where it is one, and the second points at nothing of the first.
        """
        at = _GOING_ON.search(lattice.text)
        if at is None or not lattice.text[at.end() :].strip():
            return whole
        first, second = (
            tagger.lattice(one) for one in (lattice.text[: at.start()], lattice.text[at.end() :])
        )
        points = points_back(chart_of(second.text, second.tokens, BUDGET), goes_on=True)
        is_read = isinstance(whole.answer, Query | Several) and not points
        if is_read or self._find_refusal(first) or self._find_refusal(second):
            return whole
        asked = self._read(first, (), market)
        if not isinstance(asked.answer, Query):
            return whole
        then = self._read(second, (asked.answer,), market)
        if (
            not isinstance(then.answer, Query)
            or asked.answer.but(show=then.answer.show) == then.answer
        ):
            return whole
        if not first.has("ask", "count"):  # 市值前十，其中市盈率最低的: no question of its own
            return replace(then, lattice=lattice) if isinstance(whole.answer, Query) else whole
        both_asked = Several(queries=(asked.answer, then.answer))
        return Reading(both_asked, lattice, (*asked.leaves, *then.leaves))

    @staticmethod
    def _find_refusal(lattice: Lattice, before: Sequence[Query] = ()) -> Reading | None:
        is_defined = any(one.sem == "madeof" for one in lattice.has("ask"))  # 净资产收益率怎么算的
        is_of_word = not lattice.has("ENT") and (lattice.has("METRIC") or not before)
        if lattice.has(*_NOT_MINE) or (is_defined and is_of_word):
            return Reading(None, lattice)
        if lattice.unread:
            return Reading(make_ask("unread", lattice.unread_words), lattice)
        unknown = [one for one in lattice.has(*_UNKNOWN) if not _is_of_a_name(one, lattice)]
        if unknown:
            named = [quote_unknown(one, lattice.text) for one in unknown]
            return Reading(make_ask("not_held", named), lattice)
        return None

    def _read(self, lattice: Lattice, before: Sequence[Query], market: Market) -> Reading:
        chart = chart_of(lattice.text, lattice.tokens, BUDGET)
        found = ranked(chart, before, market)
        if not found.near:
            if found.why.startswith(EXCLUDED) and lattice.has("as_well"):
                return Reading(ask_why("excluding"), lattice, is_said=True)  # 既是银行又是钢铁
            return Reading(_put_back(found, _each_meant(found, lattice, before, market)), lattice)

        def lost(one: Candidate) -> list[str]:
            spans = lost_words(lattice, chart, one, before, market, BUDGET)
            return [lattice.text[start:end] for start, end in spans]

        if len(found.near) > 1:
            sound = _fullest([one for one in found.near if not lost(one)])
            if len(sound) == 1:
                return Reading(sound[0].query, lattice, sound[0].leaves)
            if not sound:
                return Reading(make_ask("lost", lost(found.near[0])), lattice, has_lost=True)
            options = tuple(one.query for one in sound if isinstance(one.query, Query))
            return Reading(ask_why("several", options=options), lattice)
        best = next(iter(found.near))
        if words := lost(best):
            return Reading(make_ask("lost", words), lattice, has_lost=True)
        if isinstance(best.query, Query) and (
            put := without_sense(best.query, before, market) or meant_apart(best, before, lattice)
        ):
            each = (of_each(one, lattice.text) for one in put.options if isinstance(one, Query))
            options = tuple(one for one in each if isinstance(one, Query))
            return Reading(put.but(options=options), lattice)
        meant = best.query
        if isinstance(meant, Query):
            meant = of_each(meant, lattice.text)
        return Reading(meant, lattice, best.leaves)


def _fullest(sound: list[Candidate]) -> list[Candidate]:
    """List those below book, and how many: the reading that asks both, where another asks one; that
    which tells the figures of the other and more.
    """
    for one in sound:
        if all(other is one or holds(one.query, other.query) for other in sound):
            return [one]
    return sound


def _is_set_off(word: Token, text: str) -> bool:
    """Whether it stands between marks, or at the head before one."""
    before, after = text[: word.start].rstrip(), text[word.end :].lstrip()
    return before[-1:] in ("", *_MARKS) and after[:1] in tuple(_MARKS)


def _is_asked_so(query: Query | OtherTool) -> bool:
    """Whether a question can mean it: of figures that are asked for, over a set in a market."""
    if not isinstance(query, Query):
        return False
    dims = dimensions(query.scope)
    is_placed = not dims or bool(dims & {"market", "symbol", "exchange"})
    return is_placed and all(base(one.id) in HAD for one in walk(query) if isinstance(one, Metric))


def _is_of_a_name(concept: Token, lattice: Lattice) -> bool:
    """茅台股价: no 台股, which begins inside the name and ends behind it."""
    return any(one.start < concept.start < one.end < concept.end for one in lattice.has("ENT"))


def _until(today: date, meant: Any) -> Any:
    """A window of days that reaches into what is to come ends today: this year is until now."""

    def end_today(node: Node) -> Node:
        if not isinstance(node, When) or node.kind != "days" or not isinstance(node.last, date):
            return node
        begun = not isinstance(node.first, date) or node.first <= today
        return node.but(last=today) if node.last > today and begun else node

    return rewrite(meant, end_today)


def _each_meant(
    found: Ranked, lattice: Lattice, before: Sequence[Query], market: Market
) -> tuple[Query, ...]:
    """The question with each company that a name may mean."""
    if not found.why.startswith("which:"):
        return ()
    options: list[Query] = []
    is_reported = any(not is_of_days(str(one.sem)) for one in lattice.has("METRIC"))
    for symbol in found.why.removeprefix("which:").split("|")[:_MOST_COMPANIES]:
        if is_reported and market.book.row(symbol).kind == "index":
            continue  # an index has no such figure
        tokens = [
            replace(one, sem=(symbol,))
            if one.cat == "ENT" and symbol in cast("tuple[str, ...]", one.sem)
            else one
            for one in lattice.tokens
        ]
        best = ranked(chart_of(lattice.text, tokens, BUDGET), before, market).best
        if best is not None and isinstance(best.query, Query):
            options.append(best.query)
    return tuple(options)


def _put_back(found: Ranked, options: tuple[Query, ...]) -> Ask:
    if found.choice is not None:
        return Ask(why=found.choice.why, options=found.choice.options)
    if found.why.startswith("which:"):
        names = tuple(found.why.removeprefix("which:").split("|"))
        return ask_why("which_name", options=options).but(unread=names)
    if found.why == f"{EXCLUDED}bounds":
        return ask_why("excluding")
    if found.why == OF_WHOM:
        return ask_why("of_which_company")
    if found.why.endswith(NOBODY_LEFT):  # Hong Kong banks, no H shares
        return ask_why("emptied")
    return ask_why("no_sense").but(unread=(found.why,) if found.why else ())
