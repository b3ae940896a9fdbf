"""Who is acting: one reader of a workbench that has no sign-in, or whoever signed in.

What is said for a thread (`acting_as`) wins; else whoever is asked by `ask_who` says it; without
either everybody is LOCAL, and nothing is asked of anybody.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from services.core.errors import NotAllowedError
from services.core.record import Record
from services.core.text import Text

Role = Literal["reader", "analyst", "admin"]
ROLES: tuple[Role, ...] = ("reader", "analyst", "admin")


class Identity(Record):
    """A person: `owner` is who they are in every record, `name` how others see them.

    What is shared is shared with the `team`. A reader looks, an analyst also asks and keeps, an
    admin also sees who did what.
    """

    owner: str
    name: str
    team: str = ""
    role: Role = "reader"

    @property
    def local(self) -> bool:
        """Whether this is the one reader of a workbench without a sign-in."""
        return self.owner == LOCAL_OWNER


LOCAL_OWNER = "local"
LOCAL = Identity(owner=LOCAL_OWNER, name=LOCAL_OWNER, role="admin")
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
