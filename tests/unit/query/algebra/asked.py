"""Asking the bundled market a query of the algebra, with its ledger."""

from typing import NamedTuple

from services.core.ledger import Ledger
from services.core.verifier import Failure, verify
from services.query.algebra.nodes import Query
from services.query.algebra.run import run_query
from services.query.answering.desk import ActionDesk
from services.query.answering.outcomes import Outcome
from tests.unit.query.bundled_query import youju


class Asked(NamedTuple):
    outcome: Outcome
    ledger: Ledger
    failures: tuple[Failure, ...]


def desk() -> ActionDesk:
    executor = youju().query._executor()
    ledger = Ledger(youju().runner._fetcher("ask", {}))
    return ActionDesk(executor._tools, executor._bench, ledger, executor._metadata)


def ask(query: Query) -> Asked:
    at = desk()
    outcome = run_query(query, at)
    found = verify(at.ledger.claims, at.ledger.trace, youju().clock.now())
    return Asked(outcome, at.ledger, found.failures)
