"""The times a question's plan and its calls ask for: an answer may name them without a figure."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import get_args

from pydantic import ValidationError

from services.core.text import Language
from services.core.trace import ToolCall, Trace
from services.query.algebra.explain import explain
from services.query.algebra.wire import query_of
from services.query.planning.plir import PlirNode, Turn

# So many days of a call's window may be named; longer ones are of a listing's whole life.
_MOST_DAYS = 800
_LANGUAGES: tuple[Language, ...] = get_args(Language)


def asked_times(turn: object, trace: Trace) -> list[str]:
    """Words with times in them: of the plan of `turn` (as it is printed; anything else has none),
    of the gaps the trace tells of, and the days its calls asked for: of one without an event there
    is no claim. Raises: InputError where a query in the plan is none.
    """
    gaps = [day for call in trace.tool_calls for gap in call.gaps for day in (gap.start, gap.end)]
    days = sorted({day for call in trace.tool_calls for day in _days_asked(call)})
    try:
        read = Turn.model_validate(turn)
    except ValidationError:
        read = None
    nodes = read.plir.nodes if read is not None and read.plir is not None else ()
    asked = [str(slot.value) for node in nodes for slot in node.args]
    told = [words for node in nodes for words in _list_words(node)]
    return [*(day.isoformat() for day in (*gaps, *days)), *asked, *told]


def _list_words(node: PlirNode) -> list[str]:
    """The node's query in words, which say its windows: 最近5年."""
    query = query_of(node)
    return [] if query is None else [explain(query, {}, language) for language in _LANGUAGES]


def _days_asked(call: ToolCall) -> Iterator[date]:
    """Every day from the first to the last one a call asked for."""
    request = call.arguments.get("request")
    if not isinstance(request, dict):
        return
    try:
        start, end = (date.fromisoformat(str(request.get(key))) for key in ("start", "end"))
    except ValueError:
        return
    for back in range(min((end - start).days, _MOST_DAYS) + 1):
        yield end - timedelta(days=back)
