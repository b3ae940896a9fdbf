"""One spelling inside (`600519.SH`, `00700.HK`, `AAPL`); all others are read at the door.

Names (贵州茅台, pinyin, old names) need the store's table: see `services/market/names/names.py`.
"""

import re
from dataclasses import dataclass
from typing import Literal, Self, cast, get_args

from services.core.boards import part_of_code
from services.core.errors import InputError
from services.core.indexes import INDEXES, Market

Board = Literal["main", "chinext", "star", "bse", "b_share", "index", "hk", "us"]
VALID = "600519.SH, SH600519, 600519, 00700.HK, 700, AAPL, $贵州茅台(SH600519)$, or a company name"

# Indexes whose symbol has no exchange behind it: HSI, IXIC, SPX.
_WORLD_INDEXES = {one.symbol: one.market for one in INDEXES.values() if "." not in one.symbol}
_WORLD_SPELLINGS = {"HKHSI": "HSI", ".IXIC": "IXIC", ".INX": "SPX", ".DJI": "DJI", "^HSI": "HSI"}
# A bare number that is both a stock and a headline index is asked back, never chosen.
_HEADLINE_INDEXES = frozenset({"000001", "000016", "000300", "000688", "000852", "000905"})
_CASHTAG = re.compile(r"\$.*\(([A-Za-z0-9.]+)\)\$")
_SUFFIXED = re.compile(r"(\d{1,6})\.(SH|SS|SZ|BJ|HK)", re.IGNORECASE)
_PREFIXED = re.compile(r"(SH|SZ|BJ|HK)\.?(\d{1,6})", re.IGNORECASE)
# Without a mark between only as Tencent writes it, in small letters: USB is U.S. Bancorp and not
# Barrick (B), as with 90 more tickers of 2025.
_US_SMALL = re.compile(r"us([A-Z]{1,5}(?:[.\-_][A-Z])?)")
_US_PREFIXED = re.compile(r"(?:US[.:]|GB_)([A-Z]{1,5}(?:[.\-_][A-Z])?)")
_US_SUFFIXED = re.compile(r"([A-Z]{1,5}(?:[.\-][A-Z])?)\.US")
_US = re.compile(r"[A-Z]{1,5}(?:[.\-_][A-Z])?")


@dataclass(frozen=True, slots=True, order=True)
class Symbol:
    """A listed instrument; `value` is the only spelling used inside."""

    value: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read any code spelling.

        Raises: InputError for an unknown form, or for a bare number that is both a stock and a
        headline index (000001), with the candidates in `choices`.
        """
        stripped = text.strip()
        if match := _CASHTAG.fullmatch(stripped):
            stripped = match.group(1)
        upper = stripped.upper()
        upper = _WORLD_SPELLINGS.get(upper, upper)
        if upper in _WORLD_INDEXES:
            return cls(upper)
        if match := _SUFFIXED.fullmatch(upper):
            return cls(_spell_listing(match.group(1), match.group(2).replace("SS", "SH"), text))
        if match := _PREFIXED.fullmatch(upper):
            return cls(_spell_listing(match.group(2), match.group(1), text))
        if upper.isascii() and upper.isdigit():
            return cls(_bare(upper, text))
        if match := _US_SMALL.fullmatch(stripped):
            upper = match.group(1)
        for pattern in (_US_SUFFIXED, _US_PREFIXED, _US):
            if match := pattern.fullmatch(upper):
                bare = match.group(1) if match.groups() else match.group()
                return cls(re.sub(r"[-_]", ".", bare))
        raise InputError("symbol", text, VALID)

    @property
    def code(self) -> str:
        """The number or ticker without its exchange."""
        return self.value.split(".")[0] if self.exchange != "US" else self.value

    @property
    def exchange(self) -> str:
        """SH, SZ, BJ, HK or US."""
        if self.value in _WORLD_INDEXES:
            return _WORLD_INDEXES[self.value]
        tail = self.value.rpartition(".")[2]
        return tail if tail in {"SH", "SZ", "BJ", "HK"} else "US"

    @property
    def market(self) -> Market:
        """CN, HK or US."""
        if self.exchange in {"SH", "SZ", "BJ"}:
            return "CN"
        return "HK" if self.exchange == "HK" else "US"

    @property
    def currency(self) -> str:
        """The currency prices of this symbol are quoted in (Shanghai B: USD, Shenzhen B: HKD)."""
        if self.board == "b_share":
            return "USD" if self.exchange == "SH" else "HKD"
        return {"CN": "CNY", "HK": "HKD", "US": "USD"}[self.market]

    @property
    def board(self) -> Board:
        """The board, which decides the daily price limit."""
        if self.value in _WORLD_INDEXES:
            return "index"
        if self.market != "CN":
            return "hk" if self.market == "HK" else "us"
        part = part_of_code(self.code, self.exchange)
        return cast("Board", part) if part in get_args(Board) else "main"

    @property
    def is_index(self) -> bool:
        """Whether it is an index and not a company."""
        return self.board == "index"

    @property
    def is_fund(self) -> bool:
        """Whether it is a fund traded on the mainland and not a company."""
        return part_of_code(self.code, self.exchange) == "fund"

    @property
    def is_company(self) -> bool:
        """Whether it is a share of a company: neither an index nor a fund has reports or peers."""
        return not self.is_index and not self.is_fund

    @property
    def is_a_share(self) -> bool:
        """Whether it is a share of a mainland company, priced in yuan."""
        return self.market == "CN" and self.board not in {"index", "b_share"} and not self.is_fund

    @property
    def xueqiu(self) -> str:
        """The spelling on xueqiu.com and on the seed's wire: SH600519, 00700, AAPL."""
        if self.market == "CN":
            return f"{self.exchange}{self.code}"
        return self.code

    def __str__(self) -> str:
        """The inside spelling."""
        return self.value


def _spell_listing(number: str, exchange: str, text: str) -> str:
    if exchange == "HK":
        if len(number) > 5:
            raise InputError("symbol", text, "a Hong Kong code of 1 to 5 digits, such as 00700.HK")
        return f"{number.zfill(5)}.HK"
    if len(number) != 6 or part_of_code(number, exchange) is None:
        raise InputError("symbol", text, f"a six-digit code listed in {exchange}; forms: {VALID}")
    return f"{number}.{exchange}"


def _bare(number: str, text: str) -> str:
    if len(number) <= 5:
        return f"{number.zfill(5)}.HK"
    if len(number) != 6:
        raise InputError("symbol", text, VALID)
    if number in _HEADLINE_INDEXES:
        choices = (f"{number}.SZ", f"{number}.SH")
        index = INDEXES[choices[1]].zh
        raise InputError(
            "symbol",
            text,
            f"{number}.SZ (深圳股票) or {number}.SH ({index}): the bare number is both",
            choices=choices,
        )
    for exchange in ("SH", "SZ", "BJ"):
        part = part_of_code(number, exchange)
        if part is not None and (exchange, part) != ("SH", "index"):  # 000123 is Shenzhen's
            return f"{number}.{exchange}"
    raise InputError("symbol", text, VALID)
