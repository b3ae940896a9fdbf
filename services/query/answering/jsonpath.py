"""RFC 9535 JSONPath by the library jsonpath-rfc9535, and where its 1.0.1 departs, corrected.

Its later versions need Python 3.12; tests/unit/query/test_extractors.py has an example of every
correction and so tells which can go. What a path may cost is bounded.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

import regex
from iregexp_check import check
from jsonpath_rfc9535 import (
    NOTHING,
    JSONPathEnvironment,
    JSONPathError,
    JSONPathNode,
    JSONPathNodeList,
    JSONPathQuery,
    Lexer,
    Parser,
)
from jsonpath_rfc9535.filter_expressions import (
    ComparisonExpression,
    Expression,
    FilterContext,
    FloatLiteral,
    IntegerLiteral,
    RelativeFilterQuery,
    RootFilterQuery,
)
from jsonpath_rfc9535.function_extensions import Match
from jsonpath_rfc9535.lex import RE_PROPERTY
from jsonpath_rfc9535.tokens import TokenStream
from pydantic import JsonValue

from services.query.answering.jsonpath_grammar import NAME, refuse_malformed

_MOST_VALUES = 1_000_000
_PATTERNS_S = 1.0
# Longer numbers are beyond any float already, and Python refuses to read them.
_DIGITS = 400


def select(path: str, document: JsonValue) -> list[JSONPathNode]:
    """The nodes the path selects, in order.

    Raises: ValueError for what is no path, is not well typed, or costs too much.
    """
    refuse_malformed(path)
    try:
        environment = _Environment()
        return environment.nodes(environment.compile(path), document, document)
    except (JSONPathError, RecursionError) as error:
        raise ValueError(str(error).partition("\n")[0] or "nested too deep") from None


class _Environment(JSONPathEnvironment):
    """Made for one path and one document: it counts what that costs."""

    max_recursion_depth = 200

    def __init__(self) -> None:
        self.parser_class = _Parser
        super().__init__()
        self._values = 0
        self._patterns_end = time.monotonic() + _PATTERNS_S

    def compile(self, query: str) -> JSONPathQuery:
        """The path, read by our lexer and parser."""
        lexer = _Lexer(query)
        lexer.run()
        segments = self.parser.parse(TokenStream(lexer.tokens))
        return JSONPathQuery(env=self, segments=tuple(segments))

    def setup_function_extensions(self) -> None:
        """The functions of the standard; patterns are ours."""
        super().setup_function_extensions()
        made = {"match": _Match(self, whole=True), "search": _Match(self, whole=False)}
        self.function_extensions |= made

    def nodes(self, query: JSONPathQuery, value: object, root: Any) -> JSONPathNodeList:
        """What the query selects of a value; `$` in its filters is `root`, the whole document."""
        found: Any = [_Node(value, (), root, self)]
        for segment in query.segments:
            found = segment.resolve(found)
        return JSONPathNodeList(found)

    def looked_at(self) -> None:
        """Count one more value."""
        self._values += 1
        if self._values > _MOST_VALUES:
            raise JSONPathError(f"it looks at more than {_MOST_VALUES:,} values")

    def matches(self, pattern: object, text: object, *, whole: bool) -> bool:
        """Whether the text, or a part of it, is one the I-Regexp (RFC 9485) describes."""
        if not isinstance(pattern, str) or not isinstance(text, str) or not check(pattern):
            return False
        left = self._patterns_end - time.monotonic()
        ask = regex.fullmatch if whole else regex.search
        try:
            return ask(_dots(pattern), text, timeout=max(left, 0.001)) is not None
        except TimeoutError:
            raise JSONPathError("its patterns take too long") from None
        except regex.error:
            return False


class _Node(JSONPathNode):
    """A node whose children are counted, and whose filters know the whole document."""

    __slots__ = ("environment",)

    def __init__(
        self, value: object, location: tuple[int | str, ...], root: Any, environment: _Environment
    ) -> None:
        super().__init__(value=value, location=location, parent=None, root=root)
        self.environment = environment

    def new_child(self, value: object, key: int | str, parent: JSONPathNode | None) -> "_Node":
        """The node of a child."""
        self.environment.looked_at()
        return _Node(value, (*self.location, key), self.root, self.environment)


class _Lexer(Lexer):
    """Takes every name the standard allows, and filters within the arguments of a function."""

    __slots__ = ("_calls",)

    @property
    def func_call_stack(self) -> list[int]:
        """The functions open within the present pair of brackets; it says what a comma means."""
        depth = sum(1 for opened, _ in self.bracket_stack if opened == "[")
        return self._calls.setdefault(depth, [])

    @func_call_stack.setter
    def func_call_stack(self, value: list[int]) -> None:  # pyright: ignore[reportIncompatibleVariableOverride] — a slot there
        self._calls: dict[int, list[int]] = {}

    def accept_match(self, pattern: Any) -> bool:
        """Move past what matches; a name by the grammar of the standard."""
        return super().accept_match(NAME if pattern is RE_PROPERTY else pattern)


class _Parser(Parser):
    """Reads every number of the grammar, and makes queries and comparisons of our own."""

    def parse_integer_literal(self, stream: TokenStream) -> Expression:
        """A number without a fraction: exact where it has no exponent either."""
        token = stream.current
        if len(token.value) > _DIGITS or not token.value.removeprefix("-").isdigit():
            return FloatLiteral(token, float(token.value))
        return IntegerLiteral(token, int(token.value))

    def parse_float_literal(self, stream: TokenStream) -> Expression:
        """A number with a fraction or a negative exponent."""
        return FloatLiteral(stream.current, float(stream.current.value))

    def parse_root_query(self, stream: TokenStream) -> Expression:
        """`$…` within a filter."""
        found = cast("RootFilterQuery", super().parse_root_query(stream))
        return _OfRoot(found.token, found.query)

    def parse_relative_query(self, stream: TokenStream) -> Expression:
        """`@…` within a filter."""
        found = cast("RelativeFilterQuery", super().parse_relative_query(stream))
        return _OfCurrent(found.token, found.query)

    def parse_infix_expression(self, stream: TokenStream, left: Expression) -> Expression:
        """Two expressions and what stands between them."""
        found = super().parse_infix_expression(stream, left)
        if isinstance(found, ComparisonExpression):
            return _Compared(found.token, found.left, found.operator, found.right)
        return found


class _OfRoot(RootFilterQuery):
    """A query on the whole document."""

    __slots__ = ()

    def evaluate(self, context: FilterContext) -> object:
        """Its nodes."""
        environment = cast("_Environment", context.env)
        return environment.nodes(self.query, context.root, context.root)


class _OfCurrent(RelativeFilterQuery):
    """A query on the value filtered: `@` alone is a node, whatever its value."""

    __slots__ = ()

    def evaluate(self, context: FilterContext) -> object:
        """Its nodes."""
        environment = cast("_Environment", context.env)
        return environment.nodes(self.query, context.current, context.root)


class _Compared(ComparisonExpression):
    """A comparison by the rules of section 2.3.5.2.2: true is not 1, at no depth."""

    __slots__ = ()

    def evaluate(self, context: FilterContext) -> bool:
        """Whether it holds."""
        left, right = (_value(side.evaluate(context)) for side in (self.left, self.right))
        if self.operator in {">", ">="}:
            left, right = right, left
        if self.operator in {"<", ">"}:
            return _below(left, right)
        if self.operator in {"<=", ">="}:
            return _below(left, right) or _equal(left, right)
        return _equal(left, right) is (self.operator == "==")


class _Match(Match):
    """The functions `match`, of the `whole` text, and `search`, of a part of it."""

    def __init__(self, environment: _Environment, *, whole: bool) -> None:
        self._environment = environment
        self._whole = whole

    def __call__(self, string: object, pattern: object) -> bool:
        """Whether the text is one the pattern describes."""
        return self._environment.matches(pattern, string, whole=self._whole)


def _dots(pattern: str) -> str:
    """The pattern with `.` meaning what it does in an I-Regexp: all but line feed and return."""
    return regex.sub(
        r"(\\.|\[(?:\\.|[^\]\\])*\])|\.", lambda found: found[1] or r"[^\n\r]", pattern
    )


def _value(operand: object) -> object:
    """The value of a singular query's node; Nothing where it has none."""
    if not isinstance(operand, JSONPathNodeList):
        return operand
    return operand[0].value if operand else NOTHING


def _below(left: object, right: object) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return left < right
    if isinstance(left, bool) or isinstance(right, bool):
        return False
    return isinstance(left, int | float) and isinstance(right, int | float) and left < right


def _equal(left: object, right: object) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        one, other = cast("Mapping[str, object]", left), cast("Mapping[str, object]", right)
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    if isinstance(left, list) and isinstance(right, list):
        row, others = cast("Sequence[object]", left), cast("Sequence[object]", right)
        return len(row) == len(others) and all(map(_equal, row, others))
    return left is right if left is NOTHING or right is NOTHING else left == right
