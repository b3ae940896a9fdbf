"""What an extractor selects of a document, without the places."""

from typing import Any

from services.query.answering.extractors import extract


def values(document: Any, extractor: str) -> list[Any]:
    """The values in document order. Raises: as `extract`."""
    return [one.value for one in extract(document, extractor)]
