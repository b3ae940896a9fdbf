"""What finding the statements of one company costs, and how much of them a model is told."""

import time

import pytest

from services.agents.composing_stock import StockReport
from services.statements.candidates import candidates
from tests.benchmark.conftest import Lines
from tests.benchmark.machine import floor_s
from tests.contract.analyst import gathered, picked, rehearse

COMPANIES = ("600036.SH", "00700.HK", "600519.SH", "002594.SZ", "AAPL")
# Of design/statements.md: processor seconds of one company, bytes of a prompt.
REACH_S, REACH_BYTES = 0.1, 12_000


@pytest.mark.benchmark
@pytest.mark.parametrize("symbol", COMPANIES)
def test_what_may_be_said_of_a_company(symbol: str, lines: Lines) -> None:
    asked, toolkit, brought = gathered(symbol, "zh")
    taken: list[float] = []
    found = 0
    for _ in range(5):
        ledger = toolkit.ledger.fork()
        ledger.join(toolkit.ledger)
        book = StockReport(asked, brought, ledger).tried
        began = time.thread_time()
        found = len(candidates(book).candidates)
        taken.append(time.thread_time() - began)
    prompt = len(rehearse("openai_tools", picked, symbol=symbol).asked[0].prompt.encode())
    best, known = min(taken), len(toolkit.ledger.claims)
    lines(
        f"{symbol}: {found} statements of {known} figures, prompt {prompt} B",
        f"{best * 1000:.0f} ms", best / floor_s(), f"{REACH_S * 1000:.0f} ms, {REACH_BYTES} bytes",
    )  # fmt: skip
    assert best <= REACH_S
    assert prompt <= REACH_BYTES
