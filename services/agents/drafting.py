"""The answer of a model as JSON: strict about its shape, lenient about what stands around it."""

import json
import re

from pydantic import JsonValue

from services.core.errors import YoujuError

_FENCED = re.compile(r"\A\s*```[a-zA-Z]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)
# What models of the open kind write before their answer, when nobody takes it out.
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
# A comma before a closing bracket: what small models get wrong most, and no reader of JSON takes.
_STRAY_COMMA = re.compile(r",(\s*[}\]])")
# So much of words around an object is passed over; what is longer is no answer with a preface.
_LONGEST_PREFACE = 400
_NO_OBJECT = "最终回答必须是一个 JSON 对象，前后不能有别的文字"


class UnreadableDraftError(YoujuError):
    """The final answer has not the shape asked for; `reason` is fit to be told to the model."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_object(text: str) -> JsonValue:
    """The JSON of an answer, mended where only its wrapping is wrong.

    Raises: UnreadableDraftError.
    """
    bare = unfenced(text).strip()
    start, end = bare.find("{"), bare.rfind("}")
    around = start + len(bare) - end - 1
    if bare.startswith("[") or start < 0 or end < start or around > _LONGEST_PREFACE:
        raise UnreadableDraftError(_NO_OBJECT)
    inner = bare[start : end + 1]
    for given in (inner, _STRAY_COMMA.sub(r"\1", inner)):
        try:
            return json.loads(given)
        except (ValueError, RecursionError):
            continue
    raise UnreadableDraftError(_NO_OBJECT)


def unfenced(text: str) -> str:
    """The text without what a model may put around the whole of it: its thoughts, a code fence."""
    bare = _THOUGHT.sub("", text)
    found = _FENCED.match(bare)
    return found.group(1) if found else bare
