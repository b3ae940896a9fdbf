"""The gate asked about a text, and what it said, in one place."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from services.grounding.ground import ground
from tests.prose.handwritten import ByHand
from tests.prose.market import market
from tests.prose.writing import Prose


@dataclass(frozen=True)
class Judged:
    """A text with the answer of the gate, as words; `seconds` is how long it took."""

    prose: Prose
    ok: bool
    failures: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        said = " | ".join(self.failures) or "passed"
        return (
            f"[{self.prose.kind or 'honest'}] <{self.prose.style}> {self.prose.template!r}: {said}"
        )


@dataclass
class Tally:
    """Judged texts counted: how many were wrong, by kind."""

    asked: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    texts: list[Judged] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, name: str, judged: Judged, *, right: bool) -> None:
        self.asked[name] += 1
        self.seconds.append(judged.seconds)
        if not right:
            self.wrong[name] += 1
            self.texts.append(judged)

    @property
    def by_kind(self) -> str:
        return ", ".join(f"{name} {n}/{self.asked[name]}" for name, n in self.wrong.most_common())

    def p95_ms(self) -> float:
        return sorted(self.seconds)[int(len(self.seconds) * 0.95)] * 1000


def judge(prose: Prose) -> Judged:
    began = time.perf_counter()
    grounded = ground(
        prose.template,
        prose.claims,
        names=prose.names,
        language=prose.language,
        default_symbol=prose.default_symbol,
        now=prose.now if isinstance(prose, ByHand) else market().now,
        quotes=prose.quotes,
    )
    seconds = time.perf_counter() - began
    failures = tuple(f"{f.span!r} {f.check}: {f.reason}" for f in grounded.failures)
    return Judged(prose, grounded.ok, failures, seconds)


def refused(texts: Iterable[Prose]) -> Tally:
    """Honest texts: what the gate refused, by style."""
    tally = Tally()
    for prose in texts:
        judged = judge(prose)
        tally.add(prose.style, judged, right=judged.ok)
    return tally


def let_out(texts: Iterable[Prose]) -> Tally:
    """Lies: what the gate let out, by kind."""
    tally = Tally()
    for prose in texts:
        judged = judge(prose)
        tally.add(prose.kind or "honest", judged, right=not judged.ok)
    return tally


def told(tally: Tally, most: int = 12) -> Sequence[str]:
    """The first texts judged wrongly, for a message."""
    return [str(judged) for judged in tally.texts[:most]]
