"""Figures of one company and one time, told side by side: nothing is said of them."""

from typing import Literal

from pydantic import Field

from services.core.claims import Claim
from services.core.units import CURRENCIES
from services.statements.alike import cited, factor_of, need_own
from services.statements.book import Book, basis, is_rule
from services.statements.statement import Clause, Held, Statement, StatementTime, need
from services.statements.tongue import Tongue

_OF_PEERS = ("_peer_rank", "_peer_count", "_peer_median")


class LevelStatement(Statement):
    """One to six figures of one day or one report."""

    kind: Literal["level"] = "level"
    claims: tuple[str, ...] = Field(min_length=1, max_length=6)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        claims = cited(book, *self.claims)
        need_own(book, *claims)
        need(len({one.metric for one in claims}) == len(claims), "duplicate")
        for one in claims:
            need(not (is_rule(one) or one.metric.endswith(_OF_PEERS)), "not_a_level", one.metric)
        reports = {one.period for one in claims if _is_of_period(one)}
        days = {one.as_of for one in claims if not _is_of_period(one)}
        need(len(reports) <= 1 and not (reports and days), "period_differs")
        need(len(days) <= 1, "day_differs")
        money = {one.unit.partition("/")[0] for one in claims if one.unit.startswith(CURRENCIES)}
        need(len(money) <= 1, "unit_or_currency_differs")
        when = StatementTime(period=reports.pop()) if reports else StatementTime(day=days.pop())
        topic = claims[0].metric
        if len(claims) == 1 and _is_newest_loss(book, claims[0]):
            return Held("loss", topic, "growth", -1, 1.0, tuple(claims), (), when)
        return Held("level", topic, factor_of(topic), 0, 0.1, tuple(claims), (), when)

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        if held.word == "loss":
            return Clause(tongue.stated(held.uses[0]))
        if tongue.zh:
            return Clause(tongue.listed([tongue.stated(one) for one in held.uses]))
        told = [f"{tongue.named(one)} {tongue.figure(one)}" for one in held.uses]
        return Clause(tongue.listed(told))

    def brief(self, held: Held, tongue: Tongue) -> str:
        """As `Statement.brief`."""
        if held.word != "loss":
            return ""
        return tongue.pick("最近一年亏损", "the newest year is a loss")


def _is_newest_loss(book: Book, claim: Claim) -> bool:
    """Whether the company lost money in its newest annual report."""
    run = book.run("net_profit")
    return bool(run) and claim.claim_id == run[-1].claim_id and claim.value < 0


def _is_of_period(claim: Claim) -> bool:
    """Whether it is of a report or a month; else it is of a day."""
    return basis(claim) == "month" or basis(claim).startswith("report")
