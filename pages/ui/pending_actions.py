"""What a visitor has asked and not yet been answered. Data only; kept in the session's state."""

from dataclasses import dataclass, field

from services.views.ask_view import Edits
from services.views.score_view import BatchMembers


@dataclass(frozen=True, slots=True)
class PendingAction:
    """A question on its way: typed or chosen (`text`), a plan changed (`number` and `edits`), or a
    turn that got no answer (`number` alone). `mark` tells one click from the next.
    """

    mark: str
    text: str
    number: int | None = None
    edits: Edits | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """A question sent to a session that is no more, with `turns` on the screen of `conversation`
    (empty: none had begun). `died`: the page stands since, or was left when nobody answered it;
    otherwise it was loaded anew, and what it was sent to may still be at it.
    """

    text: str
    conversation: str
    turns: int
    died: bool


@dataclass(frozen=True, slots=True)
class WantedReport:
    """A deep analysis asked for with a click: of a company as typed (None: of the market), or one
    of before once more (`again`), by the rules alone or as it comes.
    """

    company: str | None = None
    question: str = ""
    again: str = ""
    by_rule: bool = False


@dataclass(frozen=True, slots=True)
class WantedScore:
    """A hold score asked for with a click: of one company, of many (`chosen`), or a batch to go on
    with (`resume`).
    """

    company: str = ""
    by_rule: bool = False
    chosen: BatchMembers | None = None
    resume: str = ""


@dataclass(slots=True)
class Asks:
    """`opened` is the conversation on the screen and `turns` how many it has; `taken` the marks of
    the clicks that were taken up, `count` how many ever were; `unsent` a question that failed and
    must not be lost, `box` the number of the input it stands in; `linked` the conversations that
    links with a question became; `editing` the turn whose plan is open; `heard` whether the box
    called back in this run; `lost` a question that another session did not live to answer.
    """

    wanted: PendingAction | None = None
    opened: str = ""
    turns: int = 0
    taken: set[str] = field(default_factory=set[str])
    unsent: str = ""
    box: int = 0
    linked: dict[str, str] = field(default_factory=dict[str, str])
    editing: int | None = None
    heard: bool = False
    count: int = 0
    lost: Lost | None = None
