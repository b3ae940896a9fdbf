"""A source whose answers are written in the test, behind the real chain, runner and toolbox."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from services.core.clock import BEIJING, FixedClock
from services.core.errors import NoDataError, YoujuError
from services.core.requests import CAPABILITIES, FetchRequest
from services.core.trace import Fact, Item
from services.market.calendar import Calendar
from services.providers.base import Fetched
from services.providers.chain import Chain
from services.settings import Settings
from services.store.database import Database
from services.store.runs import Runs
from services.tools.base import Toolbox, ToolResult, Workbench
from services.tools.knowledge_base import KnowledgeBase
from services.tools.registry import TOOLS
from services.tools.running import Runner
from tests.unit.market.bundled import names

CLOCK = FixedClock(datetime(2026, 11, 20, 16, 30, tzinfo=BEIJING))
TODAY = CLOCK.now().date()
# An answer: texts, an error to raise, or what makes either of the request.
Answer = Sequence[Item] | YoujuError
Script = Mapping[str, Answer | Callable[[Any], Answer]]


class Source:
    """Answers by capability as scripted; what is not scripted it has not."""

    capabilities = frozenset(CAPABILITIES)

    def __init__(self, name: str, script: Script, counts: Sequence[Fact] = ()) -> None:
        self.name = name
        self.asked: list[Any] = []
        self._script = script
        self._counts = counts

    def covers(self, request: FetchRequest) -> bool:
        return True

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        self.asked.append(request)
        scripted = self._script.get(request.capability, NoDataError(request.capability, "没有"))
        answer = scripted(request) if callable(scripted) else scripted
        if isinstance(answer, YoujuError):
            raise answer
        known = {item.item_id for item in answer}
        rows = tuple(fact for fact in self._counts if fact.symbol in known)
        table = request.capability
        return (Fetched(self.name, table, rows, CLOCK.now(), "0" * 64, items=tuple(answer)),)


class Desk:
    """A toolbox over scripted sources."""

    def __init__(self, *sources: Source, settings: Settings | None = None) -> None:
        named = {source.name: source for source in sources}
        chain = Chain(named, dict.fromkeys(CAPABILITIES, tuple(named)), CLOCK)
        runner = Runner(chain, Runs(Database(":memory:")), CLOCK)
        settings = settings or Settings()
        bench = Workbench(
            names(),
            Calendar(),
            CLOCK,
            settings,
            KnowledgeBase(settings.knowledge),
        )
        self._toolbox = Toolbox(TOOLS, runner, bench)

    def call(self, name: str, **arguments: Any) -> ToolResult:
        return self._toolbox.call(name, arguments, session_id="s")

    def result(self, name: str, **arguments: Any) -> dict[str, Any]:
        result = self.call(name, **arguments).result
        assert isinstance(result, dict)
        return result


def item(number: int, kind: str = "post", **given: Any) -> Item:
    """A text: `published` is `MM-DD HH:MM` of 2026 in Beijing, or left out."""
    published = given.pop("published", None)
    at = datetime.fromisoformat(f"2026-{published}:00+08:00") if published else None
    return Item.model_validate(
        {"item_id": f"{kind}:{number}", "kind": kind, "published_at": at, **given}
    )


def count(number: int, metric: str, value: float, kind: str = "post") -> Fact:
    """A count about a text, as of today."""
    return Fact(
        symbol=f"{kind}:{number}",
        metric=metric,
        value=value,
        unit="number",
        as_of=TODAY,
        field=metric,
        raw=str(int(value)),
    )
