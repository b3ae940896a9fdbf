"""What no word of a question covers: the whole words it stands in, and those that may fall."""

from collections.abc import Iterator, Sequence

from services.language.dictionaries import cut
from services.language.lattice import FUNCTION, Token
from services.language.plain_text import is_cjk

# What a particle costs, as a word of the closed lists does.
_FRAME = 0.3
_READ = 2.0


def particles(text: str, runs: Sequence[tuple[int, int]]) -> Iterator[Token]:
    """Runs nobody listed of words that grammar alone has: particles and interjections."""
    for start, end in runs:
        if not is_cjk(text[start]):
            continue
        inside = [one for one in cut(text) if one.start < end and start < one.end]
        if all(start <= one.start and one.end <= end and one.is_particle for one in inside):
            yield Token(FUNCTION, start, end, text[start:end], _FRAME)


def unread_spans(
    text: str, runs: Sequence[tuple[int, int]], tokens: Sequence[Token]
) -> tuple[tuple[int, int], ...]:
    """The runs as the words they stand in: 不良, where only 良 is unread and 不 is read of it.

    A word is widened only over fragments, never over what was read as a longer word.
    """
    read = [one for one in tokens if one.cat != FUNCTION and one.cost < _READ]
    whole = [one for one in read if one.end - one.start > 1]
    found: list[tuple[int, int]] = []
    for start, end in runs:
        wide = [
            one for one in cut(text)
            if one.start < end and start < one.end and is_cjk(one.word[0])
            and not any(_cuts(token, one.start, one.end) for token in whole)
        ]  # fmt: skip
        first = min([start, *(one.start for one in wide)])
        last = max([end, *(one.end for one in wide)])
        found.append((first, last))
    return tuple(dict.fromkeys(found))


def _cuts(token: Token, start: int, end: int) -> bool:
    return token.start < end and start < token.end
