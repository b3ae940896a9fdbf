"""The slots of a plan in English: what a bound, a value, a figure, a company is called there.

No figure is written here: a condition stands as it was said, its operator as a sign.
"""

import re
from decimal import Decimal

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.errors import InputError
from services.core.industries import industry_label
from services.market.names.english_names import english_name
from services.market.names.names import Names
from services.query.answering.labels import period_label
from services.query.planning.metadata import MetadataEntry
from services.query.reading.conditions import screened_as

_WORDS = read_data_file(DATA_FOLDER / "lexicon" / "plan_words.toml").tables
_VALUES, _KEYWORDS = _WORDS["values_en"], _WORDS["keywords_en"]
_SIGNS = tuple((re.compile(said), sign) for said, sign in _WORDS["signs_en"]["pairs"])
_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?)(亿|万)")
_SCALES = {"亿": (100, "m"), "万": (10, "k")}


def bound_en(said: str) -> str:
    """A bound with signs for words: 大于3% is > 3%, 50亿以上 is >= 5000m."""
    text = said
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    return " ".join(_AMOUNT.sub(_smaller, text).split())


def bound_told(said: str, *, zh: bool) -> str:
    """A bound, and what it is screened as where the wire has it without its limit."""
    taken = screened_as(said)
    if zh:
        return f"{said}（按 {taken} 筛选）" if taken else said
    return f"{bound_en(said)} (screened as {bound_en(taken)})" if taken else bound_en(said)


# 2017-06-30 as an end of prices is that day, no second quarter.
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def value_en(said: str) -> str:
    """A market, an order, a span of time, parts of a feed, a report period."""
    text = ", ".join(_VALUES.get(one) or industry_label(one).en for one in said.split("、"))
    if said.endswith("年预期"):
        return f"consensus forecast of {said.removesuffix('年预期')}"
    return text if text != said or _DAY.fullmatch(said) else period_label(said).en


def keywords_en(said: str) -> str:
    """Free words: the asker's own as they are, and ours in English."""
    return " ".join(_KEYWORDS.get(one, one) for one in said.split(" "))


def figure_en(entry: MetadataEntry) -> str:
    """A figure as tables head it; of what is none, its first Latin alias."""
    if entry.name_en:
        return entry.name_en
    latin = next((alias for alias in entry.aliases if alias.isascii()), entry.name)
    return latin[:1].upper() + latin[1:]


def company_en(said: str, names: Names) -> str:
    """A company by its English name, with its code where that alone is not sure to mean it."""
    symbol = _meant(said, names)
    if not symbol:
        return said
    english = english_name(names.row(symbol))
    if not english:
        return symbol
    return english if _meant(english, names) == symbol else f"{english}({symbol})"


def _meant(said: str, names: Names) -> str:
    """The code it means, of two listings of one company the first, as the reader takes it; empty
    where it may be several companies.
    """
    try:
        return names.resolve(said).value
    except InputError as error:
        listed = error.choices
        alike = {names.name(one) for one in listed}
        return listed[0] if len(listed) > 1 and len(alike) == 1 else ""


def _smaller(found: re.Match[str]) -> str:
    factor, unit = _SCALES[found.group(2)]
    return f"{(Decimal(found.group(1)) * factor).normalize():f}{unit}"
