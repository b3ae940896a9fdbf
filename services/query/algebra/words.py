"""The words nodes are told in, Chinese and English: those of `data/catalogue/told.toml` (signs,
folds, marks of companies, units), lists and numbers.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.groups import GROUPS
from services.core.industries import INDUSTRIES, industry_label
from services.core.text import NO_TEXT, Text, join_texts
from services.query.algebra.nodes import In, Query, nodes_in
from services.query.sayings import read_texts

_TABLES = (
    *("signs", "folds", "arith", "changes", "courses", "ways", "best", "marks", "grouped", "rows"),
    *("counted_groups", "each", "currencies", "units", "then", "measures", "phrases"),
    *("against", "markets", "shares"),
)


def read_told(
    path: Path = DATA_FOLDER / "catalogue" / "told.toml",
) -> Mapping[str, Mapping[str, Text]]:
    """The words of that file by table. Raises: ConfigError with file, line and reason."""
    return read_texts(path, _TABLES)


_TOLD = read_told()
SIGNS, FOLDS, ARITH, CHANGES = (_TOLD[one] for one in ("signs", "folds", "arith", "changes"))
COURSES, WAYS, BEST, GROUPED = (_TOLD[one] for one in ("courses", "ways", "best", "grouped"))
MARKS, ROWS, EACH = (_TOLD[one] for one in ("marks", "rows", "each"))
CURRENCIES, UNITS, THEN = (_TOLD[one] for one in ("currencies", "units", "then"))
COUNTED_GROUPS, MEASURES, PHRASES = (
    _TOLD[one] for one in ("counted_groups", "measures", "phrases")
)
AGAINST, MARKETS, SHARES = (_TOLD[one] for one in ("against", "markets", "shares"))
# What the count of such rows is called.
COUNTED: Mapping[str, Text] = {
    rows: Text(f"{one.zh}数", f"number of{one.en}") for rows, one in ROWS.items()
} | {"companies": Text("公司数", "number of companies")}
# The money of a company's own reports, where it need not be what its shares are traded in.
REPORTED = "reported"
SCALES = (
    (("亿", 1e8), ("万", 1e4)),
    (("bn", 1e9), ("m", 1e6)),
)


def mark_words(dim: str, value: str) -> Text:
    """What a market, board, exchange or industry is called."""
    if dim == "industry":
        return industry_label(value)
    return MARKS.get(value, Text(value, value))


def list_words(label: str) -> Text:
    """What a list of companies is called; one of nobody's catalogue has one name for both."""
    found = GROUPS.get(label)
    if found is not None:
        return found.label
    parts = [
        GROUPS[one].label if one in GROUPS else _name_undivided(one) for one in label.split("、")
    ]
    return join_texts(parts, "、", " or ")


# 采掘（数据源未细分煤炭）: an industry that stands for a part of it, as the reader labels it.
_UNDIVIDED = re.compile(r"^(?P<whole>.+)（数据源未细分(?P<part>.+)）$")


def undivided(query: Query) -> set[str]:
    """The labels in it of industries that stand for a part of them."""
    labels = [one.label for one in nodes_in(query, In) if one.label]
    return {part for label in labels for part in label.split("、") if _UNDIVIDED.match(part)}


def _name_undivided(label: str) -> Text:
    match = _UNDIVIDED.match(label)
    if match is None:
        en = None if label in INDUSTRIES else _english_parts().get(label)
        return Text(label, en or industry_label(label).en)
    whole, part = industry_label(match["whole"]), _english_parts().get(match["part"], match["part"])
    return Text(label, f"{whole.en} (the source does not split out {part})")


@cache
def _english_parts() -> Mapping[str, str]:
    """What no catalogue has in English: industries of other markets, and parts of industries by
    their first English word.
    """
    book = read_data_file(DATA_FOLDER / "lexicon" / "scopes.toml").tables["industry"]
    parts = [one.get("parts", {}) for one in book.values()]
    named = {
        part: next((one for one in words if one.isascii()), part)
        for table in parts
        for part, words in table.items()
    }
    composed = dict[str, str]()
    for name, one in book.items():  # 科技行业（电子/计算机/通信）, an industry of no source
        members = one.get("members", ())
        of = "/".join(book[part]["en"] for part in members)
        composed[f"{name}（{'/'.join(members)}）"] = f"{one['en']} ({of})"
    return {name: one["en"] for name, one in book.items()} | composed | named


def number_words(value: float, unit: str, at: int, currency: str = "") -> str:
    """A number said, in its unit: 800亿港元, 80bn HKD, 10倍. `currency`: what an amount of no
    currency of its own is in (CNY, HKD, USD, REPORTED); empty where nobody knows: no word then.
    """
    kind, _, own = unit.partition(":")
    is_money = kind in {"money", "price"}
    unit_word = UNITS.get((own or currency) if is_money else kind, NO_TEXT)
    word = (unit_word.zh, unit_word.en)[at]
    if kind in {"money", "shares"}:
        for name, scale in SCALES[at]:
            if abs(value) >= scale:
                return f"{value / scale:.15g}{name}{word}"
    return f"{value:.15g}{word}"
