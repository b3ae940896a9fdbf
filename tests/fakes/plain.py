"""The simplest upstream: a list of prices as JSON, for tests of the HTTP client itself."""

from typing import Any

from tests.fakes.server import Asked, Fault, Reply, Service, change_rows


class PlainService(Service):
    """GET /prices → {"rows": [{"price": 10.5}]}; GET /big → many bytes; GET /moved → a redirect."""

    prefix = "plain"

    def __init__(self, size: int = 3) -> None:
        super().__init__()
        self.size = size

    def answer(self, asked: Asked) -> Reply:
        match asked.path:
            case "/prices":
                return Reply({"rows": [{"price": 10.5, "day": "2026-11-20"}] * self.size})
            case "/big":
                return Reply(text="[" + "0," * 50_000 + "0]")
            case "/moved":
                return Reply({}, status=302, headers={"Location": "http://127.0.0.1:9/"})
            case "/denied":
                return Reply({}, status=401)
            case _:
                return Reply({}, status=404)

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        return Reply(change_rows(reply.document, _rows, "price", fault))


def _rows(document: Any) -> list[Any] | None:
    return document.get("rows")
