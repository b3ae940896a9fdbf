"""The text of an expression (core/expressions.py): what figures and companies it names."""

import ast
from collections.abc import Collection, Iterator
from functools import cache
from typing import TypeGuard

from services.core.quantities import ExpressionError

# A figure that nobody gives.
NONE = "none"
ATTRIBUTES = ("symbol", "market", "exchange", "board", "segment", "industry", "st")


@cache
def leaves_of(text: str) -> tuple[tuple[str | None, str], ...]:
    """The figures of single companies in it, outside folds: (symbol or None: own, key), in order.

    Raises: ExpressionError.
    """
    return tuple(dict.fromkeys(_leaves(tree_of(text), None)))


def without(text: str, missing: Collection[tuple[str | None, str]]) -> str:
    """The text with `none` for these figures of single companies, which nobody gives.

    Raises: ExpressionError.
    """
    return ast.unparse(_Blank(missing).visit(tree_of(text))) if missing else text


@cache
def columns_of(text: str) -> tuple[str, ...]:
    """Every figure key named in it. Raises: ExpressionError."""
    return tuple(dict.fromkeys(_keys(tree_of(text))))


@cache
def symbols_of(text: str) -> tuple[str, ...]:
    """The companies it names: of whom a figure is, or who are counted. Raises: ExpressionError."""
    found: dict[str, None] = {}
    for node in ast.walk(tree_of(text)):
        if isinstance(node, ast.Call) and function_of(node) == "at":
            found[word_of(node.args[0])] = None
        elif isinstance(node, ast.Compare) and key_of(node.left) is None:
            (right,) = node.comparators
            if ast.unparse(node.left) == "symbol" and isinstance(right, ast.Tuple):
                found |= dict.fromkeys(map(word_of, right.elts))
    return tuple(found)


def leaf_key(metric: str, time: str = "") -> str:
    """The spelling of a figure: `pb`, `revenue @ y2016`."""
    return f"{metric} @ {time}" if time else metric


class _Blank(ast.NodeTransformer):
    """Writes `none` for figures that are missing; what stands in a fold over companies stays."""

    def __init__(self, missing: Collection[tuple[str | None, str]]) -> None:
        self._missing = missing

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = function_of(node)
        if name == "at" and (word_of(node.args[0]), key_of(node.args[1])) in self._missing:
            return ast.Name(NONE, ast.Load())
        if name in {"each", "series", "own", "at"}:
            return node
        if name in {"rank", "percentile"}:
            node.args[:2] = [
                self.visit(one) if one is node.args[0] or is_known(one) else one
                for one in node.args[:2]
            ]
            return node
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        key = key_of(node)
        if key is None:
            return self.generic_visit(node)
        return ast.Name(NONE, ast.Load()) if (None, key) in self._missing else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(NONE, ast.Load()) if (None, node.id) in self._missing else node


def tree_of(text: str) -> ast.expr:
    """The tree of an expression. Raises: ExpressionError."""
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError) as error:
        raise ExpressionError(f"{text} cannot be read: {error}") from None


def key_of(node: ast.expr) -> str | None:
    """The key of a figure, where the node is one."""
    if isinstance(node, ast.Name):
        return None if node.id in ATTRIBUTES or node.id == NONE else node.id
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        if isinstance(node.left, ast.Name) and isinstance(node.right, ast.Name):
            return leaf_key(node.left.id, node.right.id)
        raise ExpressionError("a figure is spelled metric @ time")
    return None


def _leaves(node: ast.expr, symbol: str | None) -> Iterator[tuple[str | None, str]]:
    key = key_of(node)
    if key is not None:
        yield symbol, key
    elif isinstance(node, ast.Call):
        name = function_of(node)
        if name == "at":
            yield from _leaves(node.args[1], word_of(node.args[0]))
        elif name in {"rank", "percentile"}:
            yield from _leaves(node.args[0], symbol)
            if is_known(node.args[1]):
                yield from _leaves(node.args[1], symbol)
        elif name not in {"each", "series", "own"}:
            for part in node.args:
                yield from _leaves(part, symbol)
    else:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                yield from _leaves(part, symbol)


def _keys(node: ast.expr) -> Iterator[str]:
    key = key_of(node)
    if key is not None:
        yield key
    elif isinstance(node, ast.Call):
        name = function_of(node)
        for part in node.args[:1] if name == "series" else () if name == "own" else node.args:
            yield from _keys(part)
    else:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                yield from _keys(part)


def function_of(node: ast.Call) -> str:
    """The name it is called by. Raises: ExpressionError."""
    if not isinstance(node.func, ast.Name) or node.keywords:
        raise ExpressionError("a function is called by its name alone")
    return node.func.id


def word_of(node: ast.expr) -> str:
    """A word or a name. Raises: ExpressionError."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        return node.id
    raise ExpressionError("a word is expected")


def is_known(node: ast.expr) -> TypeGuard[ast.Call]:
    """Whether it is `known(…)`."""
    return isinstance(node, ast.Call) and function_of(node) == "known"
