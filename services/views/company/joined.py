"""Two views of one page as one: what is drawn, exported and verified together."""

from dataclasses import dataclass

from services.core.trace import Trace
from services.views.table import Table, View


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedView(View):
    """The first view's title and tables, then the second's."""

    parts: tuple[View, View]

    def tables(self) -> tuple[Table, ...]:
        """Those of both in order."""
        return tuple(table for part in self.parts for table in part.tables())


def join_views(first: View, second: View) -> JoinedView:
    """Both with the claims and calls of both, each call once."""
    calls = {call.tool_call_id: call for view in (first, second) for call in view.trace.tool_calls}
    models = (*first.trace.model_calls, *second.trace.model_calls)
    return JoinedView(
        title=first.title,
        claims={**first.claims, **second.claims},
        trace=Trace(tool_calls=tuple(calls.values()), model_calls=models),
        run_ids=tuple(dict.fromkeys((*first.run_ids, *second.run_ids))),
        notes=tuple(dict.fromkeys((*first.notes, *second.notes))),
        parts=(first, second),
    )
