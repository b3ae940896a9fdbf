"""What is a company and what is another listing, by the published code ranges and names.

The rules are data: `data/listing-kinds.csv`, which says where each is from. Here they become SQL.
"""

import csv
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from services.core.errors import ConfigError
from services.core.members import LISTING_WORDS
from services.settings import ROOT

RULES = ROOT / "data" / "listing-kinds.csv"
COMPANY = "company"
_EXCHANGES = {"HK": "'%.HK'", "SH": "'%.SH'", "SZ": "'%.SZ'"}


class ListingRule(NamedTuple):
    """One line of the file. Empty `first`, `last` and `name` fit every code and every name."""

    exchange: str
    first: str
    last: str
    name: str
    kind: str
    why: str


@cache
def read_rules(path: Path = RULES) -> tuple[ListingRule, ...]:
    """The rules in the order of the file.

    Raises: ConfigError naming the line whose exchange, code or kind is not one there is.
    """
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found: list[ListingRule] = []
    for number, cells in enumerate(csv.reader(lines[1:]), start=1):
        if len(cells) != len(ListingRule._fields):
            raise ConfigError(path.name, f"rule {number} has {len(cells)} columns")
        rule = ListingRule(*cells)
        codes = all(code.isascii() and (code.isdigit() or not code) for code in rule[1:3])
        known = rule.kind in {COMPANY, *LISTING_WORDS} and rule.exchange in {*_EXCHANGES, "US"}
        if not (codes and known and bool(rule.first) == bool(rule.last)):
            raise ConfigError(path.name, f"rule {number}: {', '.join(rule)}")
        found.append(rule)
    return tuple(found)


def rules_mark() -> str:
    """A mark that changes when the rules do."""
    return sha256(repr(read_rules()).encode()).hexdigest()[:16]


def select_listing_case(table: str) -> str:
    """SQL: what the listing in that row is instead of a company; NULL for a company.

    `table` is the alias of a table with the columns symbol, market and name.
    """
    whens = " ".join(
        f"WHEN {_condition(rule, table)} THEN "
        + ("NULL" if rule.kind == COMPANY else _quote(rule.kind))
        for rule in read_rules()
    )
    return f"CASE {whens} END"


def _condition(rule: ListingRule, table: str) -> str:
    suffix = _EXCHANGES.get(rule.exchange)
    parts = [f"{table}.symbol LIKE {suffix}" if suffix else f"{table}.market = 'US'"]
    if rule.first:
        code = f"split_part({table}.symbol, '.', 1)"
        parts.append(f"{code} BETWEEN {_quote(rule.first)} AND {_quote(rule.last)}")
    if rule.name:
        parts.append(f"regexp_matches({table}.name, {_quote(rule.name)}, 'i')")
    return " AND ".join(parts)


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
