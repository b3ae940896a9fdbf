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
from typing import Literal

from services.core.claims import Claim
from services.core.errors import InputError
from services.core.indexes import INDEXES
from services.core.symbols import Symbol
from services.grounding.figure_senses import METRIC_WORDS, SENSES, TURN_WORDS, Sense
from services.grounding.periods import TextTime, read_time_at
from services.grounding.words import COMPANIES, DISCOURSE, HEDGES, NO_COMPANY
from services.language.lexicon import Lexicon
from services.language.numbers import Number, number_at
from services.language.numerals import NUMERALS
from services.language.plain_text import Plain, is_cjk, spelled
from services.language.word_lists import NO_FIGURES

TokenKind = Literal["entity", "metric", "period", "number", "place", "skip", "turn"]
MARKS: Mapping[TokenKind, str] = {
    "entity": "\ue000", "metric": "\ue001", "period": "\ue002", "number": "\ue003",
    "place": "\ue004", "skip": "\ue005", "turn": "\ue006",
}  # fmt: skip
UNKNOWN = "?"  # the symbol of a company that no claim is about
FORMER, LATTER = "<former>", "<latter>"
_PRONOUNS: Mapping[str, str] = {
    "前者": FORMER,
    "the former": FORMER,
    "后者": LATTER,
    "the latter": LATTER,
}


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


class NameLexicon:
    """Every spelling under which a text may name the companies given, and those it may not."""

    def __init__(self, names: Mapping[str, Sequence[str]], symbols: Sequence[str]) -> None:
        """`symbols` are those of the claims: their codes are names even where none is given."""
        own: dict[str, str] = {}
        listed = [one for one in dict.fromkeys((*names, *symbols)) if is_company(one)]
        for symbol in listed:
            for name in (
                *names.get(symbol, ()),
                *(INDEXES[symbol].called if symbol in INDEXES else ()),
                *_code_spellings(symbol),
            ):
                key = spelled(name)
                if _may_name(key):
                    own[key] = UNKNOWN if own.get(key, symbol) != symbol else symbol
        words = dict.fromkeys(_strangers(names, listed), UNKNOWN) | dict(_PRONOUNS)
        self._lexicon = Lexicon(words | own)
        self.given = frozenset(listed)

    def at(self, text: str, place: int) -> tuple[int, str] | None:
        """The end and symbol of the longest name there, or of a code that is nobody's here."""
        named = self._lexicon.at(text, place)
        for end, symbol in self._lexicon.cut_short(text, place):
            if (not named or end > named[0]) and METRIC_WORDS.at(text, end, begins=True):
                named = end, symbol
        code = _CODE.match(text, place)
        if code and not _touches_latin(text, place) and (not named or code.end() > named[0]):
            return code.end(), UNKNOWN
        return named


def is_company(symbol: str) -> bool:
    """Whether a text can name it: macro:pmi, CN and CN:银行 are no company or index."""
    return symbol not in {"CN", "HK", "US"} and bool(_code_spellings(symbol) or symbol in INDEXES)


def _strangers(names: Mapping[str, Sequence[str]], listed: Sequence[str]) -> list[str]:
    """Well-known names, in the scripts in which every company here has a name given.

    Without one, such a name may be its own.
    """
    given = [[spelled(name) for name in names.get(one, ())] for one in listed if one not in INDEXES]
    chinese = all(any(is_cjk(name[0]) for name in one if name) for one in given)
    latin = all(any(name[0].isalpha() and name.isascii() for name in one if name) for one in given)
    return [name for name in COMPANIES if (chinese if is_cjk(name[0]) else latin)]


_CODE = re.compile(
    r"(?:(?:sh|sz|bj)\.?\d{6}|\d{6}\.(?:sh|ss|sz|bj)|hk\.?\d{4,5}|\d{1,5}\.hk"
    r"|(?:60[0135]|68[89]|00[0123]|30[012]|43\d|83\d|87\d|920)\d{3})(?![\da-z%]|\.\d|,\d{3})"
    r"(?!\s?[万亿元倍股点手家个次名港美%])"
)


def _touches_latin(text: str, place: int) -> bool:
    return (
        place > 0
        and text[place - 1].isascii()
        and (text[place - 1].isalnum() or text[place - 1] in "¥$.")
    )


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _may_name(name: str) -> bool:
    """No name is a mere number, or a single character: it would hide figures."""
    bare = name.replace(",", "").replace(".", "")
    if bare.isdigit():
        return len(bare) == 6 or (len(bare) == 5 and bare.startswith("0"))
    if len(name) < 2 or METRIC_WORDS.at(name, 0) == (len(name), SENSES.get(name)):
        return False
    return not all(char in NUMERALS for char in name) or not set(name) & set("十百千万亿")


def _code_spellings(symbol: str) -> list[str]:
    try:
        known = Symbol.parse(symbol)
    except InputError:
        return []  # macro:pmi, CN:银行: no company, so nothing a text could call by name
    code, exchange = known.code, known.exchange
    if exchange == "HK":
        short = code.lstrip("0")
        bare = [code] if code.startswith("0") else []
        return [
            f"{code}.HK",
            *bare,
            f"{short.zfill(4)}.HK",
            f"{short}.HK",
            f"HK{code}",
            f"HK.{code}",
        ]
    if exchange == "US":
        return [symbol, f"{code}.US"] if len(code) > 1 else []
    spellings = [f"{code}.{exchange}", f"{exchange}{code}", f"{exchange}.{code}"]
    if exchange == "SH":
        spellings.append(f"{code}.SS")
    return spellings if known.is_index else [*spellings, code]


_STRANGER = re.compile(
    r"([A-Z](?:[A-Za-z&\-]|\.(?=\w)){1,24}(?: (?:[A-Z][A-Za-z&\-]{0,24}|of|and)){0,4}?)"
    r"(?='s\b|s'\s| (?:trades?|traded|trading|reported|reports|posted|posts|has|had|earned|earns|"
    r"closed|closes|recorded|booked|saw|grew|fell|rose|generated|generates|carries|carried|made|lost|gained|"
    r"dropped|is valued|was valued|is trading|ended|finished|delivered|achieved|stood|with a|at a|"
    r"P/E|PE|ROE|revenues?|net|market|EPS|P/B|PB)\b|, with\b)"
)
_OWNER = re.compile(r"([A-Z](?:[A-Za-z&\-]|\.(?=\w)){2,24}(?: [A-Z][A-Za-z&\-]{0,24}){0,4})")
_SHAPED = re.compile(
    r"(?![该本其此这那各])[一-鿿]{2,4}?(?:股份|集团|科技|银行|证券|控股|实业|重工|机电|电子|医药|药业|生物|"
    r"能源|电力|新材|精密|光电|光学|机械|装备|动力|环保|水泥|煤业|矿业|锂业|稀土|牧业|乳业|饮料|啤酒|家居|服饰|纺织|"
    r"航空|物流|快递|影业|影视|旅游|酒店|医疗|制药|基因|信息|智能|半导体|汽车|食品|酒业|酒厂|地产|置业|保险|国际|电器|电气|通信|软件|网络|传媒|化工|化学|钢铁|材料)"
    r"(?!行业|板块|同行|同业|产业|领域|业务|市场|公司|企业|股|指数|类|等|与|和|及|业|制造|设备|支付|消费|用户|行情|"
    r"景气|需求|价格|赛道|龙头|周期|方面)"
)
_NOTHING_WORDS = Lexicon({spelled(word): word for word in HEDGES})
_IDIOM_WORDS = Lexicon(NO_FIGURES)
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
        found = [*self._companies_at(at), *self._talk_at(at)]
        text = self._text
        if sense := METRIC_WORDS.at(text, at, begins=at == self._done):
            found.append(TextToken("metric", at, sense[0], sense=sense[1]))
        glued = at != self._done and _touches_latin(text, at) and _is_latin(text[at])
        said = None if glued else read_time_at(text, at, self._today)
        if said is not None:
            found.append(TextToken("period", at, said.end, said=said))
        turn = TURN_WORDS.at(text, at)
        if turn and text[at] in "较比" and text[turn[0] : turn[0] + 1] == "的":
            found.append(TextToken("period", at, turn[0], said=TextTime(at, turn[0], "base")))
        elif turn:
            found.append(TextToken("turn", at, turn[0], turn=turn[1]))
        if number := number_at(text, at):
            found.append(TextToken("number", number.start, number.end, number=number))
        if not found:
            return None
        best = max(found, key=lambda token: token.end)
        if (article := _ARTICLE.match(text, at)) and (name := METRIC_WORDS.at(text, article.end())):
            return best if best.end >= name[0] else None  # the one-year LPR is not the one
        hedge = _NOTHING_WORDS.at(text, at)
        return None if hedge and best.kind == "metric" and hedge[0] >= best.end else best

    def _companies_at(self, at: int) -> list[TextToken]:
        if name := self._names.at(self._text, at):
            return [TextToken("entity", at, name[0], symbol=name[1])]
        stranger = self._stranger_at(at) or self._find_name_shape(at)
        return [TextToken("entity", at, stranger, symbol=UNKNOWN)] if stranger else []

    def _talk_at(self, at: int) -> list[TextToken]:
        """Words that hold a numeral and assert no figure."""
        ends: list[int] = []
        if idiom := _IDIOM_WORDS.at(self._text, at):
            ends.append(idiom[0])
        if self._text[at] in _TALK_STARTS and (talk := DISCOURSE.match(self._text, at)):
            ends.append(talk.end())
        return [TextToken("skip", at, end) for end in ends]

    def _find_name_shape(self, at: int) -> int | None:
        """The end of what looks like a company at the head of a sentence (长风机电，…)."""
        if at and self._text[at - 1] not in "。!?;:(|\n# *-":
            return None
        match = _SHAPED.match(self._text, at)
        if match is None or any(self._names.at(self._text, i) for i in range(*match.span())):
            return None
        return match.end()

    def _is_owned(self, at: int) -> bool:
        """The closing price of …: what follows is a company."""
        last = self._tokens[-1] if self._tokens else None
        if last is None or last.kind not in {"metric", "turn"}:
            return False
        return self._text[last.end : at] in {" of ", " for "}

    def _stranger_at(self, at: int) -> int | None:
        """The end of a capitalised name that does something only companies do (Halden Corp's …)."""
        cased = self._plain.cased
        if not cased[at].isupper() or (at and cased[at - 1].isalnum()):
            return None
        match = (_OWNER if self._is_owned(at) else _STRANGER).match(cased, at)
        if match is None or match[1].split()[0].lower() in NO_COMPANY:
            return None
        if METRIC_WORDS.at(self._text, at) or _IDIOM_WORDS.at(self._text, at):
            return None
        if any(self._names.at(self._text, i) for i in range(*match.span(1))):
            return None
        return match.end(1)

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
