"""Aliyun IQS UnifiedSearch: one POST; refuses as the real one, in either of its two shapes.

`refusal` plays an error: HTTP status and code. `shape` says under which names it is told.
"""

import json
from pathlib import Path
from typing import Any, ClassVar

from tests.fakes.server import Asked, Fault, Reply, Service, change_rows

ANSWER = Path(__file__).resolve().parents[1] / "answers" / "iqs" / "unified.json"
KEY = "iqs-secret-0001"
_CATEGORIES = {"finance", "law", "medical", "internet", "tax", "news_province", "news_center"}
_RANGES = {"OneDay", "OneWeek", "OneMonth", "OneYear", "NoLimit"}


class Iqs(Service):
    """POST /search/unified."""

    prefix = "iqs"
    variables: ClassVar = {"IQS_URL": ""}

    def __init__(self) -> None:
        super().__init__()
        self.refusal: tuple[int, str] | None = None
        self.shape: tuple[str, str] = ("errorCode", "errorMessage")

    def answer(self, asked: Asked) -> Reply:
        if asked.method != "POST" or asked.path != "/search/unified":
            return self._refused(404, "InvalidAction.NotFound")
        if self.refusal is not None:
            return self._refused(*self.refusal)
        if asked.headers.get("authorization") != f"Bearer {KEY}":
            return self._refused(403, "Retrieval.InvalidAPIKey")
        question = asked.json()
        advanced = question.get("advancedParams", {})
        categories = set(question["category"].split(",")) if "category" in question else set()
        if not 1 <= len(question["query"]) <= 500 or categories - _CATEGORIES:
            return self._refused(400, "InvalidParameter")
        if question.get("timeRange", "NoLimit") not in _RANGES:
            return self._refused(400, "InvalidParameter")
        if not isinstance(advanced.get("numResults", "10"), str):
            return self._refused(400, "InvalidParameter")
        document = json.loads(ANSWER.read_text())
        if "搜不到" in question["query"]:
            document["pageItems"] = []
        if site := advanced.get("includeSites"):
            document["pageItems"] = [p for p in document["pageItems"] if site in p["link"]]
        return Reply(document)

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        if fault == "clock_skew":
            document = json.loads(reply.bytes())
            for row in document["pageItems"]:
                row["publishedTime"] = "2027-03-01T08:30:00+08:00"
            return Reply(document)
        return Reply(change_rows(reply.document, _rows, "link", fault))

    def _refused(self, status: int, code: str) -> Reply:
        told = {self.shape[0]: code, self.shape[1]: f"refused: {KEY}", "requestId": "7C1B"}
        return Reply(told, status=status)


def _rows(document: Any) -> list[Any] | None:
    return document.get("pageItems")
