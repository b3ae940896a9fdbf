"""Runtime `builtin`: a report written by rule from what was gathered. Every figure is a place.

It says what the figures say and what is missing, and nothing beyond: no outlook, no advice.
"""

from collections import Counter
from collections.abc import Sequence

from services.agents.choice import Choice
from services.agents.composing_market import MarketReport
from services.agents.composing_stock import StockReport
from services.agents.report_words import Sections
from services.agents.results import AnalysisInput, RuntimeDraft, RuntimeName
from services.agents.toolkit import CallResult
from services.core.ledger import Ledger
from services.core.text import Text, join_texts

# Reasons a reader is told of what fell.
_NOTED = 4


def compose(
    asked: AnalysisInput, gathered: Sequence[CallResult], ledger: Ledger, note: Text
) -> RuntimeDraft:
    """The draft. `note` says why the rules wrote it."""
    report = (
        StockReport(asked, gathered, ledger)
        if asked.symbol
        else MarketReport(asked, gathered, ledger)
    )
    return _make_draft(report.sections(), "builtin").model_copy(update={"note": note})


def compose_chosen(
    asked: AnalysisInput,
    gathered: Sequence[CallResult],
    ledger: Ledger,
    choice: Choice,
    by: tuple[RuntimeName, str],
    *,
    own: bool,
) -> RuntimeDraft:
    """The draft of what a model chose, told and balanced by the same rules; what fell is noted.

    `by` are runtime and model; `own`: the choice differs from the order of the rules.
    """
    report = StockReport(asked, gathered, ledger, choice.chosen)
    runtime, model = by
    note = Text(
        f"陈述由模型 {model} 挑选" if own else f"模型 {model} 的挑选与规则的次序相同",
        f"statements chosen by {model}" if own else f"{model} chose as the rules rank",
    )
    if choice.dropped:
        counted = Counter(one.why for one in choice.dropped)
        told = [Text(f"{why.zh} {n}", f"{why.en} {n}") for why, n in counted.most_common(_NOTED)]
        fell = join_texts(told, "、", ", ")
        count = len(choice.dropped)
        note = join_texts(
            [
                note,
                Text(
                    f"略去不成立的 {count} 项（{fell.zh}）",
                    f"items left out: {count} ({fell.en})",
                ),
            ]
        )
    update = {"note": note, "views": choice.views, "model": model, "own_choice": own}
    return _make_draft(report.sections(), runtime).model_copy(update=update)


def _make_draft(sections: Sections, runtime: RuntimeName) -> RuntimeDraft:
    return RuntimeDraft(
        runtime=runtime,
        summary=sections.summary,
        key_points=tuple(sections.key_points),
        recommendations=tuple(sections.recommendations),
        risk_factors=tuple(sections.risk_factors),
        made=tuple(sections.made),
    )
