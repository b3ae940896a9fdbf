"""The grammar of RFC 9535 as one pattern: whether a text is a JSONPath at all.

The library that evaluates paths reads some texts that are none (`$[?!@.a==1]`, `$[?(1)==1]`,
`$[?@.a==-01]`), so each is read here first. What functions there are, which arguments they take
and how large an index may be is checked by the library.
"""

import re
from bisect import bisect_left
from itertools import accumulate

import regex

# A text or a nesting beyond these is nobody's: it would only cost time and stack.
_LONGEST, _DEEPEST = 4000, 60
_NAME = (
    r"[A-Za-z_\u0080-\uD7FF\uE000-\U0010FFFF]"
    r"[A-Za-z0-9_\u0080-\uD7FF\uE000-\U0010FFFF]*+"
)
NAME = re.compile(_NAME)
_UNICODE = (
    r"u(?:[0-9A-CEFa-cef][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2}"
    r"|[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2})"
)
_PLAIN = r"[\x20\x21\x23-\x26\x28-\x5B\x5D-\uD7FF\uE000-\U0010FFFF]"
_QUOTED = "|".join(
    rf"{quote}(?:{_PLAIN}|{other}|\\(?:[bfnrt/\\{quote}]|{_UNICODE}))*+{quote}"
    for quote, other in (("'", '"'), ('"', "'"))
)
# A rule is tried once at each place: no part of it is given back, so that no text takes long.
# What `length`, `count` and `value` return is to be compared; what other functions return is true
# or false.
_PATH = regex.compile(
    rf"""
    (?(DEFINE)
      (?P<S>[ \t\n\r]*+)
      (?P<string>{_QUOTED})
      (?P<integer>0|-?[1-9][0-9]*+)
      (?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+)
      (?P<segments>(?:(?&S)(?:\.\.(?:(?&bracket)|\*|{_NAME})|\.(?:\*|{_NAME})|(?&bracket)))*+)
      (?P<bracket>\[(?&S)(?&selector)(?:(?&S),(?&S)(?&selector))*+(?&S)\])
      (?P<selector>\*|(?&string)|\?(?&S)(?&basic)(?&more)|(?&slice)|(?&integer))
      (?P<slice>(?&integer)?+(?&S):(?&S)(?&integer)?+(?:(?&S):(?&S)(?&integer)?+)?+)

      (?P<more>(?:(?&S)(?:\|\||&&)(?&S)(?&basic))*+)
      (?P<basic>(?&logical)|(?&value)(?&compared))
      (?P<logical>!?+(?&S)\((?&S)(?&basic)(?&more)(?&S)\)
        |!(?&S)(?:(?&query)|(?&test))|(?&query)(?&compared)?+|(?&test))
      (?P<compared>(?&S)(?:==|!=|<=|>=|<|>)(?&S)(?:(?&query)|(?&value)))
      (?P<query>[@$](?&segments))
      (?P<value>(?:length|count|value)(?&arguments)|(?&string)|(?&number)|true|false|null)
      (?P<test>(?!(?:length|count|value)\()[a-z][a-z_0-9]*+(?&arguments))
      (?P<arguments>\((?&S)(?:(?&argument)(?:(?&S),(?&S)(?&argument))*+(?&S))?+\))
      (?P<argument>(?&value)(?:(?&compared)(?&more))?+|(?&logical)(?&more))
    )
    \$(?&segments)
    """,
    regex.VERBOSE,
)
_DEEPER = {"(": 1, "[": 1, ")": -1, "]": -1}


def refuse_malformed(text: str) -> None:
    """Read the whole text. Raises: ValueError that says what is wrong, and where."""
    if len(text) > _LONGEST:
        raise ValueError(f"over {_LONGEST} characters")
    steps = (_DEEPER[one] for one in regex.sub(_QUOTED, "", text) if one in _DEEPER)
    if max(accumulate(steps), default=0) > _DEEPEST:
        raise ValueError("nested too deep")
    if _PATH.fullmatch(text) is None:
        whole = range(1, len(text) + 1)
        at = bisect_left(whole, x=True, key=lambda end: not _begins_path(text[:end]))
        raise ValueError(f"not a path from character {at + 1} on")


def _begins_path(text: str) -> bool:
    return _PATH.fullmatch(text, partial=True) is not None
