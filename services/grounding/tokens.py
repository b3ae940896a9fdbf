"""A text cut into what was recognised in it: companies, names of figures, times, numbers, places.

`shadow` is the text with one private character for each character recognised, by kind, so that
what stands around a figure can be read with plain patterns.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Literal, cast

from services.core.claims import Claim
from services.grounding.company_names import FORMER, LATTER, UNKNOWN, NameLexicon, touches_latin
from services.grounding.figure_senses import SENSES, TEXT_WORDS, Sense
from services.grounding.period_words import TextTime
from services.grounding.periods import read_time_at
from services.grounding.words import DISCOURSE
from services.language.lattice import Token
from services.language.lexicon import is_latin, is_whole
from services.language.numbers import Number, number_at
from services.language.numerals import NUMERALS
from services.language.plain_text import Plain

TokenKind = Literal["entity", "metric", "period", "number", "place", "skip", "turn", "hedge"]
MARKS: Mapping[TokenKind, str] = {
    "entity": "\ue000", "metric": "\ue001", "period": "\ue002", "number": "\ue003",
    "place": "\ue004", "skip": "\ue005", "turn": "\ue006",
}  # fmt: skip
# Of two readings as long as each other the one that stands later here is taken.
_OF_TWO_AS_LONG: Sequence[TokenKind] = (
    "number", "turn", "period", "metric", "hedge", "skip", "entity",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A figure that we printed: its claim, and where it stands in the shown text."""

    claim: Claim
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextToken:
    """One thing recognised; only the field of its kind is set."""

    kind: TokenKind
    start: int
    end: int
    symbol: str = ""
    sense: Sense | None = None
    said: TextTime | None = None
    number: Number | None = None
    place: Place | None = None
    turn: str = ""


@dataclass(frozen=True, slots=True)
class CutText:
    """The tokens in order, the shadow, and the places of digits that belong to none of them."""

    plain: Plain
    tokens: tuple[TextToken, ...]
    shadow: str
    loose: tuple[tuple[int, int], ...]


_MARKER = re.compile(r"\[e?(\d{1,3})(?:[,、] ?e?\d{1,3})*\](?![%\d倍万亿元个家股点])")
# What a name of a figure may begin behind.
_ARTICLE = re.compile("(?:the|its) ")
_TALK_STARTS = frozenset("0123456789以如上这第") | NUMERALS


class Cutter:
    """Cuts one text, left to right; the longest thing known wins."""

    def __init__(
        self, text: Plain, names: NameLexicon, places: Sequence[Place], today: date | None
    ) -> None:
        """`places` in the order of the shown text."""
        self._plain, self._text = text, text.text
        self._names, self._today = names, today
        self._tokens: list[TextToken] = []
        self._loose: list[tuple[int, int]] = []
        self._done = 0
        self._places = {
            bisect_left(text.origin, place.start): (place, bisect_left(text.origin, place.end))
            for place in places
        }

    def cut(self, exempt: Sequence[tuple[int, int]], markers: int) -> CutText:
        """`exempt`: spans that assert nothing (indices, quotes). [n] counts up to `markers`."""
        skips = dict(exempt)
        starts = sorted(self._places)
        at = 0
        while at < len(self._text):
            at = self._next(at, skips, markers, starts)
        return self._finish_cut()

    def _next(self, at: int, skips: Mapping[int, int], markers: int, starts: Sequence[int]) -> int:
        if at in self._places:
            place, end = self._places[at]
            if end > at:
                return self._take(TextToken("place", at, end, place=place))
        if at in skips:
            return self._take(TextToken("skip", at, skips[at]))
        following = bisect_left(starts, at + 1)
        limit = starts[following] if following < len(starts) else len(self._text)
        marker = _MARKER.match(self._text, at) if self._text[at] == "[" else None
        if marker and 0 < int(marker[1]) <= markers:
            return self._take(TextToken("skip", at, marker.end()))
        token = self._longest(at)
        if token is not None and token.end <= max(limit, at + 1):
            return self._take(token)
        if self._text[at] in NUMERALS or self._text[at].isdigit():
            self._loose.append((at, at + 1))
        return at + 1

    def _take(self, token: TextToken) -> int:
        if token.number is not None:
            token = self._behind_last(token, token.number)
        if token.kind != "skip" or token.end > token.start:
            self._tokens.append(token)
        self._done = token.end
        return token.end

    def _behind_last(self, token: TextToken, number: Number) -> TextToken:
        """A figure begins behind the last thing; between two figures a minus is a dash."""
        start = max(token.start, self._done)
        joined = self._tokens and self._tokens[-1].number is not None and start == self._done
        if joined and number.sign < 0 and self._text[start] == "-":
            return replace(token, start=start + 1, number=replace(number, sign=0))
        return replace(token, start=start)

    def _longest(self, at: int) -> TextToken | None:
        text = self._text
        begins = at == self._done
        words = [
            one
            for one in TEXT_WORDS.tokens_at(text, at, begins=begins)
            if not begins or one.cat == "metric" or is_whole(text, at, one.end)
        ]
        found = [*self._companies_at(at), *self._talk_at(at), *map(self._as_token, words)]
        glued = at != self._done and touches_latin(text, at) and is_latin(text[at])
        said = None if glued else read_time_at(text, at, self._today)
        if said is not None:
            found.append(TextToken("period", at, said.end, said=said))
        if number := number_at(text, at):
            found.append(TextToken("number", number.start, number.end, number=number))
        if not found:
            return None
        best = max(found, key=lambda token: (token.end, _OF_TWO_AS_LONG.index(token.kind)))
        if article := _ARTICLE.match(text, at):
            name = TEXT_WORDS.longest_at(text, article.end(), "metric")
            return best if not name or best.end >= name.end else None  # the one-year LPR
        return None if best.kind == "hedge" else best

    def _as_token(self, word: Token) -> TextToken:
        at, end = word.start, word.end
        if word.cat == "metric":
            return TextToken("metric", at, end, sense=cast("Sense", word.sem))
        if word.cat != "turn":
            return TextToken("hedge" if word.cat == "hedge" else "skip", at, end)
        if self._text[at] in "较比" and self._text[end : end + 1] == "的":
            return TextToken("period", at, end, said=TextTime(at, end, "base"))
        return TextToken("turn", at, end, turn=cast("str", word.sem))

    def _companies_at(self, at: int) -> list[TextToken]:
        name = self._names.at(self._text, at)
        if name is None:
            name = self._names.stranger_at(self._plain, at, is_owned=lambda: self._is_owned(at))
        return [TextToken("entity", at, name[0], symbol=name[1])] if name else []

    def _talk_at(self, at: int) -> list[TextToken]:
        """Numbered talk of a text about itself, which asserts no figure."""
        talk = DISCOURSE.match(self._text, at) if self._text[at] in _TALK_STARTS else None
        return [TextToken("skip", at, talk.end())] if talk else []

    def _is_owned(self, at: int) -> bool:
        """The closing price of …: what follows is a company."""
        last = self._tokens[-1] if self._tokens else None
        if last is None or last.kind not in {"metric", "turn"}:
            return False
        return self._text[last.end : at] in {" of ", " for "}

    def _finish_cut(self) -> CutText:
        shadow = list(self._text)
        for token in self._tokens:
            shadow[token.start : token.end] = MARKS[token.kind] * (token.end - token.start)
        tokens = _as_multiples(_distribute_unit(self._tokens, "".join(shadow)), "".join(shadow))
        loose = [*self._loose, *((odd, odd + 1) for odd in self._plain.odd)]
        return CutText(
            self._plain, tuple(_resolve_pronouns(tokens)), "".join(shadow), tuple(sorted(loose))
        )


_JOINS = frozenset({"/", "、", "-", "~", "—", "至", "到", " to ", "/ "})


def _distribute_unit(tokens: Sequence[TextToken], shadow: str) -> list[TextToken]:
    """20.5/18.6/17.1倍: the last unit is that of every bare number joined before it."""
    given = list(tokens)
    for at in range(len(given) - 2, -1, -1):
        here, behind = given[at].number, given[at + 1].number
        if here is None or behind is None or not here.is_bare or behind.is_bare:
            continue
        if shadow[given[at].end : given[at + 1].start] not in _JOINS or behind.kind == "vague":
            continue
        factor = behind.scale * (Decimal("0.01") if behind.unit in {"bp", "基点", "个基点"} else 1)
        number = replace(
            here, value=here.value * factor, ulp=here.ulp * factor, kind=behind.kind,
            unit=behind.unit, scale=behind.scale, currency=here.currency or behind.currency,
        )  # fmt: skip
        given[at] = replace(given[at], number=number)
    return given


_MULTIPLES = {"earnings": "p/e", "sales": "p/s"}
_AT_TIMES = re.compile(r" (?:its |trailing |ttm |\ue002+ ?)*")


def _as_multiples(tokens: Sequence[TextToken], shadow: str) -> list[TextToken]:
    """31.51 times trailing earnings speaks of the P/E, also to what follows."""
    made: list[TextToken] = []
    figure: TextToken | None = None
    for token in tokens:
        if token.number is not None:
            figure = token
        name = _MULTIPLES.get(token.sense.name) if token.sense is not None else None
        number = figure.number if figure is not None else None
        is_multiple = name is not None and number is not None and number.kind == "multiple"
        if is_multiple and figure and _AT_TIMES.fullmatch(shadow, figure.end, token.start):
            made.append(replace(token, sense=SENSES[name or ""]))
        else:
            made.append(token)
    return made


def _resolve_pronouns(tokens: Sequence[TextToken]) -> list[TextToken]:
    """前者 and 后者 as the two companies named last before them."""
    seen: list[str] = []
    made: list[TextToken] = []
    for token in tokens:
        symbol = token.symbol
        if symbol in {FORMER, LATTER}:
            pair = seen[-2:] if len(seen) > 1 else [UNKNOWN, UNKNOWN]
            symbol = pair[0] if symbol == FORMER else pair[1]
        elif symbol:
            if symbol in seen:
                seen.remove(symbol)
            seen.append(symbol)
        made.append(replace(token, symbol=symbol) if symbol != token.symbol else token)
    return made
