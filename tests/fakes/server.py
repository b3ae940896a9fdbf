"""A loopback HTTP server that plays every upstream, with switches that break it as they break.

A `Service` is one upstream: it answers under its own path prefix, speaks the real protocol, and
says which environment variables point a client at it. Faults are set per service.
"""

import gzip
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, get_args
from urllib.parse import parse_qsl, urlsplit

Fault = Literal[
    "timeout",
    "reset",
    "too_many",
    "too_many_later",
    "forbidden",
    "broken",
    "html",
    "truncated",
    "empty",
    "missing_column",
    "renamed_column",
    "text_for_number",
    "dash",
    "null",
    "nan",
    "duplicate_rows",
    "wrong_order",
    "clock_skew",
]
FAULTS: tuple[Fault, ...] = get_args(Fault)
# What happens to the answer as bytes; the others change the document and are the service's own.
_WIRE: tuple[Fault, ...] = FAULTS[:8]
WAF = (
    '<!doctype html><html><head><title>验证</title></head><body><textarea id="renderData" '
    'style="display:none">{"_waf_bd8ce2ce37":"x"}</textarea></body></html>'
)


@dataclass(frozen=True)
class Asked:
    """One request as it came, its path without the service's prefix."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))


@dataclass(frozen=True)
class Reply:
    """An answer: a document is sent as JSON, text as it is."""

    document: Any = None
    text: str | None = None
    status: int = 200
    content_type: str = "application/json; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)

    def bytes(self) -> bytes:
        if self.text is not None:
            return self.text.encode()
        return json.dumps(self.document, ensure_ascii=False).encode()


class Service:
    """One upstream. A subclass sets `prefix`, `variables`, and answers; it may refine faults."""

    prefix: str = ""
    # Variable → path below the prefix it should point at.
    variables: Mapping[str, str] = {}

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.fault: Fault | None = None
        # When set, only paths that contain it are broken.
        self.fault_path: str = ""
        # How many more answers are broken; None: all.
        self.fault_left: int | None = None
        # Called with each request before it is answered, in the thread that answers it.
        self.gate: Callable[[Asked], None] | None = None

    def answer(self, asked: Asked) -> Reply:
        """The answer as the real service gives it."""
        raise NotImplementedError

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        """The answer with a fault of the document: empty list, missing column, and the like."""
        raise NotImplementedError(f"{type(self).__name__} cannot play {fault}")

    def reset(self) -> None:
        """Forget requests and faults."""
        self.asked.clear()
        self.fault, self.fault_path, self.fault_left = None, "", None
        self.gate = None

    def broken_now(self, asked: Asked) -> Fault | None:
        if self.fault is None or self.fault_path not in asked.path:
            return None
        if self.fault_left is not None:
            if self.fault_left == 0:
                return None
            self.fault_left -= 1
        return self.fault


def change_rows(
    document: Any,
    rows_of: Callable[[Any], list[Any] | None],
    field_name: str,
    fault: Fault,
) -> Any:
    """The document with `fault` in its rows (a list of objects); `field_name` holds a number."""
    changed = json.loads(json.dumps(document))
    rows = rows_of(changed)
    if rows is None:
        return changed
    if fault == "empty":
        rows.clear()
    elif fault == "duplicate_rows":
        rows.extend(list(rows))
    elif fault == "wrong_order":
        rows.reverse()
    for row in rows:
        if isinstance(row, dict) and field_name in row:
            _change_cell(row, field_name, fault)
    return changed


_CELLS: Mapping[str, Any] = {"text_for_number": "很多", "dash": "-", "nan": float("nan")}


def _change_cell(row: dict[str, Any], name: str, fault: Fault) -> None:
    if fault in {"missing_column", "renamed_column"}:
        cell = row.pop(name)
        if fault == "renamed_column":
            row[name + "_new"] = cell
    elif fault == "null":
        row[name] = None
    elif fault in _CELLS:
        row[name] = _CELLS[fault]


class World:
    """A server with services mounted; use as a context manager."""

    def __init__(self, *services: Service) -> None:
        self.services = {service.prefix: service for service in services}
        self._released = threading.Event()
        world = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body go out in two writes: do not wait for the other side in between.
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                world._serve(self)

            def do_POST(self) -> None:
                world._serve(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request: object, client_address: object) -> None:
                """A client that hangs up is part of the game."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> "World":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def environment(self) -> dict[str, str]:
        """Every variable of the mounted services, pointing here."""
        return {
            name: f"{self.url}/{service.prefix}{path}"
            for service in self.services.values()
            for name, path in service.variables.items()
        }

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        prefix, _, rest = parts.path.lstrip("/").partition("/")
        length = int(handler.headers.get("content-length") or 0)
        service = self.services.get(prefix)
        asked = Asked(
            handler.command,
            "/" + rest,
            dict(parse_qsl(parts.query, keep_blank_values=True)),
            {name.lower(): value for name, value in handler.headers.items()},
            handler.rfile.read(length),
        )
        if service is None:
            self._send(handler, Reply({"error": "no such service"}, status=404))
            return
        service.asked.append(asked)
        if service.gate is not None:
            service.gate(asked)
        fault = service.broken_now(asked)
        if fault in _WIRE:
            self._break(handler, service, asked, fault)
            return
        reply = service.answer(asked)
        if fault is not None:
            reply = service.spoil(reply, fault, asked)
        self._send(handler, reply)

    def _break(
        self, handler: BaseHTTPRequestHandler, service: Service, asked: Asked, fault: str
    ) -> None:
        match fault:
            case "timeout":
                self._released.wait(30)
                handler.close_connection = True
            case "reset":
                whole = service.answer(asked).bytes()
                handler.send_response(200)
                handler.send_header("Content-Type", "application/json")
                handler.send_header("Content-Length", str(len(whole) + 1000))
                handler.end_headers()
                handler.wfile.write(whole[: len(whole) // 2])
                handler.close_connection = True
            case "too_many":
                self._send(handler, Reply({}, status=429))
            case "too_many_later":
                self._send(handler, Reply({}, status=429, headers={"Retry-After": "120"}))
            case "forbidden":
                self._send(handler, Reply({}, status=403))
            case "broken":
                self._send(handler, Reply({}, status=500))
            case "html":
                self._send(handler, Reply(text=WAF, content_type="text/html; charset=utf-8"))
            case _:
                whole = service.answer(asked)
                half = whole.bytes()[: len(whole.bytes()) * 2 // 3].decode(errors="ignore")
                self._send(handler, Reply(text=half, content_type=whole.content_type))

    def _send(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        content = reply.bytes()
        zipped = "gzip" in (handler.headers.get("accept-encoding") or "") and len(content) > 200
        handler.send_response(reply.status)
        handler.send_header("Content-Type", reply.content_type)
        if zipped:
            content = gzip.compress(content)
            handler.send_header("Content-Encoding", "gzip")
        for name, value in reply.headers.items():
            for each in value.split("\n"):
                handler.send_header(name, each)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)
