"""The files of OHLCVault: a snapshot's list of them, each held against its sha256, and the months.

A month of a market is one file with every symbol in it. What is read of one is kept in arrays,
since the next company asks for the same months; the oldest go when there are too many rows.
"""

import json
import re
import threading
import zlib
from array import array
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple, cast

from services.core.errors import ChangedError
from services.core.symbols import Market
from services.providers.http import Body, Target
from services.providers.provider_context import Kit
from services.providers.reading import Node, json_of, member, plain, rows_of
from services.providers.request_coalescing import Flights

NAME = "ohlcvault"
SCHEMA = 1
# It becomes part of an address and of a cite: the hash a snapshot is called by, nothing else.
_ID = re.compile(r"[0-9a-f]{8,64}")
# A month of a market: `daily/cn/2026-09.json.gz`, indexes under `daily/idx/`.
_MONTH = re.compile(r"daily/(idx/)?(cn|hk|us)/(\d{4}-\d{2})\.json\.gz")
# Months, and the lists of symbols: whatever else a snapshot holds is not ours to judge.
_OURS = re.compile(_MONTH.pattern + r"|meta/symbols/(cn|hk|us)\.json(\.gz)?")
_CURRENCIES: Mapping[str, str] = {"CN": "CNY", "HK": "HKD", "US": "USD"}
# How long the newest snapshot is taken for the newest: it is made once a day.
_LATEST = timedelta(minutes=10)
# A month of a market unpacked is some 10 MB; a small file must not fill the memory.
_UNPACKED = 120_000_000
# 41 bytes each: the mainland of two years (125 MB), more than a sync asks for.
_ROWS_KEPT = 3_000_000
_PRICES = ("o", "h", "l", "c")
# How a cell without a figure is kept; no price, volume or factor is below zero.
_NONE = -1


class VaultRow(NamedTuple):
    """One session of one symbol, in the file's own whole numbers; None where it has none."""

    on: date
    prices: Mapping[str, int | None]
    volume: int | None
    amount: int | None
    factor: int | None


class MarketCoverage(NamedTuple):
    """What the publisher says a market holds: its symbols, and in its own words what it lacks."""

    symbols: frozenset[str]
    note: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One state of all files, for good: path → sha256. `asked_at`: when it was the newest."""

    id: str
    files: Mapping[str, str]
    asked_at: datetime

    def months(self, market: Market, *, indexes: bool) -> list[str]:
        """The months there are of that market, oldest first, as `2026-09`."""
        found = (match for path in self.files if (match := _MONTH.fullmatch(path)))
        kind = "idx/" if indexes else None
        return sorted(m[3] for m in found if m[1] == kind and m[2] == market.lower())


class Shard:
    """A month of a market: the rows of every symbol, in arrays."""

    def __init__(self, document: Node, body: Body, market: Market, month: str) -> None:
        """`document` has its header checked. Raises: ChangedError for a row of another form."""
        self.price_scale = cast("int", document["price_scale"])
        self.factor_scale = cast("int", document.get("af_scale") or 1)
        self._body, self._month = body, month
        self._first = date.fromisoformat(f"{month}-01")
        self._places: dict[str, range] = {}
        self._days = array("b")
        self._prices = {name: array("i") for name in _PRICES}
        self._volumes, self._amounts, self._factors = array("q"), array("q"), array("q")
        for block in rows_of(document, "symbols", body, ("s", "d", *_PRICES, "v", "a")):
            self._add(block)
        if not self._places:
            raise ChangedError(NAME, body.table, f"has no symbol of {market} in {month}")

    def __len__(self) -> int:
        return len(self._days)

    def rows(self, symbol: str) -> Iterator[VaultRow]:
        """The sessions of a symbol, oldest first; none where it did not trade."""
        for place in self._places.get(symbol, ()):
            yield VaultRow(
                self._first.replace(day=self._days[place]),
                {name: _note_snapshot(column[place]) for name, column in self._prices.items()},
                _note_snapshot(self._volumes[place]),
                _note_snapshot(self._amounts[place]),
                _note_snapshot(self._factors[place]),
            )

    def _add(self, block: Node) -> None:
        name, days = str(block["s"]), block["d"]
        if name in self._places:
            raise self._make_changed(f"has {name} twice")
        if not isinstance(days, list):
            raise self._make_changed(f"has no days of {name}")
        count = len(days)
        self._places[name] = range(len(self._days), len(self._days) + count)
        whole = int(self._month.replace("-", "")) * 100
        try:
            self._days.extend(day - whole for day in days)
            for column in _PRICES:
                self._prices[column].extend(self._cells(block, column, count))
            self._volumes.extend(self._cells(block, "v", count))
            self._amounts.extend(self._cells(block, "a", count))
            known = "af" in block
            self._factors.extend(self._cells(block, "af", count) if known else [_NONE] * count)
        except (OverflowError, TypeError) as error:
            raise self._make_changed(f"has a number of {name} that is none") from error
        mine = self._days[-count:] if count else self._days[:0]
        if any(not 1 <= day <= 31 for day in mine) or list(mine) != sorted(set(mine)):
            raise self._make_changed(f"has days of {name} out of order or of another month")

    def _cells(self, block: Node, column: str, count: int) -> list[int]:
        cells = block[column]
        if not isinstance(cells, list) or len(cells) != count:
            raise self._make_changed(f"{column} of {block['s']} has not one cell a day")
        wrong = (c for c in cells if c is not None and (type(c) is not int or c < 0))
        if next(wrong, None) is not None:
            raise self._make_changed(f"{column} of {block['s']} is no number")
        return [_NONE if cell is None else cell for cell in cells]

    def _make_changed(self, what: str) -> ChangedError:
        return ChangedError(NAME, self._body.table, f"{self._month} {what}")


class Vault:
    """The newest snapshot and its files. Safe to share between threads."""

    def __init__(self, kit: Kit) -> None:
        """Nothing is asked yet."""
        self._kit = kit
        self._lock = threading.Lock()
        self._flights: Flights[Any] = Flights()
        self._snapshot: Snapshot | None = None
        self._shards: OrderedDict[tuple[str, str], Shard] = OrderedDict()
        self._coverages: dict[tuple[str, str], MarketCoverage] = {}

    def snapshot(self) -> Snapshot:
        """The newest snapshot: asked for again after a while, or when it was forgotten.

        Raises: ProviderError.
        """
        with self._lock:
            known, now = self._snapshot, self._kit.clock.now()
        if known is not None and known.asked_at <= now < known.asked_at + _LATEST:
            return known
        return self._flights.join("latest", self._newest)

    def forget(self) -> None:
        """A file could not be had as listed: the next question begins with the newest snapshot."""
        with self._lock:
            self._snapshot = None

    def shard(self, snapshot: Snapshot, market: Market, month: str, *, indexes: bool) -> Shard:
        """That month of a market. Raises: ChangedError (its bytes are not those of the snapshot,
        or not as the format says), ProviderError.
        """
        path = f"daily/{'idx/' if indexes else ''}{market.lower()}/{month}.json.gz"
        key = (path, snapshot.files[path])
        with self._lock:
            if (kept := self._shards.get(key)) is not None:
                self._shards.move_to_end(key)
                return kept
        return self._flights.join(key, lambda: self._read(snapshot, path, market, month))

    def coverage(self, snapshot: Snapshot, market: Market) -> MarketCoverage:
        """What the publisher says of that market; nothing where the snapshot has no such file."""
        name = f"meta/symbols/{market.lower()}.json"
        path = name if name in snapshot.files else f"{name}.gz"
        if path not in snapshot.files:
            return MarketCoverage(frozenset(), "")
        key = (path, snapshot.files[path])
        if key not in self._coverages:
            document, body = self._document(snapshot, path)
            rows = rows_of(document, "symbols", body, ("s",))
            said = document.get("coverage")
            note = cast("Node", said).get("note") if isinstance(said, dict) else ""
            # As one remark of a note, between which `；` stands.
            self._coverages[key] = MarketCoverage(
                frozenset(str(r["s"]) for r in rows), plain(note, 120).replace("；", "，")
            )
        return self._coverages[key]

    def _newest(self) -> Snapshot:
        latest = self._get("latest", "latest.json")
        said = _read_snapshot(json_of(latest), latest)
        body = self._get("manifest", f"snapshots/{said}/manifest.json")
        document = json_of(body)
        if _read_snapshot(document, body) != said:
            raise ChangedError(NAME, "manifest", f"is of another snapshot than {said}")
        files: dict[str, str] = {}
        for path, entry in member(document, "files", body).items():
            if isinstance(entry, dict) and _OURS.fullmatch(path):
                files[path] = member(cast("Node", entry), "sha256", body, str)
        found = Snapshot(said, files, latest.fetched_at)
        with self._lock:
            self._snapshot = found
        return found

    def _read(self, snapshot: Snapshot, path: str, market: Market, month: str) -> Shard:
        document, body = self._document(snapshot, path)
        _require_header(document, body, market, month, indexes="/idx/" in path)
        shard = Shard(document, body, market, month)
        with self._lock:
            self._shards[path, snapshot.files[path]] = shard
            rows = sum(map(len, self._shards.values()))
            while rows > _ROWS_KEPT and len(self._shards) > 1:
                rows -= len(self._shards.popitem(last=False)[1])
        return shard

    def _document(self, snapshot: Snapshot, path: str) -> tuple[Node, Body]:
        """A file of the snapshot: its bytes as they came over, then unpacked and read."""
        table = path.partition("/")[0]
        body = self._get(table, path)
        if body.sha256 != snapshot.files[path]:
            raise ChangedError(NAME, table, f"{path} is not what snapshot {snapshot.id} lists")
        found = member({"file": _unpack(body)}, "file", body)
        schema = found.get("schema", SCHEMA)
        if type(schema) is not int or not 1 <= schema <= SCHEMA:
            raise ChangedError(NAME, table, f"has schema {schema!s:.12}; {SCHEMA} is known")
        return found, body

    def _get(self, table: str, path: str) -> Body:
        # Bytes as they are stored: a host that packs them once more would change their hash.
        headers = {"Accept-Encoding": "identity", "Accept": "*/*"}
        target = Target(NAME, table, self._kit.settings.urls["OHLCVAULT_URL"], headers)
        return self._kit.http.get(target, f"/{path}")


def _unpack(body: Body) -> Any:
    """The JSON of a body that may be packed; bounded. Raises: ChangedError."""
    if body.content[:2] != b"\x1f\x8b":
        return json_of(body)
    unpacking = zlib.decompressobj(wbits=31)
    try:
        text = unpacking.decompress(body.content, _UNPACKED)
        if not unpacking.eof:
            raise ChangedError(NAME, body.table, f"is cut, or over {_UNPACKED:,} bytes unpacked")
        return json.loads(text, parse_constant=lambda _: None)
    except (zlib.error, ValueError, RecursionError) as error:
        raise ChangedError(NAME, body.table, "cannot be unpacked or read") from error


def _read_snapshot(document: object, body: Body) -> str:
    """The snapshot a document is of."""
    found = member(document, "snapshot", body, str)
    if not _ID.fullmatch(found):
        raise ChangedError(NAME, body.table, "names no snapshot")
    return found


def _require_header(
    document: Node, body: Body, market: Market, month: str, *, indexes: bool
) -> None:
    """Raises: ChangedError where a month is of something else, or says another unit."""
    wanted = {
        "market": market.lower(),
        "namespace": "index" if indexes else "stock",
        "period": month,
        "adjust": "none",
        "volume_unit": "share",
        "currency": _CURRENCIES[market],
    }
    for name, value in wanted.items():
        if document.get(name) != value:
            raise ChangedError(NAME, body.table, f"{name} is not {value}")
    scale, factors = document.get("price_scale"), document.get("af_scale")
    if "schema" not in document or type(scale) is not int or scale <= 0:
        raise ChangedError(NAME, body.table, "has no schema or no price_scale")
    without = document.get("af_basis") == "unavailable"
    if factors is not None and (without or type(factors) is not int or factors <= 0):
        raise ChangedError(NAME, body.table, "has factors it says it has not, or no scale of them")


def _note_snapshot(cell: int) -> int | None:
    return None if cell == _NONE else cell
