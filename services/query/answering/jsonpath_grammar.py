"""The grammar of RFC 9535, rule by rule: whether a text is a JSONPath at all.

The library that evaluates paths reads some texts that are none (`$[?!@.a==1]`, `$[?(1)==1]`,
`$[?@.a==-01]`), so each is read here first. What functions there are and which arguments they take
is checked by the library.
"""

import re
from typing import NoReturn

_LARGEST = 2**53 - 1
# A text or a nesting beyond these is nobody's: it would only cost time and stack.
_LONGEST, _DEEPEST = 4000, 60
_BLANK = re.compile(r"[ \t\n\r]*")
NAME = re.compile(
    r"[A-Za-z_\u0080-\uD7FF\uE000-\U0010FFFF]"
    r"[A-Za-z0-9_\u0080-\uD7FF\uE000-\U0010FFFF]*"
)
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"true|false|null")
_FUNCTION = re.compile(r"([a-z][a-z_0-9]*)\(")
_COMPARISON = re.compile(r"==|!=|<=|>=|<|>")
_UNICODE = (
    r"u(?:[0-9A-CEFa-cef][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2}"
    r"|[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2})"
)
_PLAIN = r"[\x20\x21\x23-\x26\x28-\x5B\x5D-\uD7FF\uE000-\U0010FFFF]"
_QUOTED = {
    quote: re.compile(rf"{quote}(?:{_PLAIN}|{other}|\\(?:[bfnrt/\\{quote}]|{_UNICODE}))*{quote}")
    for quote, other in (("'", '"'), ('"', "'"))
}
# What these return is a value, to be compared; what match and search return is true or false.
_OF_VALUE = frozenset({"length", "count", "value"})


def refuse_malformed(text: str) -> None:
    """Read the whole text. Raises: ValueError that says what is wrong, and where."""
    if len(text) > _LONGEST:
        raise ValueError(f"over {_LONGEST} characters")
    reader = _Reader(text)
    reader.need("$")
    reader.segments()
    if reader.at != len(text):
        reader.fail("not part of a path")


class _Reader:
    """Reads from `at` on; each method is a rule of the grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._depth = 0

    def fail(self, why: str) -> NoReturn:
        raise ValueError(f"{why}, at character {self.at + 1}")

    def need(self, token: str) -> None:
        if not self._take(token):
            self.fail(f"{token} is missing")

    def segments(self) -> None:
        while True:
            before = self.at
            self._blank()
            if self._take(".."):
                self._step(bracket=True)
            elif self._take("."):
                self._step(bracket=False)
            elif self._ahead("["):
                self._bracket()
            else:
                self.at = before
                return

    def _step(self, *, bracket: bool) -> None:
        if bracket and self._ahead("["):
            self._bracket()
        elif not self._take("*") and not self._match(NAME):
            self.fail("a name or * is missing")

    def _bracket(self) -> None:
        self.need("[")
        self._blank()
        self._selector()
        while self._after_blank(","):
            self._blank()
            self._selector()
        self._blank()
        self.need("]")

    def _selector(self) -> None:
        if self._take("*") or self._string():
            return
        if self._take("?"):
            self._blank()
            self._either()
            return
        first = self._integer()
        if not self._after_blank(":"):
            if not first:
                self.fail("no selector")
            return
        self._blank()
        self._integer()
        if self._after_blank(":"):
            self._blank()
            self._integer()

    def _either(self, first: str | None = None) -> None:
        """`a && b || c`, any part in parentheses or negated; `first` where an operand was read."""
        self._depth += 1
        if self._depth > _DEEPEST:
            self.fail("nested too deep")
        self._basic() if first is None else self._read_comparison(first, negated=False)
        while self._after_blank("||") or self._after_blank("&&"):
            self._blank()
            self._basic()
        self._depth -= 1

    def _basic(self) -> None:
        negated = self._take("!")
        if negated:
            self._blank()
        if self._take("("):
            self._blank()
            self._either()
            self._blank()
            self.need(")")
            return
        self._read_comparison(self._operand(), negated=negated)

    def _read_comparison(self, kind: str, *, negated: bool) -> None:
        before = self.at
        self._blank()
        if not negated and self._match(_COMPARISON):
            self._comparable(kind)
            self._blank()
            self._comparable(self._operand())
            return
        self.at = before
        if kind == "value":
            self.fail("a value must be compared")

    def _comparable(self, kind: str) -> None:
        if kind == "logic":
            self.fail("true or false of a function is not compared")

    def _operand(self) -> str:
        """A literal (`value`), a query, or a function by what it returns."""
        if self._take("@") or self._take("$"):
            self.segments()
            return "query"
        if found := self._match(_FUNCTION):
            self._arguments()
            name = found[1]
            return "value" if name in _OF_VALUE else "logic"
        if not (self._string() or self._match(_NUMBER) or self._match(_WORD)):
            self.fail("a query, a value or a function is missing")
        return "value"

    def _arguments(self) -> None:
        """What follows the parenthesis of a function, with the one that closes it."""
        self._blank()
        if self._take(")"):
            return
        self._argument()
        while self._after_blank(","):
            self._blank()
            self._argument()
        self._blank()
        self.need(")")

    def _argument(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            self.fail("nested too deep")
        if self._ahead("!") or self._ahead("("):
            self._either()
        else:
            kind = self._operand()
            after = self.at
            self._blank()
            closed = self._ahead(",") or self._ahead(")")
            self.at = after
            if not closed:
                self._either(kind)
        self._depth -= 1

    def _string(self) -> bool:
        quoted = _QUOTED.get(self.text[self.at : self.at + 1])
        return quoted is not None and self._match(quoted) is not None

    def _integer(self) -> bool:
        found = self._match(_INTEGER)
        if found is None:
            return False
        if len(found[0]) > 17 or abs(int(found[0])) > _LARGEST:
            self.fail("the number is too large")
        return True

    def _blank(self) -> None:
        self._match(_BLANK)

    def _after_blank(self, token: str) -> bool:
        """Take the token with the blanks before it; nothing when it is not there."""
        before = self.at
        self._blank()
        if self._take(token):
            return True
        self.at = before
        return False

    def _ahead(self, token: str) -> bool:
        return self.text.startswith(token, self.at)

    def _take(self, token: str) -> bool:
        if not self._ahead(token):
            return False
        self.at += len(token)
        return True

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found
