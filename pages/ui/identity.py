"""Who looks at a session: nobody is asked unless the secrets file has [auth].

`[auth]` is Streamlit's own (st.login); `[team]` beside it says which claims are role and team.
"""

import threading
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import ValidationError
from streamlit import config
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context_attr import (
    SCRIPT_RUN_CONTEXT_ATTR_NAME,
)

from services.core.errors import ConfigError
from services.core.identity import (
    LOCAL,
    Identity,
    SignIn,
    acting,
    acting_as,
    ask_who,
    identity_of,
)
from services.system_clock import SystemClock

_FILE = "secrets.toml"
_HOUR_S = 3600
# A provider's clock may be ahead of this one by so much.
_SKEW_S = 300
_CLOCK = SystemClock()


def settle() -> None:
    """From now on the store asks here who is acting, in whatever thread it is used."""
    ask_who(signed_in)


def on_behalf(write: Callable[[], bytes]) -> Callable[[], bytes]:
    """The same done by whoever looks now, in their session: Streamlit makes a file in a thread of
    its own, which knows neither who asked nor the language and the data they chose.
    """
    me, session = acting(), get_script_run_ctx()

    def written() -> bytes:
        thread, before = threading.current_thread(), get_script_run_ctx(suppress_warning=True)
        setattr(thread, SCRIPT_RUN_CONTEXT_ATTR_NAME, session)
        try:
            with acting_as(me):
                return write()
        finally:
            setattr(thread, SCRIPT_RUN_CONTEXT_ATTR_NAME, before)

    return written


def is_on() -> bool:
    """Whether people sign in here.

    Raises: ConfigError for a secrets file that cannot be read: never open by mistake.
    """
    return bool(_secrets().get("auth"))


def providers() -> tuple[str, ...]:
    """The providers by name; the empty name for the one of [auth] itself."""
    auth = _secrets()["auth"]
    named = (name for name, one in auth.items() if isinstance(one, dict) and "client_id" in one)
    return ("", *named) if "client_id" in auth else tuple(named)


def rules() -> SignIn:
    """How claims are read. Raises: ConfigError."""
    try:
        return SignIn.model_validate(_secrets().get("team", {}))
    except ValidationError as error:
        said = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise ConfigError(f"[team] {_FILE}", "; ".join(said)) from error


def signed_in() -> Identity | None:
    """Who looks at this session; None for nobody, for whoever signed in too long ago, and in
    threads that are no session's. LOCAL where nobody signs in. Raises: ConfigError.
    """
    if not is_on():
        return LOCAL
    if get_script_run_ctx(suppress_warning=True) is None:
        return None
    claims = st.user.to_dict()
    if not claims.get("is_logged_in"):
        return None
    known = is_fresh(claims.get("iat"), _CLOCK.now().timestamp(), rules().hours)
    return identity_of(claims, rules()) if known else None


def is_fresh(began: object, now_s: float, hours: float) -> bool:
    """Whether a sign-in of that instant still counts: the role is that of the sign-in, and
    Streamlit's cookie stands for a month. One of the future is of a clock that was put back since,
    and as old as nobody knows.
    """
    age_s = now_s - began if isinstance(began, int) else 0.0
    return -_SKEW_S <= age_s <= hours * _HOUR_S


def _secrets() -> Mapping[str, Any]:
    # Not once and for all: before the server starts Streamlit does not know its files yet.
    return _read(tuple(config.get_option("secrets.files")))


@cache
def _read(names: tuple[str, ...]) -> Mapping[str, Any]:
    """What the secrets files say, a later one in place of an earlier.

    Read here and not asked of Streamlit, which takes a file that cannot be read for none at all:
    a slip in it would then open the workbench to everybody.
    """
    found: dict[str, Any] = {}
    for name in names:
        path = Path(name)
        if not path.is_file():
            continue
        try:
            found |= tomllib.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            # Its text may hold a secret: it is not repeated.
            raise ConfigError(_FILE, f"{path} cannot be read ({type(error).__name__})") from None
    return found
