"""Footnotes: the number of every figure of a document, and what its note says of its source.

The words are the same wherever a document is written to; how text, code and a reference are
spelled there is the pen's.
"""

from collections.abc import Callable
from dataclasses import dataclass

from services.core.claims import Claim, CompetenceCite, DerivedCite, Figure, Missing
from services.core.limits import COMPETENCES
from services.core.rendering import show
from services.core.source_marks import note_text
from services.core.text import Language, Text
from services.market.splits import SPLIT_MARK, split_of
from services.views.provenance import Fetch, Ground, Provenance
from services.views.table import claim_words

# In a note the day stands beside it; 最近收盘 is said where it is the newest shown.
_CLOSE = Text("收盘", "Close")
TERMS = {
    "notes": Text("数据说明", "About these data"),
    "sources": Text("出处", "Sources"),
    "source": Text("来源", "source"),
    "as_of": Text("截至", "as of"),
    "period": Text("期间", "period"),
    "raw": Text("原值", "raw"),
    "fetched": Text("取数", "fetched"),
    "captured": Text("来源采集", "captured"),
    "bundled": Text("打包", "bundled"),
    "by": Text("提供者", "served by"),
    "formula": Text("推算", "formula"),
    "rule": Text("规则", "rule"),
    "inputs": Text("由", "from"),
    "missing": Text("无此数据", "not available"),
    "empty": Text("（没有符合的条目）", "(nothing)"),
    "group": Text("分类", "Group"),
    "note": Text("注", "note"),
    "same": Text("同", "as in"),
}


# A remark longer than this is said once, and referred to where it is said again.
_SHORT = 24


@dataclass(frozen=True, slots=True)
class Pen:
    """How a document spells plain text (escaped), something to be read letter by letter, and a
    reference to a note.
    """

    text: Callable[[str], str]
    code: Callable[[str], str]
    reference: Callable[[int], str]


class Numbering:
    """Numbers figures in the order they are met; the same figure keeps its number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.figures: list[Figure] = []

    def of(self, figure: Figure) -> int:
        """Its number, from 1; figures missing for one reason share theirs."""
        missing = isinstance(figure, Missing)
        key = f"missing:{figure.reason}" if missing else figure.claim_id
        if key not in self._numbers:
            self.figures.append(figure)
            self._numbers[key] = len(self.figures)
        return self._numbers[key]


def note_words(claim: Claim) -> Text:
    """The name in a list of sources: of a close only its day says whether it is the last."""
    return _CLOSE if claim.metric == "close" else claim_words(claim)


class Footnotes:
    """The notes of one document in one language."""

    def __init__(self, ground: Ground, language: Language, pen: Pen) -> None:
        self.ground = ground
        self.language: Language = language
        self._pen = pen
        self._numbers = Numbering()
        self._said: dict[str, int] = {}

    def mark(self, figure: Figure) -> str:
        """The reference to the figure's footnote, after the mark of one of other shares."""
        apart = SPLIT_MARK if isinstance(figure, Claim) and split_of(figure) else ""
        return apart + self._pen.reference(self._numbers.of(figure))

    def write_notes(self) -> list[str]:
        """Every note, the first one numbered 1; writing one may call up the notes of its inputs."""
        found: list[str] = []
        while len(found) < len(self._numbers.figures):
            figure = self._numbers.figures[len(found)]
            missing = isinstance(figure, Missing)
            found.append(self._absent(figure) if missing else self._present(figure))
        return found

    def _term(self, name: str) -> str:
        return TERMS[name].in_language(self.language)

    def _absent(self, figure: Missing) -> str:
        why = figure.reason.in_language(self.language)
        return f"{self._term('missing')}: {self._pen.text(why)}"

    def _present(self, claim: Claim) -> str:
        text, code = self._pen.text, self._pen.code
        origin = self.ground.of(claim)
        name = note_words(claim).in_language(self.language)
        exact = f"{claim.value!r} {claim.unit}"
        parts = [f"{text(claim.symbol)} {text(name)} {code(claim.metric)} = {exact}"]
        parts.append(f"{self._term('as_of')} {claim.as_of}")
        if claim.period:
            parts.append(f"{self._term('period')} {code(claim.period)}")
        parts += self._explain_formula(claim, origin)
        if origin.raw is not None:
            parts.append(f"{self._term('raw')} {text(f'{origin.upstream_field} = {origin.raw}')}")
        for fetch in origin.fetches:
            parts.append(
                f"{self._term('source')} {text(f'{fetch.source}.{fetch.table}')}, "
                f"{self._instants(fetch)}, "
                f"{self._term('by')} {text(fetch.served_by)}, {code(fetch.tool_call_id)}"
            )
        if origin.note:
            parts.append(f"{self._term('note')} {self._remark(claim, origin.note)}")
        return " · ".join([*parts, code(claim.claim_id)])

    def _instants(self, fetch: Fetch) -> str:
        """When the source was asked; of a bundle when its source was captured and when it was
        built, which no clock of its data says.
        """
        if not fetch.captured:
            return f"{self._term('fetched')} {fetch.fetched_at}"
        captured = f"{self._term('captured')} {fetch.captured}"
        return f"{captured}, {self._term('bundled')} {fetch.fetched_at}"

    def _remark(self, claim: Claim, note: str) -> str:
        """What is to be said of the figure; a long one that another note says already is that
        note's: the statement of a rule stands under each of its weights.
        """
        note = note_text(note).in_language(self.language)
        rule = claim.cite.competence_id if isinstance(claim.cite, CompetenceCite) else None
        if rule is not None:
            entry = COMPETENCES[rule]
            said = entry.statement.in_language(self.language)
            note = f"{said} ({entry.reference}, v{entry.version})"
        number = self._numbers.of(claim)
        first = self._said.setdefault(note, number) if len(note) > _SHORT else number
        if first == number:
            return self._pen.text(note)
        return self._term("same") + self._pen.reference(first)

    def _explain_formula(self, claim: Claim, origin: Provenance) -> list[str]:
        if origin.formula is None:
            return []
        formula = self._pen.code(origin.formula)
        if not isinstance(claim.cite, DerivedCite):
            return [f"{self._term('rule')} {formula}"]
        used = [self.ground.claims[name] for name in claim.cite.inputs]
        words = [
            f"{self._pen.text(note_words(item).in_language(self.language))} "
            f"{self._pen.text(show(item, self.language).text)}{self.mark(item)}"
            for item in used
        ]
        words += [self._pen.text(text) for text in origin.inputs[len(used) :]]
        inputs = f"{self._term('inputs')} {', '.join(words)}"
        return [f"{self._term('formula')} {formula}, {inputs}"]
