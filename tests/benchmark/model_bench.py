"""A real model over the bundled market: 30 reports, 30 scores, 60 questions (`make model-bench`).

Asks whatever endpoint the settings name (LLM_BASE_URL, LLM_MODEL; a score's roles their own) and
prints one JSON document: how often its own choice is shown, what of its answers did not hold by
kind, calls, tokens, seconds. Without an endpoint it says so and asks nobody.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from services.agents.results import AgentRunRequest, AgentRunResult
from services.container import Services, build_services
from services.core.errors import YoujuError
from services.core.model_calls import ModelCall
from services.jobs.steps import Step
from services.query.answering.answers import Answered
from services.scoring.models import ScoreResult
from services.scoring.scorer import ScoreRequest
from services.settings import load_settings

QUESTIONS = Path(__file__).resolve().parents[1] / "questions"
# Of which the first questions are asked, in turn, so that each kind is among them.
_FILES = ("figures", "screens", "events", "periods", "texts", "english")
NOBODY = (
    "no model is configured: set LLM_BASE_URL and LLM_MODEL (docs/analysis_llm/models.md), "
    "nothing was asked"
)

T = TypeVar("T")


@dataclass
class Tally:
    """What happened in one part of the bench."""

    asked: int = 0
    own: int = 0
    as_ranked: int = 0
    by_rule: int = 0
    failed: Counter[str] = field(default_factory=Counter[str])
    invalid: Counter[str] = field(default_factory=Counter[str])
    why: Counter[str] = field(default_factory=Counter[str])
    calls: list[ModelCall] = field(default_factory=list[ModelCall])
    seconds: float = 0.0

    def told(self) -> dict[str, Any]:
        """The same as JSON; shares of what was asked."""
        tokens = [(one.prompt_tokens, one.completion_tokens) for one in self.calls]
        return {
            "asked": self.asked,
            "own_choice_shown": round(self.own / self.asked, 3) if self.asked else None,
            "as_the_rules_rank": self.as_ranked,
            "left_to_the_rules": self.by_rule,
            "why": dict(self.why),
            "failed": dict(self.failed),
            "invalid_items": dict(self.invalid.most_common()),
            "calls": len(self.calls),
            "calls_that_failed": sum(one.error is not None for one in self.calls),
            "prompt_tokens": sum(read or 0 for read, _ in tokens),
            "completion_tokens": sum(written or 0 for _, written in tokens),
            "seconds": round(self.seconds, 1),
            "model_seconds": round(sum(one.seconds for one in self.calls), 1),
        }


class _Following:
    """Keeps what checks found in the steps of a run."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally

    def step(self, step: Step) -> None:
        """One step: reasons of items that fell, and answers that could not be read."""
        if step.kind == "checked" and step.error == "UnreadableDraftError":
            self._tally.invalid["unreadable answer"] += 1
        elif step.kind == "checked" and step.error is not None:
            self._tally.invalid.update(one.en for one in step.detail)

    def cancelled(self) -> bool:
        """Never."""
        return False


def companies(youju: Services, count: int) -> list[str]:
    """So many companies spread over those the bundle knows by their codes."""
    known = sorted(
        symbol for symbol, row in youju.names.rows.items() if row.kind not in {"index", "fund"}
    )
    return known[:: max(1, len(known) // count)][:count]


def questions(count: int) -> list[str]:
    """The first questions of each kind, in turn."""
    texts = [
        [json.loads(line)["turns"][0]["text"] for line in lines.splitlines()[:count]]
        for lines in ((QUESTIONS / f"{name}.jsonl").read_text("utf-8") for name in _FILES)
    ]
    return list(chain.from_iterable(zip(*texts, strict=False)))[:count]


def _tried(tally: Tally, ask: Callable[[], T]) -> T | None:
    """What came, counted and timed; None for an error, which is counted by its class."""
    began = time.perf_counter()
    tally.asked += 1
    try:
        return ask()
    except YoujuError as error:
        tally.failed[type(error).__name__] += 1
        return None
    finally:
        tally.seconds += time.perf_counter() - began


def report_bench(youju: Services, symbols: Sequence[str]) -> Tally:
    """Deep analyses: whether the model's own choice stands in them."""
    tally = Tally()
    for symbol in symbols:
        found = _tried(
            tally,
            partial(youju.analyses.run, AgentRunRequest(symbol=symbol), "bench", _Following(tally)),
        )
        if found is None:
            continue
        tally.calls += found.trace.model_calls
        if not isinstance(found, AgentRunResult):
            tally.failed["VerifiedFailure"] += 1
        elif found.runtime_draft.runtime == "builtin":
            tally.by_rule += 1
            tally.why[found.runtime_draft.note.en if found.runtime_draft.note else ""] += 1
        elif found.runtime_draft.own_choice:
            tally.own += 1
        else:
            tally.as_ranked += 1
    return tally


def score_bench(youju: Services, symbols: Sequence[str]) -> Tally:
    """Scores: whether a model's is released, near that of the factors."""
    tally = Tally()
    for symbol in symbols:
        found = _tried(
            tally,
            partial(youju.scores.run, ScoreRequest(symbol=symbol), "bench", _Following(tally)),
        )
        if found is None:
            continue
        tally.calls += found.trace.model_calls
        if not isinstance(found, ScoreResult):
            tally.failed["ScoreRefused"] += 1
        elif found.engine == "model":
            tally.own += 1
        else:
            tally.by_rule += 1
            tally.why[found.model_problem.en if found.model_problem else "no model"] += 1
    return tally


def question_bench(youju: Services, texts: Sequence[str]) -> Tally:
    """Questions: which of both readers each is answered by, where they differ, what is unread."""
    tally = Tally()
    for text in texts:
        found = _tried(tally, partial(youju.query.ask, text, youju.query.begin()))
        if found is None:
            continue
        if not isinstance(found, Answered):
            tally.why["readings differ" if found.turn.options else "asked back"] += 1
            tally.calls += found.turn.model_calls
            continue
        tally.calls += found.trace.model_calls
        if found.turn.read_by == "model":
            tally.own += 1
            continue
        tally.by_rule += 1
        if found.trace.model_calls:
            tally.why[found.turn.reading_note or "read alike, or the model's not believed"] += 1
    return tally


def bench(youju: Services, reports: int, scores: int, asked: int) -> dict[str, Any]:
    """All three parts, and whom they asked."""
    model = youju.model
    symbols = companies(youju, max(reports, scores))
    return {
        "model": model.name if model is not None else None,
        "reports": report_bench(youju, symbols[:reports]).told(),
        "scores": score_bench(youju, symbols[:scores]).told(),
        "questions": question_bench(youju, questions(asked)).told(),
    }


def main(given: Sequence[str] | None = None) -> None:
    """Run it with the settings of the environment, on a store of its own."""
    reader = argparse.ArgumentParser(description=__doc__)
    for name, count in (("reports", 30), ("scores", 30), ("questions", 60)):
        reader.add_argument(f"--{name}", type=int, default=count)
    chosen = reader.parse_args(given)
    youju = build_services(load_settings())
    try:
        if youju.model is None:
            sys.stdout.write(f"{NOBODY}\n")
            return
        told = bench(youju, chosen.reports, chosen.scores, chosen.questions)
        sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    finally:
        youju.close()


if __name__ == "__main__":
    main()
