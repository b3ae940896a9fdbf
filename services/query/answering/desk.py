"""What the actions of a plan work with: the tools, the ledger of the turn, the codes' meaning."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar, cast, get_args

from pydantic import JsonValue

from services.core.ledger import Ledger
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.names.english_names import name_text
from services.query.answering.listings import is_also_at_home
from services.query.answering.outcomes import plain
from services.query.planning.metadata import Metadata
from services.query.planning.plir import PlirNode
from services.tools.arguments import DayWindow, TimeRange, window
from services.tools.base import Tool, ToolContext, ToolOutput, Workbench, find_tool
from services.tools.parallel import side_by_side

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ActionDesk:
    """Handed to every action; one for each turn. `questions`: what was asked, in its words, and
    the question it went on from. `companies`: the symbols the plan is about.
    """

    tools: Mapping[str, Tool]
    bench: Workbench
    ledger: Ledger
    metadata: Metadata
    questions: tuple[str, ...] = ()
    companies: frozenset[str] = frozenset()

    def use(self, name: str, /, **arguments: JsonValue) -> ToolOutput:
        """Call a tool on the ledger of this turn. Raises: as the tool does."""
        function, ready = find_tool(self.tools, name).read(arguments)
        context = ToolContext(self.bench, self.ledger, name, ready.wire)
        return function(context, **ready.values)

    def viewed(self, name: str, kind: type[T], /, **arguments: JsonValue) -> T:
        """As `use`, the market's own result. Raises: TypeError when it is of another kind."""
        view = self.use(name, **arguments).view
        if not isinstance(view, kind):
            raise TypeError(f"{name}: a {type(view).__name__}, not a {kind.__name__}")
        return view

    def each(self, works: Sequence[Callable[["ActionDesk"], T]]) -> list[T]:
        """What each of these gives, in order; side by side where the sources are far away.

        The snapshot answers in milliseconds: threads would only slow it down. Raises: as they do.
        """
        if len(works) < 2 or self.bench.settings.mode == "snapshot":
            return [work(self) for work in works]
        return side_by_side(self.ledger, [partial(self._at, work) for work in works])

    def _at(self, work: Callable[["ActionDesk"], T], ledger: Ledger) -> T:
        return work(replace(self, ledger=ledger))

    def symbol(self, node: PlirNode) -> Symbol:
        """The company or index of the node."""
        return Symbol(str(node.arg("ticker")))

    def subject(self, node: PlirNode) -> Text:
        """Its name as listed."""
        return self.named(str(node.arg("ticker")))

    def named(self, symbol: str) -> Text:
        """Its name as listed; the English one where there is one. Two listings of one name that
        the plan is about (招商银行 in Shanghai and in Hong Kong) are told with their codes, and so
        is one elsewhere whose name means an A share.
        """
        row, name = self.bench.names.row(symbol), self.bench.names.name(symbol)
        zh, en = plain(name), plain(name_text(symbol, name, row).en)
        if symbol in self.companies:
            others = map(self.bench.names.name, self.companies - {symbol})
            if name in others or is_also_at_home(self.bench.names, row):
                return Text(f"{zh}({symbol})", f"{en} ({symbol})")
        return Text(zh, en)

    def wanted(self, node: PlirNode) -> dict[str, str]:
        """The figures asked for: the physical name → the metric as the market knows it."""
        found: dict[str, str] = {}
        for slot in node.args:
            if slot.key == "metric":
                entry = self.metadata.by_code(slot.code)
                given = entry.financial_data_metric
                found[str(slot.value)] = entry.physical_metric if given in {"", "-"} else given
        return found

    def days(self, node: PlirNode, otherwise: TimeRange) -> DayWindow:
        """The days the node is about. Raises: InputError."""
        start, end = node.arg("start_date"), node.arg("end_date")
        said: TimeRange = otherwise
        if (known := node.arg("time_range")) in get_args(TimeRange):
            said = cast("TimeRange", known)
        today = self.bench.clock.now().date()
        return window(said, str(start or ""), str(end or ""), today)
