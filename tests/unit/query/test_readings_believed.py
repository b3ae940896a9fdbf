"""A model that reads as the rules do is believed: what they read, quoted from the question whole,
passes the checks that hold a model to its words. A check that refuses it would refuse a good model.
"""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest

from services.core.data_files import DATA_FOLDER
from services.query.algebra.nodes import (
    AllOf,
    AnyOf,
    Compare,
    Const,
    Metric,
    Node,
    OtherTool,
    Query,
    Several,
    rewrite,
)
from services.query.planning.plir import Session
from services.query.reading.clarification import language_told
from services.query.reading.llm_reading import NotTakenError, ReadingChecker
from services.query.reading.readers import Readers
from tests.fakes.models import as_json
from tests.unit.query.bundled_query import metadata, youju
from tests.unit.query.stored_questions import STORED, questions

# The examples a model is shown leave out the keys that are empty.
EXAMPLES = [
    json.loads(line)
    for line in (DATA_FOLDER / "readings.jsonl").read_text(encoding="utf-8").splitlines()
]
# Answers of a language model that was shown this prompt and nothing else (a session of ours at the
# place of an endpoint), to questions written without sight of the reader; `read`: how each is told,
# or why it is not believed.
REPLIES = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("model_replies.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
# What the rules take from no word of the question (the last quarter's day, revenue of a report, the
# names of a list); a model writes it otherwise.
_MOST_REFUSED = 0.04
_FIRST = Session(session_id="first", turns=())


def _quoted(part: object, text: str) -> Any:
    """A query as a model writes it, every node by the whole question."""
    if isinstance(part, Node):
        fields = {name: getattr(part, name) for name in type(part).model_fields if name != "said"}
        return {"said": [text], **{name: _quoted(one, text) for name, one in fields.items()}}
    if isinstance(part, tuple):
        return [_quoted(one, text) for one in cast("tuple[object, ...]", part)]
    return part.isoformat() if isinstance(part, date) else part


def _as_asked(query: Query) -> Query:
    """Without what is added to every reading alike: 市盈率低于20 is from nought on, Hong Kong's P/E
    that of the last year.
    """
    is_hong_kong = "HK" in query.model_dump_json()

    def bare(node: Node) -> Node:
        if isinstance(node, AllOf | AnyOf):
            items = tuple(one for one in node.items if not _is_from_nought(one))
            return node.model_copy(update={"items": items})
        if isinstance(node, Metric) and node.id == "pe_lyr" and is_hong_kong:
            return node.model_copy(update={"id": "pe_ttm"})
        return node

    return rewrite(query, bare)


def _is_from_nought(node: Node) -> bool:
    return (
        isinstance(node, Compare)
        and node.sign == "ge"
        and node.right == Const(value=0, unit="multiple")
    )


def _read_by_rules() -> dict[str, list[Query | OtherTool]]:
    readers = youju().query._reading.readers
    found: dict[str, list[Query | OtherTool]] = {}
    for one in questions():
        text = one["turns"][0]["text"]
        meant = readers.read(text, _FIRST).query
        if meant is not None:
            queries = meant.queries if isinstance(meant, Several) else (meant,)
            found[text] = [_as_asked(q) if isinstance(q, Query) else q for q in queries]
    return found


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one["question"])
def test_an_example_shown_to_a_model_is_read_so_by_the_rules(example: dict[str, Any]) -> None:
    readers = youju().query._reading.readers
    assert isinstance(readers, Readers)
    document = {"understood": True, "queries": example["queries"]}
    lattice = readers.lattice(example["question"])
    (found,) = (
        ReadingChecker(readers, metadata()).believed(as_json(document).text, lattice, ()).queries
    )
    assert readers.made_sound(found) == readers.read(example["question"], _FIRST).query


@pytest.mark.parametrize("reply", REPLIES, ids=lambda one: one["question"])
def test_what_a_model_wrote_is_read_as_ever(reply: dict[str, Any]) -> None:
    text, before = reply["question"], [Query.model_validate(one) for one in reply["earlier"]]
    assert _told(text, as_json(reply["answer"]).text, before) == reply["read"]


def _told(text: str, document: str, before: Sequence[Query]) -> list[str] | str:
    """What is believed of a document, told; or why nothing is."""
    readers = youju().query._reading.readers
    assert isinstance(readers, Readers)
    try:
        found = ReadingChecker(readers, metadata()).believed(
            document, readers.lattice(text), before, written=text
        )
    except NotTakenError as error:
        return error.why
    sound = [readers.made_sound(one) for one in found.queries]
    language = language_told(text, _FIRST)
    return [
        readers.told(one, language)
        if isinstance(one, Query)
        else f"{one.action} {' '.join(one.symbols)}"
        for one in sound
    ]


@pytest.mark.xdist_group(STORED)
def test_what_the_rules_read_is_believed_of_a_model() -> None:
    readers = youju().query._reading.readers
    assert isinstance(readers, Readers)
    checker, refused, read = ReadingChecker(readers, metadata()), list[str](), _read_by_rules()
    for text, queries in read.items():
        lattice = readers.lattice(text)
        document = {"understood": True, "queries": [_quoted(q, lattice.text) for q in queries]}
        try:
            checker.believed(as_json(document).text, lattice, ())
        except NotTakenError as error:
            refused.append(f"{text}: {error.why}")
    assert len(read) > 500
    assert len(refused) <= _MOST_REFUSED * len(read), refused
