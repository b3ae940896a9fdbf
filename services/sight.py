"""Sight from outside: Prometheus metrics on an address of their own, OpenTelemetry traces sent to a
collector. Each is off until its setting is given, and its library is imported then.

Metrics say how many pieces of work of which kind ended how, and how long they took: no person, no
text. Traces also say of whom (the hash a record's owner is known by) and of which request.
"""

from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from datetime import datetime
from time import perf_counter
from typing import NamedTuple

from services.core.clock import Clock
from services.core.errors import ConfigError, NotAllowedError
from services.core.identity import acting
from services.core.sight import Piece, Watcher, request_id, watch_with
from services.settings import Settings
from services.system_clock import SystemClock

_SECONDS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300)


def init_sight(settings: Settings, *others: Watcher) -> None:
    """Begin to tell whoever the settings name, and the others. Called once by each door of the
    program.

    Raises: ConfigError when the address is taken or a package is missing.
    """
    watchers = list(others)
    if settings.metrics:
        watchers.append(Metrics(settings.metrics))
    if settings.traces:
        watchers.append(Traces(settings.traces))
    watch_with(*watchers)


@contextmanager
def _timed(tell: Callable[[float, str], None]) -> Generator[None]:
    """Tell how long it took and how it ended: `ok`, or the class of what it raised."""
    began, outcome = perf_counter(), "ok"
    try:
        yield
    except Exception as error:
        outcome = type(error).__name__
        raise
    finally:
        tell(perf_counter() - began, outcome)


class SeenPiece(NamedTuple):
    """One piece of work that has ended: when (real time), what, how long, and how: `ok`, or the
    class of its error.
    """

    at: datetime
    piece: Piece
    name: str
    seconds: float
    outcome: str


class Recent:
    """Remembers the last pieces of this process, so that an admin sees which were slow or failed:
    no person, no text. Safe to share between threads.
    """

    def __init__(self, clock: Clock, most: int = 5_000) -> None:
        """Of more than `most` the oldest go."""
        self._clock = clock
        self._kept: deque[SeenPiece] = deque(maxlen=most)

    def pieces(self) -> tuple[SeenPiece, ...]:
        """Oldest first."""
        return tuple(self._kept)

    @contextmanager
    def watch(self, piece: Piece, name: str) -> Generator[None]:
        """Remember it, and how it ended."""

        def keep(took: float, outcome: str) -> None:
            self._kept.append(SeenPiece(self._clock.now(), piece, name, took, outcome))

        with _timed(keep):
            yield


# What this process did lately; where nobody tells it anything it stays empty.
RECENT = Recent(SystemClock())


class Metrics:
    """Counts and times at `http://HOST:PORT/metrics`."""

    def __init__(self, address: str) -> None:
        """Raises: ConfigError."""
        host, _, port = address.rpartition(":")
        try:
            from prometheus_client import CollectorRegistry, Histogram, start_http_server
        except ImportError as error:
            raise _missing("YOUJU_METRICS") from error
        registry = CollectorRegistry()
        self._took = Histogram(
            "youju_seconds",
            "Seconds a piece of work took: page, question, tool, source, job or model.",
            ("piece", "name", "outcome"),
            buckets=_SECONDS,
            registry=registry,
        )
        try:
            self.server, self.thread = start_http_server(int(port), host, registry)
        except OSError as error:
            raise ConfigError("YOUJU_METRICS", f"cannot listen there: {error.strerror}") from error

    @contextmanager
    def watch(self, piece: Piece, name: str) -> Generator[None]:
        """Time it, and how it ended: `ok`, or the class of what it raised."""
        with _timed(lambda took, outcome: self._took.labels(piece, name, outcome).observe(took)):
            yield


class Traces:
    """Spans to an OTLP collector over HTTP."""

    def __init__(self, url: str) -> None:
        """Raises: ConfigError."""
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ImportError as error:
            raise _missing("YOUJU_TRACES") from error
        self.provider = TracerProvider(resource=Resource({"service.name": "youju"}))
        exporter = OTLPSpanExporter(f"{url}/v1/traces")
        self.provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self.provider.get_tracer("youju")

    @contextmanager
    def watch(self, piece: Piece, name: str) -> Generator[None]:
        """A span within that of the work it is part of."""
        about = {"youju.request": request_id()}
        with suppress(NotAllowedError):  # nobody is signed in yet
            about["youju.user"] = acting().owner
        # The message of an error may repeat what somebody wrote: its class is enough.
        span = self._tracer.start_as_current_span(
            f"{piece} {name}", attributes=about, record_exception=False
        )
        with span as now:
            try:
                yield
            except Exception as error:
                now.set_attribute("error.type", type(error).__name__)
                raise


def _missing(variable: str) -> ConfigError:
    return ConfigError(variable, "needs packages: pip install -r deploy/requirements.txt")
