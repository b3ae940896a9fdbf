"""EDGAR on loopback: the list of tickers and frames, for those who say who they are."""

from typing import Any, ClassVar

from tests.fakes.server import Asked, Fault, Reply, Service, change_rows

CONTACT = "Jane Doe jane@example.com"
TICKERS = {"AAPL": 320193, "GOOGL": 1652044, "GOOG": 1652044, "KO": 21344, "BRK-B": 1067983}
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


class Sec(Service):
    """GET /files/company_tickers.json and /api/xbrl/frames/us-gaap/…; 403 without a contact."""

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
        if "frames" not in asked.path or not reply.document:
            return reply
        if fault == "clock_skew":
            rows = [{**row, "end": "2027-03-01"} for row in reply.document["data"]]
            return Reply({**reply.document, "data": rows})
        return Reply(change_rows(reply.document, lambda node: node["data"], "val", fault))
