"""Sight from outside: counts, traces and logs only when asked for, and never what was said."""

import json
import logging
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from services.container import Services, build_services
from services.core.errors import ConfigError
from services.core.identity import Identity, acting_as
from services.core.sight import request_id, seen, watch_with
from services.logs import JsonLines
from services.settings import ROOT, Settings, load_settings
from services.sight import Metrics, Recent, Traces, init_sight
from services.system_clock import SystemClock
from tests.prepared import prepared

QUESTION = "招商银行2016年净利润"
ANNA = Identity(owner="0123456789abcdef", name="安娜", role="analyst")
_OFF = """
import sys
from services.settings import load_settings
from services.sight import init_sight
init_sight(load_settings({}))
print(*(one for one in sys.modules if one.startswith(("prometheus_client", "opentelemetry"))))
"""


@pytest.fixture(autouse=True)
def _unseen() -> Iterator[None]:
    yield
    watch_with()


@pytest.fixture
def youju(tmp_path: Path) -> Iterator[Services]:
    made = build_services(Settings(store=prepared(tmp_path / "youju.duckdb")))
    yield made
    made.close()


class Collector:
    """Takes spans over OTLP on loopback."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                    for scope in resource.scope_spans:
                        collector.spans.extend(scope.spans)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def metrics_of(metrics: Metrics) -> str:
    port = metrics.server.server_address[1]
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return str(answer.read(), "utf-8")


def test_questions_tools_and_sources_are_counted_and_nothing_that_was_said(youju: Services) -> None:
    metrics = Metrics("127.0.0.1:0")
    watch_with(metrics)
    try:
        with acting_as(ANNA):
            youju.query.ask(QUESTION)
        youju.toolbox.call(
            "get_fundamentals_info", {"symbol": "600519", "market": "CN"}, session_id="s"
        )
        with pytest.raises(ValueError, match="x"), seen("page", "overview"):
            raise ValueError("x")
        told = metrics_of(metrics)
    finally:
        metrics.server.shutdown()
        metrics.server.server_close()
        metrics.thread.join()
    assert 'youju_seconds_count{name="asked",outcome="ok",piece="question"} 1.0' in told
    assert 'name="get_fundamentals_info",outcome="ok",piece="tool"} 1.0' in told
    assert 'name="snapshot",outcome="ok",piece="source"' in told
    assert 'youju_seconds_count{name="overview",outcome="ValueError",piece="page"} 1.0' in told
    assert not {text for text in ("招商", ANNA.owner, ANNA.name, "600519") if text in told}


def test_a_trace_is_one_request_of_one_hash_with_its_parts_inside(youju: Services) -> None:
    collector = Collector()
    traces = Traces(collector.url)
    watch_with(traces)
    try:
        with acting_as(ANNA), seen("page", "ask"):
            request = request_id()
            youju.query.ask(QUESTION)
        traces.provider.shutdown()
    finally:
        collector.close()
    assert request
    assert request_id() == ""
    named = {span.name: span for span in collector.spans}
    page, question, source = (
        named["page ask"],
        named["question asked"],
        named["source snapshot"],
    )
    assert question.parent_span_id == page.span_id
    assert {span.trace_id for span in collector.spans} == {page.trace_id} == {source.trace_id}
    for span in collector.spans:
        about = {one.key: one.value.string_value for one in span.attributes}
        assert about == {"youju.request": request, "youju.user": ANNA.owner}
    assert QUESTION not in str(collector.spans)


def test_a_line_of_the_log_is_an_object_with_its_request_and_user() -> None:
    record = logging.LogRecord("youju.x", logging.INFO, "f", 1, "评分 %s", ("600036",), None)
    watch_with(_Silent())
    with acting_as(ANNA), seen("job", "score"):
        told = json.loads(JsonLines().format(record))
        assert (told["message"], told["user"]) == ("评分 600036", ANNA.owner)
        assert told["request"] == request_id() != ""
    assert set(json.loads(JsonLines().format(record))) == {
        *("time", "level", "logger", "message", "user"),
    }


class _Silent:
    def watch(self, piece: str, name: str) -> object:
        return threading.Lock()


def test_what_was_done_lately_is_remembered_without_what_was_said() -> None:
    recent = Recent(SystemClock(), most=2)
    watch_with(recent)
    for name in ("first", "second", "third"):
        with suppress(KeyError), seen("tool", name):
            if name == "third":
                raise KeyError("what somebody wrote")
    found = recent.pieces()
    assert [(one.piece, one.name, one.outcome) for one in found] == [
        ("tool", "second", "ok"),
        ("tool", "third", "KeyError"),
    ]
    assert found[0].at <= found[1].at
    assert min(one.seconds for one in found) >= 0


def test_without_a_setting_nothing_is_imported() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _OFF], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_settings_that_cannot_be_are_refused_in_words() -> None:
    for text in ("9464", "host:", "a b:1"):
        with pytest.raises(ConfigError, match="YOUJU_METRICS"):
            load_settings({"YOUJU_METRICS": text})
    taken = Metrics("127.0.0.1:0")
    try:
        port = taken.server.server_address[1]
        with pytest.raises(ConfigError, match="cannot listen"):
            init_sight(load_settings({"YOUJU_METRICS": f"127.0.0.1:{port}"}))
    finally:
        taken.server.shutdown()
        taken.server.server_close()
        taken.thread.join()
