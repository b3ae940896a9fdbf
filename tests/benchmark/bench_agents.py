"""Whole analyses with a model behind them: lies that get out, honest answers refused, how long.

The model is scripted: it writes texts of the corpora (tests/prose) from what it was told, true ones
and spoilt ones. An analysis that was refused once is answered with another lie, so that each tries
two. The targets are 0 and 0.
"""

import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import pytest
from pydantic import JsonValue

from services.agents.openai_compatible import Endpoint, OpenAICompatible
from services.agents.orchestrator import AgentOrchestrator, Engine
from services.agents.prices import Prices
from services.agents.results import AgentRunRequest, AgentRunResult, VerifiedFailure
from services.container import SystemClock
from services.core.claims import Claim
from services.core.ledger import Ledger
from services.core.rendering import PLACE
from services.core.text import Language
from services.exports.markdown import write_markdown
from services.tools.registry import TOOLS
from services.tools.running import Finished, Runner
from tests.contract.analyst import KEY, RUNTIMES, Runtime, document, final, options
from tests.fakes.models import Asked, ModelServer, Step
from tests.prose import honest, lies
from tests.prose.market import Bag, join, market
from tests.prose.truth import LIES
from tests.prose.writing import Page, Prose, Unfit
from tests.unit.agents.kit import bench, services

COMPANIES = ("600036.SH", "002594.SZ", "000002.SZ", "00700.HK", "600085.SH", "600519.SH")
HONEST, ANALYSES = 120, 220
_MANY = frozenset({"pair", "peer", "screen", "event"})
# Of one company, from figures alone.
STYLES = tuple(
    style
    for style in honest.STYLES
    if style.source not in _MANY
    and "{who:b}" not in style.text
    and not {"quote", "rule"} & {need.partition(":")[0] for need in style.needs.split()}
)


class Followed(Runner):
    """A runner of ours whose ledger can be looked into while a model is asked."""

    ledger: Ledger

    def run(  # type: ignore[override]
        self,
        kind: str,
        arguments: Mapping[str, JsonValue],
        work: Callable[[Ledger], object],
        *,
        session_id: str,
        patience_s: float | None = None,
    ) -> Finished[object]:
        def followed(ledger: Ledger) -> object:
            self.ledger = ledger
            return work(ledger)

        return super().run(kind, arguments, followed, session_id=session_id, patience_s=patience_s)


@dataclass
class Count:
    """What was tried, and what went wrong."""

    tried: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    letters: list[int] = field(default_factory=list)
    calls: int = 0


class Writer:
    """A model that writes from what it was told; `texts` are what it wrote, oldest first."""

    def __init__(
        self, runtime: Runtime, runner: Followed, symbol: str, language: Language, seed: int
    ) -> None:
        self._runtime: Runtime = runtime
        self._runner = runner
        self._symbol = symbol
        self._language: Language = language
        self._rng = random.Random(seed)
        self.lying = False
        self.texts: list[Prose] = []
        self.letters = 0

    def __call__(self, asked: Asked) -> Step:
        self.letters = max(self.letters, len(asked.prompt))
        if self.lying or not self.texts:
            self.texts.append(self._text(asked.prompt))
        return final(self._runtime, document(self.texts[-1].template, "没有新的要点。"))

    def _text(self, prompt: str) -> Prose:
        given = set(PLACE.findall(prompt))
        told = [claim for claim in self._runner.ledger.claims if claim.claim_id in given]
        written = self._written(told)
        if not self.lying:
            return next(written)
        base = [prose for prose, _ in zip(written, range(40), strict=False)]
        kinds = self._rng.sample(sorted(LIES), len(LIES))
        tried = {prose.kind for prose in self.texts}
        for kind in kinds:
            found = lies.of_kind(kind, base, self._rng.randrange(10**6), 1)
            if found and kind not in tried:
                return found[0]
        raise AssertionError("nothing to lie about")

    def _written(self, told: list[Claim]) -> Iterator[Prose]:
        """Honest texts of the company, style after style."""
        bag = Bag((self._symbol,), join(told))
        styles = [style for style in STYLES if style.name.startswith(self._language)]
        while True:
            style = self._rng.choice(styles)
            try:
                yield Page(market(), style, [bag], self._rng).write()
            except Unfit:
                continue


def analysed(
    server: ModelServer, runner: Followed, runtime: Runtime, symbol: str, language: Language
) -> AgentRunResult | VerifiedFailure:
    """One analysis through that runtime."""
    model = OpenAICompatible(Endpoint(server.url, "scripted", KEY), SystemClock(), Prices())
    engine = Engine(model, runtime, 60.0)
    work = AgentOrchestrator(TOOLS, bench(), runner, options(), engine, write_markdown)
    found = work.run(AgentRunRequest(symbol=symbol, language=language), "s_bench")
    model.close()
    return found


def _play(number: int, *, lying: bool, count: Count) -> None:
    known = services()
    runner = Followed(known.chain, known.runs, known.clock)
    runtime, symbol = RUNTIMES[number % 2], COMPANIES[number // 2 % len(COMPANIES)]
    language: Language = "en" if symbol == "00700.HK" and number % 4 else "zh"
    writer = Writer(runtime, runner, symbol, language, number)
    writer.lying = lying
    began = time.perf_counter()
    with ModelServer(writer) as server:
        found = analysed(server, runner, runtime, symbol, language)
    took = time.perf_counter() - began
    calls = found.trace.model_calls
    count.seconds.append(took - sum(call.seconds for call in calls))
    count.letters.append(writer.letters)
    count.calls += len(calls)
    for prose in writer.texts:
        count.tried[prose.kind or prose.style] += 1
    released = isinstance(found, AgentRunResult)
    assert not released or found.runtime_draft.note is None, "the model failed"
    if lying and released:
        last = writer.texts[-1]
        count.wrong.append(f"[{last.kind}] {runtime} {symbol}: {last.template!r}")
    elif not lying and len(calls) != 1:
        reasons = [] if released else [one.reason for one in found.refusals]
        count.wrong.append(f"{runtime} {symbol}: {writer.texts[0].template!r}: {reasons[:2]}")


@pytest.mark.benchmark
def test_no_lie_gets_out_of_an_analysis_and_no_honest_answer_is_refused() -> None:
    true, false = Count(), Count()
    for number in range(HONEST):
        _play(number, lying=False, count=true)
    for number in range(ANALYSES):
        _play(1_000 + number, lying=True, count=false)
    lied, said = sum(false.tried.values()), sum(true.tried.values())
    print(f"\nlies out: {len(false.wrong)} / {lied} ({len(false.tried)} kinds, both runtimes)")
    print(f"honest refused: {len(true.wrong)} / {said} ({len(true.tried)} styles)")
    seconds, letters = sorted(true.seconds + false.seconds), true.letters + false.letters
    p95 = seconds[int(len(seconds) * 0.95)]
    print(
        f"an analysis without its model: median {statistics.median(seconds):.2f} s, "
        f"p95 {p95:.2f} s; prompt: median {statistics.median(letters):,.0f} letters; "
        f"{true.calls + false.calls} calls of the model"
    )
    assert lied >= 400
    assert said >= 100
    assert false.wrong == []
    assert true.wrong == []
