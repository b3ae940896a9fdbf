"""A question put back: what exactly is missing or unread, and choices that keep every word read.

A choice is offered only where it can be read as it stands; nothing here guesses what was meant.
"""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from services.core.catalogue import CATALOGUE
from services.core.text import Language
from services.language.dictionaries import is_general
from services.language.lattice import FUNCTION, Token, spelled_for_questions
from services.language.plain_text import is_cjk
from services.query.planning.nlir import AskBack
from services.query.reading.clarification import EXAMPLES, FIRM, about, asked
from services.query.reading.entities import NameBook
from services.query.reading.figures_said import base
from services.query.reading.refusals import refused_kind
from services.query.reading.tagging import Lattice
from services.query.reading.vague import place_of, vague_words

# A slip of the hand: so alike a name must be, and so many are offered.
_ALIKE_ZH, _ALIKE_EN = 0.6, 0.75
_LEAST_ZH, _LEAST_SLIP, _LEAST_EN, _LONGEST_NAME = 2, 3, 4, 6
_MOST = 5
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
    "several", "idiom", "cheap", "group", "whichgroup",
})  # fmt: skip


# Why a name is put back, the span it was taken from, and whom it may mean.
Found = tuple[str, tuple[int, int], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question without an answer: how it was read, and how to try another.

    `told`: readings to choose from, in words. `can_read`: whether a text can be asked as it is.
    `goes_on`: whether something was answered before.
    """

    lattice: Lattice
    language: Language
    book: NameBook
    can_read: Callable[[str], bool]
    told: tuple[str, ...] = ()
    goes_on: bool = False

    def put_back(self) -> AskBack:
        """Why it is put back, with what can be asked instead."""
        return (
            self._who()
            or self._no_data()
            or self._vague()
            or self._unread()
            or self._bare()
            or self._shapeless()
        )

    @property
    def refused_kind(self) -> str | None:
        """What it is refused for."""
        is_of_shares = bool(self.lattice.has("METRIC", "SCOPE"))
        return refused_kind(self.lattice.has("refuse"), is_of_shares=is_of_shares)

    def refused(self) -> AskBack | None:
        """What is not given whatever else is said; None where nothing of the kind was asked."""
        kind = self.refused_kind
        if kind is None:
            return None
        firms = [] if kind in ("other_subject", "off_topic") else self._firms()
        return self._asked(kind, choices=about(self.language, firms[0]) if firms else ())

    # -- steps, each None where it has nothing to say

    def _who(self) -> AskBack | None:
        """A part of several names, or a slip of the hand: 华润, Everbright, 片仔黄."""
        for start, end in self.lattice.unread:
            if (found := self._known(start, end) or self._slipped(start, end)) is None:
                continue
            kind, (start, end), symbols = found
            said = self.lattice.text[start:end].strip()
            choices = self._read([self._with(start, end, one) for one in symbols[:_MOST]])
            return self._asked(kind, said, choices=choices or self._about(symbols[:_MOST]))
        return None

    def _known(self, start: int, end: int) -> Found | None:
        """Names that begin or end with the unread run, or with it and what stands beside it."""
        text = self.lattice.text
        for one in self._spans(start, end):
            said = text[slice(*one)].strip()
            if said.isascii() and is_general(said):
                continue
            mention = self.book.mention(text, *one)
            symbols = (mention.symbol,) if mention.symbol else mention.choices
            kept = [one for one in symbols if self.book.begins_or_ends(one, said)]
            if mention.is_known and kept:
                return "ambiguous", one, kept
        return None

    def _slipped(self, start: int, end: int) -> Found | None:
        """Names so alike that a slip of the hand may be meant; of no ordinary word."""
        text = self.lattice.text
        for one in self._spans(start, end):
            said = text[slice(*one)].strip()
            if is_general(said) or len(said) < (_LEAST_EN if said.isascii() else _LEAST_SLIP):
                continue
            mention = self.book.mention(text, *one)
            near = [one for one in mention.choices if self._is_near(said, one)]
            if not mention.is_known and near:
                return "unknown_company", one, near
        return None

    def _spans(self, start: int, end: int) -> list[tuple[int, int]]:
        """The run, and of Chinese the run with up to two characters beside it, longest first."""
        text = self.lattice.text
        end = start + len(text[start:end].rstrip())
        if not text[start:end] or not all(map(is_cjk, text[start:end])):
            return [(start, end)] if end - start >= _LEAST_EN else []
        found = [
            (start - before, end + behind)
            for before in range(3)
            for behind in range(3)
            if start >= before and all(map(is_cjk, text[start - before : end + behind]))
            and end + behind <= len(text)
        ]  # fmt: skip
        found = [one for one in found if _LEAST_ZH <= one[1] - one[0] <= _LONGEST_NAME]
        return sorted(found, key=lambda one: one[0] - one[1])

    def _no_data(self) -> AskBack | None:
        """Words known as what is not held: 龙头, 上证50."""
        words = [
            self.lattice.text[one.start : one.end]
            for one in self.lattice.has("CONCEPT", "NOFIG")
            if not self.lattice.unread
        ]
        if not words:
            return None
        firms = self._firms() if not self.lattice.has("METRIC") else []
        offered = self.told or (about(self.language, firms[0]) if firms else ())
        return self._asked("not_held", self._quoted(words), choices=offered)

    def _vague(self) -> AskBack | None:
        """A word that several figures are called: 规模, margin."""
        if self.lattice.has("METRIC") or self.told:
            return None
        for listed in vague_words():
            for word in listed.said:
                at = place_of(self.lattice.text, word)
                if at < 0 or not self._is_alone(at, at + len(word)):
                    continue
                means = listed.means[0 if self.language == "zh" else 1]
                choices = [self._put(at, at + len(word), one) for one in means]
                if found := self._read(choices) or self._read(self._composed(means)):
                    return self._asked("several_meanings", word, choices=found)
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

    def _unread(self) -> AskBack | None:
        words = [self.lattice.text[start:end].strip() for start, end in self.lattice.unread]
        words = [one for one in dict.fromkeys(words) if one]
        if not words:
            return None
        if not self.lattice.has(*_OURS):
            return self._asked("off_topic", choices=EXAMPLES[self.language])
        named = self._quoted(words)
        if self.told:
            return self._asked("no_names", named, choices=self.told)
        firms = self._firms() if not self.lattice.has("METRIC") else []
        return self._asked("unread", named, choices=about(self.language, firms[0]) if firms else ())

    def _bare(self) -> AskBack | None:
        """Every word was read, and something is missing."""
        lattice = self.lattice
        takes = lattice.has("COUNT", "TOP", "BOTTOM", "ORD", "lastplace", "sup")
        figures = lattice.has("METRIC", "several", "indicator", "toolask", "best", "loss", "ratio")
        figures += [one for one in lattice.has("ask") if one.sem in _ASKED_OF]
        firms, sets = self._firms(), lattice.has("SCOPE")
        bounds = [one for one in lattice.has("AMT") if lattice.has("cmp", "postcmp")]
        if lattice.has("follow", "swap", "MORE") and not (self.goes_on or firms or sets):
            return self._asked("of_what_before", choices=EXAMPLES[self.language])
        if figures and (firms or sets):
            return None
        if bounds and not figures:
            return self._which_figure(bounds[0])
        if takes and not figures and not firms:
            return self._asked("what_order", self._said(takes), choices=self._orders())
        if firms and not figures:
            return self._asked("no_figure", firms[0], choices=about(self.language, firms[0]))
        if figures:
            return self._whose(figures)
        if sets and not figures:
            return self._asked("what_order", self._said(sets), choices=self._orders())
        return None

    def _which_figure(self, bound: Token) -> AskBack:
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
        return self._asked("which_figure", said, choices=self._read(choices) or self._read(bare))

    def _whose(self, figures: Sequence[Token]) -> AskBack:
        said = self._said(figures)
        zh, text = self.language == "zh", self.lattice.text
        choices = [f"{one}{'的' if zh else ' '}{text}" for one in FIRM[self.language]]
        names = [
            CATALOGUE[base(str(one.sem))].zh if zh else CATALOGUE[base(str(one.sem))].en
            for one in figures
            if one.cat == "METRIC"
        ]
        many = [f"A股{one}最高的10家" if zh else f"top 10 A-shares by {one}" for one in names]
        return self._asked("whose", said, choices=[*self._read(choices), *self._read(many)][:_MOST])

    def _orders(self) -> list[str]:
        """The question with an order: by each of some figures."""
        zh, text = self.language == "zh", self.lattice.text.rstrip(" ?？。.")
        names = _ORDERED[0 if zh else 1]
        said = [f"{text}，按{one}从高到低" if zh else f"{text} by {one}" for one in names]
        if found := self._read(said):
            return found
        count = next((one.sem for one in self.lattice.has("TOP", "COUNT")), 10)
        sets = self.lattice.has("SCOPE")
        scope = text[sets[0].start : sets[0].end] if sets else ("A股" if zh else "A-shares")
        made = [
            f"{scope}{one}最高的{count}家" if zh else f"top {count} {scope} by {one}"
            for one in names
        ]
        return self._read(made)

    def _shapeless(self) -> AskBack:
        """Every word read, and no question made of them: what was read is said."""
        if not self._words():
            return self._asked("off_topic", choices=EXAMPLES[self.language])
        return self._asked("no_shape", self._quoted(self._words()))

    # -- what they are made of

    def _asked(self, kind: str, *said: str, choices: Sequence[str] = ()) -> AskBack:
        back = asked(self.language, kind, *said, choices=choices).ask_back
        return (
            back if choices or kind in _WITH_EXAMPLES else back.model_copy(update={"choices": ()})
        )

    def _read(self, texts: Sequence[str]) -> list[str]:
        return [one for one in dict.fromkeys(texts) if self.can_read(one)][:_MOST]

    def _put(self, start: int, end: int, said: str) -> str:
        text = self.lattice.text
        return f"{text[:start]}{said}{text[end:]}"

    def _with(self, start: int, end: int, symbol: str) -> str:
        return self._put(start, end, self.book.called(symbol, self.language))

    def _about(self, symbols: Sequence[str]) -> list[str]:
        names = [self.book.called(one, self.language) for one in symbols]
        return [about(self.language, one)[0] for one in names]

    def _composed(self, figures: Sequence[str]) -> list[str]:
        """Each figure of the company or the set that was said."""
        firms, sets = self._firms(), self.lattice.has("SCOPE")
        zh = self.language == "zh"
        if firms:
            joined = ("、" if zh else ", ").join(firms)
            return [f"{joined}的{one}" if zh else f"{joined} {one}" for one in figures]
        if self.goes_on:
            return [f"按{one}从高到低排" if zh else f"sort by {one}" for one in figures]
        text = self.lattice.text
        scope = text[sets[0].start : sets[0].end] if sets else ("A股" if zh else "A-shares")
        return [f"{scope}{one}最高的10家" if zh else f"top 10 {scope} by {one}" for one in figures]

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

    def _is_near(self, said: str, symbol: str) -> bool:
        row = self.book.row(symbol)
        names = [row.name, *row.old_names, row.english_name or ""]
        least = _ALIKE_ZH if is_cjk(said[0]) else _ALIKE_EN
        return any(
            abs(len(one) - len(said)) <= 1
            and difflib.SequenceMatcher(None, said, spelled_for_questions(one)).ratio() >= least
            for one in names
        )

    def _said(self, tokens: Sequence[Token]) -> str:
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

    def _quoted(self, words: Sequence[str]) -> str:
        if self.language == "zh":
            return "、".join(f"「{one}」" for one in words)
        return ", ".join(f"“{one}”" for one in words)


_WITH_EXAMPLES = frozenset({"off_topic", "other_subject", "of_what_before", "advice", "prediction",
                            "inside", "order", "fair_value"})  # fmt: skip
