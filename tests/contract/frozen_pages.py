"""Every page about some companies, as what it says and cites: run in a process of its own too.

`python -m tests.contract.frozen_pages FOLDER SYMBOL…` opens the snapshot in FOLDER on an empty
store, with no way to reach any network, and prints what every page says as JSON.
"""

import json
import socket
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from services.container import Services, build_services
from services.core.claims import Claim, Missing
from services.core.errors import YoujuError
from services.core.rendering import PLACE, show
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Trace
from services.scoring.models import ScoreResult
from services.scoring.scorer import ScoreRequest
from services.settings import load_settings
from services.views.table import Table
from services.workbench.desk import Desk
from tests.contract.claim_hash import claim_hashes

MARKETS = ("CN", "HK", "US")


def said(services: Services, symbols: Sequence[str]) -> dict[str, list[str]]:
    """By page: the hash of every claim, every figure and word of its tables, and its notes."""
    desk, found = Desk(services), dict[str, list[str]]()
    found["overview"] = view_said(desk.overview("reader"))
    for market in MARKETS:
        arguments = {"category": market, "order_by": "market_cap", "order": "desc"}
        found[f"screen {market}"] = view_said(desk.screen(arguments, "reader"))
    for symbol in symbols:
        found[f"stock {symbol}"] = view_said(desk.stock(symbol, None, None, "reader"))
        if not Symbol(symbol).is_index:
            found[f"financials {symbol}"] = view_said(desk.financials(symbol, "reader"))
            found[f"score {symbol}"] = _score(services, symbol)
    return found


def view_said(view: Any) -> list[str]:
    """What one page says."""
    notes = [f"note {note.zh} / {note.en}" for note in view.notes]
    hashes = claim_hashes(view.claims.values(), view.trace)
    told = [_filled(text, hashes) for text in (*notes, *_cells(view.tables()))]
    return sorted([*hashes.values(), *told])


def _filled(text: str, hashes: Mapping[str, str]) -> str:
    """A text with the hash of the claim in each place: ids are new in every run."""
    return PLACE.sub(lambda found: hashes[found.group(1)], text)


def _score(services: Services, symbol: str) -> list[str]:
    """The score by rule; that nothing is known of a company is told in the same words too."""
    try:
        found = services.scores.run(ScoreRequest(symbol=symbol, by_rule=True), "reader")
    except YoujuError as error:
        return [f"{type(error).__name__} {error}"]
    assert isinstance(found, ScoreResult)
    hashes = claim_hashes(found.claims, found.trace)
    told = [_filled(found.recommendation.model_dump_json(), hashes), *found.missing]
    return sorted([*hashes.values(), *told])


def _cells(tables: Iterable[Table]) -> Iterable[str]:
    for table in tables:
        for row in table.rows:
            for key, cell in row.cells.items():
                yield f"{table.key} {row.symbol} {key} {_text(cell)}"


def _text(cell: Any) -> str:
    match cell:
        case Claim():
            return f"{show(cell, 'zh').text} {show(cell, 'en').text}"
        case Missing():
            return str(cell.reason)
        case Text():
            return f"{cell.zh} {cell.en}"
        case date() | datetime():
            return cell.isoformat()
        case _:
            return str(cell)


def traced(trace: Trace) -> set[tuple[str, str, str]]:
    """Who answered for what, as the trace tells it."""
    return {(call.served_by, call.source, call.table) for call in trace.tool_calls}


def _no_network(*_given: Any) -> None:
    raise AssertionError("a frozen snapshot tried to reach the network")


def main(folder: str, symbols: Sequence[str], environ: Mapping[str, str]) -> None:
    """Print what every page says."""
    socket.socket.connect = _no_network  # type: ignore[method-assign]
    given = {"YOUJU_SNAPSHOT": folder, "YOUJU_STORE": ":memory:", **environ}
    services = build_services(load_settings(given))
    try:
        sys.stdout.write(json.dumps(said(services, symbols), ensure_ascii=False))
    finally:
        services.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:], {})
