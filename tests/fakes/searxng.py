"""A SearXNG instance: one GET. `json_on` False plays an instance as it is installed.

`knows_week` False plays an older release; `engines_down` one whose engines do not answer.
"""

import json
from pathlib import Path
from typing import Any, ClassVar

from tests.fakes.server import Asked, Fault, Reply, Service, change_rows

ANSWER = Path(__file__).resolve().parents[1] / "answers" / "searxng" / "search.json"


class Searxng(Service):
    """GET /search."""

    prefix = "searxng"
    variables: ClassVar = {"SEARXNG_URL": ""}

    def __init__(self) -> None:
        super().__init__()
        self.json_on = True
        self.knows_week = True
        self.engines_down = False

    def answer(self, asked: Asked) -> Reply:
        if asked.path != "/search":
            return Reply(text="<!doctype html><title>404</title>", status=404)
        if asked.query.get("format") != "json" or not self.json_on:
            return Reply(text="<!doctype html><title>403</title>", status=403)
        known = {"day", "month", "year"} | ({"week"} if self.knows_week else set())
        if not asked.query.get("q") or asked.query.get("time_range", "day") not in known:
            return Reply({"error": "Invalid settings"}, status=400)
        document = json.loads(ANSWER.read_text())
        if "搜不到" in asked.query["q"] or self.engines_down:
            document["results"] = []
        if not self.engines_down:
            document["unresponsive_engines"] = []
        return Reply(document)

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        if fault == "clock_skew":
            document = json.loads(reply.bytes())
            for row in document["results"]:
                row["publishedDate"] = "2027-03-01T08:30:00+08:00"
            return Reply(document)
        return Reply(change_rows(reply.document, _rows, "url", fault))


def _rows(document: Any) -> list[Any] | None:
    return document.get("results")
