"""What stands beside each figure of a file is its registered name, for every kind of view; and no
id of ours stands among a reader's words.
"""

import re
from collections.abc import Iterator, Sequence

import pytest

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, ToolCite
from services.core.rendering import PLACE
from services.core.text import Language
from services.exports.paper import Bullets, CitedCell, Paper, PaperTable, Prose
from services.exports.papers import paper_of
from services.language.word_lists import TURNS
from tests.unit.reports.shown import SHOWN, shown

every_view = pytest.mark.parametrize("name", list(SHOWN))
languages = pytest.mark.parametrize("language", ["zh", "en"])
# A claim, a call, a run, a job or a session by its id; a rule by its own; a name in code.
ID = re.compile(
    r"\b(?:c|tc|run|job|s|t)_[0-9a-f]{6,}\b|\b[a-z]+(?:\.[a-z0-9_]+)+\b|\b[a-z]+(?:_[a-z0-9]+)+\b"
)
# What a source says of itself, and what was asked in its own words, stands as it is.
TECHNICAL = {("sources", "parts"), ("sources", "dropped"), ("report", "tools")}
# A sum, a median, a count: ours, whatever the rows it is made of.
AGGREGATE = re.compile(r"^(?:sum|median|mean|average|avg|count|min|max)\s*\(|_(?:sum|median|mean)$")


def texts(paper: Paper) -> Iterator[str]:
    """Every text of a paper that a reader reads, the places of its figures left out."""
    for block in paper.blocks:
        lines = block.lines if isinstance(block, Bullets) else ()
        for line in (block.line,) if isinstance(block, Prose) else lines:
            yield line.template if line.kind != "outside" else ""
        if isinstance(block, PaperTable) and (paper.kind, block.key) not in TECHNICAL:
            yield from (block.title, block.note, block.days)
            yield from (column.label for column in block.columns)
            for row in block.rows:
                yield from (cell for cell in row.cells.values() if isinstance(cell, str))


@languages
@pytest.mark.parametrize("name", [name for name in SHOWN if name != "trace"])
def test_no_id_of_ours_stands_among_the_words_of_a_file(name: str, language: Language) -> None:
    paper = paper_of(shown(name), language)
    found = {one for text in texts(paper) for one in ID.findall(PLACE.sub("", text))}
    assert found == set()


@every_view
def test_no_sum_of_a_file_is_told_as_a_sources_value(name: str) -> None:
    claims = shown(name).claims.values()
    told = {
        (one.metric, one.cite.field)
        for one in claims
        if isinstance(one.cite, ToolCite)
        and (AGGREGATE.search(one.cite.field or "") or AGGREGATE.search(one.metric))
    }
    assert told == set()


def names(metric: str) -> list[str]:
    """What a figure may be called. A close is also that of the day before; the change over a span
    stands under that of a day, its row says 区间.
    """
    known = CATALOGUE.figures[metric]
    found = [known.zh, known.en, *known.says]
    also = {"close": ("previous_close",), "run_change": ("pct_change",)}.get(metric, ())
    return [one.lower() for one in (*found, *(name for each in also for name in names(each)))]


def is_named(claim: Claim, beside: Sequence[str]) -> bool:
    """Whether one of the texts is a name of it, alone, with whose it is before it or with how it
    is meant in brackets behind it; or two together are: the head of a column and that of a row, or
    another figure's name and a word of the lexicon that turns it into this one.
    """
    plain = [text.lower() for text in beside if text]
    parts = [part for text in plain for part in text.split(" – ")]
    known = names(claim.metric)
    if any(calls(part, name) for part in parts for name in known):
        return True
    for name in known:
        for own in plain:
            rest = name.removeprefix(own).removesuffix(own)
            if rest != name and any(part and part in rest for part in parts if part != own):
                return True
    return any(
        any(calls(part, name) for part in parts for name in names(base))
        and any(word in text for word, turn in TURNS.items() if turn == said for text in plain)
        for base, said in CATALOGUE.figures[claim.metric].made_of
    )


def calls(text: str, name: str) -> bool:
    """Whether the text is the name, with whose it is before and brackets or a dot behind it."""
    before, found, behind = text.rpartition(name)
    del before
    return bool(found) and (not behind or behind.lstrip()[0] in "(（·")


@languages
@every_view
def test_the_words_beside_a_figure_are_its_registered_name(name: str, language: Language) -> None:
    view = shown(name)
    wrong = set()
    for table in paper_of(view, language).tables:
        for row in table.rows:
            beside = [cell for cell in row.cells.values() if isinstance(cell, str)]
            for column in table.columns:
                cell = row.cells.get(column.key)
                claim = view.claims[cell.claim] if isinstance(cell, CitedCell) else None
                if claim and not is_named(claim, [column.label, *beside]):
                    wrong.add((table.key, column.label, claim.metric))
    assert wrong == set()
