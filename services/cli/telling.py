"""What long work tells on standard error while it goes on, a line a step."""

import sys

from services.jobs.steps import Step

# What only moves a page's progress.
_SILENT = frozenset({"begun", "tool_started", "model_progress", "ended"})


class StepTelling:
    """A Watch that writes each step."""

    def step(self, step: Step) -> None:
        """One line."""
        if step.kind in _SILENT:
            return
        about = f"{step.tool} " if step.tool else ""
        round_ = f"[{step.round}] " if step.round is not None else ""
        facts = [
            *([f"{step.seconds:.1f} s"] if step.seconds is not None else []),
            *([f"{step.tokens} tokens"] if step.tokens is not None else []),
        ]
        said = [f"{about}{round_}{step.title}", *facts, *map(str, step.detail)]
        sys.stderr.write(" · ".join(" ".join(one.split()) for one in said) + "\n")

    def cancelled(self) -> bool:
        """Never: Ctrl+C ends the command."""
        return False
