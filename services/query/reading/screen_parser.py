"""A screen as it is said: conditions on figures, an order, how many, which market and industry.

Conditions keep the words of the asker (`低于20倍`, `100亿以上`); signs and English become Chinese.
"""

import re
from collections.abc import Callable, Mapping

from services.core.errors import InputError
from services.core.text import Text
from services.language.numerals import small_number
from services.market.ranges import UNIT_WORDS
from services.query.planning.metadata import Entry, Metadata
from services.query.reading import screen_grammar as grammar
from services.query.reading.amounts_said import (
    check_scale,
    joined,
    number_said,
    pair,
    suffix_of,
)
from services.query.reading.conditions import to_range
from services.query.reading.screening import LAST, Screening
from services.query.reading.sentence import LOSS, PROFIT, Sentence
from services.query.reading.wording import ENGLISH_INDUSTRIES, MARKETS

_CURRENCY_OF: Mapping[str, tuple[str, str]] = {
    "A股": ("人民币", "CNY"),
    "港股": ("港元", "HKD"),
    "美股": ("美元", "USD"),
}
# A condition with these words is of 净利润: 盈利且市盈率最低的.
_PROFIT_WORDS = frozenset({"盈利", "赚钱"})


class ScreenReader:
    """Reads what was said of a screen. Safe to share between threads."""

    def __init__(self, metadata: Metadata) -> None:
        self._metadata = metadata
        self._fields = {
            entry.field: entry for entry in metadata.metrics if entry.field in UNIT_WORDS
        }
        self._keys = {entry.code: key for key, entry in self._fields.items()}

    @property
    def fields(self) -> Mapping[str, Entry]:
        """Every figure that can be screened by, by its field."""
        return self._fields

    def read(self, sentence: Sentence) -> Screening:
        """Everything of a screen in that sentence; `wrong` is set instead of raising."""
        found = Screening(rest=sentence.shadow)
        terms: list[tuple[str, str, str]] = []
        self._read_left_out(found)
        self._read_below_book(sentence, found, terms)
        self._read_top(sentence, found)
        self._read_terms(sentence, found, terms)
        self._settle(found, terms)
        self._read_order(sentence, found)
        self._read_rank(found)
        self._read_size(found)
        self._read_place(found)
        self._read_changed(sentence, found)
        self._check_currency(found, terms)
        if len(found.conditions) > 1 and grammar.EITHER.search(found.rest):
            found.wrong = found.wrong or ("", "either")
        return found

    def checked(self, conditions: Mapping[str, str]) -> None:
        """Raises: InputError when a condition cannot be met or read."""
        for key, said in conditions.items():
            to_range(key, [("", said)])

    def field_of(self, entry: Entry) -> str:
        """The screening field of a figure; empty when it cannot be screened by."""
        return self._keys.get(entry.code, "")

    def entry_of(self, key: str) -> Entry:
        """The figure of a screening field."""
        return self._fields[key]

    def _read_left_out(self, found: Screening) -> None:
        """剔除银行股, 不限行业, 非亏损."""
        if match := grammar.ANY_INDUSTRY.search(found.rest):
            found.any_industry = True
            found.rest = _blank(found.rest, match)
        if match := grammar.NOT_LOSS.search(found.rest):
            found.conditions["netprofit"] = "盈利"
            found.rest = _blank(found.rest, match)
        if match := grammar.EXCLUDED.search(found.rest):
            if match.group("en") and match.group("en") not in ENGLISH_INDUSTRIES:
                return
            found.excluded = match.group("what") or ENGLISH_INDUSTRIES[match.group("en")]
            found.rest = _blank(found.rest, match)

    def _read_below_book(
        self, sentence: Sentence, found: Screening, terms: list[tuple[str, str, str]]
    ) -> None:
        match = grammar.BELOW_BOOK.search(found.rest)
        if match is None or grammar.ANY_COMPANY.search(sentence.shadow):
            return
        if not match["m"] or sentence.figure_at(match["m"]).said.startswith("book"):
            terms.append(("pb", "", "0到1倍"))
            found.rest = _blank(found.rest, match)

    def _read_top(self, sentence: Sentence, found: Screening) -> None:
        """The first of a list with a figure; an order reads it too."""
        if match := grammar.TOP_OF_LIST.search(found.rest):
            found.of_top = sentence.figure_at(match.group("m")).entries[0]

    def _read_rank(self, found: Screening) -> None:
        """A place in a list: 第二名, the second one."""
        match = grammar.PLACE.search(found.rest)
        if match is None or grammar.FORTH.search(found.rest):
            return
        said = match.groupdict()
        if said["one"] or said["last"]:
            found.place = 1 if said["one"] else LAST
        else:
            found.place = grammar.ENGLISH_PLACES.get(said["word"] or "") or small_number(said["n"])
        found.rest = _blank(found.rest, match)

    def _read_terms(
        self, sentence: Sentence, found: Screening, terms: list[tuple[str, str, str]]
    ) -> None:
        found.rest = grammar.PAIR.sub(pair, found.rest)
        readers: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], list[str]]], ...] = (
            (grammar.CHAIN, self._chained),
            (grammar.BETWEEN, self._between),
            (grammar.BOUND, self._bound),
            (grammar.BETWEEN_BEFORE, self._between),
            (grammar.BEFORE, self._bound),
            (grammar.NEGATIVE, lambda _: ["亏损"]),
        )
        for pattern, read in readers:
            at = 0
            while match := pattern.search(found.rest, at):
                at = match.end()
                if pattern is grammar.CHAIN and _is_pair_of_bounds(match):
                    continue
                self._take(sentence, found, terms, match, read(match))
        self._read_unsaid(sentence, found, terms)
        self._read_levels(sentence, found, terms)

    def _take(
        self,
        sentence: Sentence,
        found: Screening,
        terms: list[tuple[str, str, str]],
        match: re.Match[str],
        conditions: list[str],
    ) -> None:
        """The conditions of one match; a figure that cannot be screened by is what is wrong."""
        said = sentence.figure_at(match.group("m"))
        key = self.field_of(said.entries[0])
        if not key:
            found.wrong = found.wrong or (said.entries[0].name, "unscreenable")
        falling = "跌幅" if "跌" in said.said and "涨" not in said.said else ""
        terms += [(key, falling, text) for text in conditions if key]
        found.rest = _blank(found.rest, match)

    def _read_unsaid(
        self, sentence: Sentence, found: Screening, terms: list[tuple[str, str, str]]
    ) -> None:
        """百亿市值的, 涨超5%; and what is only half a condition: 大于, 20倍左右."""
        is_of_company = grammar.ANY_COMPANY.search(sentence.shadow) is not None
        for match in grammar.SIZED.finditer(found.rest):
            key = self.field_of(sentence.figure_at(match.group("m")).entries[0])
            if not is_of_company and UNIT_WORDS.get(key) == "元":
                said = number_said(match.group("num"))
                said += suffix_of(match.group("suffix")) or "以上"
                self._take(sentence, found, terms, match, [said])
        if (match := grammar.MOVED.search(found.rest)) and not is_of_company:
            falling = "跌幅" if match.group("down") else ""
            terms.append(("pct", falling, self._term(match.group("one"))))
            found.rest = _blank(found.rest, match)
        match = grammar.UNFINISHED.search(found.rest)
        if match is not None and not is_of_company:
            name = sentence.figure_at(match.group("m")).entries[0].name
            found.wrong = found.wrong or (name, "unfinished")
            found.half = match.group("half").strip()
            found.rest = _blank(found.rest, match)
        if (match := grammar.VAGUE_BEFORE.search(found.rest)) and not is_of_company:
            mark = match.group("m") or match.group("zero")
            found.wrong = found.wrong or (sentence.figure_at(mark).entries[0].name, "vague")
            found.rest = _blank(found.rest, match)
        if (match := grammar.VAGUE.search(found.rest)) and not is_of_company:
            name = sentence.figure_at(match.group("m")).entries[0].name
            if match.group("few") or (match.group("num") and (match["near"] or match["about"])):
                found.wrong = found.wrong or (name, "vague")
                found.rest = _blank(found.rest, match)

    def _read_levels(
        self, sentence: Sentence, found: Screening, terms: list[tuple[str, str, str]]
    ) -> None:
        """Loose words: 低估值, 高分红, 破净, 亏损."""
        is_of_company = grammar.ANY_COMPANY.search(sentence.shadow) is not None
        asks = is_of_company or grammar.WHICH_ONE.search(found.rest)
        for pattern in (grammar.LEVEL, *(() if asks else (grammar.LEVEL_BEHIND,))):
            for match in [] if is_of_company else list(pattern.finditer(found.rest)):
                self._read_level(sentence, found, terms, match)
        if grammar.ENGLISH_PROFITABLE.search(found.rest):
            terms.append(("netprofit", "", "盈利"))
            found.rest = grammar.ENGLISH_PROFITABLE.sub("\n", found.rest)
        if match := grammar.AT_A_DISCOUNT.search(found.rest):
            terms.append(("pb", "", "0到1倍"))
            found.rest = _blank(found.rest, match)
        self._read_moves(found, terms)
        for mark, word in ((LOSS, "亏损"), (PROFIT, "盈利")):
            if mark in found.rest:
                terms.append(("netprofit", "", word))
                found.rest = found.rest.replace(mark, "\n")
        if not grammar.ANY_COMPANY.search(sentence.shadow):
            self._read_profitable(sentence, found, terms)

    def _read_level(
        self,
        sentence: Sentence,
        found: Screening,
        terms: list[tuple[str, str, str]],
        match: re.Match[str],
    ) -> None:
        """高ROE, 股息率高的: a bound where one is taken for it, else it is not clear how high."""
        entry = sentence.figure_at(match.group("m")).entries[0]
        level = {"high": "高", "low": "低"}.get(match.group("level"), match.group("level"))
        if meant := grammar.LEVELS.get((level, entry.code)):
            terms.append((meant[0], "", meant[1]))
        else:
            found.wrong = found.wrong or (entry.name, "vague_screen")
        found.rest = _blank(found.rest, match)

    def _read_moves(self, found: Screening, terms: list[tuple[str, str, str]]) -> None:
        """Orders in one word: 领涨, 亏得最多, top gainers."""
        for pattern, code, order in grammar.MOVES:
            if match := pattern.search(found.rest):
                found.order_by, found.order = self._metadata.by_code(code).name, order
                if match.group()[0] in f"亏{LOSS}":
                    terms.append(("netprofit", "", "亏损"))
                found.rest = _blank(found.rest, match)

    def _read_profitable(
        self, sentence: Sentence, found: Screening, terms: list[tuple[str, str, str]]
    ) -> None:
        """盈利 beside another condition is one too, and no figure asked for."""
        several = len(sentence.figures) > 1
        for match in grammar.PROFITABLE.finditer(found.rest):
            if several and sentence.figure_at(match.group("m")).said in _PROFIT_WORDS:
                terms.append(("netprofit", "", "盈利"))
                found.rest = _blank(found.rest, match)

    def _settle(self, found: Screening, terms: list[tuple[str, str, str]]) -> None:
        """One condition per field; one that cannot be met or read is what is wrong."""
        for key in dict.fromkeys(term[0] for term in terms):
            said = [(falling, text) for name, falling, text in terms if name == key]
            name = self._fields[key].name
            try:
                to_range(key, said)
                for _, text in said:
                    check_scale(key, name, text)
            except InputError as error:
                found.wrong = found.wrong or (name, error.valid)
                if len(said) > 1 and error.name == key:
                    found.offers = tuple(f"{name}{text}" for _, text in said)
                if len(said) == 1 and (parts := grammar.TERM_PARTS.match(said[0][1])):
                    found.half = parts.group("op") or ""
                    found.offers = tuple(f"{name}{found.half}{one}" for one in error.choices)
                continue
            for falling, _ in said:
                if falling:
                    found.names[key] = falling
            found.conditions[key] = said[0][0] + joined([text for _, text in said])

    def _check_currency(self, found: Screening, terms: list[tuple[str, str, str]]) -> None:
        """Amounts are in the currency of the market: 100亿美元 of A shares is put back."""
        own, code = _CURRENCY_OF[found.category or "A股"]
        for key, _, text in terms:
            if any(word in text for word, _ in _CURRENCY_OF.values() if word != own):
                valid = Text(
                    f"{found.category or 'A股'}的金额以{own}计", f"amounts there are in {code}"
                )
                found.wrong = found.wrong or (self._fields[key].name, valid)

    def _chained(self, match: re.Match[str]) -> list[str]:
        """10<PE<20, 10<PE: the sign before the figure is turned round."""
        sign = match.group("a").translate(grammar.FLIPPED)
        terms = [self._term(sign + match.group("low"))]
        if match.group("b"):
            terms.append(self._term(match.group("b") + match.group("high")))
        return terms

    def _between(self, match: re.Match[str]) -> list[str]:
        low, high = number_said(match.group("low")), number_said(match.group("high"))
        scale = re.search(r"[万亿]+", high)
        if scale and not re.search(r"[万亿]", low):
            low += scale.group()
        if low.endswith("倍") and high.endswith("倍"):
            low = low.removesuffix("倍")
        return [f"{low}到{high}"]

    def _bound(self, match: re.Match[str]) -> list[str]:
        said = match.groupdict()
        return [self._term(text) for text in (said["one"], said.get("two")) if text]

    def _term(self, text: str) -> str:
        parts = grammar.TERM_PARTS.match(text)
        if parts is None:
            return text
        operator = parts.group("op") or ""
        number = number_said(parts.group("num"))
        return grammar.SIGNS.get(operator, operator) + number + suffix_of(parts.group("suffix"))

    def _read_order(self, sentence: Sentence, found: Screening) -> None:
        for pattern in grammar.ORDERS:
            match = pattern.search(found.rest)
            if match is None or found.order_by:
                continue
            parts = match.groupdict()
            rising = bool(parts.get("low") or parts.get("last") or parts.get("up"))
            if match.re is grammar.ORDERS[4] and re.search(grammar.LOWEST, found.rest):
                rising = True
            self._ordered(sentence, found, match, rising=rising)
            if count := parts.get("n") or parts.get("big"):
                found.size = small_number(count)
            found.rest = _blank(found.rest, match)
        self._check_single(sentence, found)
        match = grammar.RANKING.search(found.rest)
        if match and not found.order_by and not grammar.ANY_COMPANY.search(sentence.shadow):
            self._ordered(sentence, found, match, rising=False)
            if match.group("first"):
                found.size = 1
            found.rest = _blank(found.rest, match)
        if match := grammar.FLIP.search(found.rest):
            found.flipped = True
            found.rest = _blank(found.rest, match)
        if found.order_by is None and grammar.BY_WHAT.search(found.rest):
            found.wrong = found.wrong or ("", "by_what")
        if match := grammar.BARE_DIRECTION.search(found.rest):
            found.order = "升序" if match.group("up") else "降序"
            found.flipped = match.group() == "倒序" and found.order_by is None
            found.rest = _blank(found.rest, match)

    def _check_single(self, sentence: Sentence, found: Screening) -> None:
        """市值前50里市盈率最低的5只: a list has one order."""
        if found.order_by is None or grammar.ANY_COMPANY.search(sentence.shadow):
            return
        matches = [match for one in grammar.ORDERS if (match := one.search(found.rest))]
        others = [
            (sentence.figure_at(match["m"]).entries[0].name, bool(match.groupdict().get("low")))
            for match in matches
        ]
        if others:
            found.orders = ((found.order_by, found.order == "升序"), *others)
            found.wrong = found.wrong or ("", "two_orders")

    def _ordered(
        self, sentence: Sentence, found: Screening, match: re.Match[str], *, rising: bool
    ) -> None:
        said = sentence.figure_at(match.group("m"))
        fallen = "跌" in said.said and "涨" not in said.said
        names = [entry.name for entry in said.entries]
        if len(names) > 1:  # 业绩最好的: by which of its figures?
            found.orders = tuple((name, rising) for name in names)
            found.wrong = found.wrong or ("", "two_orders")
        found.order_by = names[0]
        found.order = "升序" if rising != fallen else "降序"

    def _read_size(self, found: Screening) -> None:
        for pattern in grammar.SIZES:
            if found.size is None and (match := pattern.search(found.rest)):
                found.size = small_number(match.group("n"))
                found.rest = _blank(found.rest, match)
        match = grammar.COUNT_BEFORE.search(found.rest)
        if found.size is None and found.order_by and match:
            found.size = small_number(match.group("n"))
            found.rest = _blank(found.rest, match)
        if found.size is None and found.order_by and grammar.WHICH_ONE.search(found.rest):
            found.size = 1

    def _read_place(self, found: Screening) -> None:
        if match := grammar.INDUSTRIES_JOINED.search(found.rest):
            found.industry, *more = re.split("[和、与及/]", match.group("several"))
            found.more_industries = tuple(more)
            found.rest = _blank(found.rest, match)
        elif match := grammar.INDUSTRY.search(found.rest):
            found.industry = match.group("zh") or match.group("only")
            found.rest = _blank(found.rest, match)
        elif match := grammar.ENGLISH_INDUSTRY.search(found.rest):
            found.industry = ENGLISH_INDUSTRIES[match.group("en") or match.group("only")]
            found.rest = _blank(found.rest, match)
        else:
            self._read_bare_industry(found)
        markets: dict[str, None] = {}
        while match := grammar.MARKET.search(found.rest):
            markets[MARKETS[match.group()]] = None
            found.rest = _blank(found.rest, match)
        if markets:
            found.category, *more = markets
            found.more_markets = tuple(more)

    def _read_bare_industry(self, found: Screening) -> None:
        """行业是银行, banks with PE below 6: an industry beside conditions, said in any way."""
        if not (found.conditions or found.order_by):
            return
        words = (grammar.INDUSTRY_WORD, grammar.ENGLISH_INDUSTRY_WORD)
        matches = [match for word in words for match in word.finditer(found.rest)]
        if len(matches) == 1 and not grammar.ANY_COMPANY.search(found.rest):
            said = matches[0].group()
            found.industry = ENGLISH_INDUSTRIES.get(said, said)
            found.rest = _blank(found.rest, matches[0])

    def _read_changed(self, sentence: Sentence, found: Screening) -> None:
        """A new figure or bound for a condition of the turn before."""
        if match := grammar.LIMIT.search(found.rest):
            side = "高" if match.group("side").startswith(("上", "upper", "max")) else "低"
            found.limits = ((side, number_said(match.group("num"))),)
            found.rest = _blank(found.rest, match)
        if match := grammar.CHANGED.search(found.rest):
            key = self.field_of(sentence.figure_at(match.group("m")).entries[0])
            found.changed[key] = number_said(match.group("num"))
            found.rest = _blank(found.rest, match)
        elif match := (
            grammar.BARE_CHANGED.search(found.rest) or grammar.BARE_FIGURE.search(found.rest)
        ):
            found.changed[""] = number_said(match.group("num"))
            found.rest = _blank(found.rest, match)
        if match := grammar.BARE_TERM.search(found.rest):
            terms = [self._term(text) for text in match.group("one", "two") if text]
            found.bare_term = joined(terms)
            found.rest = _blank(found.rest, match)


def _is_pair_of_bounds(match: re.Match[str]) -> bool:
    """Whether the figure before the sign belongs to what stands before it: 1<PB<2, ROE>15 < …."""
    before = match.string[: match.start()].rstrip()
    return bool(re.search(rf"(?:{grammar.F}|{grammar.OP}|[<>≤≥=到至~-])$", before))


def _blank(text: str, match: re.Match[str]) -> str:
    """The text with the match taken out; marks stay where they were."""
    return text[: match.start()] + "\n" * (match.end() - match.start()) + text[match.end() :]
