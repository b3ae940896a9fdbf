"""What is known of one figure of a text from the words around it: types only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from services.grounding.figure_senses import Sense
from services.grounding.period_words import TextTime
from services.grounding.tokens import TextToken


@dataclass(frozen=True, slots=True)
class TimeBefore:
    """A time before a figure: whether it stands in its clause, behind a figure, beside 较."""

    said: TextTime
    same_clause: bool = False
    crossed: bool = False
    compared: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """What the words say. `sense` None: no figure is named; `carried`: it was named further up,
    `above`: in another sentence.
    `qualified`: words beside the name that make it another figure or company. `symbols`: who is
    meant (empty: nobody is named); `ambiguous`: several may be. `headed`: the figure directly
    follows the company. `after`: times in the parentheses behind. `way` +1 or −1; `is_level`:
    增长至. `now` and `newest`: words that say so stand in the clause.
    `behind`: the text behind the figure;
    `times_of`: the company in 3.1 times as much as …
    """

    sense: Sense | None = None
    carried: bool = False
    above: bool = False
    turns: frozenset[str] = frozenset()
    qualified: str = ""
    symbols: tuple[str, ...] = ()
    ambiguous: bool = False
    headed: bool = False
    named_here: bool = False
    before: tuple[TimeBefore, ...] = ()
    inherited: tuple[TextTime, ...] = ()
    after: tuple[TextTime, ...] = ()
    after_binds: bool = False
    mentioned: frozenset[str] = frozenset()
    way: int = 0
    is_level: bool = False
    now: str = ""
    newest: bool = False
    senses_before: tuple[Sense, ...] = ()
    lead: str = ""
    behind: str = ""
    times_of: str = ""
    mispaired: bool = False
    words: str = ""


@dataclass(slots=True)
class Sentence:
    """One sentence (or row of a table) with its tokens, and what holds from further up."""

    start: int
    end: int
    tokens: list[TextToken]
    subjects: tuple[str, ...] = ()
    periods: tuple[TextTime, ...] = ()
    sense: Sense | None = None
    columns: Mapping[int, Sequence[TextToken]] = field(
        default_factory=dict[int, Sequence[TextToken]]
    )
    pairs: dict[int, "Paired"] = field(default_factory=dict[int, "Paired"])


@dataclass(frozen=True, slots=True)
class Paired:
    """What 分别 gives a figure by its position."""

    sense: Sense | None = None
    symbol: str = ""
    said: TextTime | None = None
    wrong: bool = False
    first: int = 0


def is_figure(token: TextToken) -> bool:
    """Whether it is a number, or a place with one."""
    return token.kind in {"number", "place"}
