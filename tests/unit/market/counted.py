"""Counts, sums and medians over the members that an answer holds, through the market layer."""

from datetime import UTC, datetime

from services.core.claims import Claim
from services.core.ledger import Ledger
from services.core.members import Members
from services.core.requests import ScreenRequest, SummaryRequest
from services.core.trace import ToolCall
from services.market.aggregates import Group, industry_groups, market_group
from services.market.screener import screen


def ledger_over(members: Members | None) -> Ledger:
    """A ledger whose every answer is one call that holds these members."""
    call = ToolCall(
        tool_call_id="tc_counted",
        name="counted",
        arguments={},
        attempts=(),
        source="test",
        table="test",
        served_by="test",
        fetched_at=datetime.now(UTC),
        duration_ms=0.0,
        members=members,
    )
    return Ledger(lambda _: [call])


def groups_over(members: Members | None) -> list[Group]:
    """The market as a whole, then its industries."""
    ledger = ledger_over(members)
    answer = ledger.fetch(SummaryRequest(market="CN"))
    return [market_group(ledger, answer), *industry_groups(ledger, answer)]


def figures_over(members: Members | None) -> dict[tuple[str, str], float]:
    """(scope, metric) → value, of those there are."""
    return {
        (group.scope, metric): claim.value
        for group in groups_over(members)
        for metric, claim in group.figures.items()
        if isinstance(claim, Claim)
    }


def counts_over(members: Members | None, request: ScreenRequest) -> dict[str, float]:
    """The counts of a screen by metric."""
    found = screen(ledger_over(members), request)
    judged = {f"judged_{name}": claim.value for name, claim in found.judged.items()}
    named = {"company_count": found.company_count.value, "match_count": found.match_count.value}
    return named | judged
