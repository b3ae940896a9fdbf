"""The number gate: lies that get out, honest texts refused, and how fast it is.

The targets are 0 and 0 over at least 2,000 lies and 500 honest texts. Their truth comes from how
they were made (tests/prose), never from the gate.
"""

import pytest

from tests.prose import handwritten, honest, lies
from tests.prose.judging import Tally, let_out, refused, told

SEEDS = (1, 11)


def _speed(tally: Tally) -> str:
    rate = len(tally.seconds) / sum(tally.seconds)
    return f"{rate:,.0f} texts/s, p95 {tally.p95_ms():.1f} ms"


@pytest.mark.benchmark
def test_lies_out_and_honest_refused() -> None:
    written = [text for seed in SEEDS for text in honest.texts(seed)]
    spoilt = [text for seed in SEEDS for text in lies.texts(seed)]
    true = refused([*written, *handwritten.honest()])
    false = let_out([*spoilt, *handwritten.lies()])
    asked, out = sum(false.asked.values()), sum(false.wrong.values())
    honest_asked, shut = sum(true.asked.values()), sum(true.wrong.values())
    print(f"\nlies out: {out} / {asked:,} ({false.by_kind or f'{len(false.asked)} kinds'})")
    print(f"honest refused: {shut} / {honest_asked:,} ({true.by_kind or 'no style'})")
    print(f"grounding, honest: {_speed(true)}; lies: {_speed(false)}")
    assert asked >= 2_000
    assert honest_asked >= 500
    assert told(false) == []
    assert told(true) == []
