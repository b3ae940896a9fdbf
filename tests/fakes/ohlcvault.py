"""OHLCVault on loopback: the newest snapshot, its manifest, months of three markets, lists.

The figures are made up by a rule: a row's close is its symbol's first price plus a tenth a session.
"""

import gzip
import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from hashlib import sha256
from itertools import groupby, product
from typing import Any, ClassVar

from tests.fakes.server import Asked, Fault, Reply, Service

_FIRST = date(2025, 1, 6)
CURRENCIES = {"cn": "CNY", "hk": "HKD", "us": "USD"}
# Symbol → (market, index, first session, last session, first price in thousandths).
SYMBOLS: dict[str, tuple[str, bool, date, date, int]] = {
    "sh.600519": ("cn", False, _FIRST, date(2026, 11, 20), 1_000_000),
    "sh.600004": ("cn", False, _FIRST, date(2026, 11, 20), 10_000),
    "sh.600001": ("cn", False, _FIRST, date(2026, 8, 14), 5_000),
    "sh.000300": ("cn", True, _FIRST, date(2026, 11, 20), 4_000_000),
    "hk.00005": ("hk", False, _FIRST, date(2026, 11, 20), 60_000),
    "hk.00700": ("hk", False, _FIRST, date(2026, 11, 20), 400_000),
    "us.AAPL": ("us", False, _FIRST, date(2026, 11, 19), 200_000),
    "us.KO": ("us", False, _FIRST, date(2026, 11, 19), 70_000),
    "us.BRK-B": ("us", False, _FIRST, date(2026, 11, 19), 480_000),
}
# From that session on 600004 stands at twice the factor: one share became two.
SPLIT_ON = date(2026, 6, 1)
NOTES = {"cn": "", "hk": "现行上市清单，<b>无退市</b>", "us": ""}


@dataclass(frozen=True)
class Packed(Reply):
    """Bytes as they are."""

    content: bytes = b""

    def bytes(self) -> bytes:
        return self.content


class Ohlcvault(Service):
    """GET /latest.json, /snapshots/ID/manifest.json and the files it lists; `schema` of them."""

    prefix = "ohlcvault"
    variables: ClassVar = {"OHLCVAULT_URL": ""}

    def __init__(self) -> None:
        super().__init__()
        self.reset()

    def reset(self) -> None:
        super().reset()
        self.schema = 1
        # Bytes that stand in for those of a path, unknown to the manifest.
        self.forged: dict[str, bytes] = {}
        self.packed_again = False
        self.last = date(2026, 11, 20)

    def answer(self, asked: Asked) -> Reply:
        return self._reply(asked, None)

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        return self._reply(asked, fault)

    @property
    def id(self) -> str:
        """The newest snapshot's; what a fault breaks stands under the same."""
        return sha256(f"{self.schema} {self.last}".encode()).hexdigest()[:16]

    def _reply(self, asked: Asked, fault: Fault | None) -> Reply:
        files = self._files(fault)
        path = asked.path.removeprefix("/")
        if path == "latest.json":
            return Reply({"snapshot": self.id})
        if path == f"snapshots/{self.id}/manifest.json":
            listed = {
                name: {"sha256": sha256(content).hexdigest(), "bytes": len(content)}
                for name, content in files.items()
            }
            return Reply({"schema": 1, "snapshot": self.id, "files": listed})
        if path not in files:
            return Reply({}, status=404)
        content = self.forged.get(path, files[path])
        headers = {"Content-Encoding": "gzip"} if self.packed_again else {}
        return Packed(content=content, content_type="application/octet-stream", headers=headers)

    def _files(self, fault: Fault | None) -> dict[str, bytes]:
        return _files_of(self.schema, self.last, fault)


@cache
def _files_of(schema: int, last: date, fault: Fault | None) -> dict[str, bytes]:
    """Every file of a snapshot by path."""
    files: dict[str, bytes] = {}
    months = sorted({f"{on:%Y-%m}" for on in _days(_FIRST, last)})
    for market, note in NOTES.items():
        for indexes, month in product((False, True), months):
            document = _month(market, month, last, indexes=indexes) | {"schema": schema}
            if document["symbols"]:
                changed = spoiled(document, fault) if fault else document
                path = f"daily/{'idx/' if indexes else ''}{market}/{month}.json.gz"
                files[path] = gzip.compress(json.dumps(changed).encode(), mtime=0)
        listed = [{"s": name} for name in SYMBOLS if SYMBOLS[name][0] == market]
        coverage = {"complete": not note, "note": note}
        lists = {"schema": 1, "market": market, "coverage": coverage, "symbols": listed}
        files[f"meta/symbols/{market}.json"] = json.dumps(lists).encode()
    return files


def _month(market: str, month: str, last: date, *, indexes: bool) -> dict[str, Any]:
    factors = market == "cn" and not indexes
    here = [name for name in SYMBOLS if SYMBOLS[name][:2] == (market, indexes)]
    blocks = [_block(name, month, last, factors=factors) for name in here]
    return {
        "market": market,
        "namespace": "index" if indexes else "stock",
        "period": month,
        "adjust": "none",
        "price_scale": 1000,
        **({"af_scale": 1_000_000} if factors else {}),
        "af_basis": "official" if factors else "unavailable",
        "volume_unit": "share",
        "currency": CURRENCIES[market],
        "source": "made up",
        "symbols": [block for block in blocks if block["d"]],
    }


def _block(name: str, month: str, last: date, *, factors: bool) -> dict[str, Any]:
    rows = [row for row in _bars_by_month(name).get(month, ()) if row[0] <= last]
    block: dict[str, Any] = {"s": name, "d": [int(f"{on:%Y%m%d}") for on, _ in rows]}
    block |= {"o": [c - 50 for _, c in rows], "h": [c + 200 for _, c in rows]}
    block |= {"l": [c - 200 for _, c in rows], "c": [c for _, c in rows]}
    block |= {"v": [c * 7 for _, c in rows], "a": [None if c % 9 == 0 else c for _, c in rows]}
    if factors:
        split = name == "sh.600004"
        block["af"] = [3_000_000 if split and on >= SPLIT_ON else 1_500_000 for on, _ in rows]
    return block


@cache
def bars(name: str) -> list[tuple[date, int]]:
    """Day and close in thousandths, a weekday each."""
    _, _, first, last, price = SYMBOLS[name]
    return [(on, price + 100 * place) for place, on in enumerate(_days(first, last))]


@cache
def _bars_by_month(name: str) -> dict[str, list[tuple[date, int]]]:
    months = groupby(bars(name), key=lambda row: f"{row[0]:%Y-%m}")
    return {month: list(rows) for month, rows in months}


def spoiled(document: dict[str, Any], fault: Fault) -> dict[str, Any]:
    """A month with that fault in it."""
    changed = deepcopy(document)
    symbols = changed["symbols"]
    if fault == "empty":
        symbols.clear()
    elif fault == "duplicate_rows":
        symbols.extend(list(symbols))
    elif fault == "wrong_order":
        symbols.reverse()
    cells: dict[str, Any] = {"text_for_number": "很多", "dash": "-", "nan": float("nan")}
    for block in symbols:
        if fault in {"missing_column", "renamed_column"}:
            closes = block.pop("c")
            block |= {"c_new": closes} if fault == "renamed_column" else {}
        elif fault == "null" or fault in cells:
            block["c"] = [cells.get(fault)] * len(block["c"])
        elif fault == "clock_skew" and document["period"] == "2026-11":
            block["d"][-1] = 20261130
    return changed


def _days(first: date, last: date) -> Iterator[date]:
    for step in range((last - first).days + 1):
        on = first + timedelta(days=step)
        if on.weekday() < 5:
            yield on
