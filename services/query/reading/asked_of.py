"""Of whom and when something was asked, in the words of the question: 汽车行业12到16年."""

from collections.abc import Sequence

from services.core.text import Language
from services.query.reading.tagging import Lattice

# So far apart two times are still one span: 12到16年.
_BETWEEN_TIMES = 3


def asked_of_words(
    lattice: Lattice, firms: Sequence[str], unknown: Sequence[str], language: Language
) -> str:
    """The companies, or else the sets said, with the times; empty where nothing of them was."""
    zh = language == "zh"
    marks = "、" if zh else ", "
    whose = list(firms) or _sets(lattice, unknown, language)
    when = marks.join(_times(lattice))
    gap = " " if not zh and when and whose else ""
    return f"{marks.join(whose)}{gap}{when}"


def _sets(lattice: Lattice, unknown: Sequence[str], language: Language) -> list[str]:
    said = [lattice.text[one.start : one.end] for one in lattice.has("SCOPE")]
    told = [one for one in dict.fromkeys(said) if one not in unknown]
    # The lattice is in small letters; a Chinese text writes A股 and ST in capitals.
    return [one.upper() for one in told] if language == "zh" else told


def _times(lattice: Lattice) -> list[str]:
    """The times that were said, those beside each other as one span."""
    spans: list[tuple[int, int]] = []
    for one in sorted(lattice.has("WHEN"), key=lambda token: token.start):
        if spans and one.start - spans[-1][1] <= _BETWEEN_TIMES:
            spans[-1] = (spans[-1][0], max(spans[-1][1], one.end))
        else:
            spans.append((one.start, one.end))
    return [lattice.text[start:end].strip() for start, end in spans]
