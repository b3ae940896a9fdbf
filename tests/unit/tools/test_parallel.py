"""Work side by side on branches of a ledger: as if done one after another, but at the same time."""

import threading
from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from services.core.claims import Claim
from services.core.errors import NoDataError, UnavailableError
from services.core.ledger import Answer, Ledger
from services.core.requests import FetchRequest, ForecastRequest, ValuationRequest
from services.core.trace import Fact, ToolCall
from services.providers.retry import errand, time_left
from services.tools.parallel import WORKERS, side_by_side

COMPANIES = ("600519.SH", "000001.SZ", "300750.SZ")
DAY = date(2026, 11, 20)


class Source:
    """Answers a valuation of any company; call ids are the company's, then -2, -3 when repeated."""

    def __init__(self, meeting: threading.Barrier | None = None) -> None:
        self._meeting = meeting
        self._lock = threading.Lock()
        self.asked: list[FetchRequest] = []

    def fetch(self, request: FetchRequest) -> Sequence[ToolCall] | Answer:
        with self._lock:
            self.asked.append(request)
            number = self.asked.count(request)
        if self._meeting is not None:
            self._meeting.wait(60)
        if isinstance(request, ForecastRequest):
            failed = _call(f"{request.symbol} failed", ())
            return Answer((), (failed,), error=UnavailableError("upstream", "forecast", "down"))
        assert isinstance(request, ValuationRequest)
        if request.symbol == "AAPL":
            raise NoDataError("valuation AAPL", "nothing")
        fact = Fact(
            symbol=request.symbol,
            metric="pe_ttm",
            value=float(request.symbol[:6]),
            unit="multiple",
            as_of=DAY,
            field="pe",
        )
        return (_call(request.symbol + (f"-{number}" if number > 1 else ""), (fact,)),)


def _call(name: str, rows: tuple[Fact, ...]) -> ToolCall:
    return ToolCall(
        tool_call_id=name,
        name="ask",
        arguments={},
        attempts=(),
        source="upstream",
        table="valuation",
        served_by="upstream",
        fetched_at=datetime(2026, 11, 20, tzinfo=UTC),
        duration_ms=0.0,
        rows=rows,
    )


def _multiple(ledger: Ledger, symbol: str) -> Claim:
    answer = ledger.fetch(ValuationRequest(symbol=symbol))
    (call, fact), *_ = answer.facts(symbol)
    return ledger.claim(call, fact)


def _each(ledger: Ledger, symbols: Sequence[str]) -> list[Claim]:
    return side_by_side(
        ledger, [lambda branch, one=symbol: _multiple(branch, one) for symbol in symbols]
    )


def test_what_is_done_is_the_same_as_one_after_another() -> None:
    asked = (*COMPANIES, COMPANIES[0])
    alone, together = Ledger(Source().fetch), Ledger(Source().fetch)
    expected = [_multiple(alone, symbol) for symbol in asked]
    assert _each(together, asked) == expected
    assert together.claims == alone.claims
    assert together.trace == alone.trace
    assert [call.tool_call_id for call in together.trace.tool_calls] == list(COMPANIES)


def test_the_pieces_are_under_way_at_the_same_time() -> None:
    meeting = threading.Barrier(len(COMPANIES))
    source = Source(meeting)
    # Had one waited for another, the meeting would break and the piece fail.
    found = _each(Ledger(source.fetch), COMPANIES)
    assert [claim.symbol for claim in found] == list(COMPANIES)


def test_a_request_of_several_branches_is_asked_once() -> None:
    source = Source()
    ledger = Ledger(source.fetch)
    found = _each(ledger, [COMPANIES[0]] * 12)
    assert len(source.asked) == 1
    assert len(set(found)) == len(ledger.claims) == len(ledger.trace.tool_calls) == 1


def test_a_branch_knows_what_was_asked_before_and_leaves_what_it_asked() -> None:
    source = Source()
    ledger = Ledger(source.fetch)
    before = _multiple(ledger, COMPANIES[1])
    _each(ledger, COMPANIES)
    after = _multiple(ledger, COMPANIES[2])
    assert len(source.asked) == len(COMPANIES)
    assert [claim.symbol for claim in ledger.claims] == [before.symbol, COMPANIES[0], after.symbol]


def test_a_piece_that_fails_leaves_the_work_of_the_others_in_the_ledger() -> None:
    ledger = Ledger(Source().fetch)
    with pytest.raises(NoDataError, match="AAPL"):
        _each(ledger, (COMPANIES[0], "AAPL", COMPANIES[1]))
    assert [claim.symbol for claim in ledger.claims] == list(COMPANIES[:2])


def test_a_failed_call_is_kept_and_its_request_asked_again_the_next_time() -> None:
    source = Source()
    ledger = Ledger(source.fetch)
    request = ForecastRequest(symbol=COMPANIES[0])
    for _ in range(2):
        with pytest.raises(UnavailableError):
            side_by_side(ledger, [lambda branch: branch.fetch(request)])
    assert len(source.asked) == 2
    assert [call.tool_call_id for call in ledger.trace.tool_calls] == ["600519.SH failed"]


def test_the_deadline_of_the_run_holds_on_its_branches() -> None:
    with errand(50):
        left = side_by_side(Ledger(Source().fetch), [lambda _branch: time_left()] * 3)
    assert all(one is not None and 0 < one <= 50 for one in left)
    assert side_by_side(Ledger(Source().fetch), [lambda _branch: time_left()]) == [None]


def test_a_few_are_under_way_and_never_more() -> None:
    lock, now, most = threading.Lock(), [0], [0]
    full = threading.Barrier(WORKERS)

    def piece(_branch: Ledger) -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        full.wait(60)
        with lock:
            now[0] -= 1

    side_by_side(Ledger(Source().fetch), [piece] * (WORKERS * 5))
    assert most[0] == WORKERS
