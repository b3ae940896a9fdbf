"""Whom an expression's folds are over: the companies its filters let in, each with the figure that
goes in.

`median(each(pe_ttm, industry in ('银行',)))` is over every bank; those without a P/E bring nothing.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from services.core.claims import Claim, DerivedCite
from services.core.errors import InputError
from services.core.expression_claims import ClaimSurroundings, members_table
from services.core.expression_text import columns_of
from services.core.expressions import CompanyLine, ExpressionError, evaluate_expression
from services.core.members import MembersIndex
from services.core.trace import TraceIndex


class FoldedCompany(NamedTuple):
    """One company a fold is over: what it brings, None where one of the `needed` figures is not
    there.
    """

    symbol: str
    value: float | None
    needed: tuple[str, ...]


def find_folded(
    claim: Claim, indexes: Sequence[MembersIndex], trace: TraceIndex
) -> list[FoldedCompany] | None:
    """The companies the folds of a claim's expression are over, each once; None where it has none,
    or one that is about the company it stands beside.
    """
    if not isinstance(claim.cite, DerivedCite):
        return None
    table = members_table(indexes)
    around = ClaimSurroundings({}, (), table, (), trace)
    found: dict[str, FoldedCompany] = {}
    folds = list(_folds(claim.cite.formula))
    try:
        for value, mask in folds:
            needed = columns_of(value)
            for symbol, line in table.by_symbol.items():
                if not _is_in(mask, line, around):
                    continue
                figure = evaluate_expression(value, line, around)
                if symbol not in found or found[symbol].value is None:
                    brought = figure.value if figure is not None else None
                    found[symbol] = FoldedCompany(symbol, brought, needed)
    except (ExpressionError, InputError):
        return None
    return list(found.values()) if folds else None


def _is_in(mask: str, line: CompanyLine, around: ClaimSurroundings) -> bool:
    held = evaluate_expression(mask, line, around)
    return held is not None and held.value == 1.0


def _folds(text: str) -> Iterator[tuple[str, str]]:
    """The value and the filter of every `each` that stands in no other."""
    waiting: list[ast.AST] = [ast.parse(text, mode="eval").body]
    while waiting:
        node = waiting.pop()
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "each"
        ):
            yield ast.unparse(node.args[0]), ast.unparse(node.args[1])
        else:
            waiting += ast.iter_child_nodes(node)
