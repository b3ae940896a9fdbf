"""Verifying claims that were written to a file, against the trace written beside them."""

from typing import Any

from pydantic import TypeAdapter, ValidationError

from services.core.claims import Claim
from services.core.clock import Clock
from services.core.errors import InputError
from services.core.trace import Trace
from services.core.verifier import verify
from services.tools.schema import NOTHING

_CLAIMS = TypeAdapter(list[Claim])


def checked(given: dict[str, Any], clock: Clock) -> dict[str, Any]:
    """`{"ok", "failures"}` for `{"claims", "trace"}`. Raises: InputError naming the place."""
    for key in ("text", "entities"):
        if key in given:
            raise InputError(key, given[key], "leave it out: this version checks claims, not text")
    missing = [key for key in ("claims", "trace") if key not in given]
    if missing:
        raise InputError(
            missing[0], NOTHING, "both claims (a list) and trace (an object) are needed"
        )
    try:
        claims = _CLAIMS.validate_python(given["claims"])
        trace = Trace.model_validate(given["trace"])
    except ValidationError as error:
        raise _malformed(error) from None
    result = verify(claims, trace, clock.now())
    return {"ok": result.ok, "failures": [item.model_dump(mode="json") for item in result.failures]}


def _malformed(error: ValidationError) -> InputError:
    first = error.errors()[0]
    root = "trace" if error.title == "Trace" else "claims"
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"]]
    got = NOTHING if first["type"] == "missing" else first["input"]
    return InputError(root + "".join(steps), got, first["msg"])
