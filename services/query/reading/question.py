"""Everything said in one question, before it is clear whether it stands alone."""

import re
from dataclasses import dataclass, replace
from datetime import date

from services.core.symbols import Market, Symbol
from services.market.calendar import Calendar
from services.market.names.near_names import likeness
from services.query.planning.metadata import Entry, Metadata
from services.query.reading.clarification import FIRM, about, asked, figure_called, language_of
from services.query.reading.colloquial import TECHNICAL
from services.query.reading.entities import Mention, NameBook, is_word
from services.query.reading.intents import Wanted, is_knowledge, wanted
from services.query.reading.screen_parser import ScreenReader
from services.query.reading.screening import Screening
from services.query.reading.sentence import COMPANY, FIGURE, Cutter, Sentence, any_of
from services.query.reading.sessions_said import in_sessions
from services.query.reading.time_expressions import When
from services.query.reading.times import OF_A_DAY, Times, times_of
from services.query.reading.wording import MARKETS, OTHER_FIGURE_AFTER

_CHUNK = re.compile(rf"[一-鿿]{{2,}}|[a-z][a-z0-9.&-]+|\d{{5,}}|(?<={any_of(COMPANY)})[a-z]\b")
_COMPANY = any_of(COMPANY)
_NUMBERED = re.compile(rf"(?P<name>{any_of(COMPANY)})(?P<n>\d+)")  # xyzq123 is no xyzq
_ONE_MORE = re.compile(
    rf"(?P<name>{any_of(COMPANY)})(?P<n>[^日周月年季天股自除\W\d_a-z])(?![一-鿿])"
)  # 特斯拉拉
_AGAINST = re.compile(r"(?:比|超过|不如|赶上|追上|\bthan|\bversus)$")
_COUNTED = re.compile(r"[零一二两三四五六七八九十百千万亿几多]+[个只家名位次年月天条种些]?")
_JOINS = re.compile(r"(?:[和与跟、,及/]|vs\.?|and)$")
_JOINED = re.compile(r"(?:[和与跟、,及/]|vs\.?| and )")
_OTHER_AFTER = re.compile(rf"({any_of(FIGURE)})的?(?:{'|'.join(OTHER_FIGURE_AFTER)})")
_FIGURE = re.compile(any_of(FIGURE))
_ALIKE = 0.6
# Characters the shadow of a question uses for what was found; none of them is ever typed.
_MARKS = re.compile("[\ue000-\uf8ff]")
_NAMED = "\uf8ff"
# So many unknown words are looked up as names; a text with more of them is no question.
_LOOKED_UP = 3
_SECOND_MARKET = re.compile(
    rf"(?P<one>{_COMPANY})(?:和|与|跟|、|/|及)(?P<market>a股|h股|港股|美股)"
)
_PHRASE_FILLERS = re.compile(
    r"机构(?:对)?|一致|分析师|上市公司|哪些|年报|报告期|单位|人民币|\b(?:stocks?|shares?|companies)\b"
)


@dataclass(frozen=True, slots=True)
class Question:
    """What was said. `figures` are the ones no condition or order has taken."""

    text: str
    language: str
    sentence: Sentence
    companies: tuple[Mention, ...]
    figures: tuple[Entry, ...]
    times: Times
    screening: Screening
    wanted: Wanted
    leftover: tuple[str, ...]

    @property
    def symbols(self) -> tuple[str, ...]:
        """The companies meant, each once."""
        return tuple(dict.fromkeys(one.symbol for one in self.companies if one.symbol))

    @property
    def opening(self) -> str:
        """The text without the company it begins with: 比亚迪 compares nothing, 和而泰 joins
        nothing.
        """
        text = self.text.lstrip()
        first = min(self.companies, key=lambda one: one.start, default=None)
        if first is None or not text.lower().startswith(first.text.lower()):
            return self.text
        return f"{_NAMED}{text[len(first.text) :]}"

    @property
    def whens(self) -> tuple[When, ...]:
        """The times said."""
        return self.times.whens


class QuestionReader:
    """Reads questions on one book of names. Safe to share between threads."""

    def __init__(self, book: NameBook, metadata: Metadata, today: date, calendar: Calendar) -> None:
        self._book, self._metadata, self._today = book, metadata, today
        self._calendar = calendar
        self._cutter = Cutter(book, metadata, today)
        self.screens = ScreenReader(metadata)

    def read(self, text: str, language: str = "", *, after_prices: bool = False) -> Question:
        """Everything said in that text, in its own language unless one is given; `after_prices`:
        the question before was about prices alone.

        Raises: AskedBack for a company or a figure that is not known, or not clear."""
        text = _MARKS.sub(" ", text)
        language = language or language_of(text)
        sentence = self._both_listings(self._cutter.cut(text))
        screening = self.screens.read(sentence)
        want = wanted(screening.rest)
        aside = not sentence.companies and (
            is_knowledge(sentence.shadow) or (bool(sentence.series) and not sentence.figures)
        )
        times = times_of(
            self._in_sessions(sentence, want, after_prices=after_prices), language, self._today
        )
        question = Question(
            text=sentence.text,
            language=language,
            sentence=sentence,
            companies=sentence.companies,
            figures=_figures(sentence, want),
            times=times,
            screening=screening,
            wanted=want,
            leftover=(),
        )
        if aside:
            return question
        question = self._with_leftover(question)
        self._check_figures(question)
        return self._sure(question)

    def _in_sessions(self, sentence: Sentence, want: Wanted, *, after_prices: bool) -> Sentence:
        """近60个交易日 by the exchange's calendar; 近60日 too, where prices alone are asked, or
        were in the question this one goes on from.
        """
        entries = [entry for figure in sentence.figures for entry in figure.entries]
        of_days = all(entry.short in OF_A_DAY for entry in entries)
        goes_on = after_prices and want.action is None
        priced = of_days and (bool(entries) or want.action == "price_history" or goes_on)
        markets: list[Market] = [
            Symbol(one.symbol).market for one in sentence.companies if one.symbol
        ]
        market: Market = markets[0] if markets else "CN"
        whens = (
            in_sessions(when, self._calendar, market, self._today)
            if when.is_of_sessions or priced
            else when
            for when in sentence.whens
        )
        return replace(sentence, whens=tuple(whens))

    def named(self, text: str) -> tuple[str, ...]:
        """The companies a text names for sure, in its words; whatever else it says."""
        companies = self._cutter.cut(_MARKS.sub(" ", text)).companies
        return tuple(dict.fromkeys(one.text for one in companies if one.symbol))

    def firms(self, text: str) -> tuple[str, ...]:
        """Those of them that are companies, and no index."""
        companies = self._cutter.cut(_MARKS.sub(" ", text)).companies
        found = (
            one.text
            for one in companies
            if one.symbol and self._book.row(one.symbol).kind == "stock"
        )
        return tuple(dict.fromkeys(found))

    def _both_listings(self, sentence: Sentence) -> Sentence:
        """招商银行A股和H股 names two listings: the second market joins as a company of its own."""
        match = _SECOND_MARKET.search(sentence.shadow)
        if match is None:
            return sentence
        first = sentence.company_at(match.group("one"))
        place = sentence.text.lower().find(match.group("market"), first.end)
        listed = (
            self._book.listing(first.symbol, MARKETS[match.group("market")]) if first.symbol else ()
        )
        second = Mention(
            sentence.text[first.start : place + 2],
            place,
            place + 2,
            listed[0] if len(listed) == 1 else None,
            listed,
            is_known=bool(listed),
        )
        mark = chr(ord(COMPANY) + len(sentence.companies))
        at, end = match.span("market")
        shadow = sentence.shadow[:at] + mark + sentence.shadow[end:]
        return replace(sentence, shadow=shadow, companies=(*sentence.companies, second))

    def _with_leftover(self, question: Question) -> Question:
        """Words nobody knows: names half said join the companies, the others are kept."""
        rest = _PHRASE_FILLERS.sub(lambda m: "\n" * len(m.group()), question.wanted.rest)
        bare = self._cutter.without_fillers(rest)
        left: list[str] = []
        found: list[Mention] = []
        self._check_glued(question, rest, bare)
        for match in _CHUNK.finditer(bare):
            chunk = match.group()
            if _COUNTED.fullmatch(chunk):
                continue
            if self._is_figure_word(rest, match) and not _beside_company(rest, match):
                raise self._no_figure(question, chunk)
            if re.search(rf"{_COMPANY} ?$", rest[: match.start()]):
                raise asked(
                    question.language, "not_understood", chunk, choices=self._about(question)
                )
            if question.companies and not _beside_company(rest, match):
                left.append(chunk)
                continue
            mention = self._half_said(question, chunk, bare)
            if mention is None and question.companies:
                raise asked(question.language, "unknown_company", chunk)
            if mention is None:
                left.append(chunk)
            else:
                found.append(mention)
        companies = (*question.companies, *found)
        placed = sorted(companies, key=lambda one: one.start)
        return replace(question, companies=tuple(placed), leftover=tuple(left))

    def _about(self, question: Question) -> tuple[str, ...]:
        """What can be asked of the first company named; nothing when none is."""
        company = self._first(question)
        return about(question.language, company) if company else ()

    def _first(self, question: Question) -> str:
        """What a choice calls the first company named; the first it may be where that is not
        clear. Empty where none is named.
        """
        language, symbols = question.language, question.symbols
        if symbols:
            return self._book.called(symbols[0], language)
        known = (symbol for one in question.companies if one.is_known for symbol in one.choices)
        return next((self._book.called(symbol, language, exactly=True) for symbol in known), "")

    def _check_glued(self, question: Question, rest: str, bare: str) -> None:
        """Raises: AskedBack for a name with more of a name behind it: xyzq123, 特斯拉拉."""
        for pattern, words in ((_NUMBERED, rest), (_ONE_MORE, bare)):
            match = pattern.search(words)
            if match is None:
                continue
            said = question.sentence.company_at(match.group("name")).text
            if pattern is _ONE_MORE or (said[-1:].isascii() and said[-1:].isalpha()):
                more = said + match.group("n")
                choices = [question.text.replace(more, said)]
                raise asked(question.language, "unknown_company", more, choices=choices)

    def _is_figure_word(self, rest: str, match: re.Match[str]) -> bool:
        """Whether it stands right before a figure and makes it another one: 海外营收."""
        return bool(_FIGURE.match(rest, match.end())) and bool(re.search(_COMPANY, rest))

    def _half_said(self, question: Question, chunk: str, words: str) -> Mention | None:
        """The company a part of whose name this is; None when it may be any word."""
        place = question.text.lower().find(chunk)
        chunks = _CHUNK.findall(words)
        asks = question.figures or question.wanted.action or question.companies
        if place < 0 or (not asks and len(chunks) > 1) or chunk not in chunks[:_LOOKED_UP]:
            return None
        mention = self._book.mention(
            question.text.lower(), place, place + len(chunk), question.screening.category
        )
        said = replace(mention, text=question.text[place : place + len(chunk)])
        if said.symbol and not self._book.begins_or_ends(said.symbol, chunk):
            return None
        if not question.companies and not self._is_meant(question, said):
            return None
        return said if is_word(chunk) or chunk.isdigit() else None

    def _is_meant(self, question: Question, mention: Mention) -> bool:
        """Whether a word may be a company though no other is named: 平安, 贵州茅合的净利润.

        Of a text that asks for nothing, only a name and no more; of a screen, no guess.
        """
        is_sure = mention.is_known or mention.symbol is not None
        is_screen = not question.screening.is_empty
        if question.figures or question.wanted.action or is_screen:
            return is_sure or not is_screen
        said = mention.text.lower()
        near = (self._book.row(symbol).name.lower() for symbol in mention.choices)
        return is_sure or any(likeness(said, name) >= _ALIKE for name in near)

    def _check_figures(self, question: Question) -> None:
        sentence = question.sentence
        if sentence.not_kept:
            raise self._no_figure(question, sentence.not_kept[0])
        if match := _OTHER_AFTER.search(sentence.shadow):
            said = sentence.figure_at(match.group(1)).said
            raise self._no_figure(question, said + match.group()[1:].lstrip("的"))

    def _no_figure(self, question: Question, said: str) -> Exception:
        language = question.language
        entries = self._metadata.nearest(said, 3)
        near = [figure_called(entry, language) for entry in entries]
        company = self._first(question) or FIRM[language][0]
        if said.lower() in TECHNICAL:
            return asked(language, "technical", said, choices=_courses(language, company))
        if not self._first(question) and question.screening.category:
            listed = [one for one in entries if self.screens.field_of(one)]
            choices = [_ranked(question, one.name, figure_called(one, language)) for one in listed]
            return asked(language, "unknown_figure", said, choices=choices)
        link = "的" if language == "zh" else " "
        choices = [f"{company}{link}{name}" for name in near]
        return asked(language, "unknown_figure", said, choices=choices)

    def _sure(self, question: Question) -> Question:
        """The same, with every company one symbol. Raises: AskedBack."""
        companies: list[Mention] = []
        market = question.screening.category
        for mention in question.companies:
            if mention.symbol is None and market and mention.is_known:
                said = self._book.mention(mention.text.lower(), 0, len(mention.text), market)
                mention = replace(mention, symbol=said.symbol)
            if mention.symbol is None:
                raise self._unsure(question, mention)
            companies.append(mention)
        return replace(question, companies=tuple(companies))

    def _unsure(self, question: Question, mention: Mention) -> Exception:
        kind = "ambiguous" if mention.is_known else "unknown_company"
        before, after = question.text[: mention.start], question.text[mention.end :]
        reported = any(one.short not in OF_A_DAY for one in question.figures)
        choices = [
            before + self._book.called(symbol, question.language, exactly=mention.is_known) + after
            for symbol in mention.choices[:8]
            if not (reported and self._book.row(symbol).kind == "index")  # it has no such figure
        ]
        return asked(question.language, kind, mention.text, choices=choices)


def _figures(sentence: Sentence, want: Wanted) -> tuple[Entry, ...]:
    """The figures still standing in the rest, in the order said."""
    found = [sentence.figure_at(match.group()) for match in _FIGURE.finditer(want.rest)]
    if want.action == "price_history":  # 股价走势, 历史行情: the bars themselves
        found = [one for one in found if one.entries[0].short != "price"]
    if any(figure.said != "财报" for figure in found):  # 最新财报的营收 asks for one figure
        found = [figure for figure in found if figure.said != "财报"]
    return tuple(dict.fromkeys(entry for figure in found for entry in figure.entries))


_INDUSTRY = re.compile("(?P<name>[一-鿿]{2,6}?)(?:行业|板块|业)")


def _ranked(question: Question, name: str, called: str) -> str:
    """The companies of the industry that was named, in the order of a figure."""
    said = question.screening
    if question.language == "en":
        return f"10 stocks with the highest {called}"
    # What is left of 银行业市盈率中位数 beside the figure is what it was to be taken over.
    words = _INDUSTRY.search(said.rest)
    industry = said.industry or (words.group("name") if words else "")
    return f"{said.category or 'A股'}{industry}{'股' * bool(industry)}{name}最高的10只"


def _courses(language: str, company: str) -> tuple[str, ...]:
    """What can be asked of the prices of a company in place of an indicator."""
    if language == "zh":
        return (f"{company}近一年走势", f"{company}近一个月走势", f"{company}最新价")
    return (f"{company} price history past year", f"{company} stock price")


def _beside_company(rest: str, match: re.Match[str]) -> bool:
    """Whether it is joined to a company by 和, a comma or vs: then it must be one too."""
    before = rest[: match.start()].rstrip(" ")
    if _AGAINST.search(before):
        return True
    if (join := _JOINS.search(before)) and re.search(rf"{_COMPANY} ?$", before[: join.start()]):
        return True
    after = _JOINED.match(rest, match.end())
    return bool(after and re.match(_COMPANY, rest[after.end() :].lstrip(" ")))
