"""JSON in and out of the command line: files, standard input, batches."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from services.core.errors import InputError, YoujuError


def read_given(name: str, given: str) -> str:
    """What was given, or standard input for `-`."""
    return read_text(name, given) if given == "-" else given


def read_text(name: str, path: str) -> str:
    """The text of a file, or of standard input for `-`. Raises: InputError named `name`."""
    if path == "-":
        return sys.stdin.read()
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise InputError(name, path, f"a readable UTF-8 file ({why})") from None


def json_object(name: str, text: str) -> dict[str, Any]:
    """A JSON object. Raises: InputError named `name`; NaN and repeated keys are refused too."""
    try:
        value = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_repeats)
        json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        raise InputError(name, text, f"a JSON object ({error})") from None
    if not isinstance(value, dict):
        raise InputError(name, value, 'a JSON object such as {"usage": "query", "query": "定投"}')
    return value


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def refuse_both(given: str | None, batch: str) -> None:
    """Raises: InputError when a batch and a single request are both given."""
    if given is not None:
        raise InputError("--batch", batch, f"either --batch or {given!r}, not both")


def answer_lines(path: str, answer: Callable[[dict[str, Any]], Mapping[str, Any]]) -> None:
    """One answer a line, in order; a failing line answers its error and the rest go on."""
    for number, line in enumerate(read_text("--batch", path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            print_json(answer(json_object(f"line {number}", line)))
        except YoujuError as error:
            print_json({"error": {"type": type(error).__name__, "message": str(error)}})


def print_json(value: object) -> None:
    """One JSON document on one line of standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n")
    sys.stdout.flush()


def write_json(path: str | None, value: object) -> None:
    """One JSON document in a file, or on standard output without one. Raises: InputError."""
    if path is None:
        print_json(value)
        return
    text = json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"
    write_file("--output", path, text.encode())


def write_file(option: str, path: str, content: bytes) -> None:
    """Write what that option names a file for. Raises: InputError named as the option."""
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise InputError(option, path, f"a file that can be written ({error.strerror})") from None
