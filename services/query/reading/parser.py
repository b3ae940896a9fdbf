"""The rule parser: a question in Chinese or English becomes nodes of slots, or a question back.

Pure and thread-safe: no I/O, and nothing is remembered but the names it was made for. What is not
understood is asked back; nothing is guessed.
"""

import re
import threading
from collections.abc import Sequence

from pydantic import JsonValue

from services.core.clock import Clock
from services.core.text import Language
from services.language.plain_text import simplified
from services.market.calendar import Calendar
from services.market.names.names import Names
from services.query.planning.metadata import Metadata
from services.query.planning.nlir import Action, AskBack, Nlir, Node
from services.query.planning.plir import Session, Turn
from services.query.planning.slots import Draft, node_id, node_of
from services.query.reading import intents
from services.query.reading.clarification import (
    EXAMPLES,
    FIRM,
    AskedBack,
    about,
    asked,
    figure_called,
    language_in,
    language_of,
)
from services.query.reading.clarification_answers import HOW_MUCH, WHICH_FIGURE, PutBack, Replies
from services.query.reading.clauses import clauses
from services.query.reading.companies_said import CompanyReader
from services.query.reading.entities import NameBook
from services.query.reading.followups import Follower, is_marked, last_read
from services.query.reading.free_texts import addresses, free_text, is_community
from services.query.reading.list_followups import ListFollower
from services.query.reading.question import Question, QuestionReader
from services.query.reading.screen_validation import ScreenRefuser, limit_moves, scope_of
from services.query.reading.searches import foreign, limited, macro_drafts, news_of_turn
from services.query.reading.unscreened import check_relative, check_unheard, is_unheard

LONGEST = 500
_WORD = re.compile(r"[A-Za-z0-9一-鿿０-９Ａ-Ｚａ-ｚ]")
_NARROWS = re.compile(r"的$|(?:是|有)?哪[家只个]\??$")
_OF_LIST = re.compile(
    r"[它他]们(?:里面?|中|当中)|其中|名单|\bamong them\b|\bof (?:them|those|these)\b"
)
_LISTED = re.compile(r"股票|公司|个股|企业|标的|stocks|companies")
_SOUGHT = re.compile(r"的(?:公司|企业|股票|个股|标的)|哪些|\bstocks\b|\bcompanies\b")
_LIST_WORDS = re.compile(r"股票|个股|公司有|哪些|列出|选股|筛选|\bstocks\b|\bcompanies\b")


class _Market:
    """The readers of one list of names; replaced when newer names join."""

    def __init__(self, names: Names, metadata: Metadata, clock: Clock, calendar: Calendar) -> None:
        self.today = clock.now().date()
        self.book = NameBook(names)
        self.reader = QuestionReader(self.book, metadata, self.today, calendar)
        self.fields = {key: entry.name for key, entry in self.reader.screens.fields.items()}
        self.refuser = ScreenRefuser(metadata, self.reader.screens)
        lists = ListFollower(metadata, self.reader.screens, self.refuser)
        self.follower = Follower(self.book, metadata, lists)
        self.replies = Replies(self.reader)


# Offered where nothing of the question was understood: never in place of a choice.
_EXAMPLES = frozenset(one for listed in EXAMPLES.values() for one in listed)


class RuleParser:
    """Reads questions without a model. Safe to share between threads.

    The first question waits for the book of names (0.6 s): pages that ask none need not.
    """

    def __init__(
        self, names: Names, metadata: Metadata, clock: Clock, calendar: Calendar | None = None
    ) -> None:
        self._names, self._metadata, self._clock = names, metadata, clock
        self._calendar = calendar or Calendar()
        self._made = threading.Lock()
        self._market: _Market | None = None
        self._companies = CompanyReader(metadata)

    def parse(self, text: str, context: Session) -> Nlir | AskBack:
        """The nodes of one more turn of `context`, or the question to put back. Never raises."""
        try:
            return self.read(text, context)
        except AskedBack as back:
            return back.ask_back

    def read(self, text: str, context: Session) -> Nlir:
        """As `parse`. Raises: AskedBack, which says why it is put back."""
        market = self._current()
        meant = self._in_full(simplified(text), context, market)
        try:
            drafts = self._drafts(meant, context, market)
        except AskedBack as back:
            raise self._followable(back, context, market) from None
        return self._written(drafts, len(context.turns) + 1, market)

    def _followable(self, back: AskedBack, context: Session, market: _Market) -> AskedBack:
        """The same with choices that can be asked: one that would be put back as well gives way to
        what that would offer, and falls away where it offers nothing that can.
        """
        offered: list[str] = []
        for choice in back.ask_back.choices:
            again = self._again(choice, context, market)
            if again is None:
                offered.append(choice)
            else:
                offered += [one for one in again if self._again(one, context, market) is None]
        if not offered:
            return back
        choices = tuple(dict.fromkeys(offered))
        ask_back = back.ask_back.model_copy(update={"choices": choices})
        return AskedBack(ask_back, back.kind, back.said)

    def _again(self, text: str, context: Session, market: _Market) -> Sequence[str] | None:
        """What a choice would be put back with; None where it can be read. A company alone can: it
        is asked next what of it.
        """
        try:
            self._drafts(text, context, market)
        except AskedBack as back:
            told = [one for one in back.ask_back.choices if one not in _EXAMPLES]
            return None if back.kind == "no_figure" else told[:1]
        return None

    @property
    def book(self) -> NameBook:
        """The names as they are now."""
        return self._current().book

    @property
    def metadata(self) -> Metadata:
        """What can be asked for by name."""
        return self._metadata

    def written(self, drafts: Sequence[Draft], context: Session) -> Nlir:
        """Nodes that were read elsewhere, with ids and slots as if they were read here."""
        return self._written(drafts, len(context.turns) + 1, self._current())

    def _current(self) -> _Market:
        market = self._market
        if market is None or market.book.is_stale or market.today != self._clock.now().date():
            with self._made:  # whoever comes meanwhile waits for the one book that is being made
                if self._market is market:
                    self._market = _Market(self._names, self._metadata, self._clock, self._calendar)
                market = self._market
                assert market is not None  # noqa: S101 — made above, or by another
        return market

    def _in_full(self, text: str, context: Session, market: _Market) -> str:
        """The question meant by a reply to the question put back last; else the text itself."""
        back = context.turns[-1].ask_back if context.turns else None
        if back is None or not _WORD.search(text) or len(text) > LONGEST:
            return text
        if text in back.choices:
            return text
        before, kind, said = simplified(context.turns[-1].user_query), "mapped", ()
        earlier = Session(session_id=context.session_id, turns=context.turns[:-1])
        try:
            self._drafts(before, earlier, market)
        except AskedBack as put:
            kind, said = put.kind, put.said
        is_first = last_read(context) is None and kind in WHICH_FIGURE
        if _points_back(text, market) and kind not in HOW_MUCH and not is_first:
            return text
        if _points_back(before, market) and kind in HOW_MUCH:
            return text
        return market.replies.in_full(text, PutBack(before, back, kind, said))

    def _drafts(self, text: str, context: Session, market: _Market) -> list[Draft]:
        language = language_in(text, [turn.user_query for turn in context.turns])
        if not _WORD.search(text):
            raise asked(language, "empty", choices=EXAMPLES[language])
        if len(text) > LONGEST:
            raise asked(language, "too_long", choices=EXAMPLES[language])
        if found := self._free(text.strip(), language, context):
            return found
        if kind := intents.refusal(text):
            firms = market.reader.firms(text)
            choices = about(language, firms[0]) if firms else EXAMPLES[language]
            raise asked(language, kind, choices=choices)
        self._check_scope(text, market)
        before = last_read(context)
        nodes = before.nlir.nodes if before is not None and before.nlir is not None else ()
        priced = bool(nodes) and all(node.action == "price_history" for node in nodes)
        question = market.reader.read(text, language, after_prices=priced)
        if drafts := self._outside_company(question):
            return drafts
        turn = _list_meant(question, context) or before
        if turn and (self._goes_on(question) or _narrows(question, turn)):
            self._check_leftover(question, "off_topic")
            if _is_listed(turn) and question.screening.wrong:
                market.refuser.check_bounds(question)
            if drafts := market.follower.follow(question, turn, context):
                if any(draft.action == "screen" for draft in drafts):
                    market.refuser.check_bounds(question)
                    check_unheard(question)
                return drafts
        return self._alone(question, market)

    def _check_scope(self, text: str, market: _Market) -> None:
        """Raises: AskedBack for a screen of a part of a market: 创业板, 沪市, 沪深300成分股."""
        scope = scope_of(text)
        if scope is None or _is_of_name(scope[0], text, market.reader):
            return
        try:
            question = market.reader.read(scope[1])
        except AskedBack:
            return
        if question.symbols or not (self._is_screen(question) or question.screening.category):
            return
        choices = (scope[1],) if self._is_screen(question) else ()
        raise asked(language_of(text), "no_scope", scope[0], choices=choices)

    def _free(self, text: str, language: Language, context: Session) -> list[Draft] | None:
        if urls := addresses(text):
            if not all(is_community(url) for url in urls):
                raise asked(language, "bad_host", choices=("https://xueqiu.com/S/SH600519",))
            return [Draft("visit", args={"url": url}) for url in dict.fromkeys(urls)]
        found = free_text(text)
        if found is None:
            return None
        return [news_of_turn(limited(found, text), last_read(context), language)]

    def _outside_company(self, question: Question) -> list[Draft] | None:
        """What is asked of no company: what a word means, and macro series."""
        indexes = all(symbol in {"000001.SH"} for symbol in question.symbols)
        if not question.symbols and intents.is_knowledge(question.sentence.shadow):
            query = intents.trimmed_question(question.text)
            return [Draft("knowledge", args={"query": query})]
        if question.sentence.series and indexes and not is_marked(question.opening):
            if place := foreign(question.text):
                choices = [
                    f"中国{name}" if question.language == "zh" else f"China {name}"
                    for name in question.sentence.series
                ]
                raise asked(question.language, "foreign_macro", place, choices=choices)
            return macro_drafts(question)
        return None

    def _goes_on(self, question: Question) -> bool:
        """Whether it leaves out what the turn before has, or points back to it."""
        if is_marked(question.opening):
            return True
        if question.symbols:
            return not (question.figures or question.wanted.action)
        return not self._is_screen(question)

    def _is_screen(self, question: Question) -> bool:
        said = question.screening
        if said.conditions or said.order_by or said.wrong or said.industry:
            return True
        return bool(said.category and question.figures and _LIST_WORDS.search(question.text))

    def _alone(self, question: Question, market: _Market) -> list[Draft]:
        """A question that stands by itself. Raises: AskedBack."""
        if question.symbols:
            return self._of_companies(question, market)
        language = question.language
        if self._is_screen(question) and not _is_dangling(question):
            return self._screen(question, market)
        if back := limit_moves(question.text, language):
            raise back
        if question.figures and _is_of_many(question):
            market.refuser.check_time(question)
            check_unheard(question)
            raise market.refuser.how_high(question)
        if question.figures or question.wanted.action:
            raise asked(language, "no_company", choices=_with_company(question))
        if is_marked(question.opening):
            raise asked(language, "no_base", choices=_ordered_markets(question, market))
        raise asked(language, "off_topic", choices=EXAMPLES[language])

    def _of_companies(self, question: Question, market: _Market) -> list[Draft]:
        if parts := clauses(question):
            each = [market.reader.read(part) for part in parts]
            if all(one.symbols for one in each):
                return [draft for one in each for draft in self._of_companies(one, market)]
        language = question.language
        names = {symbol: market.book.called(symbol, language) for symbol in question.symbols}
        check_relative(question)
        question = market.refuser.with_bounded(question)
        self._companies.check_when(question, next(iter(names.values())))
        action: Action = question.wanted.action or "query"
        self._check_leftover(question, "not_understood")
        if not question.figures and action == "query":
            if all(market.book.row(symbol).kind == "index" for symbol in names):
                question = self._companies.quoted(question)
            elif question.leftover:
                self._check_leftover(question, "not_understood")
            if not question.figures and not any(when.report for when in question.whens):
                name = next(iter(names.values()))
                raise asked(
                    question.language, "no_figure", name, choices=about(question.language, name)
                )
        return [
            draft
            for symbol, name in names.items()
            for draft in self._companies.drafts(question, symbol, name)
        ]

    def _screen(self, question: Question, market: _Market) -> list[Draft]:
        market.refuser.check(question)
        if all(is_unheard(word) for word in question.leftover):
            check_unheard(question)
        self._check_leftover(question, "not_understood")
        check_unheard(question)
        said = question.screening
        args: dict[str, JsonValue] = dict(said.conditions)
        for key in ("industry", "order_by", "order", "size"):
            if (value := getattr(said, key)) is not None:
                args[key] = value
        if said.order_by is None:
            args.pop("order", None)
        markets = (said.category or "A股", *said.more_markets)
        industries = [{"industry": one} for one in (said.industry, *said.more_industries) if one]
        return [
            Draft("screen", question.figures, {"category": one, **args, **industry})
            for one in markets
            for industry in industries or ({},)
        ]

    def _check_leftover(self, question: Question, kind: str) -> None:
        if question.leftover:
            said = "、".join(question.leftover)
            raise asked(question.language, kind, said, choices=_without_leftover(question))

    def _written(self, drafts: Sequence[Draft], turn: int, market: _Market) -> Nlir:
        """The nodes with their ids: node_1 … in the first turn, node_{n}a … in a later one."""
        nodes: list[Node] = []
        for at, draft in enumerate(drafts):
            name = node_id(turn, at)
            row = None
            if draft.symbol:
                row = market.book.row(draft.symbol)
                entity = {"entity": market.book.shown(draft.symbol)}
                draft = Draft(
                    draft.action, draft.outputs, {**entity, **draft.args}, None, draft.ref
                )
            nodes.append(node_of(draft, name, market.fields, row))
        return Nlir(nodes=tuple(nodes))


def _is_of_name(scope: str, text: str, reader: QuestionReader) -> bool:
    """Whether the words are of a company's name, or a part of an index's: 创业板指."""
    longer = (name for name in reader.named(text) if name.lower() != scope.lower())
    return any(scope.lower() in name.lower() for name in (*longer, *reader.firms(text)))


def _is_of_many(question: Question) -> bool:
    """Whether companies are sought, though no condition was read: 有分红的A股."""
    said = question.screening
    if question.wanted.action and not said.category:
        return False
    return bool(said.category or said.industry or _SOUGHT.search(question.text))


def _without_leftover(question: Question) -> tuple[str, ...]:
    """The question without the words nobody knows, where something is asked without them."""
    if not question.symbols:
        return EXAMPLES[question.language]
    if not (question.figures or question.wanted.action):
        return about(question.language, question.companies[0].text)
    text = question.text
    for word in question.leftover:
        at = text.lower().find(word)
        text = text[:at] + text[at + len(word) :] if at >= 0 else text
    return (" ".join(text.split()),)


def _with_company(question: Question) -> list[str]:
    """The same question about some companies."""
    language = question.language
    names = [figure_called(entry, language) for entry in question.figures]
    if names and question.times.is_empty and not question.wanted.action:
        link, comma = ("的", "、") if language == "zh" else (" ", " and ")
        return [f"{one}{link}{comma.join(names)}" for one in FIRM[language]]
    if _LIST_WORDS.search(question.text):
        return list(about(language, FIRM[language][0]))
    link = "" if language == "zh" else " "
    return [f"{one}{link}{question.text}" for one in FIRM[language]]


def _ordered_markets(question: Question, market: _Market) -> list[str]:
    """Whole screens in the order said: 按净利润排 of what; nothing when no order was said."""
    said, language = question.screening, question.language
    if said.order_by is None:
        return []
    if language == "zh":
        way = "从低到高" if said.order == "升序" else "从高到低"
        return [f"{one}按{said.order_by}{way}排" for one in ("A股", "港股", "美股")]
    name, way = market.refuser.called(said.order_by, language), "descending"
    way = "ascending" if said.order == "升序" else way
    return [f"{one} sorted by {name} {way}" for one in ("A-shares", "HK stocks", "US stocks")]


def _list_meant(question: Question, context: Session) -> Turn | None:
    """The newest list, where the words are of one (它们里面市值最大的) and a list was asked for."""
    if question.symbols or question.screening.is_empty or not _OF_LIST.search(question.text):
        return None
    return next((one for one in reversed(context.turns) if one.nlir and _is_listed(one)), None)


def _is_listed(turn: Turn) -> bool:
    return turn.nlir is not None and turn.nlir.nodes[0].action == "screen"


def _narrows(question: Question, turn: Turn) -> bool:
    """Whether it is of the list of the turn before: 股息率大于2%的, 前三只的净利润."""
    said = question.screening
    if not _is_listed(turn) or question.symbols or said.category or said.industry:
        return False
    if said.of_top is not None:
        return True
    if (said.conditions or said.order_by) and not _LISTED.search(question.text):
        return not said.wrong
    return _NARROWS.search(question.text) is not None and not _LISTED.search(question.text)


def _points_back(text: str, market: "_Market") -> bool:
    """Whether its words do, a company's name at its beginning aside."""
    try:
        return is_marked(market.reader.read(text).opening)
    except AskedBack:
        return is_marked(text)


def _is_dangling(question: Question) -> bool:
    """Whether only an order was said and of what is missing: 按净利润排."""
    said = question.screening
    if said.conditions or said.wrong or said.industry or said.category or said.size:
        return False
    return is_marked(question.opening) and not _LISTED.search(question.text)
