"""A language model by script: a loopback server that speaks OpenAI's protocol and does as told.

    with ModelServer(call("get_price", symbol="600519"), say("好的")) as server:
        …                       # point LLM_BASE_URL at server.url, LLM_MODEL at anything

Steps are given in order, one a request; a callable is asked what to do with each. What was asked
is in `server.asked`. Leaving the block fails when steps are left over or a request came unexpected.
Embeddings are played by `embed`, which gives the vector of a text; `fail_embeddings` breaks them.
"""

import json
import select
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

Vector = Sequence[float]


@dataclass(frozen=True)
class Asked:
    """One request as it came. `dropped` is set once the client has hung up on it."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    dropped: threading.Event = field(default_factory=threading.Event)

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.body["messages"]

    @property
    def said(self) -> str:
        """The last message."""
        return self.messages[-1]["content"]

    @property
    def prompt(self) -> str:
        """Every message, one a paragraph."""
        return "\n\n".join(str(one["content"]) for one in self.messages)

    @property
    def tools(self) -> list[str]:
        """The names of the tools offered."""
        return [one["function"]["name"] for one in self.body.get("tools", [])]

    @property
    def json_mode(self) -> str | None:
        """`json_schema`, `json_object` or None."""
        return self.body.get("response_format", {}).get("type")


@dataclass(frozen=True)
class Tool:
    """A tool to be called; `arguments` is sent as written, so that it may be broken."""

    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True)
class Step:
    """What to do with one request; see the functions below, which make the usual ones."""

    text: str = ""
    tools: tuple[Tool, ...] = ()
    reasoning: str = ""
    usage: tuple[int, int] | None = (100, 20)
    finish: str | None = "stop"
    status: int = 200
    error: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    # Characters a chunk; seconds before each of them; chunks after which to stop.
    chunk: int = 4
    pause_s: float = 0.0
    only: int | None = None
    how_it_ends: str = "whole"  # whole · cut · reset · hang · silent
    raw: tuple[str, ...] = ()
    content_type: str = "text/event-stream"

    def slowly(self, pause_s: float) -> "Step":
        """With a pause before each chunk."""
        return replace(self, pause_s=pause_s)

    def thinking(self, reasoning: str) -> "Step":
        """After thinking aloud."""
        return replace(self, reasoning=reasoning)

    def uncounted(self) -> "Step":
        """Without saying how many tokens it took."""
        return replace(self, usage=None)

    def in_one_piece(self) -> "Step":
        """As an endpoint answers that does not stream."""
        return replace(self, content_type="application/json")


Script = Callable[[Asked], Step]


def say(text: str, finish: str | None = "stop") -> Step:
    """Write a text. `finish` may be `length`, `content_filter`, or anything."""
    return Step(text, finish=finish)


def as_json(document: object) -> Step:
    """Write a document as JSON."""
    return Step(json.dumps(document, ensure_ascii=False))


def call(name: str, raw_arguments: str | None = None, /, **arguments: object) -> Step:
    """Ask for one tool; `raw_arguments` is sent as it is, broken or not."""
    written = raw_arguments if raw_arguments is not None else json.dumps(arguments)
    return calls(Tool(name, written))


def calls(*tools: Tool) -> Step:
    """Ask for several tools at once."""
    named = tuple(replace(one, id=one.id or f"call_{at}") for at, one in enumerate(tools, 1))
    return Step(tools=named, finish="tool_calls")


def refuse(
    status: int,
    *,
    parameter: str | None = None,
    code: str | None = None,
    message: str = "no",
    **headers: str,
) -> Step:
    """Answer an error. `parameter` is what a 400 is about; `retry_after="2"` is a header."""
    error = {
        "message": message,
        "type": "invalid_request_error",
        "param": parameter,
        "code": code,
    }
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Step(status=status, error={"error": error}, headers=named)


def hang() -> Step:
    """Never answer."""
    return Step(how_it_ends="silent")


def hang_after(text: str) -> Step:
    """Write that and then nothing more."""
    return Step(text, how_it_ends="hang")


def cut(text: str, after: int = 2) -> Step:
    """Break off after that many chunks, politely: the stream just ends, without a reason."""
    return Step(text, only=after, how_it_ends="cut")


def reset(text: str, after: int = 2) -> Step:
    """Break off after that many chunks in the middle of a line; 0: before any answer."""
    return Step(text, only=after, how_it_ends="reset")


def garble(text: str) -> Step:
    """A chunk that is no JSON in the middle."""
    return Step(text, raw=('{"choices": [{"index": 0, "del',))


def stream(*lines: str) -> Step:
    """These data lines as they are, then [DONE]."""
    return Step(finish=None, usage=None, raw=lines)


class ModelServer:
    """The server; a context manager. `url` is what LLM_BASE_URL takes."""

    def __init__(
        self,
        *script: Step | Script,
        embed: Callable[[str], Vector] | None = None,
        models: Sequence[str] = ("scripted",),
        most_texts: int = 2048,
    ) -> None:
        self._script = list(script)
        self._lock = threading.Lock()
        self._released = threading.Event()
        self.embed = embed
        self.fail_embeddings: Step | None = None
        self.models = models
        self.most_texts = most_texts
        self.asked: list[Asked] = []
        # Set once the first request for an answer is there.
        self.arrived = threading.Event()
        self.embedded: list[list[str]] = []
        self.unexpected: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                server._serve(self)

            def do_POST(self) -> None:
                server._serve(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, request: object, client_address: object) -> None:
                """A client that hangs up is part of the game."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> "ModelServer":
        self._thread.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if kind is None:
            self.check()

    def check(self) -> None:
        """Raises: AssertionError for steps left over and requests that were not expected."""
        left = [one for one in self._script if isinstance(one, Step)]
        assert not self.unexpected, f"unexpected requests: {self.unexpected}"
        assert not left, f"{len(left)} steps were never asked for: {left}"

    def then(self, *script: Step | Script) -> None:
        """More steps behind those that are left."""
        with self._lock:
            self._script += script

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def environment(self, model: str = "scripted") -> dict[str, str]:
        """The variables that point a process here."""
        return {"LLM_BASE_URL": self.url, "LLM_MODEL": model, "LLM_API_KEY": "sk-scripted"}

    def _next(self, asked: Asked) -> Step | None:
        with self._lock:
            self.asked.append(asked)
            self.arrived.set()
            if not self._script:
                self.unexpected.append(asked.prompt[-300:])
                return None
            step = self._script[0]
            if isinstance(step, Step):
                self._script.pop(0)
                return step
        return step(asked)

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("content-length") or 0)
        content = handler.rfile.read(length)
        asked = Asked(
            handler.path,
            {name.lower(): value for name, value in handler.headers.items()},
            json.loads(content) if content else {},
        )
        if handler.path.endswith("/models"):
            data = [{"id": name, "object": "model"} for name in self.models]
            _send(handler, 200, {"object": "list", "data": data})
        elif handler.path.endswith("/embeddings"):
            self._vectors(handler, asked)
        elif handler.path.endswith("/chat/completions"):
            step = self._next(asked)
            if step is None:
                _send(handler, 410, {"error": {"message": "the script is at its end"}})
            else:
                self._play(handler, asked, step)
        else:
            self.unexpected.append(handler.path)
            _send(handler, 404, {"error": {"message": "no such path"}})

    def _vectors(self, handler: BaseHTTPRequestHandler, asked: Asked) -> None:
        texts = asked.body["input"]
        self.embedded.append(texts)
        if self.embed is None:
            self.unexpected.append(f"embeddings of {texts[:3]}")
            _send(handler, 410, {"error": {"message": "nothing was said about embeddings"}})
        elif self.fail_embeddings is not None:
            self._play(handler, asked, self.fail_embeddings)
        elif len(texts) > self.most_texts:
            _send(handler, 400, {"error": {"message": "too many", "param": "input"}})
        else:
            data = [
                {"object": "embedding", "index": at, "embedding": list(self.embed(text))}
                for at, text in enumerate(texts)
            ]
            # Any order is allowed: the index says which is which.
            _send(handler, 200, {"object": "list", "data": data[::-1], "model": "vectors"})

    def _play(self, handler: BaseHTTPRequestHandler, asked: Asked, step: Step) -> None:
        if step.how_it_ends == "silent":
            self._wait_for_hang_up(handler, asked)
        elif step.status != 200 or step.error is not None:
            _send(handler, step.status, step.error, step.headers)
        elif step.how_it_ends == "reset" and step.only == 0:
            _reset(handler)
        elif step.content_type == "application/json":
            _send(handler, 200, _whole(step))
        else:
            self._stream(handler, asked, step)

    def _stream(self, handler: BaseHTTPRequestHandler, asked: Asked, step: Step) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", step.content_type)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        lines = _lines(step, with_usage="stream_options" in asked.body)
        for line in lines[: step.only]:
            if self._released.wait(step.pause_s) if step.pause_s else False:
                return
            try:
                _chunk(handler, f"data: {line}\n\n")
            except OSError:
                asked.dropped.set()
                return
        match step.how_it_ends:
            case "hang":
                self._wait_for_hang_up(handler, asked)
            case "cut":
                _chunk(handler, "")
            case "reset":
                _chunk(handler, 'data: {"choices": [{"ind')
                _reset(handler)
            case _:
                _chunk(handler, "data: [DONE]\n\n")
                _chunk(handler, "")

    def _wait_for_hang_up(self, handler: BaseHTTPRequestHandler, asked: Asked) -> None:
        """Say nothing until the client is gone or the test is over."""
        connection = cast("socket.socket", handler.connection)
        while not self._released.is_set():
            readable, _, _ = select.select([connection], [], [], 0.05)
            try:
                if readable and not connection.recv(1, socket.MSG_PEEK):
                    asked.dropped.set()
                    break
            except OSError:
                asked.dropped.set()
                break
        handler.close_connection = True


def _lines(step: Step, *, with_usage: bool) -> list[str]:
    """The data of each chunk."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"reasoning_content": part} for part in _parts(step.reasoning, step.chunk)]
    deltas += [{"content": part} for part in _parts(step.text, step.chunk)]
    for at, tool in enumerate(step.tools):
        function = {"name": tool.name, "arguments": ""}
        head = {"index": at, "id": tool.id, "type": "function", "function": function}
        deltas.append({"tool_calls": [head]})
        deltas += [
            {"tool_calls": [{"index": at, "function": {"arguments": part}}]}
            for part in _parts(tool.arguments, step.chunk)
        ]
    lines = [_event(delta) for delta in deltas]
    middle = len(lines) // 2 + 1
    lines[middle:middle] = step.raw
    if step.how_it_ends in {"cut", "reset", "hang"}:
        return lines
    if step.finish is not None:
        lines.append(_event({}, step.finish))
    if step.usage is not None and with_usage:
        lines.append(json.dumps({**_HEAD, "choices": [], "usage": _usage(step.usage)}))
    return lines


_HEAD = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}


def _event(delta: Mapping[str, Any], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return json.dumps({**_HEAD, "choices": [choice]}, ensure_ascii=False)


def _whole(step: Step) -> dict[str, Any]:
    """The answer of an endpoint that does not stream."""
    message: dict[str, Any] = {"role": "assistant", "content": step.text}
    if step.reasoning:
        message["reasoning_content"] = step.reasoning
    if step.tools:
        message["tool_calls"] = [
            {"id": t.id, "type": "function", "function": {"name": t.name, "arguments": t.arguments}}
            for t in step.tools
        ]
    choice = {"index": 0, "message": message, "finish_reason": step.finish}
    usage = {"usage": _usage(step.usage)} if step.usage is not None else {}
    return {**_HEAD, "object": "chat.completion", "choices": [choice], **usage}


def _usage(counted: tuple[int, int]) -> dict[str, int]:
    prompt, completion = counted
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }


def _parts(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def _chunk(handler: BaseHTTPRequestHandler, text: str) -> None:
    content = text.encode()
    handler.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
    handler.wfile.flush()


def _reset(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection with what was said left unfinished."""
    handler.close_connection = True
    cast("socket.socket", handler.connection).shutdown(socket.SHUT_RDWR)


def _send(
    handler: BaseHTTPRequestHandler,
    status: int,
    document: object,
    headers: Mapping[str, str] | None = None,
) -> None:
    content = json.dumps(document, ensure_ascii=False).encode()
    handler.send_response_only(status)
    handler.send_header("Content-Type", "application/json")
    if "date" not in (headers or {}):
        handler.send_header("Date", handler.date_time_string())
    for name, value in (headers or {}).items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)
