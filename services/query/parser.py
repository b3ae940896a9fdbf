"""The rule parser: a question in Chinese or English becomes nodes of slots, or a question back.

Pure and thread-safe: no I/O, and nothing is remembered but the names it was made for. What is not
understood is asked back; nothing is guessed.
"""

import re
from collections.abc import Sequence

from pydantic import JsonValue

from services.core.clock import Clock
from services.market.names import Names
from services.query import intents
from services.query.asking import EXAMPLES, FIRM, AskedBack, about, asked, language_of
from services.query.entities import NameBook
from services.query.followups import Follower, is_marked, last_read
from services.query.metadata import Metadata
from services.query.nlir import Action, AskBack, Nlir, Node
from services.query.plir import Session, Turn
from services.query.question import Question, QuestionReader
from services.query.slots import Draft, node_of
from services.query.times import OF_A_DAY, is_of_days

LONGEST = 500
_WORD = re.compile(r"[A-Za-z0-9一-鿿０-９Ａ-Ｚａ-ｚ]")
_NARROWS = re.compile(r"的$|(?:是|有)?哪[家只个]\??$")
_LISTED = re.compile(r"股票|公司|个股|企业|标的|stocks|companies")
_LIST_WORDS = re.compile(r"股票|个股|公司有|哪些|列出|选股|筛选|\bstocks\b|\bcompanies\b")


class _Market:
    """The readers of one list of names; replaced when newer names join."""

    def __init__(self, names: Names, metadata: Metadata, clock: Clock) -> None:
        self.today = clock.now().date()
        self.book = NameBook(names)
        self.reader = QuestionReader(self.book, metadata, self.today)
        self.follower = Follower(self.book, metadata, self.reader.screens)


class RuleParser:
    """Reads questions without a model. Safe to share between threads."""

    def __init__(self, names: Names, metadata: Metadata, clock: Clock) -> None:
        self._names, self._metadata, self._clock = names, metadata, clock
        self._fields = {entry.screener_field: entry.name for entry in metadata.metrics}
        self._market = _Market(names, metadata, clock)

    def parse(self, text: str, context: Session) -> Nlir | AskBack:
        """The nodes of one more turn of `context`, or the question to put back. Never raises."""
        market = self._current()
        try:
            drafts = self._drafts(text, context, market)
        except AskedBack as back:
            return back.ask_back
        return self._written(drafts, len(context.turns) + 1, market)

    def _current(self) -> _Market:
        market = self._market
        if market.book.is_stale or market.today != self._clock.now().date():
            market = self._market = _Market(self._names, self._metadata, self._clock)
        return market

    def _drafts(self, text: str, context: Session, market: _Market) -> list[Draft]:
        language = language_of(text)
        if not _WORD.search(text):
            raise asked(language, "empty", choices=EXAMPLES[language])
        if len(text) > LONGEST:
            raise asked(language, "too_long", choices=EXAMPLES[language])
        if found := self._free(text.strip(), language):
            return found
        if kind := intents.refusal(text):
            raise asked(language, kind, choices=EXAMPLES[language])
        question = market.reader.read(text)
        if drafts := self._outside_company(question):
            return drafts
        turn = last_read(context)
        if turn and (self._goes_on(question) or _narrows(question, turn)):
            self._check_leftover(question, "off_topic")
            if drafts := market.follower.follow(question, turn, context):
                self._check_screen(question)
                return drafts
        return self._alone(question, market)

    def _free(self, text: str, language: str) -> list[Draft] | None:
        if urls := intents.addresses(text):
            if not all(intents.is_community(url) for url in urls):
                raise asked(language, "bad_host", choices=("https://xueqiu.com/S/SH600519",))
            return [Draft("visit", args={"url": url}) for url in dict.fromkeys(urls)]
        found = intents.free_text(text)
        return [found] if found else None

    def _outside_company(self, question: Question) -> list[Draft] | None:
        """What is asked of no company: what a word means, and macro series."""
        indexes = all(symbol in {"000001.SH"} for symbol in question.symbols)
        if not question.symbols and intents.is_knowledge(question.sentence.shadow):
            query = intents.trimmed_question(question.text)
            return [Draft("knowledge", args={"query": query})]
        if question.sentence.series and indexes and not is_marked(question.text):
            count = next((when.count for when in question.whens if when.count), None)
            more: dict[str, JsonValue] = {"count": count} if count else {}
            return [
                Draft("macro", args={"series": name, **more})
                for name in dict.fromkeys(question.sentence.series)
            ]
        return None

    def _goes_on(self, question: Question) -> bool:
        """Whether it leaves out what the turn before has, or points back to it."""
        if is_marked(question.text):
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
        if self._is_screen(question):
            return self._screen(question)
        language = question.language
        if question.figures or question.wanted.action:
            raise asked(language, "no_company", choices=_with_company(question))
        if is_marked(question.text):
            raise asked(language, "no_base", choices=EXAMPLES[language])
        raise asked(language, "off_topic", choices=EXAMPLES[language])

    def _of_companies(self, question: Question, market: _Market) -> list[Draft]:
        names = {symbol: market.book.shown(symbol) for symbol in question.symbols}
        action: Action = question.wanted.action or "query"
        if not question.figures and action == "query":
            if question.leftover:
                self._check_leftover(question, "not_understood")
            if not any(when.report or when.period for when in question.whens):
                name = next(iter(names.values()))
                raise asked(
                    question.language, "no_figure", name, choices=about(question.language, name)
                )
        return [draft for symbol in names for draft in self._of_company(question, symbol, action)]

    def _of_company(self, question: Question, symbol: str, action: Action) -> list[Draft]:
        figures = question.figures
        span = question.times.span()
        if action == "price_history" and not all(one.short in OF_A_DAY for one in figures):
            if not question.times.periods:
                raise asked(question.language, "which_periods", figures[0].name)
            action = "query"
        if action in {"abnormal", "feed", "price_history"}:
            args: dict[str, JsonValue] = dict(span)
            if action == "feed":
                quoted = any(entry.short == "price" for entry in figures)
                parts = (*question.wanted.wants, *(("行情",) if quoted else ()))
                args["wants"] = "、".join(parts)
            outputs = figures if action == "price_history" else ()
            return [Draft(action, outputs, args, symbol=symbol)]
        if action == "compare":
            return [Draft(action, figures, {}, symbol=symbol)]
        if is_of_days(figures, question.times):
            return [Draft("price_history", figures, span, symbol=symbol)]
        if not figures:
            codes = ("company.finance.revenue", "company.finance.net_profit")
            figures = tuple(self._metadata.by_code(code) for code in codes)
        if span and not question.times.periods and self._names_a_month(question):
            raise asked(question.language, "no_report")
        return [
            Draft("query", figures, period, symbol=symbol)
            for period in question.times.newest_if_none()
        ]

    def _names_a_month(self, question: Question) -> bool:
        return any(when.year_said and when.start and not when.period for when in question.whens)

    def _screen(self, question: Question) -> list[Draft]:
        self._check_screen(question)
        self._check_leftover(question, "not_understood")
        said = question.screening
        args: dict[str, JsonValue] = {"category": said.category or "A股", **said.conditions}
        for key in ("industry", "order_by", "order", "size"):
            if (value := getattr(said, key)) is not None:
                args[key] = value
        return [Draft("screen", question.figures, args)]

    def _check_screen(self, question: Question) -> None:
        """Raises: AskedBack for a condition that cannot be met, read or screened by."""
        wrong = question.screening.wrong
        if wrong is None:
            return
        language = question.language
        name, valid = self._called(wrong[0], language), wrong[1]
        above, below = ("大于", "小于") if language == "zh" else (" above ", " below ")
        if valid == "unscreenable":
            named = [self._called(one, language) for field, one in self._fields.items() if field]
            raise asked(language, "unscreenable", name, choices=[f"{one}{above}0" for one in named])
        if valid == "unfinished":
            choices = (f"{name}{above}10", f"{name}{below}20")
            raise asked(language, "unfinished", name, choices=choices)
        zh, _, en = valid.partition(" | ")
        why = zh if language == "zh" else en or zh
        choices = (f"{name}{above}10", f"{name}{below}20")
        raise asked(language, "wrong_condition", name, why, choices=choices)

    def _called(self, name: str, language: str) -> str:
        """A figure's name in that language, as the table of metric codes has it."""
        entry = self._metadata.exact(name)
        if language == "zh" or entry is None:
            return name
        return next((alias for alias in entry.aliases if alias.isascii()), name)

    def _check_leftover(self, question: Question, kind: str) -> None:
        if question.leftover:
            said = "、".join(question.leftover)
            raise asked(question.language, kind, said, choices=EXAMPLES[question.language])

    def _written(self, drafts: Sequence[Draft], turn: int, market: _Market) -> Nlir:
        """The nodes with their ids: node_1 … in the first turn, node_{n}a … in a later one."""
        nodes: list[Node] = []
        for at, draft in enumerate(drafts):
            node_id = f"node_{at + 1}" if turn == 1 else f"node_{turn}{_letters(at)}"
            row = None
            if draft.symbol:
                row = market.book.row(draft.symbol)
                entity = {"entity": market.book.shown(draft.symbol)}
                draft = Draft(
                    draft.action, draft.outputs, {**entity, **draft.args}, None, draft.ref
                )
            nodes.append(node_of(draft, node_id, self._fields, row))
        return Nlir(nodes=tuple(nodes))


def _with_company(question: Question) -> list[str]:
    """The same question about some companies."""
    link = "的" if question.language == "zh" else " "
    names = [entry.name for entry in question.figures]
    if question.language == "zh" and names:
        return [f"{one}{link}{'、'.join(names)}" for one in FIRM["zh"]]
    if _LIST_WORDS.search(question.text):
        return list(about(question.language, FIRM[question.language][0]))
    link = "" if question.language == "zh" else link
    return [f"{one}{link}{question.text}" for one in FIRM[question.language]]


def _narrows(question: Question, turn: Turn) -> bool:
    """Whether it is one more condition on the list of the turn before: 股息率大于2%的."""
    listed = turn.nlir is not None and turn.nlir.nodes[0].action == "screen"
    said = question.screening
    if not listed or question.symbols or said.category or said.industry:
        return False
    return _NARROWS.search(question.text) is not None and not _LISTED.search(question.text)


def _letters(at: int) -> str:
    return chr(ord("a") + at) if at < 26 else f"a{at}"
