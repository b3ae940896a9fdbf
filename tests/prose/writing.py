"""A style filled with real claims: the text, and what each piece of it says.

Slots: who, code, what, bare, when, year, fig, bareno, abs, loose, more, wan, yuan, move, went,
place and quote; a key is `[b.]metric[@n]`, n years or sessions back. The pieces are kept so that
lies.py knows what it spoils.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from services.core.claims import Claim, CompetenceCite, ToolCite, claim_id
from services.core.periods import is_report
from services.core.rendering import place
from services.core.text import Language
from tests.prose.figures import ONE, WAN, YI, Written, loosely, write
from tests.prose.market import Bag, Market, join
from tests.prose.styles import Style
from tests.prose.words import (
    BARE,
    DOWN,
    UP,
    WENT_DOWN,
    WENT_UP,
    day_words,
    metric_words,
    period_words,
    pick,
)

SLOT = re.compile(r"\{(\w+)(?::([^{}:]+))?(?::([^{}:]+))?\}")
EITHER = re.compile(r"<([^<>{}|]*(?:\|[^<>{}|]*)+)>")
HEADLINES = (
    "{name}回应传闻：上半年订单增长30%",
    "券商看好{name}，目标价上调至188元",
    "{name}拟投资50亿元扩产",
    "外媒：{name}三季度销量或达12万",
)
ENGLISH_HEADLINES = ("Orders up 30% in half a year, says rumour", "Broker sees shares at 188")
ENGLISH_NAMES: Mapping[str, str] = {
    "600519.SH": "Kweichow Moutai",
    "000858.SZ": "Wuliangye",
    "002594.SZ": "BYD",
    "600036.SH": "China Merchants Bank",
    "601318.SH": "Ping An Insurance",
    "601398.SH": "ICBC",
    "601766.SH": "CRRC",
    "000002.SZ": "Vanke",
    "00700.HK": "Tencent",
    "02333.HK": "Great Wall Motor",
    "000651.SZ": "Gree Electric",
    "000333.SZ": "Midea Group",
    "600104.SH": "SAIC Motor",
    "AAPL": "Apple",
    "TSLA": "Tesla",
    "FB": "Facebook",
    "GOOG": "Google",
    "600085.SH": "Tong Ren Tang",
    "600809.SH": "Shanxi Fenjiu",
    "00656.HK": "Fosun International",
    "03888.HK": "Kingsoft",
    "03333.HK": "Evergrande",
    "00005.HK": "HSBC",
    "00941.HK": "China Mobile",
    "01299.HK": "AIA",
}


@dataclass(frozen=True)
class Part:
    """A piece of a text; `kind` text | who | code | what | when | way | fig | place | quote."""

    kind: str
    text: str
    claim: Claim | None = None
    symbol: str | None = None
    figure: Written | None = None


@dataclass(frozen=True)
class Prose:
    """A text with all it may lean on. `kind` says how a lie was told; None for an honest text."""

    style: str
    language: Language
    parts: tuple[Part, ...]
    claims: tuple[Claim, ...]
    names: Mapping[str, Sequence[str]]
    default_symbol: str | None = None
    quotes: tuple[str, ...] = ()
    kind: str | None = None

    @property
    def template(self) -> str:
        return "".join(part.text for part in self.parts)

    def places(self, kind: str) -> list[int]:
        return [at for at, part in enumerate(self.parts) if part.kind == kind]

    def changed(self, kind: str, changes: Mapping[int, str]) -> "Prose":
        """The same with other words at those places."""
        parts = tuple(
            replace(part, text=changes[at]) if at in changes else part
            for at, part in enumerate(self.parts)
        )
        return replace(self, parts=parts, kind=kind)

    def with_more(self, kind: str, before: str = "", after: str = "") -> "Prose":
        """The same with more text around it."""
        parts = (Part("text", before), *self.parts, Part("text", after))
        return replace(self, parts=parts, kind=kind)


class Unfit(Exception):  # noqa: N818 — an answer, not a fault
    """These companies have not what the style needs."""


class Page:
    """One text being written."""

    def __init__(self, market: Market, style: Style, bags: Sequence[Bag], rng: random.Random):
        self.market, self.style, self.rng = market, style, rng
        self.language: Language = "zh" if style.name.startswith("zh") else "en"
        self.bags = bags
        self.symbols = self._symbols()
        self.parts: list[Part] = []
        self.words: dict[str, str] = {}
        self.day = None
        self.used: set[str] = set()
        self.quotes: tuple[str, ...] = ()
        self.extra: list[Claim] = []
        self.years: dict[tuple[str, str], str] = {}

    def _symbols(self) -> dict[str, str]:
        found = [symbol for bag in self.bags for symbol in bag.symbols]
        return dict(zip("abcdefgh", dict.fromkeys(found), strict=False))

    def claim(self, key: str) -> Claim:
        """The claim a key means. Raises: Unfit."""
        name, _, back = key.partition("@")
        owner, dot, metric = name.rpartition(".")
        symbol = self.symbols.get(owner or "a", owner if dot else "")
        found = [c for bag in self.bags for c in bag.of(symbol, metric)]
        if self.day is not None:
            found = [claim for claim in found if claim.as_of == self.day]
        found = _series(found)
        if len(found) <= int(back or 0):
            raise Unfit(key)
        claim = found[int(back or 0)]
        if is_report(claim.period):  # one word for the period of several figures
            year = self.years.setdefault((symbol, back), claim.period or "")
            if year != claim.period:
                raise Unfit(key)
        return claim

    def write(self) -> Prose:
        """The whole text. Raises: Unfit."""
        default = self._meets()
        text = EITHER.sub(lambda m: self.rng.choice(m.group(1).split("|")), self.style.text)
        at = 0
        for slot in SLOT.finditer(text):
            self._add("text", text[at : slot.start()])
            self._slot(slot.group(1), slot.group(2) or "", slot.group(3) or "")
            at = slot.end()
        self._add("text", text[at:])
        symbols = [s for s in self.symbols.values() if s in self.used or default]
        return Prose(
            self.style.name,
            self.language,
            tuple(self.parts),
            join(*(bag.claims for bag in self.bags), self.extra),
            self._names(symbols or [self.symbols["a"]]),
            self.symbols["a"] if default or self.rng.random() < 0.3 else None,
            self.quotes,
        )

    def _names(self, symbols: Sequence[str]) -> dict[str, tuple[str, ...]]:
        names = self.market.names(symbols)
        if any(bag.of("CN", "company_count") for bag in self.bags):
            names["CN"] = ("A股", "A shares", "沪深A股")
        for symbol in symbols:
            if symbol in ENGLISH_NAMES:
                names[symbol] = (*names[symbol], ENGLISH_NAMES[symbol])
        return names

    def _add(self, kind: str, text: str, **more: object) -> None:
        if not text:
            return
        before = self.parts[-1].text[-1:] if self.parts else ""
        if all(char.isascii() and char.isalpha() for char in (before, text[0])) and before:
            self.parts.append(Part("text", " "))  # 万科A FY2016, not 万科AFY2016
        self.parts.append(Part(kind, text, **more))  # type: ignore[arg-type]

    def _meets(self) -> bool:
        default = False
        for need in self.style.needs.split():
            name, _, rest = need.partition(":")
            if name == "default":
                default = True
            elif name == "sameday":
                self._choose_day()
            elif name == "quote":
                name = self.market.name(self.symbols["a"])
                headlines = HEADLINES if self.language == "zh" else ENGLISH_HEADLINES
                self.quotes = (self.rng.choice(headlines).format(name=name),)
            elif name == "rule":
                self.extra += _rsi_rule(self.claim("rsi"))
            elif not _CONDITIONS.get(name, lambda *_: True)(self, *rest.split(",")):
                raise Unfit(need)
        return default

    def _choose_day(self) -> None:
        keys = {slot.group(2) for slot in SLOT.finditer(self.style.text) if slot.group(2)}
        days = [
            {
                claim.as_of
                for bag in self.bags
                for claim in bag.of(self.symbols["a"], key)
                if key != "close" or isinstance(claim.cite, ToolCite)
            }
            for key in keys
        ]
        common = sorted(set.intersection(*days)) if days else []
        if not common:
            raise Unfit("one day")
        self.day = self.rng.choice(common)

    def _slot(self, name: str, key: str, option: str) -> None:
        if name in {"who", "code"}:
            symbol = self.symbols.get(key or "a")
            if symbol is None:
                raise Unfit(key)
            self.used.add(symbol)
            said = self._called(symbol) if name == "who" else self._code(symbol)
            self._add(name, said, symbol=symbol)
        elif name == "quote":
            self._add("quote", self.quotes[0])
        else:
            _SLOTS[name](self, self.claim(key), option)

    def _called(self, symbol: str) -> str:
        if symbol not in self.words:
            names = [w for w in self.market.names([symbol])[symbol] if len(w) < 9]
            name = self.market.name(symbol)
            if self.language == "en":
                self.words[symbol] = ENGLISH_NAMES.get(symbol, name)
            else:
                zh = [w for w in names if not w.isascii()] or [name]
                self.words[symbol] = self.rng.choice((name, name, name, *zh))
        return self.words[symbol]

    def _code(self, symbol: str) -> str:
        number, _, exchange = symbol.partition(".")
        spellings = (symbol, symbol, number, exchange + number) if exchange else (symbol,)
        return self.rng.choice(spellings)

    def what(self, claim: Claim, option: str) -> None:
        words = metric_words(claim.metric, self.language)
        if f"{claim.metric}" not in self.words:
            self.words[claim.metric] = pick(self.rng, words)
        self._add("what", self.words[claim.metric], claim=claim)

    def bare(self, claim: Claim, option: str) -> None:
        self._add("what", self.rng.choice(BARE[self.language][claim.metric]), claim=claim)

    def when(self, claim: Claim, option: str) -> None:
        words = period_words if is_report(claim.period) else None
        said = words(claim, self.language) if words else day_words(claim.as_of, self.language)
        self._add("when", pick(self.rng, said), claim=claim)

    def year(self, claim: Claim, option: str) -> None:
        self._add("when", (claim.period or "")[:4], claim=claim)

    def fig(self, claim: Claim, option: str) -> None:
        word = {"YI": "亿"}.get(option)
        written = write(claim, self.language, self.rng, word=word)
        self._fig(written(plus=option == "plus", commas=written.commas and word is None))

    def bareno(self, claim: Claim, option: str) -> None:
        word = {"YI": "亿"}.get(option)
        written = write(claim, self.language, self.rng, word=word)
        self._fig(written(tail="", head="", commas=False))

    def barecount(self, claim: Claim, option: str) -> None:
        self._fig(write(claim, self.language, self.rng)(tail=""))

    def size(self, claim: Claim, option: str) -> None:
        self._fig(write(claim, self.language, self.rng, size=True))

    def loose(self, claim: Claim, option: str) -> None:
        self._fig(
            loosely(write(claim, self.language, self.rng, size=True), self.rng, self.language)
        )

    def more(self, claim: Claim, option: str) -> None:
        value = Decimal(repr(claim.value)) / YI
        if value < 10:
            raise Unfit("small")
        step = Decimal(10) ** (value.adjusted() - 1)
        floor = value // step * step
        tail = {"CNY": "亿元", "HKD": "亿港元", "USD": "亿美元"}[claim.unit]
        if floor < 100 or floor == value:
            raise Unfit("round")
        word = self.rng.choice(("余", "多"))
        self._fig(Written(claim, floor, 0, YI, "", word + tail, approx=True))

    def wan(self, claim: Claim, option: str) -> None:
        self._forced(claim, WAN, "万")

    def yuan(self, claim: Claim, option: str) -> None:
        self._forced(claim, ONE, "")

    def _forced(self, claim: Claim, scale: Decimal, word: str) -> None:
        unit = {"CNY": "元", "HKD": "港元", "USD": "美元"}[claim.unit]
        value = Decimal(repr(claim.value)) / scale
        written = Written(claim, value.quantize(ONE), 0, scale, "", word + unit, commas=True)
        self._fig(written)

    def move(self, claim: Claim, option: str) -> None:
        words = UP if claim.value > 0 else DOWN
        plain = [word for word in words[self.language] if not word.startswith("同比")]
        self._moved(claim, plain)

    def went(self, claim: Claim, option: str) -> None:
        self._moved(claim, list(WENT_UP if claim.value > 0 else WENT_DOWN))

    def jump(self, claim: Claim, option: str) -> None:
        self._moved(claim, ["高开"] if claim.value > 0 else ["低开"])

    def _moved(self, claim: Claim, words: Sequence[str]) -> None:
        if abs(claim.value) < 0.1:
            raise Unfit("flat")
        gap = " " if self.language == "en" else ""
        self._add("way", self.rng.choice(list(words)) + gap, claim=claim)
        self.size(claim, "")

    def placed(self, claim: Claim, option: str) -> None:
        self._add("place", place(claim), claim=claim)

    def _fig(self, written: Written) -> None:
        self._add("fig", written.text, claim=written.claim, figure=written)


_SLOTS: Mapping[str, Callable[[Page, Claim, str], None]] = {
    **{name: getattr(Page, name) for name in ("what", "bare", "when", "year", "fig", "bareno")},
    **{name: getattr(Page, name) for name in ("barecount", "loose", "more", "wan", "yuan")},
    **{name: getattr(Page, name) for name in ("move", "went", "jump")},
    "moved": Page.move,
    "abs": Page.size,
    "place": Page.placed,
}


def _number(page: Page, key: str) -> float:
    return float(key) if re.fullmatch(r"[\d.]+", key) else page.claim(key).value


_CONDITIONS: Mapping[str, Callable[..., bool]] = {
    "pos": lambda page, key: page.claim(key).value > 0,
    "neg": lambda page, key: page.claim(key).value < 0,
    "gt": lambda page, one, other: _number(page, one) > _number(page, other) * 1.02,
    "lt": lambda page, one, other: _number(page, one) * 1.02 < _number(page, other),
    "differ": lambda page, one, other: page.claim(one).value != page.claim(other).value,
    "y3": lambda page, key: min(page.claim(f"{key}@{n}").value for n in range(3)) > 1e8,
    "next": lambda page, key: page.claim(key).as_of.year == page.claim(f"{key}@1").as_of.year + 1,
    "sameyear": lambda page, one, other: page.claim(one).period == page.claim(other).period,
}


def _series(claims: Sequence[Claim]) -> list[Claim]:
    """One claim a period or a day, newest first: reports rather than what price implies."""
    found: dict[object, Claim] = {}
    reports = any(is_report(claim.period) for claim in claims)
    for claim in sorted(claims, key=lambda c: (c.as_of, c.period or ""), reverse=True):
        if reports and not (is_report(claim.period) and claim.period[:4] == str(claim.as_of.year)):  # type: ignore[index]
            continue
        if claim.metric == "close" and not isinstance(claim.cite, ToolCite):
            continue
        found.setdefault(claim.period or claim.as_of, claim)
    return list(found.values())


def _rsi_rule(rsi: Claim) -> list[Claim]:
    cite = CompetenceCite(competence_id="indicator.rsi")
    return [
        Claim(
            claim_id=claim_id(metric, rsi.symbol, rsi.as_of),
            value=value,
            metric=metric,
            symbol=rsi.symbol,
            as_of=rsi.as_of,
            unit="index",
            cite=cite,
        )
        for metric, value in (("rsi_overbought", 70.0), ("rsi_oversold", 30.0))
    ]
