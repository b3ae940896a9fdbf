"""One language's small words: names, days, years, numbers in words, places of figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from services.core.catalogue import CATALOGUE
from services.core.claim_names import JUDGED, name_counted
from services.core.claims import Claim
from services.core.differences import close_differences
from services.core.indexes import INDEXES
from services.core.periods import is_month
from services.core.rendering import Language, part_places, place, render
from services.statements.book import Book

_ZH = "零一二三四五六七八九十"
_EN = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)  # fmt: skip
# How sentences are worded: 2 since 2026-11-28, when a count of losses began to say by what it
# counts. What was told before is told again as it was (`Made.wording`).
WORDING = 2
# Words of English labels that keep their capital within a sentence.
_NAMES = frozenset({"Bollinger"})


def label_within(metric: str, language: Language) -> str:
    """What a figure is called within a sentence."""
    known = CATALOGUE[metric]
    if language == "zh":
        return known.zh
    word = known.en.partition(" ")[0]
    # A name with a digit is known by its letters: no digit stands free beside it.
    is_name = word in _NAMES or not word[1:].islower() or any(c.isdigit() for c in known.en)
    return known.en if is_name else known.en[0].lower() + known.en[1:]


def number_words(count: int, language: Language) -> str:
    """A number below a thousand in words, a larger one in digits: 四十九, forty-nine."""
    if count >= 1000:
        return str(count)
    if count >= 100:
        return _hundreds(*divmod(count, 100), language)
    tens, ones = divmod(count, 10)
    if language == "zh":
        if count == 2:
            return "两"
        head = "" if not tens else "十" if tens == 1 else f"{_ZH[tens]}十"
        return head + (_ZH[ones] if ones or not tens else "")
    if count < len(_EN):
        return _EN[count]
    return _TENS[tens - 2] + (f"-{_EN[ones]}" if ones else "")


def _hundreds(hundreds: int, rest: int, language: Language) -> str:
    """一百零五, 一百一十八; one hundred and five."""
    if language == "en":
        return f"{_EN[hundreds]} hundred{f' and {number_words(rest, language)}' if rest else ''}"
    if rest < 10:
        return f"{_ZH[hundreds]}百{f'零{_ZH[rest]}' if rest else ''}"
    return f"{_ZH[hundreds]}百{'一' if rest < 20 else ''}{number_words(rest, language)}"


@dataclass(frozen=True, slots=True)
class Tongue:
    """Says statements of `book` in one language; days of `year` go without it."""

    language: Language
    book: Book
    year: int | None = None
    wording: int = WORDING

    @property
    def zh(self) -> bool:
        """Whether it is Chinese."""
        return self.language == "zh"

    @property
    def comma(self) -> str:
        """Between clauses."""
        return "，" if self.zh else ", "

    def pick(self, zh: str, en: str) -> str:
        """The one of the two."""
        return zh if self.zh else en

    def label(self, metric: str) -> str:
        """What the figure is called within a sentence."""
        return label_within(metric, self.language)

    def named(self, claim: Claim) -> str:
        """What that very figure is called within a sentence."""
        is_told = claim.metric == "loss_count" and self.wording >= 2
        if not is_told and not claim.metric.startswith(JUDGED):
            return self.label(claim.metric)
        name = name_counted(claim)
        return name.zh if self.zh else name.en[0].lower() + name.en[1:]

    def figure(self, claim: Claim) -> str:
        """Its place, with 约 before what is not exact."""
        counted = claim.unit in {"count", "rank"}  # a place among others is no measure
        is_rough = not counted and self.book.is_rough(claim)
        about = self.pick("约 ", "about ") if is_rough else ""
        return about + place(claim, short=True)

    def size(self, claim: Claim) -> str:
        """The place of how far a figure went, without its sign: a word beside it says which way."""
        return place(claim, size=True)

    def signed(self, claim: Claim) -> str:
        """The place of a figure with its sign, as it is."""
        return place(claim)

    def stated(self, claim: Claim) -> str:
        """Name and figure: `净利润 …`, `net profit was …`."""
        return f"{self.named(claim)} {self.pick('', 'was ')}{self.figure(claim)}"

    def day(self, day: date) -> str:
        """`7月25日`, `25 July`; the year where it is another."""
        year = "" if day.year == self.year else str(day.year)
        if self.zh:
            return f"{year}{'年' if year else ''}{day.month}月{day.day}日"
        return f"{day.day} {_MONTHS[day.month - 1]}{' ' if year else ''}{year}"

    @property
    def price(self) -> str:
        """What goes up and down: a company's price, or an index."""
        zh, en = ("指数", "the index") if self.is_index else ("股价", "the price")
        return self.pick(zh, en)

    @property
    def is_index(self) -> bool:
        """Whether the subject is an index."""
        return self.book.symbol in INDEXES

    def fiscal(self, period: str) -> str:
        """`2016年`, `FY2016` of an annual report; `10月`, `October` of a month of the year."""
        if is_month(period):
            year, month = period[:4], int(period[5:])
            of_year = "" if int(year) == self.year else year
            if self.zh:
                return f"{of_year}{'年' if of_year else ''}{month}月"
            return f"{_MONTHS[month - 1]}{' ' if of_year else ''}{of_year}"
        return f"{period[:4]}年" if self.zh else f"FY{period[:4]}"

    def at(self, period: str | None, day: date | None) -> str:
        """The time a sentence begins with; empty for none."""
        if period is not None:
            return self.pick(self.fiscal(period), f"in {self.fiscal(period)}")
        if day is not None:
            return self.pick(f"截至{self.day(day)}", f"on {self.day(day)}")
        return ""

    def number(self, count: int) -> str:
        """A small number in words."""
        return number_words(count, self.language)

    def listed(self, parts: Sequence[str]) -> str:
        """`a、b`, `a, b and c`."""
        if self.zh:
            return "、".join(parts)
        if len(parts) < 2:
            return "".join(parts)
        return f"{', '.join(parts[:-1])} and {parts[-1]}"

    def shown(self, place_text: str) -> str:
        """What a reader sees in that place."""
        return render(place_text, self.book.claims, self.language)

    def sentence(self, text: str) -> str:
        """The text as a sentence, with places parted from letters and digits, and with digits
        enough for its differences to come out.
        """
        if not text:
            return ""
        parted = part_places(close_differences(text, self.book.claims, self.language))
        if self.zh:
            parted = parted.replace(" 约 ", "约 ")
        return f"{parted}。" if self.zh else f"{parted[0].upper()}{parted[1:]}."
