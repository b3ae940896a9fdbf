"""Figures that are extreme because what they are divided by is tiny, told with that base.

The limits are the competence `extreme.base`; the cause is a figure of the same source, never a
guess. Where no such figure shows one, that is said.
"""

from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure
from services.core.errors import InputError, NoDataError, ProviderError
from services.core.limits import COMPETENCES
from services.core.rendering import place
from services.core.requests import ValuationRequest
from services.core.text import Text
from services.market.valuation import valuation_figures
from services.query.answering.desk import ActionDesk
from services.query.answering.outcomes import AnswerRow, Outcome
from services.query.sayings import saying

_LIMITS = COMPETENCES["extreme.base"].values
_MULTIPLES = frozenset({"pe_ttm", "pe_lyr", "pb"})
_TOLD = 3


def extreme_notes(desk: ActionDesk, outcome: Outcome) -> tuple[Text, ...]:
    """A note for each extreme figure that is shown, of the first few."""
    shown = [
        (row, row.figures.get(column.key)) for row in outcome.rows for column in outcome.columns
    ]
    found = [(row, one) for row, one in shown if isinstance(one, Claim) and is_extreme(one)]
    return tuple(_note(desk, row, figure) for row, figure in found[:_TOLD])


def is_extreme(figure: Claim) -> bool:
    """Whether the figure is beyond what its kind ever is in ordinary business."""
    if figure.metric == "roe":
        return abs(figure.value) >= _LIMITS["extreme_roe"]
    return figure.metric in _MULTIPLES and abs(figure.value) >= _LIMITS["extreme_multiple"]


def _note(desk: ActionDesk, row: AnswerRow, figure: Claim) -> Text:
    label, cause = metric_words(figure.metric), _cause(desk, row, figure)
    who = desk.named(figure.symbol)
    return saying("extreme", who=who, label=label, figure=place(figure), cause=cause)


def _cause(desk: ActionDesk, row: AnswerRow, figure: Claim) -> Text:
    """Equity close to nothing, as the price to book shows; profit close to nothing, as the ROE."""
    if figure.metric == "pb":
        return Text("净资产相对市值极小", "equity is tiny beside the market value")
    base = _beside(desk, row, "pb" if figure.metric == "roe" else "roe")
    if not isinstance(base, Claim):
        return saying("why_unknown")
    if figure.metric == "roe" and base.value >= _LIMITS["tiny_equity_pb"]:
        return Text(f"净资产极小（市净率 {place(base)}）", f"equity is tiny (PB of {place(base)})")
    if figure.metric != "roe" and abs(base.value) < _LIMITS["tiny_profit_roe"]:
        return saying("tiny_profit", base=place(base))
    return saying("why_unknown")


def _beside(desk: ActionDesk, row: AnswerRow, metric: str) -> Figure | None:
    """That figure of the same company: of the row, else of the valuation day."""
    own = (one for one in row.figures.values() if isinstance(one, Claim))
    if found := next((one for one in own if one.metric == metric), None):
        return found
    try:
        answer = desk.ledger.fetch(ValuationRequest(symbol=row.symbol or ""))
    except (NoDataError, ProviderError, InputError):
        return None
    return valuation_figures(desk.ledger, answer, row.symbol or "", (metric,))[metric]
