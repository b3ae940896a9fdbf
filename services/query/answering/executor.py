"""Doing a plan: each node is one tool call on the ledger of the turn, and extracted values.

Nodes do not depend on each other: where sources are far away they are asked side by side. One node
failing does not lose the others: it says why.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from services.core.errors import ConfigError, InputError, NoDataError, ProviderError
from services.core.ledger import Ledger
from services.core.text import Text
from services.market.outages import why_missing
from services.query.algebra.explain import say_unheld
from services.query.algebra.run import run_query
from services.query.algebra.wire import KEY, read_query
from services.query.answering import actions, bars, lists, texts, tools
from services.query.answering.desk import ActionDesk
from services.query.answering.elsewhere import asked_elsewhere, companies_known, sourced
from services.query.answering.extractors import extract
from services.query.answering.extremes import extreme_notes
from services.query.answering.outcomes import Outcome, OutputValues, quote_text
from services.query.planning.metadata import Metadata
from services.query.planning.plir import PhysicalAction, Plir, PlirNode
from services.tools.base import Tool, Workbench
from services.tools.wire import Wire, to_wire

_DO: Mapping[PhysicalAction, Callable[[ActionDesk, PlirNode], Outcome]] = {
    "api_get_financial": actions.financial,
    "api_get_quote": actions.quote,
    "api_get_price_history": bars.bars,
    "api_screen": lists.screen,
    "api_get_abnormal": texts.abnormal,
    "api_get_feed": texts.feed,
    "api_search_knowledge": texts.knowledge,
    "api_web_search": texts.web,
    "api_xq_search": texts.site,
    "api_user_feed": texts.user,
    "api_visit": texts.visit,
    "api_compare": actions.compare,
    "api_macro": lists.macro,
    "api_compute_indicators": tools.indicator,
    "api_get_profile": tools.profile,
    "api_search_news": tools.news,
    "api_get_billboard": tools.billboard,
    "api_score": tools.score,
}


@dataclass(frozen=True, slots=True)
class DoneNode:
    """A node that was carried out."""

    outcome: Outcome
    outputs: tuple[OutputValues, ...]


class Executor:
    """Carries out plans with the tools. Safe to share between threads: each run has its ledger."""

    def __init__(self, tools: Mapping[str, Tool], bench: Workbench, metadata: Metadata) -> None:
        """`tools` by wire name."""
        self._tools = tools
        self._bench = bench
        self._metadata = metadata

    def desk(self, ledger: Ledger) -> ActionDesk:
        """What a query of the algebra works with, on that ledger."""
        return ActionDesk(self._tools, self._bench, ledger, self._metadata)

    def execute(
        self, ledger: Ledger, plir: Plir, questions: tuple[str, ...] = ()
    ) -> tuple[DoneNode, ...]:
        """Every node in order; what a source could not say stands in it with the reason.

        `questions` decide no figure, only which of several moves are told.
        """
        named = frozenset(str(ticker) for one in plir.nodes if (ticker := one.arg("ticker")))
        desk = ActionDesk(self._tools, self._bench, ledger, self._metadata, questions, named)
        return tuple(desk.each([partial(_done, node=node) for node in plir.nodes]))


def _done(desk: ActionDesk, node: PlirNode) -> DoneNode:
    outcome = _carried_out(desk, node)
    if (other := asked_elsewhere(desk, node, outcome)) is not None:
        found = _carried_out(desk, other)
        outcome = max((outcome, found), key=partial(_known, desk))
    if outcome.absent is not None and not outcome.document:
        why = (outcome.absent.zh,)
        outputs = (OutputValues(key=slot.key, reasons=why) for slot in node.outputs)
        return DoneNode(outcome, tuple(outputs))
    outcome = replace(outcome, notes=(*outcome.notes, *extreme_notes(desk, outcome)))
    wire = to_wire(outcome.document)
    return DoneNode(
        outcome, tuple(_output(wire, slot.key, slot.extractor) for slot in node.outputs)
    )


def _known(desk: ActionDesk, outcome: Outcome) -> tuple[int, int]:
    """Of how many companies it tells a figure of a source, and how many figures."""
    return len(companies_known(desk.ledger, outcome)), len(sourced(outcome))


def _answer_query(desk: ActionDesk, node: PlirNode) -> Outcome:
    """The rows the query of a node finds, its folds, and whom it could not judge.

    Raises: InputError for what is no query, NoDataError, ProviderError.
    """
    query = read_query(str(node.arg(KEY)))
    found = run_query(query, desk, node)
    if query.unheld is None:
        return found
    told = say_unheld(query.unheld)
    return replace(found, unheld=quote_text(Text(f"{told.zh}。", f"There is {told.en}.")))


def _carried_out(desk: ActionDesk, node: PlirNode) -> Outcome:
    """What came of a node; or why nothing did."""
    try:
        return (_DO[node.action] if node.arg(KEY) is None else _answer_query)(desk, node)
    except (NoDataError, ProviderError, ConfigError) as error:
        why = quote_text(why_missing(desk.ledger, error))
    except InputError as error:
        why = quote_text(error.valid)
    subject = desk.subject(node) if node.arg("ticker") else Text("", "")
    return replace(Outcome(node, subject), absent=why)


def _output(wire: Wire, key: str, extractor: str | None) -> OutputValues:
    found = extract(wire.value, extractor or "$")
    claims = [name for one in found for name in wire.cites.get(one.place, ())]
    reasons = [wire.reasons[one.place] for one in found if one.place in wire.reasons]
    values = tuple(one.value for one in found)
    return OutputValues(key=key, values=values, claims=tuple(claims), reasons=tuple(reasons))
