"""What is promised of speed and can be measured in this process: in its processor seconds."""

import gc
import random
import statistics
import time
from pathlib import Path

import pytest

from services.core.ledger import Ledger
from services.core.symbols import Market
from services.jobs.steps import Unwatched
from services.scoring.batch import score_market
from tests.benchmark.conftest import Lines
from tests.benchmark.machine import floor_s
from tests.pages.conftest import app_at
from tests.prepared import prepared
from tests.unit.market.bundled import bundle
from tests.unit.query.bundled_query import youju
from tests.unit.query.stored_questions import questions
from tests.unit.scoring.scored import desk, known

PAGES = {
    "总览": "",
    "选股": "screen?pettm=0_20",
    "公司": "company?symbol=600519.SH",
    "公司 估值": "company?symbol=600519.SH&tab=valuation",
}
_AGAIN = 20


def _p95(taken: list[float]) -> float:
    return sorted(taken)[int(len(taken) * 0.95)]


def _settle() -> None:
    """What is loaded stays out of the collector's way, as in the server once it is warm."""
    gc.collect()
    gc.freeze()


@pytest.mark.benchmark
@pytest.mark.parametrize("name", PAGES)
def test_a_page_drawn_again(
    name: str, lines: Lines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YOUJU_STORE", prepared(tmp_path / "youju.duckdb"))
    path, _, query = PAGES[name].partition("?")
    app = app_at(path)
    for pair in filter(None, query.split("&")):
        key, _, value = pair.partition("=")
        app.query_params[key] = value
    app.run()
    assert not app.exception
    _settle()
    taken: list[float] = []
    for _ in range(_AGAIN):
        began = time.process_time()
        app.run()
        taken.append(time.process_time() - began)
    told = f"p50 {1000 * statistics.median(taken):.0f}, p95 {1000 * _p95(taken):.0f} ms"
    lines(f"{name} drawn again", told, statistics.median(taken) / floor_s(), "p95 120 ms")


@pytest.mark.benchmark
def test_a_question_planned(lines: Lines) -> None:
    texts = [one["turns"][0]["text"] for one in questions()]
    asked = random.Random(20261123).sample(texts, 300)
    youju().query.plan(asked[0])
    taken: list[float] = []
    for text in asked:
        began = time.process_time()
        youju().query.plan(text)
        taken.append(time.process_time() - began)
    middle = statistics.median(taken)
    told = f"p50 {1000 * middle:.0f}, p95 {1000 * _p95(taken):.0f} ms"
    lines("`plan` in process, 300 stored questions", told, middle / floor_s(), "30 / 150 ms")


@pytest.mark.benchmark
@pytest.mark.parametrize("market", ["CN", "HK"])
def test_a_market_scored(market: Market, lines: Lines) -> None:
    known("600036.SH")  # calendars and names are there before the clock starts
    _settle()
    began = time.process_time()
    done = score_market(Ledger(bundle().fetch), desk(), market, Unwatched(), lambda _: None)
    taken = time.process_time() - began
    told = f"{taken:.1f} s of {done.asked} ({1000 * taken / done.asked:.1f} ms each)"
    lines(f"factor scores of {market}", told, taken / floor_s(), "5 s")
