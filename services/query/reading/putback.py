"""A question put back: what exactly is missing or unread, and choices that keep every word read.

A choice is offered only where it can be read as it stands; nothing here guesses what was meant.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from services.core.catalogue import CATALOGUE
from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.text import Language
from services.language.lattice import FUNCTION, Token
from services.query.planning.nlir import AskBack
from services.query.reading.clarification import (
    EXAMPLES,
    FIRM,
    AskedBack,
    about,
    asked,
    asked_of_words,
)
from services.query.reading.entities import NameBook
from services.query.reading.figures_said import base, is_of_days
from services.query.reading.names_meant import meant_by
from services.query.reading.question_words import industry_labels
from services.query.reading.refusals import refused_kind
from services.query.reading.set_words import quote_unknown
from services.query.reading.tagging import Lattice

# Six digits by themselves, as A shares are coded: 999999 is no number of anything else.
_CODE = re.compile(r"(?<!\d)\d{6}(?!\d)")
_MOST = 6
# The kind of a bound says which figures it may be of.
_BOUNDED: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "percent": (("股息率", "净资产收益率", "净利率"), ("dividend yield", "ROE", "net margin")),
    "multiple": (("市盈率", "市净率"), ("PE", "PB")),
    "money": (("总市值", "净利润", "营业收入"), ("market cap", "net profit", "revenue")),
}
_ORDERED = (
    ("总市值", "市盈率", "股息率", "净利润"),
    ("market cap", "PE", "dividend yield", "net profit"),
)
# What only marks, joins or asks: no content of a question.
_NO_CONTENT = frozenset({
    FUNCTION, "COMMA", "ask", "rel", "join", "bool", "noun", "follow", "only", "add", "between",
    "between2", "order", "since", "until", "after", "swap", "edge", "whole", "neg", "move", "pmove",
})  # fmt: skip
# What is asked of a company as a figure is.
_ASKED_OF = frozenset({"ret", "drawdown", "growth", "cagr", "rank", "trend", "pctile"})
_OURS = frozenset({
    "METRIC", "ENT", "SCOPE", "indicator", "tool", "toolask", "CONCEPT", "NOFIG", "ratio", "loss",
    "several", "idiom", "cheap", "cheaper", "group", "whichgroup",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question without an answer: how it was read, and how to try another.

    `told`: readings to choose from, in words. `can_read`: whether a text can be asked as it is.
    `goes_on`: whether something was answered before, of the companies `before`.
    """

    lattice: Lattice
    language: Language
    book: NameBook
    can_read: Callable[[str], bool]
    told: tuple[str, ...] = ()
    goes_on: bool = False
    before: tuple[str, ...] = ()

    def put_back(self) -> AskedBack:
        """Why it is put back, with what can be asked instead."""
        return (
            self._who()
            or self._no_data()
            or self._vague()
            or self._unread()
            or self._several()
            or self._bare()
            or self._shapeless()
        )

    @property
    def refused_kind(self) -> str | None:
        """What it is refused for."""
        is_of_shares = bool(self.lattice.has("METRIC", "SCOPE"))
        return refused_kind(self.lattice.has("refuse"), is_of_shares=is_of_shares)

    def bare(self) -> AskedBack | None:
        """Whose performance was asked, with no figure, no time and no company: of which figure."""
        said = [one for one in self.lattice.has("ask") if one.sem == "ret"]
        if not said or self.goes_on or self.lattice.has("METRIC", "ENT", "WHEN", "DAYS"):
            return None
        words = {self.lattice.text[one.start : one.end] for one in said}
        return self._vague() if any(words & set(one.said) for one in vague_words()) else None

    def refused(self) -> AskedBack | None:
        """What is not given whatever else is said; None where nothing of the kind was asked."""
        kind = self.refused_kind
        if kind is None:
            return None
        firms = [] if kind == "other_subject" else [*self._firms(), *self.before]
        # 今年会涨到30块吗: of the time that is asked of there is nothing yet.
        is_of_now = kind != "no_rates"
        offered = self._about_now(firms) if is_of_now else self._offer_instead(firms)
        return self._ask_back(kind, choices=tuple(offered))

    def not_held(self, why: str, *, of_companies: bool) -> AskedBack:
        """Put back for what nobody has: of whom and when that was asked, and what can be had."""
        if of_companies:
            return AskedBack(AskBack(reason=why, choices=self.told), "not_held")
        firms = self._firms()
        whom = asked_of_words(self.lattice, firms, (), self.language)
        mark = "：" if self.language == "zh" else ": "
        choices = self.told or self._offer_instead(firms)
        reason = f"{whom}{mark}{why}" if whom else why
        return AskedBack(AskBack(reason=reason, choices=tuple(choices)), "not_held")

    def _offer_instead(self, firms: Sequence[str]) -> Sequence[str]:
        """The held figures that were said, of those companies or the set; else what it has."""
        if figures := self._called(self.lattice.has("METRIC")):
            return self._read(self._compose_questions(figures))
        return self._about_first(firms) or (self._orders() if self.lattice.has("SCOPE") else ())

    # -- steps, each None where it has nothing to say

    def _who(self) -> AskedBack | None:
        """A part of several names, or a slip of the hand: 华润, Everbright, 贵州茅合."""
        figures = [(one.start, one.end) for one in self.lattice.has("METRIC")]
        for start, end in self.lattice.unread:
            found = meant_by(self.lattice.text, self.book, start, end, figures)
            if found is not None:
                kind, span, symbols = found
                return self._which(kind, span, symbols)
        return None

    def _several(self) -> AskedBack | None:
        """A name read as several listings: whose is asked first."""
        for one in self.lattice.has("ENT"):
            symbols = cast("tuple[str, ...]", one.sem)
            if len(symbols) > 1 and not self._is_other(one):
                return self._which("ambiguous", (one.start, one.end), symbols)
        return None

    def _is_other(self, name: Token) -> bool:
        """Whether the words of a name are read as something else, or as a part of it."""
        return any(
            one.start <= name.start
            and name.end <= one.end
            and one != name
            and one.cost <= name.cost
            for one in self.lattice.tokens
        )

    def _which(self, kind: str, span: tuple[int, int], symbols: Sequence[str]) -> AskedBack:
        said = self.lattice.text[slice(*span)].strip()
        if any(not is_of_days(str(one.sem)) for one in self.lattice.has("METRIC")):
            symbols = [one for one in symbols if self.book.row(one).kind != "index"]
        # Every one the name may be, each by what can be asked of it.
        choices = [one for symbol in symbols[:_MOST] for one in self._of_one(span, symbol)[:1]]
        return self._ask_back(kind, said, choices=choices)

    def _of_one(self, span: tuple[int, int], symbol: str) -> list[str]:
        """The question of that company; else the figures said of it, else what it has."""
        figures, any_of_it = self._figures_of([symbol]), self._about([symbol])
        return self._read([self._with(*span, symbol)]) or self._read(figures or any_of_it)

    def _no_data(self) -> AskedBack | None:
        """Words known as what is not held: 龙头, 上证50."""
        words = [
            quote_unknown(one, self.lattice.text)
            for one in self.lattice.has("CONCEPT", "NOFIG")
            if not self.lattice.unread
        ] or _classes_unknown_there(self.lattice)
        if not words:
            return None
        firms = self._firms()
        offered = self.told or self._offer_instead(firms)
        quoted = self._quote_words(words)
        # Of whom and when is told too: the figure was understood, it is the data that lack.
        said = asked_of_words(self.lattice, firms, words, self.language)
        if not said:
            return self._ask_back("not_held", quoted, choices=offered)
        return self._ask_back("not_held_of", quoted, said, choices=offered)

    def _vague(self) -> AskedBack | None:
        """A word that several figures are called: 规模, margin."""
        points = any(one.sem == "these" for one in self.lattice.has("follow"))
        is_of_nobody = points and not (self.goes_on or self.lattice.has("ENT", "SCOPE"))
        if (self.told and not self.lattice.unread) or is_of_nobody:
            return None
        figures = [(one.start, one.end) for one in self.lattice.has("METRIC")]
        for listed in vague_words():
            for word in listed.said:
                at = place_of(self.lattice.text, word)
                end = at + len(word)
                if at < 0 or not self._is_alone(at, end):
                    continue
                if any(one < at or other > end for one, other in figures):
                    continue  # 利润 of 利润率 is no figure beside it
                means = listed.means[0 if self.language == "zh" else 1]
                ways = ("", listed.ends.get(word, ""))  # 比茅台贵的, 比茅台市盈率高的
                choices = [self._put(at, end, f"{one}{way}") for way in ways for one in means]
                found = self._read(choices) or self._read(self._compose_questions(means))
                told = word if found else f"{word}: {', '.join(means)}"
                return self._ask_back("several_meanings", told, choices=found)
        return None

    def _is_alone(self, start: int, end: int) -> bool:
        """Whether it is a word here and no other word is unread."""
        text, unread = self.lattice.text, self.lattice.unread
        inside = all(start <= one and two - len(text[one:two]) + len(text[one:two].rstrip()) <= end
                     for one, two in unread)  # fmt: skip
        whole = any(
            (one.start, one.end) == (start, end) and one.cost < 2 for one in self.lattice.tokens
        )
        return inside and (whole or bool(unread))

    def _unread(self) -> AskedBack | None:
        words = self.lattice.unread_words
        if not words:
            return None
        if not self.lattice.has(*_OURS):
            return self._ask_back("off_topic", choices=EXAMPLES[self.language])
        named = self._quote_words(words)
        if self.told:
            return self._ask_back("no_names", named, choices=self.told)
        firms = self._firms() if not self.lattice.has("METRIC", "except") else []
        return self._ask_back("unread", named, choices=self._about_first(firms))

    def _bare(self) -> AskedBack | None:
        """Every word was read, and something is missing."""
        lattice = self.lattice
        takes = lattice.has("COUNT", "TOP", "BOTTOM", "ORD", "lastplace", "sup")
        figures = lattice.has("METRIC", "several", "indicator", "toolask", "best", "loss", "ratio")
        figures += [one for one in lattice.has("ask") if one.sem in _ASKED_OF]
        firms = [] if lattice.has("except") else self._firms()  # 除了茅台: of the others
        sets = lattice.has("SCOPE")
        bounds = [one for one in lattice.has("AMT") if lattice.has("cmp", "postcmp")]
        if lattice.has("follow", "swap", "MORE") and not (self.goes_on or firms or sets):
            return self._ask_back("of_what_before", choices=EXAMPLES[self.language])
        is_of_told = any(one.sem == "these" for one in lattice.has("follow"))
        if is_of_told and sets and not (self.goes_on or firms):  # compare the two banks
            return self._ask_back("which_ones", self._say_tokens(sets), choices=self._orders())
        if figures and (firms or sets):
            return None
        if bounds and not figures:
            return self._which_figure(bounds[0])
        if takes and not figures and not firms:
            return self._ask_back("what_order", self._say_tokens(takes), choices=self._orders())
        if firms and not figures:
            return self._ask_back("no_figure", firms[0], choices=self._about_first(firms))
        if figures:
            return self._other_of_pair() or self._whose(figures)
        if sets and not figures:
            return self._ask_back("what_order", self._say_tokens(sets), choices=self._orders())
        return None

    def _which_figure(self, bound: Token) -> AskedBack:
        text = self.lattice.text
        sign = next(iter(self.lattice.has("cmp", "postcmp")))
        start, end = min(sign.start, bound.start), max(sign.end, bound.end)
        said = text[start:end].strip()
        kind = getattr(bound.sem, "unit", "").partition(":")[0]
        kind = "money" if kind in ("LOCAL", "money") else kind
        names = _BOUNDED.get(kind, _ORDERED)[0 if self.language == "zh" else 1]
        link = "" if self.language == "zh" else " "
        choices = [self._put(start, end, f"{one}{link}{said}") for one in names]
        bare = [f"{one}{link}{said}{'的A股' if link == '' else ''}" for one in names]
        return self._ask_back("which_figure", said, choices=self._read(choices) or self._read(bare))

    def _other_of_pair(self) -> AskedBack | None:
        """它俩哪个高, and only one company was told before: which is the other."""
        points = any(one.sem == "these" for one in self.lattice.has("follow"))
        is_choice = any(one.sem == "which" for one in self.lattice.has("ask"))
        if len(self.before) != 1 or not (points and is_choice):
            return None
        return self._ask_back("other_of_pair", *self.before)

    def _whose(self, figures: Sequence[Token]) -> AskedBack:
        said = self._say_tokens(figures)
        zh, text = self.language == "zh", self.lattice.text
        if {one.sem for one in figures} == {"billboard"}:
            listed = [f"{FIRM[self.language][0]}{'的' if zh else ' '}{said}"]
            return self._ask_back("no_whole_list", said, choices=self._read(listed))
        if (code := _CODE.search(text)) is not None:
            return self._ask_back("unknown_code", code[0], choices=EXAMPLES[self.language])
        choices = [f"{one}{'的' if zh else ' '}{text}" for one in FIRM[self.language]]
        many = self._read(self._tops(self._called(figures)))
        return self._ask_back("whose", said, choices=[*self._read(choices), *many][:_MOST])

    def _orders(self) -> list[str]:
        """The question with an order: by each of some figures."""
        zh, text = self.language == "zh", self.lattice.text.rstrip(" ?？。.")
        names = _ORDERED[0 if zh else 1]
        said = [f"{text}，按{one}从高到低" if zh else f"{text} by {one}" for one in names]
        found = self._read(said)
        if found or self.lattice.has("except"):
            return found  # what is to go would be lost
        count = next((one.sem for one in self.lattice.has("TOP", "COUNT")), 10)
        return self._read(self._tops(names, count))

    def _tops(self, figures: Sequence[str], count: object = 10) -> list[str]:
        """The first so many of the set that was said, by each of these."""
        zh, text, sets = self.language == "zh", self.lattice.text, self.lattice.has("SCOPE")
        scope = text[sets[0].start : sets[0].end] if sets else ("A股" if zh else "A-shares")
        return [
            f"{scope}{one}最高的{count}家" if zh else f"top {count} {scope} by {one}"
            for one in figures
        ]

    def _called(self, figures: Sequence[Token]) -> list[str]:
        """The figures among words, as they are called."""
        named = [CATALOGUE[base(str(one.sem))] for one in figures if one.cat == "METRIC"]
        return [one.zh if self.language == "zh" else one.en for one in named]

    def _shapeless(self) -> AskedBack:
        """Every word read, and no question made of them: what was read is said."""
        if not self._words():
            return self._ask_back("off_topic", choices=EXAMPLES[self.language])
        # What can be asked without one of the words that say when or how: 腾讯2016年8月的营收.
        less = [self._put(one.start, one.end, "") for one in self.lattice.has("WHEN", "ask")]
        firms = self._firms()
        choices = self._read(less) if firms else []
        return self._ask_back("no_shape", self._quote_words(self._words()), choices=choices)

    # -- what they are made of

    def _ask_back(self, kind: str, *said: str, choices: Sequence[str] = ()) -> AskedBack:
        back = asked(self.language, kind, *said, choices=choices)
        if choices or kind in _WITH_EXAMPLES:
            return back
        return AskedBack(back.ask_back.but(choices=()), kind, said)

    def _read(self, texts: Sequence[str]) -> list[str]:
        return [one for one in dict.fromkeys(texts) if self.can_read(one)][:_MOST]

    def _put(self, start: int, end: int, said: str) -> str:
        text = self.lattice.text
        return f"{text[:start]}{said}{text[end:]}"

    def _with(self, start: int, end: int, symbol: str) -> str:
        return self._put(start, end, self.book.called(symbol, self.language))

    def _figures_of(self, symbols: Sequence[str]) -> list[str]:
        """The figures that were said, of each of these companies."""
        zh = self.language == "zh"
        figures = [CATALOGUE[base(str(one.sem))] for one in self.lattice.has("METRIC")]
        names = list(dict.fromkeys(one.zh if zh else one.en for one in figures))
        told = ("、" if zh else ", ").join(names)
        called = [self.book.called(one, self.language) for one in symbols]
        return [f"{one}的{told}" if zh else f"{one} {told}" for one in called] if told else []

    def _about_now(self, firms: Sequence[str]) -> tuple[str, ...]:
        """Questions about the first of them; of an index its price alone, it has no reports."""
        named = {symbol for one in self.lattice.has("ENT") for symbol in cast("Any", one.sem)}
        indexes = {
            self.book.called(one, self.language)
            for one in named
            if self.book.row(one).kind == "index"
        }
        asked_of = about(self.language, firms[0]) if firms else ()
        return asked_of[-1:] if set(firms[:1]) & indexes else asked_of

    def _about_first(self, firms: Sequence[str]) -> tuple[str, ...]:
        """Questions about the first of them, of the time that was said where there is one."""
        asked_of = self._about_now(firms)
        said = {self.lattice.text[one.start : one.end] for one in self.lattice.has("WHEN")}
        if len(asked_of) < 2 or len(said) != 1:
            return asked_of
        # The newest price is that of no other time.
        dated = self._read(about(self.language, self._at(firms[0], said.pop()))[:-1])
        return tuple(dated) or asked_of

    def _at(self, firm: str, time: str) -> str:
        return f"{firm}{time}" if self.language == "zh" else f"{firm} {time}"

    def _about(self, symbols: Sequence[str]) -> list[str]:
        names = [self.book.called(one, self.language) for one in symbols]
        return [about(self.language, one)[0] for one in names]

    def _compose_questions(self, figures: Sequence[str]) -> list[str]:
        """Each figure of the company or the set that was said."""
        firms, zh = self._firms(), self.language == "zh"
        if firms:
            joined = ("、" if zh else ", ").join(firms)
            said = {self.lattice.text[one.start : one.end] for one in self.lattice.has("WHEN")}
            dated = [f"{self._at(joined, time)}{'的' if zh else ' '}{one}" for one in figures
                     for time in said if len(said) == 1]  # fmt: skip
            if found := self._read(dated):
                return found
            return [f"{joined}的{one}" if zh else f"{joined} {one}" for one in figures]
        if self.goes_on:
            return [f"按{one}从高到低排" if zh else f"sort by {one}" for one in figures]
        return self._tops(figures)

    def _firms(self) -> list[str]:
        """The companies that were read for sure, as choices call them."""
        said = self.lattice.has("refuse")
        found: list[str] = []
        for one in self.lattice.has("ENT"):
            listings = cast("tuple[str, ...]", one.sem)
            inside = any(one.start < two.end and two.start < one.end for two in said)
            if len(listings) == 1 and not inside:
                found.append(self.book.called(listings[0], self.language))
        return list(dict.fromkeys(found))

    def _say_tokens(self, tokens: Sequence[Token]) -> str:
        return "、".join(
            dict.fromkeys(self.lattice.text[one.start : one.end] for one in tokens[:3])
        )

    def _words(self) -> list[str]:
        """The words read that mean something, in their order, the longest at each place."""
        tokens = sorted(self.lattice.tokens, key=lambda one: (one.start, one.start - one.end))
        words, at = list[str](), 0
        for one in tokens:
            if one.cat not in _NO_CONTENT and one.start >= at and one.cost < 2:
                words.append(self.lattice.text[one.start : one.end])
                at = one.end
        return list(dict.fromkeys(words))

    def _quote_words(self, words: Sequence[str]) -> str:
        if self.language == "zh":
            return "、".join(f"「{one}」" for one in words)
        return ", ".join(f"“{one}”" for one in words)


def _classes_unknown_there(lattice: Lattice) -> list[str]:
    """The industries said that the market said has no class of: A股赌场股."""
    sets = [
        (one, cast("tuple[str, tuple[str, ...], object]", one.sem)) for one in lattice.has("SCOPE")
    ]
    markets = {value for _, (dim, values, _) in sets if dim == "market" for value in values}
    known = [industry_labels()[one] for one in markets if not lattice.unread]
    return [
        lattice.text[one.start : one.end]
        for one, (dim, values, _) in sets
        if dim == "industry" and any(not labels.get(v, (v,)) for labels in known for v in values)
    ]


_WITH_EXAMPLES = frozenset({"off_topic", "other_subject", "of_what_before", "advice", "prediction",
                            "inside", "order", "fair_value"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Vague:
    """Words for several figures, and the figures as they are asked for, zh and en.

    `ends`: which end of the figure a word means beside another company.
    """

    said: tuple[str, ...]
    means: tuple[tuple[str, ...], tuple[str, ...]]
    ends: Mapping[str, str]


@cache
def vague_words() -> tuple[Vague, ...]:
    """From data/lexicon/vague.toml, in its order."""
    tables = read_data_file(DATA_FOLDER / "lexicon" / "vague.toml").tables
    return tuple(
        Vague(
            tuple(sorted((*one["zh"], *one["en"]), key=len, reverse=True)),
            (tuple(one["means_zh"]), tuple(one["means_en"])),
            one.get("ends", {}),
        )
        for one in tables.values()
    )


def place_of(text: str, word: str) -> int:
    """Where the word stands, Latin ones whole; -1 where it does not."""
    at = text.find(word)
    while at >= 0 and word[0].isascii():
        before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
        if not (before.isalnum() or after.isalnum()):
            return at
        at = text.find(word, at + 1)
    return at
