"""Verifying what was written to a file: claims against their trace, and a text against the claims.

Both doors of the check (`check FILE` and each line of `--batch`) come through `checked`.
"""

from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from services.core.claims import Claim
from services.core.clock import BEIJING, Clock
from services.core.errors import InputError
from services.core.grounding import ground
from services.core.rendering import Language
from services.core.trace import Trace
from services.core.verifier import verify
from services.tools.schema import NOTHING

_CLAIMS = TypeAdapter(list[Claim])
_ENTITIES = "an object {symbol: [names]}, or a list of {symbol, names}"


def checked(given: dict[str, Any], clock: Clock, language: Language = "zh") -> dict[str, Any]:
    """`{"ok", "failures"}` for `{"claims", "trace", "text"?, "entities"?}`.

    A claim that fails is told by its `claim_index`, a place in the text by its `span`; a text may
    carry `{{c:ID}}` places. Raises: InputError naming the place.
    """
    missing = [key for key in ("claims", "trace") if key not in given]
    if missing:
        raise InputError(
            missing[0], NOTHING, "both claims (a list) and trace (an object) are needed"
        )
    text, names = _text(given), _names(given)
    try:
        claims = _CLAIMS.validate_python(given["claims"])
        trace = Trace.model_validate(given["trace"])
    except ValidationError as error:
        raise _malformed(error) from None
    now = clock.now()
    result = verify(claims, trace, now)
    failures = [item.model_dump(mode="json") for item in result.failures]
    if text is not None:
        today = now.astimezone(BEIJING).date()
        failures += _unfounded(text, claims, names, language, today)
    return {"ok": not failures, "failures": failures}


def _unfounded(
    text: str, claims: list[Claim], names: dict[str, list[str]], language: Language, today: Any
) -> list[dict[str, Any]]:
    grounded = ground(text, claims, names=names, language=language, now=today)
    return [
        {
            "span": [failure.start, failure.end],
            "text": failure.span,
            "check": failure.check,
            "reason": failure.reason,
        }
        for failure in grounded.failures
    ]


def _text(given: dict[str, Any]) -> str | None:
    text = given.get("text")
    if text is not None and not isinstance(text, str):
        raise InputError("text", text, "the text to check, a string")
    return text


def _names(given: dict[str, Any]) -> dict[str, list[str]]:
    entities = given.get("entities")
    if entities is None:
        return {}
    if isinstance(entities, dict):
        pairs = list(cast("dict[object, object]", entities).items())
    elif isinstance(entities, list):
        pairs = [_pair(at, one) for at, one in enumerate(cast("list[object]", entities))]
    else:
        raise InputError("entities", entities, _ENTITIES)
    return {_symbol(symbol): _names_of(symbol, names) for symbol, names in pairs}


def _pair(at: int, one: object) -> tuple[object, object]:
    row = cast("dict[object, object]", one) if isinstance(one, dict) else {}
    symbol = row.get("symbol", row.get("code"))
    if symbol is None or "names" not in row:
        raise InputError(f"entities[{at}]", one, "an object {symbol, names}")
    return symbol, row["names"]


def _symbol(symbol: object) -> str:
    if not isinstance(symbol, str):
        raise InputError("entities", symbol, "a symbol as in the claims, such as 600519.SH")
    return symbol


def _names_of(symbol: object, names: object) -> list[str]:
    listed = cast("list[object]", names) if isinstance(names, list) else [names]
    wrong = [name for name in listed if not isinstance(name, str)]
    if wrong:
        raise InputError(f"entities.{symbol}", wrong[0], "a list of names, each a string")
    return [name for name in listed if isinstance(name, str)]


def _malformed(error: ValidationError) -> InputError:
    first = error.errors()[0]
    root = "trace" if error.title == "Trace" else "claims"
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"]]
    got = NOTHING if first["type"] == "missing" else first["input"]
    return InputError(root + "".join(steps), got, first["msg"])
