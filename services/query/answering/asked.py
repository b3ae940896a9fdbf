"""The one action of the algebra: a node that carries a query brings what the query does."""

from dataclasses import replace

from services.core.text import Text
from services.query.algebra.explain import say_unheld
from services.query.algebra.run import run_query
from services.query.algebra.wire import KEY, read_query
from services.query.answering.desk import ActionDesk
from services.query.answering.outcomes import Outcome, quote_text
from services.query.planning.plir import PlirNode


def is_query(node: PlirNode) -> bool:
    """Whether the node carries a query of the algebra."""
    return node.arg(KEY) is not None


def answer_query(desk: ActionDesk, node: PlirNode) -> Outcome:
    """The rows the query finds, its folds, and whom it could not judge.

    Raises: InputError for what is no query, NoDataError, ProviderError.
    """
    query = read_query(str(node.arg(KEY)))
    if query.unheld is None:
        return run_query(query, desk, node)
    told = say_unheld(query.unheld)
    unheld = quote_text(Text(f"{told.zh}。", f"There is {told.en}."))
    return replace(run_query(query, desk, node), unheld=unheld)
