"""EDGAR on loopback: the list of tickers, frames and the facts of a company, for those who say who
they are.
"""

from typing import Any, ClassVar

from tests.fakes.server import Asked, Fault, Reply, Service, change_rows

CONTACT = "Jane Doe jane@example.com"
TICKERS = {
    "AAPL": 320193,
    "GOOGL": 1652044,
    "GOOG": 1652044,
    "KO": 21344,
    "BRK-B": 1067983,
    "BABA": 1577552,
}
# Concept → company → value of a fiscal year; AAPL's ends in September.
_ENDS = {320193: ("2024-09-29", "2025-09-27"), 1652044: ("2025-01-01", "2025-12-31")}
_YEAR: dict[str, dict[int, float]] = {
    "NetIncomeLoss": {320193: 112010000000, 1652044: 120000000000, 21344: 11000000000},
    "Revenues": {1652044: 400000000000},
    "RevenueFromContractWithCustomerExcludingAssessedTax": {
        320193: 416161000000,
        1652044: 1,
        21344: 47000000000,
    },
}
_INSTANT: dict[str, dict[int, float]] = {
    "StockholdersEquity": {320193: 73733000000, 1652044: 380000000000},
    "Liabilities": {320193: 285508000000},
}


def _row(form: str, filed: str, start: str | None, end: str, val: float) -> dict[str, Any]:
    began = {"start": start} if start else {}
    year = {"accn": "0-1", "fy": int(filed[:4]), "fp": "FY"}
    return {**began, "end": end, "val": val, **year, "form": form, "filed": filed}


_SPAN_24, _SPAN_25 = ("2023-10-01", "2024-09-28"), ("2024-09-29", "2025-09-27")
# What Apple filed of two years: the first again beside the second, a quarter in between, and net
# profit of the first corrected a month later.
_APPLE: dict[str, dict[str, list[dict[str, Any]]]] = {
    "NetIncomeLoss": {
        "USD": [
            _row("10-K", "2024-11-01", *_SPAN_24, 93736000000),
            _row("10-K/A", "2024-12-02", *_SPAN_24, 93700000000),
            _row("10-Q", "2025-05-02", "2024-12-29", "2025-03-29", 24780000000),
            _row("10-K", "2025-10-31", *_SPAN_24, 93700000000),
            _row("10-K", "2025-10-31", *_SPAN_25, 112010000000),
        ]
    },
    "Revenues": {"USD": [_row("10-K", "2024-11-01", *_SPAN_24, 391035000000)]},
    "RevenueFromContractWithCustomerExcludingAssessedTax": {
        "USD": [
            _row("10-K", "2024-11-01", *_SPAN_24, 1),
            _row("10-K", "2025-10-31", *_SPAN_25, 416161000000),
        ]
    },
    "StockholdersEquity": {
        "USD": [
            _row("10-Q", "2025-05-02", None, "2025-03-29", 66796000000),
            _row("10-K", "2025-10-31", None, "2025-09-27", 73733000000),
        ]
    },
    "EarningsPerShareBasic": {
        "USD/shares": [_row("10-K", "2025-10-31", *_SPAN_25, 7.49)],
    },
}
# A company abroad: its own money, with one year in dollars beside.
_ABROAD: dict[str, dict[str, list[dict[str, Any]]]] = {
    "NetIncomeLoss": {
        "CNY": [
            _row("20-F", "2025-06-26", "2023-04-01", "2024-03-31", 80009000000),
            _row("20-F", "2026-06-25", "2024-04-01", "2025-03-31", 130109000000),
        ],
        "USD": [_row("20-F", "2026-06-25", "2024-04-01", "2025-03-31", 17930000000)],
    }
}
_COMPANIES = {320193: _APPLE, 1577552: _ABROAD, 21344: {}}


class Sec(Service):
    """GET /files/company_tickers.json, /api/xbrl/frames/us-gaap/… and /api/xbrl/companyfacts/…;
    403 without a contact.
    """

    prefix = "sec"
    variables: ClassVar = {"SEC_DATA_URL": "", "SEC_WEB_URL": ""}

    def answer(self, asked: Asked) -> Reply:
        if "@" not in asked.headers.get("user-agent", ""):
            return Reply(
                text="<!DOCTYPE html>Your Request Originates from an Undeclared", status=403
            )
        if asked.path == "/files/company_tickers.json":
            rows = enumerate(TICKERS.items())
            return Reply({str(n): {"cik_str": c, "ticker": t, "title": t} for n, (t, c) in rows})
        if "/companyfacts/" in asked.path:
            cik = int(asked.path.rpartition("CIK")[2].removesuffix(".json"))
            known = _COMPANIES.get(cik)
            concepts = (
                {name: {"label": name, "units": units} for name, units in known.items()}
                if known is not None
                else {}
            )
            document = {"cik": cik, "entityName": "made up", "facts": {"us-gaap": concepts}}
            return Reply(document) if known is not None else Reply({}, status=404)
        _, _, _, _, _, concept, _, frame = asked.path.split("/")
        found = self._frame(concept, frame.removesuffix(".json"))
        return Reply(found, status=200 if found else 404)

    def _frame(self, concept: str, frame: str) -> dict[str, Any]:
        usual = ("2025-01-01", "2025-12-31")
        rows: list[dict[str, Any]] = []
        for cik, value in _YEAR.get(concept, {}).items() if frame == "CY2025" else ():
            start, end = _ENDS.get(cik, usual)
            rows.append({"accn": "0-1", "cik": cik, "start": start, "end": end, "val": value})
        instants = {"CY2025Q3I": "2025-09-27", "CY2025Q4I": "2025-12-31"}
        for cik, value in _INSTANT.get(concept, {}).items() if frame in instants else ():
            # Every quarter has a row: only the one of the year's end belongs to the year.
            shown = value if _ENDS.get(cik, usual)[1] == instants[frame] else value + 1
            rows.append({"accn": "0-1", "cik": cik, "end": instants[frame], "val": shown})
        return {"taxonomy": "us-gaap", "tag": concept, "ccp": frame, "data": rows} if rows else {}

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        if "/companyfacts/" in asked.path and reply.document:
            return Reply(_spoiled(reply.document, fault))
        if "frames" not in asked.path or not reply.document:
            return reply
        if fault == "clock_skew":
            rows = [{**row, "end": "2027-03-01"} for row in reply.document["data"]]
            return Reply({**reply.document, "data": rows})
        return Reply(change_rows(reply.document, lambda node: node["data"], "val", fault))


def _spoiled(document: dict[str, Any], fault: Fault) -> dict[str, Any]:
    """The facts of a company with that fault in every list of rows."""
    concepts: dict[str, Any] = {}
    for name, concept in document["facts"]["us-gaap"].items():
        units: dict[str, Any] = {}
        for unit, rows in concept["units"].items():
            late = [{**row, "end": "2027-03-01"} for row in rows]
            given = {"rows": late if fault == "clock_skew" else rows}
            units[unit] = change_rows(given, lambda node: node["rows"], "val", fault)["rows"]
        concepts[name] = {**concept, "units": units}
    return {**document, "facts": {"us-gaap": concepts}}
