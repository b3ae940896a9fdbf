"""OHLCVault: checksummed monthly files of daily bars of three markets, without a key.

To answer about one company it sends a whole market: it is the last for a page, the first for those
who ask for long histories of many (services/providers/long_history.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from hashlib import sha256

from services.core.catalogue import CATALOGUE
from services.core.errors import ChangedError, NoDataError, NotCoveredError, ProviderError
from services.core.requests import BarsRequest, FetchRequest
from services.core.source_marks import join_notes
from services.core.symbols import Market, Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.ohlcvault.vault import NAME, Snapshot, Vault, VaultRow
from services.providers.provider_context import Kit
from services.providers.sessions import last_complete

# Longer than any page looks back by itself. Every month is a file of a whole market.
LONGEST = timedelta(days=3 * 366)
_METRICS = {"o": "open", "h": "high", "l": "low", "c": "close"}
_UNADJUSTED = "未复权（此来源没有它的复权因子）"
# What the publisher says of its lists abroad: companies that are gone are in none.
_SURVIVORS = "名单只含仍在上市的公司"


@dataclass(frozen=True, slots=True)
class _Session:
    """One row with the scales of the file it is in."""

    row: VaultRow
    price_scale: int
    factor_scale: int

    @property
    def factor(self) -> Decimal | None:
        if self.row.factor is None or self.row.factor == 0:
            return None
        return Decimal(self.row.factor) / self.factor_scale


class OhlcvaultProvider:
    """Daily bars: of the mainland 前复权 by factor, of the others as traded."""

    name = NAME
    capabilities = frozenset({"daily_bars"})

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._vault = Vault(kit)

    def covers(self, request: FetchRequest) -> bool:
        """Windows of up to LONGEST. Neither funds nor Beijing, which it does not collect; nor
        B shares, whose files say yuan.
        """
        if not isinstance(request, BarsRequest) or request.start is None:
            return False
        symbol = Symbol.parse(request.symbol)
        if symbol.is_fund or symbol.exchange == "BJ" or symbol.board == "b_share":
            return False
        return self._last(symbol, request) - request.start <= LONGEST

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """See Provider.fetch. The newest session of a snapshot may be a day old: `as_of` says."""
        if not isinstance(request, BarsRequest) or request.start is None:
            raise NotCoveredError(NAME, request.capability, "does not answer this")
        try:
            return self._bars(Symbol.parse(request.symbol), request.start, request)
        except ProviderError:
            self._vault.forget()
            raise

    def _bars(self, symbol: Symbol, start: date, request: BarsRequest) -> tuple[Fetched, ...]:
        what, end = f"daily_bars {symbol}", self._last(symbol, request)
        if start > end:
            why = Text("这段日期内还没有收盘", "no session has closed within these dates")
            raise NoDataError(what, why)
        snapshot = self._vault.snapshot()
        months = snapshot.months(symbol.market, indexes=symbol.is_index)
        asked = [month for month in months if f"{start:%Y-%m}" <= month <= f"{end:%Y-%m}"]
        _require_whole(asked)
        found = self._sessions(snapshot, symbol, asked)
        sessions = [one for one in found if start <= one.row.on <= end]
        coverage = self._vault.coverage(snapshot, symbol.market)
        if not sessions:
            if not any(name in coverage.symbols for name in _spellings(symbol)):
                raise NotCoveredError(NAME, "daily", f"its lists have no {symbol}")
            why = Text("这段日期内没有成交", "no trading within these dates")
            raise NoDataError(what, why)
        newest = self._sessions(snapshot, symbol, months[-1:]) or found
        base = newest[-1] if all(one.factor for one in (*sessions, newest[-1])) else None
        told = [_adjustment(symbol, base), f"OHLCVault 快照 {snapshot.id}"]
        told += [] if symbol.market == "CN" else [_SURVIVORS]
        told += [f"来源自述：{coverage.note}"] if coverage.note else []
        note = join_notes(*told)
        made = [fact for one in sessions for fact in _facts(symbol, one, base, note)]
        if not any(fact.metric == "close" for fact in made):
            raise ChangedError(NAME, "daily", "no row has a close")
        paths = [p for p in sorted(snapshot.files) if p.endswith(".json.gz") and p[-15:-8] in asked]
        digest = sha256("".join(snapshot.files[path] for path in paths).encode()).hexdigest()
        table = f"daily@{snapshot.id}"
        return (Fetched(NAME, table, tuple(made), snapshot.asked_at, digest),)

    def _last(self, symbol: Symbol, request: BarsRequest) -> date:
        """The last day asked whose session can be over."""
        last = last_complete(symbol.market, self._kit.clock.now())
        return min(request.end or last, last)

    def _sessions(
        self, snapshot: Snapshot, symbol: Symbol, months: Sequence[str]
    ) -> list[_Session]:
        """Its rows in these months, oldest first. Raises: ChangedError for a day to come."""
        found: list[_Session] = []
        for month in months:
            shard = self._vault.shard(snapshot, symbol.market, month, indexes=symbol.is_index)
            of_each = (list(shard.rows(name)) for name in _spellings(symbol))
            rows = next(filter(None, of_each), [])
            found += [_Session(row, shard.price_scale, shard.factor_scale) for row in rows]
        today = last_complete(symbol.market, self._kit.clock.now()) + timedelta(days=1)
        if found and found[-1].row.on > today:
            raise ChangedError(NAME, "daily", f"gives a session of {found[-1].row.on}")
        return found


def _spellings(symbol: Symbol) -> tuple[str, ...]:
    """As its files write it: `sh.600519`, `hk.00700`, `us.AAPL`; a share class in three ways."""
    if symbol.exchange in {"SH", "SZ"}:
        return (f"{symbol.exchange.lower()}.{symbol.code}",)
    prefix = symbol.market.lower()
    marks = ".-_" if "." in symbol.code and symbol.market == "US" else "."
    code = symbol.value if symbol.is_index else symbol.code
    return tuple(f"{prefix}.{code.replace('.', mark)}" for mark in marks)


def _require_whole(months: Sequence[str]) -> None:
    """A month that lacks between two would read as a suspension. Raises: ChangedError."""
    numbers = [int(month[:4]) * 12 + int(month[5:]) for month in months]
    if numbers and numbers[-1] - numbers[0] != len(numbers) - 1:
        raise ChangedError(NAME, "manifest", "lacks a month between others")


def _adjustment(symbol: Symbol, base: _Session | None) -> str:
    if symbol.is_index:
        return ""
    return f"前复权，因子基准日 {base.row.on}" if base else _UNADJUSTED


def _facts(symbol: Symbol, one: _Session, base: _Session | None, note: str | None) -> list[Fact]:
    """The bar of a session; prices as `price × factor ÷ newest factor` where there is a base."""
    money = _money(symbol.market)
    unit = "points" if symbol.is_index else money
    scale, own, newest = one.price_scale, one.factor, base.factor if base else None
    cells: list[tuple[str, str, str, Decimal, str]] = []
    for name, metric in _METRICS.items():
        if (price := one.row.prices[name]) is None:
            continue
        value, raw, field = Decimal(price) / scale, f"{price} ÷ {scale}", name
        if own and newest:
            value, raw, field = value * own / newest, f"{raw} × {own} ÷ {newest}", f"{name}×af"
        cells.append((metric, field, unit, value, raw))
    for metric, field, into, amount in (
        ("volume", "v", "shares", one.row.volume),
        ("amount", "a", money, one.row.amount),
    ):
        if amount is not None:
            cells.append((metric, field, into, Decimal(amount), str(amount)))
    return [
        Fact(
            symbol=symbol.value,
            metric=metric,
            metric_code=CATALOGUE.codes.get(metric),
            value=float(value),
            unit=into,
            as_of=one.row.on,
            field=f"daily.{field}",
            raw=raw,
            note=note,
        )
        for metric, field, into, value, raw in cells
    ]


def _money(market: Market) -> str:
    return {"CN": "CNY", "HK": "HKD", "US": "USD"}[market]
