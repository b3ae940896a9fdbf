"""Every source asked one small question a capability, and the shape of what it sent."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from services.core.errors import NoDataError
from services.core.requests import (
    BarsRequest,
    DatedValuationsRequest,
    FetchRequest,
    FinancialsRequest,
    FlowRequest,
    ForecastRequest,
    InfluencersRequest,
    IntradayRequest,
    MacroRequest,
    NewsRequest,
    NoticesRequest,
    PageRequest,
    PostsRequest,
    ReportsRequest,
    ScreenRequest,
    SignalsRequest,
    SiteSearchRequest,
    SpotRequest,
    UserRequest,
    ValuationRequest,
    WebSearchRequest,
)
from services.providers.chain import Chain
from services.providers.http import watch_answers
from services.providers.shapes import Shape, difference, join_shapes, load_shapes, shape_of
from services.settings import Settings

_COMPANIES = ("600519.SH", "00700.HK", "AAPL")


@dataclass(frozen=True, slots=True)
class Probed:
    """What one source said to one question: `ok` when it answered, even that there is nothing.

    `shapes` are those of its answers by table; `changed` is how they differ from the known ones.
    `lacking`: it was not asked, as these variables are not set.
    """

    source: str
    capability: str
    about: str
    ok: bool
    told: str
    took_ms: float
    shapes: dict[str, Shape]
    changed: tuple[str, ...]
    lacking: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """All of it in one line."""
        if self.lacking:
            return f"{self.source} · not asked: {', '.join(self.lacking)} not set"
        state = "ok" if self.ok else "FAILED"
        shape = "; ".join(self.changed) or ("shape as known" if self.shapes else "")
        head = f"{self.source} · {self.capability} · {self.about}: {state}, {self.told}"
        return f"{head}, {self.took_ms:.0f} ms{'; ' + shape if shape else ''}"


def probe_all(settings: Settings, chain: Chain) -> Iterator[Probed]:
    """Ask each configured source each small question it covers, and name what the others lack;
    whole markets are not pulled.
    """
    wanted = settings.wanted_chains
    for name in dict.fromkeys(one for sources in wanted.values() for one in sources):
        if name in {"snapshot", "market_copy"}:
            continue
        if lacking := settings.lacking(name):
            yield Probed(name, "", "", ok=False, told="", took_ms=0, shapes={}, changed=(),
                         lacking=lacking)  # fmt: skip
            continue
        for request in _questions(chain):
            if name in wanted.get(request.capability, ()) and chain.covers(name, request):
                yield _probe(chain, name, request)


def _probe(chain: Chain, name: str, request: FetchRequest) -> Probed:
    with watch_answers() as bodies:
        outcome = chain.probe(name, (request,))
    ok = outcome.error is None or isinstance(outcome.error, NoDataError)
    rows = sum(len(part.rows) + len(part.items) for part in outcome.fetched)
    told = f"{rows} figures and texts" if outcome.error is None else str(outcome.error)
    by_table: dict[str, list[Shape]] = {}
    for body in bodies:
        by_table.setdefault(f"{body.provider} {body.table}", []).append(shape_of(body))
    shapes: dict[str, Shape] = {key: join_shapes(found) for key, found in by_table.items()}
    return Probed(
        source=name,
        capability=request.capability,
        about=_about(request),
        ok=ok,
        told=" ".join(told.split(" | ")[0].split()),
        took_ms=outcome.attempts[-1].duration_ms if outcome.attempts else 0.0,
        shapes=shapes,
        changed=tuple(_changes(f"{request.capability} {_about(request)}", shapes)),
    )


def _about(request: FetchRequest) -> str:
    named = (getattr(request, name, None) for name in ("symbol", "market", "series"))
    return next((str(name) for name in named if name), "-")


def _changes(question: str, shapes: dict[str, Shape]) -> Iterator[str]:
    for key, seen in shapes.items():
        known = load_shapes().get(f"{key} | {question}")
        if known is None:
            yield f"{key}: not known before"
        elif told := str(difference(seen, known)):
            yield f"{key}: {told}"


def _questions(chain: Chain) -> Sequence[FetchRequest]:
    """One small question a capability, of each market where its answers differ."""
    today = chain.today
    since = today - timedelta(days=14)
    of_each: list[FetchRequest] = []
    for symbol in _COMPANIES:
        of_each += [
            SpotRequest(symbol=symbol),
            ValuationRequest(symbol=symbol),
            DatedValuationsRequest(symbol=symbol, start=since, end=today),
            BarsRequest(symbol=symbol, start=since),
            FinancialsRequest(symbol=symbol),
            ForecastRequest(symbol=symbol),
        ]
    own = _COMPANIES[0]
    return (
        *of_each,
        IntradayRequest(symbol=own, interval="5m", days=1),
        PostsRequest(symbol=own, order="new", size=5),
        NoticesRequest(symbol=own, size=5),
        NewsRequest(symbol=own, keywords=("股", "经济", "market"), size=5),
        InfluencersRequest(symbol=own),
        SiteSearchRequest(query="茅台", size=5),
        WebSearchRequest(query="贵州茅台", size=5),
        UserRequest(name="雪球"),
        PageRequest(url="https://xueqiu.com/S/SH600519"),
        SignalsRequest(symbol=own, start=since, end=today),
        FlowRequest(symbol=own, days=5),
        MacroRequest(series="lpr", count=1),
        MacroRequest(series="pmi", count=1),
        ReportsRequest(period=f"{today.year - 1}_Q4", market="US"),
        ScreenRequest(market="CN", size=1),
        ScreenRequest(market="US", size=1),
    )
