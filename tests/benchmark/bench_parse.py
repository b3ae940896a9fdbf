"""How long a question takes to be read over every name of the bundled market (p95 ≤ 150 ms)."""

import time
import tracemalloc
from collections.abc import Sequence
from statistics import quantiles

import pytest

from services.market.calendar import Calendar
from services.market.names.names import Names
from services.query.planning.metadata import read_metadata
from services.query.planning.plir import Session
from services.query.reading.reader import AskReader
from services.query.reading.readers import Readers
from tests.unit.market.bundled import bundle
from tests.unit.query.stored_questions import questions

P95_MS = 150.0
ASKED = "{}的营收和市盈率，2016年报", "{} 为什么跌", "比较{}和茅台的ROE", "{} revenue last year"


def _timed(parser: Readers, texts: Sequence[str]) -> list[float]:
    session = Session(session_id="bench")
    taken: list[float] = []
    for text in texts:
        start = time.perf_counter()
        parser.read(text, session)
        taken.append((time.perf_counter() - start) * 1000)
    return taken


def _shown(name: str, taken: Sequence[float]) -> float:
    cuts = quantiles(taken, n=100)
    print(
        f"\n{name}: {len(taken)} questions, p50 {cuts[49]:.2f} ms, p95 {cuts[94]:.2f} ms, "
        f"p99 {cuts[98]:.2f} ms, slowest {max(taken):.1f} ms"
    )
    return cuts[94]


@pytest.mark.benchmark
def test_reading_a_question_is_fast() -> None:
    market = bundle()
    names = Names(market.tables.names())
    names.resolve("贵州茅台")  # the index of names is the market's own, built once
    tracemalloc.start()
    start = time.perf_counter()
    ask = AskReader(names, market.clock)
    parser = Readers(ask, names, read_metadata(), market.clock, Calendar())
    parser.read("茅台的营收", Session(session_id="bench"))  # the words and the names, once
    built = time.perf_counter() - start
    held = tracemalloc.get_traced_memory()[0] / 2**20
    tracemalloc.stop()
    print(f"\nparser: built in {built:.2f} s (traced), {held:.1f} MB beside the index of names")
    listed = [row for row in names.rows.values() if row.kind == "stock"]
    texts = [form.format(row.name) for row in listed[::20] for form in ASKED]
    texts += [
        form.format(old) for row in listed[::20] for old in row.old_names for form in ASKED[:1]
    ]
    p95 = _shown("names of the market", _timed(parser, texts))
    asked = [turn["text"] for one in questions() for turn in one["turns"]]
    p95 = max(p95, _shown("questions of the test set", _timed(parser, asked)))
    assert p95 <= P95_MS
