"""Who is acting: one reader of a workbench that has no sign-in, or whoever signed in.

What is said for a thread (`acting_as`) wins; else whoever is asked by `ask_who` says it; without
either everybody is LOCAL, and nothing is asked of anybody.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from typing import Annotated, Any, Literal, cast

from pydantic import Field

from services.core.errors import NotAllowedError
from services.core.record import Record
from services.core.text import Text

Role = Literal["reader", "analyst", "admin"]
# What is counted.
Rated = Literal["asks", "analyses", "exports"]
# What may be somebody's.
Kind = Literal["conversation", "screen", "watchlist", "job", "run", "schedule"]
ROLES: tuple[Role, ...] = ("reader", "analyst", "admin")


class HourlyRates(Record):
    """How often within an hour; 0 for as often as one likes."""

    asks: Annotated[int, Field(ge=0)] = 120
    analyses: Annotated[int, Field(ge=0)] = 30
    exports: Annotated[int, Field(ge=0)] = 120

    def of(self, what: Rated) -> int:
        """How often that may be done."""
        return {"asks": self.asks, "analyses": self.analyses, "exports": self.exports}[what]


class Identity(Record):
    """A person: `owner` is who they are in every record, `name` how others see them.

    What is shared is shared with the `team`. A reader looks, an analyst also asks and keeps, an
    admin also sees who did what.
    """

    owner: str
    name: str
    team: str = ""
    role: Role = "reader"
    rates: HourlyRates | None = None

    @property
    def local(self) -> bool:
        """Whether this is the one reader of a workbench without a sign-in."""
        return self.owner == LOCAL_OWNER


class SignIn(Record):
    """How claims are read: which one is the role and which the team (`a.b` is b within a), what
    role whoever has none gets, and after how many hours one signs in again.
    """

    role_claim: str = "role"
    team_claim: str = "team"
    role: Literal["reader", "analyst"] = "reader"
    hours: Annotated[int, Field(ge=1, le=720)] = 12
    rates: HourlyRates = HourlyRates()


LOCAL_OWNER = "local"
LOCAL = Identity(owner=LOCAL_OWNER, name=LOCAL_OWNER, role="admin")
_LONGEST_NAME = 60
_ACTING: ContextVar[Identity | None] = ContextVar("acting", default=None)
_MAY_WRITE = Text(
    "你的身份是读者：可以看，不能提问、保存、共享或删除",
    "You are a reader here: you may look, not ask, keep, share or delete",
)
_MAY_MANAGE = Text("只有管理员可以这样做", "Only an admin may do this")
_NOBODY = Text("请先登录", "Please sign in first")


def _take_local() -> Identity | None:
    return LOCAL


_who: Callable[[], Identity | None] = _take_local


def ask_who(asked: Callable[[], Identity | None] | None) -> None:
    """From now on `asked` says who acts, in every thread that was not told; None says that nobody
    is signed in there. Without an argument everybody is LOCAL again.
    """
    global _who
    _who = asked or _take_local


def acting() -> Identity:
    """Who is acting here. Raises: NotAllowedError when nobody is signed in."""
    found = _ACTING.get() or _who()
    if found is None:
        raise NotAllowedError(_NOBODY)
    return found


@contextmanager
def acting_as(identity: Identity) -> Generator[None]:
    """Whatever is done inside, and in threads that inherit this context, is done by them."""
    before = _ACTING.set(identity)
    try:
        yield
    finally:
        _ACTING.reset(before)


def require_writer() -> Identity:
    """Who is acting. Raises: NotAllowedError for a reader."""
    me = acting()
    if me.role == "reader":
        raise NotAllowedError(_MAY_WRITE)
    return me


def require_admin() -> Identity:
    """Who is acting. Raises: NotAllowedError for everybody but an admin."""
    me = acting()
    if me.role != "admin":
        raise NotAllowedError(_MAY_MANAGE)
    return me


def identity_of(claims: Mapping[str, Any], rules: SignIn) -> Identity:
    """Whoever these claims of a checked OIDC token are about.

    Known by issuer and subject, which never change; seen by others under a name. Of several roles
    the highest counts, a role that is none of ours is none.

    Raises: NotAllowedError for claims without a subject.
    """
    if not (subject := str(claims.get("sub") or "")):
        raise NotAllowedError(_NOBODY)
    known = sha256(f"{claims.get('iss', '')}\n{subject}".encode()).hexdigest()[:16]
    names = (claims.get(each) for each in ("name", "preferred_username", "email"))
    name = next((str(one) for one in names if one), subject)
    said = _values(claims, rules.role_claim)
    roles: list[Role] = [rules.role, *(role for role in ROLES if role in said)]
    team = next(iter(_values(claims, rules.team_claim)), "")
    return Identity(
        owner=known,
        name=" ".join(name.split())[:_LONGEST_NAME],
        team=team[:_LONGEST_NAME],
        role=roles[-1],
        rates=rules.rates,
    )


def _values(claims: Mapping[str, Any], name: str) -> list[str]:
    """What a claim says, one value or several; nothing when it is not there."""
    found: Any = claims.get(name)
    if found is None:
        found = claims
        for part in name.split("."):
            found = cast("Mapping[str, Any]", found).get(part) if isinstance(found, dict) else None
    listed = cast("list[Any]", found) if isinstance(found, list) else [found]
    return [str(one) for one in listed if isinstance(one, str | int)]
