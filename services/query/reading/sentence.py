"""A question cut into what was said: companies, figures, times, series, and words between.

The `shadow` is the question with one private character for each thing found, so that the grammar
around them (`\ue100小于20`) can be read with plain patterns.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from services.language.lexicon import Lexicon, is_whole
from services.language.plain_text import lower, plain_question, with_year_digits
from services.market.names.nicknames import NICKNAMES
from services.market.names.spellings import CJK
from services.query.planning.metadata import Entry, Metadata
from services.query.reading import colloquial
from services.query.reading.entities import Mention, NameBook
from services.query.reading.time_expressions import When, WhenReader
from services.query.reading.wording import (
    ENGLISH_FILLERS,
    FILLERS,
    INDUSTRIES,
    INDUSTRY_SHARES,
    MARKETS,
    NOT_KEPT,
    SERIES,
    SUMMARIES,
)

T = TypeVar("T")
COMPANY, FIGURE, WHEN, NOT_KEPT_FIGURE, MACRO = "\ue000", "\ue100", "\ue200", "\ue300", "\ue400"
# 量 is a figure only by itself behind a company: it stands in too many other words.
_VOLUME = re.compile("量(?=$|[?,、。是有多呢怎 0-9])")
_BEHIND_NAME = re.compile("[\ue000-\ue0ff 的]$")
_BEHIND_SPAN = re.compile("[\ue200-\ue2ff](?:的| )?$")
PROFIT, LOSS = "\ue500", "\ue501"
_OF_COMPANIES = "的?(?:a股|港股|美股|公司|股票|企业|股|银行|上市公司| ?companies| ?stocks)"
_PROFIT = re.compile(
    rf"不亏损|不亏钱|没有亏损|没亏损|(?:盈利|赚钱|profitable)(?={_OF_COMPANIES})|盈利(?=的?$)"
)
_LOSS = re.compile(
    r"亏损|亏钱|赔钱|loss[- ]mak(?:ing|ers?)|money[- ]losers?|unprofitable|losing money"
)
_FEW_SPACES = 3
_PARTICLES = "的了吗呢吧啊呀嘛和与跟及是在有比从到至为按把给对看查那再换也还它他她请"


@dataclass(frozen=True, slots=True)
class Figure:
    """Figures asked for by one word, and the word."""

    entries: tuple[Entry, ...]
    said: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One question: `text` as written in plain width, and what was found in it in order."""

    text: str
    shadow: str
    companies: tuple[Mention, ...]
    figures: tuple[Figure, ...]
    whens: tuple[When, ...]
    not_kept: tuple[str, ...]
    series: tuple[str, ...]

    def company_at(self, char: str) -> Mention:
        """The company a private character stands for."""
        return self.companies[ord(char) - ord(COMPANY)]

    def figure_at(self, char: str) -> Figure:
        """The figure a private character stands for."""
        return self.figures[ord(char) - ord(FIGURE)]

    def when_at(self, char: str) -> When:
        """The time a private character stands for."""
        return self.whens[ord(char) - ord(WHEN)]


def any_of(mark: str) -> str:
    """A pattern for any private character of that kind."""
    return f"[{mark}-{chr(ord(mark) + 0xFF)}]"


class _Cut:
    """What has been found so far, left to right."""

    def __init__(self, text: str, small: str) -> None:
        self.text, self.small = text, small
        self.shadow: list[str] = []
        self.is_loose = False  # the character before belongs to nothing known
        self.companies: list[Mention] = []
        self.figures: list[Figure] = []
        self.whens: list[When] = []
        self.not_kept: list[str] = []
        self.series: list[str] = []

    @property
    def year(self) -> int | None:
        """The year said last."""
        return next((when.year for when in reversed(self.whens) if when.year_said), None)


class Cutter:
    """Cuts questions. Made once for a market; safe to share between threads."""

    def __init__(self, book: NameBook, metadata: Metadata, today: date) -> None:
        self._book = book
        self._whens = WhenReader(today)
        self._figures = Lexicon(_figure_words(metadata))
        missing = (*NOT_KEPT, *colloquial.NOT_KEPT, *colloquial.TECHNICAL)
        self._not_kept = Lexicon({lower(plain_question(word)): word for word in missing})
        self._series = Lexicon({**SERIES, **colloquial.SERIES})
        self._profit = metadata.by_code("company.finance.net_profit")
        self._volume = metadata.by_code("company.quote.volume")
        self._extremes = {
            word: (metadata.by_code(code),) for word, code in colloquial.EXTREMES.items()
        }
        self._fillers = Lexicon(dict.fromkeys(_quiet_words(), True))

    def cut(self, question: str) -> Sentence:
        """Left to right, the longest thing known; figures before times before names."""
        text = plain_question(question)
        for group, names in colloquial.GROUPS.items():
            text = text.replace(group, names)
        text = with_year_digits(text)
        cut = _Cut(text, lower(text))
        place = 0
        while place < len(text):
            place = self._next(cut, place)
        return Sentence(
            text,
            "".join(cut.shadow),
            tuple(cut.companies),
            tuple(cut.figures),
            tuple(cut.whens),
            tuple(cut.not_kept),
            tuple(cut.series),
        )

    def without_fillers(self, words: str) -> str:
        """The words with every filler blanked: what is left was not understood.

        A single character is one only beside words that are known: 里 in 阿里 is part of a name.
        """
        left, weak, place = list(words), list[int](), 0
        while place < len(words):
            found = self._fillers.at(words, place)
            if found is None:
                place += 1
                continue
            if found[0] == place + 1 and words[place] not in _PARTICLES:
                weak.append(place)
            else:
                left[place : found[0]] = "\n" * (found[0] - place)
            place = found[0]
        unknown = {at for at, char in enumerate(left) if CJK.match(char)} - set(weak)
        for at in weak:
            if at - 1 not in unknown and at + 1 not in unknown:
                left[at] = "\n"
        return "".join(left)

    def _next(self, cut: _Cut, place: int) -> int:
        """Take what begins at that place; returns where the next thing may begin."""
        small = cut.small
        if taken := self._outcome(cut, place):
            return taken
        company = self._company_end(cut, place)
        figure = self._figures.at(small, place)
        last = cut.whens[-1] if cut.whens else None
        when = self._whens.at(small, place, cut.year, last=last)
        missing = self._not_kept.at(small, place)
        series = self._series.at(small, place)
        filler = self._fillers.at(small, place)
        longest = max(
            [company, *(hit[0] for hit in (figure, when, missing, series, filler) if hit)]
        )
        if missing and missing[0] == longest:
            return self._mark(cut, NOT_KEPT_FIGURE, cut.not_kept, missing)
        if figure and figure[0] == longest:
            said = Figure(figure[1], small[place : figure[0]])
            return self._mark(cut, FIGURE, cut.figures, (figure[0], said))
        if series and series[0] == longest:
            return self._mark(cut, MACRO, cut.series, series)
        if when and when[0] == longest:
            return self._mark(cut, WHEN, cut.whens, when)
        if filler and filler[0] == longest:
            if extreme := self._extreme(cut, place, longest):
                return self._mark(cut, FIGURE, cut.figures, extreme)
            cut.shadow.append(small[place:longest])
            cut.is_loose = False
            return longest
        if 0 < company == longest:
            return self._company(cut, place, company)
        return self._letter(cut, place)

    def _outcome(self, cut: _Cut, place: int) -> int:
        """Profit, loss and volume said in one short word; 0 when none is there."""
        for pattern, mark in ((_PROFIT, PROFIT), (_LOSS, LOSS)):
            if match := pattern.match(cut.small, place):
                if cut.companies:  # 乐视网亏损: its profit is asked for, and no list of losers
                    said = Figure((self._profit,), match.group())
                    return self._mark(cut, FIGURE, cut.figures, (match.end(), said))
                cut.shadow.append(mark)
                return match.end()
        if (
            cut.companies
            and _VOLUME.match(cut.small, place)
            and _BEHIND_NAME.search(cut.shadow[-1])
        ):
            said = Figure((self._volume,), "量")
            return self._mark(cut, FIGURE, cut.figures, (place + 1, said))
        return 0

    def _extreme(self, cut: _Cut, place: int, end: int) -> tuple[int, Figure] | None:
        """The highest or lowest price: 最高 behind 52周 or 历史, and before no other figure."""
        entries = self._extremes.get(cut.small[place:end])
        if entries is None or not _BEHIND_SPAN.search("".join(cut.shadow)):
            return None
        if not cut.whens[-1].time_range or self._figures.at(cut.small, end):
            return None
        return end, Figure(entries, cut.small[place:end])

    def _company_end(self, cut: _Cut, place: int) -> int:
        """Where the name that begins there ends; 0 when it is none, or only a part of a word."""
        end = self._book.at(cut.small, place) or 0
        said = cut.small[place:end]
        if cut.is_loose and len(said) == 2 and said not in NICKNAMES:
            return 0  # 时代 in 宁德时代 is no company of its own
        return 0 if said and self._is_plain_word(cut, place, end) else end

    def _is_plain_word(self, cut: _Cut, place: int, end: int) -> bool:
        """Whether it is a word of an English sentence that happens to be a ticker (earn)."""
        said = cut.text[place:end]
        return said.islower() and self._book.is_ticker(said) and cut.text.count(" ") > _FEW_SPACES

    def _letter(self, cut: _Cut, place: int) -> int:
        """Nothing known: one character, or the rest of a Latin word."""
        end = place + 1
        rest = cut.small[place:]  # what stands before does not matter: ROE15%以上股息率
        while end < len(cut.small) and not is_whole(rest, 0, end - place):
            end += 1
        cut.shadow.append(cut.small[place:end])
        cut.is_loose = CJK.match(cut.small[place]) is not None
        return end

    def _company(self, cut: _Cut, place: int, end: int) -> int:
        start, after, market = self._book.sided(cut.small, place, end)
        mention = self._book.mention(cut.small, place, end, market)
        if start < place:  # the market said before the name belongs to it
            said = len(cut.small[start:place])
            kept = "".join(cut.shadow)
            cut.shadow = [kept[: len(kept) - said]]
        spanned = Mention(
            cut.text[place:after], start, after, mention.symbol, mention.choices, mention.is_known
        )
        cut.shadow.append(chr(ord(COMPANY) + len(cut.companies)))
        cut.companies.append(spanned)
        cut.is_loose = False
        return after

    def _mark(self, cut: _Cut, mark: str, found: list[T], hit: tuple[int, T]) -> int:
        cut.shadow.append(chr(ord(mark) + len(found)))
        found.append(hit[1])
        cut.is_loose = False
        return hit[0]


def _figure_words(metadata: Metadata) -> Mapping[str, tuple[Entry, ...]]:
    words: dict[str, tuple[Entry, ...]] = {}
    for entry in metadata.metrics:
        for name in (entry.name, *entry.aliases):
            key = lower(plain_question(name))
            if len(key) > 1:  # 量 alone stands in too many other words
                words.setdefault(key, (entry,))
    for word, codes in {**colloquial.SUMMARIES, **SUMMARIES}.items():
        words[word] = tuple(metadata.by_code(code) for code in codes)
    return words


def _quiet_words() -> Iterable[str]:
    yield from FILLERS
    yield from ENGLISH_FILLERS
    yield from colloquial.FILLERS
    yield from colloquial.TOPICS
    yield from colloquial.ENGLISH_FILLERS
    yield from INDUSTRIES
    yield from INDUSTRY_SHARES
    yield from MARKETS
