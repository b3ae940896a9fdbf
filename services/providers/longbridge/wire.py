"""Calls of the Longbridge package, made in a process of their own and bounded in time.

Not through `http.py`: the package signs and sends itself. Of it only the raw door is used
(`HttpClient.request`): its typed calls write 0 for a figure they cannot read, and give times
without a zone. It repeats a 429 by itself; nothing else is tried again.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from services.core.errors import (
    ChangedError,
    DeniedError,
    ProviderError,
    RateLimitError,
    UnavailableError,
)
from services.core.symbols import Symbol
from services.providers.http import Body
from services.providers.provider_context import Kit
from services.providers.reading import MISSING_TEXTS, instant
from services.providers.retry import time_left

NAME = "longbridge"
PACKAGE = "longbridge==5.3.0"
_CHILD = Path(__file__).with_name("child.py")
# What starting a process may take on a busy machine, on top of the time of its requests.
_START_S = 3.0
_SECRETS = ("LONGBRIDGE_APP_KEY", "LONGBRIDGE_APP_SECRET", "LONGBRIDGE_ACCESS_TOKEN")
_TOO_OFTEN = frozenset({301606, 429001, 429002})
_NO_ACCESS = frozenset({301604})


@dataclass(frozen=True, slots=True)
class Call:
    """One request: its table in citations, and how it is made. Without a body it is a GET."""

    table: str
    path: str
    body: Mapping[str, object] | None = None


def ask(kit: Kit, calls: Sequence[Call]) -> list[Body]:
    """The answers (`data` of each, as JSON), within the errand's deadline.

    Raises: UnavailableError (package absent, network, time), RateLimitError, DeniedError,
    ChangedError.
    """
    document = {
        "config": [
            *(kit.settings.secret(name) for name in _SECRETS),
            kit.settings.urls["LONGBRIDGE_HTTP_URL"],
        ],
        "calls": [
            {"method": "POST" if call.body else "GET", "path": call.path, "body": call.body}
            for call in calls
        ],
    }
    limit = kit.settings.api_timeout_s * len(calls) + _START_S
    left = time_left()
    answers = _run(document, calls, limit if left is None else min(limit, max(left, 0.05)))
    bodies: list[Body] = []
    for call, answer in zip(calls, answers, strict=False):
        if "data" not in answer:
            raise failure(answer, call.table)
        content = json.dumps(answer["data"], ensure_ascii=False).encode()
        now = kit.clock.now()
        bodies.append(Body(NAME, call.table, 200, "application/json", content, {}, {}, now))
    return bodies


def _run(document: object, calls: Sequence[Call], limit: float) -> list[dict[str, Any]]:
    table = calls[0].table
    try:
        done = subprocess.run(  # noqa: S603 — our own script; what is secret goes through stdin
            [sys.executable, "-I", str(_CHILD)],
            input=json.dumps(document).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UnavailableError(NAME, table, f"no answer within {limit:.3g} s") from error
    except OSError as error:
        raise UnavailableError(NAME, table, "its process cannot be started") from error
    try:
        return cast("list[dict[str, Any]]", json.loads(done.stdout))
    except ValueError as error:
        raise UnavailableError(NAME, table, "its process ended without an answer") from error


def failure(answer: Mapping[str, Any], table: str) -> ProviderError:
    """The error a failed answer of the child amounts to: its code, else the HTTP status."""
    who = (NAME, table)
    if answer.get("missing"):
        return UnavailableError(*who, f"package longbridge is not installed: pip install {PACKAGE}")
    if answer.get("unreadable"):
        return ChangedError(*who, "the answer is not the JSON it was")
    code, status = answer.get("code"), answer.get("status")
    # Its codes of six digits begin with the HTTP status they go with.
    status = status or (code // 1000 if isinstance(code, int) else 0)
    if code in _TOO_OFTEN or status == 429:
        return RateLimitError(*who, "asked too often")
    if code in _NO_ACCESS or status in {401, 403}:
        return DeniedError(*who, f"refused ({code or status})")
    if 400 <= status < 500:
        return ChangedError(*who, f"does not accept the question ({code or status})")
    return UnavailableError(*who, f"is out of order ({code or status or 'not reached'})")


def spell_symbol(symbol: Symbol) -> str:
    """As Longbridge writes it: no leading zeros in Hong Kong, `.US` for the United States."""
    if symbol.exchange == "HK":
        return f"{int(symbol.code)}.HK"
    return f"{symbol.code}.US" if symbol.exchange == "US" else symbol.value


def seconds(cell: object, body: Body, field: str) -> datetime | None:
    """An epoch in seconds, a number or its text; None for an empty cell. Raises: ChangedError."""
    if cell is None or (isinstance(cell, str) and cell.strip() in MISSING_TEXTS):
        return None
    if isinstance(cell, str) and cell.isascii() and cell.isdigit():
        cell = int(cell)
    if isinstance(cell, bool) or not isinstance(cell, int):
        raise ChangedError(NAME, body.table, f"{field} is no time in seconds")
    return instant(cell * 1000, body, field)
