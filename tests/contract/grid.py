"""One fault of a source, seen through a chain that keeps answers: its outcome, and what is left.

An outcome is the class of the error, or `same` (nothing changed), `undated` (the same texts, none
with a time), `fewer` (some figures or texts are absent, no other ones are there) or `redated`
(fewer, and the notes of what is left say another day, or none, since which it is known).
"""

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from services.core.errors import (
    ChangedError,
    DeniedError,
    NoDataError,
    NotCoveredError,
    RateLimitError,
    UnavailableError,
    YoujuError,
)
from services.core.requests import FetchRequest
from services.core.trace import Fact, Item
from services.providers.base import Fetched, Provider
from services.providers.provider_context import Kit
from tests.fakes.server import Fault, Service
from tests.fakes.wired import keeping

Outcome = type[YoujuError] | str
# What a fault comes to where nothing of a client's own speaks against it.
USUAL: Mapping[Fault, Outcome] = {
    "timeout": UnavailableError,
    "reset": UnavailableError,
    "too_many": RateLimitError,
    "too_many_later": RateLimitError,
    "forbidden": DeniedError,
    "broken": UnavailableError,
    "html": UnavailableError,
    "truncated": ChangedError,
    "empty": NoDataError,
    "missing_column": ChangedError,
    "renamed_column": ChangedError,
    "text_for_number": ChangedError,
    "dash": ChangedError,
    "null": ChangedError,
    "nan": ChangedError,
    "duplicate_rows": "same",
    "wrong_order": "same",
    "clock_skew": ChangedError,
}


_RIGHT: WeakKeyDictionary[Service, dict[FetchRequest, set[Fact | Item]]] = WeakKeyDictionary()


def hold_to(
    outcome: Outcome,
    provider: Provider,
    kit: Kit,
    service: Service,
    request: FetchRequest,
    fault: Fault,
    *,
    secrets: tuple[str, ...] = (),
) -> None:
    """Ask with the fault and without it; the second answer is whole whatever the first was."""
    right = right_of(service, provider, request)
    chain = keeping(provider, kit)
    service.fault = fault
    found = chain.ask(request)
    told = f"{found.error} {[attempt.message for attempt in found.attempts]}"
    assert found.attempts[-1].provider == provider.name
    assert not any(secret in told for secret in (*secrets, "Traceback", "renderData"))
    if isinstance(outcome, type):
        # A source that has not this one is a milder kind of one that cannot answer.
        mild = outcome is UnavailableError and isinstance(found.error, NotCoveredError)
        assert type(found.error) is outcome or mild, told
        assert found.fetched == ()
        service.fault = None
        chain.circuits.close(provider.name)
        assert _content(chain.ask(request).fetched) == right
        return
    assert found.error is None, told
    now = _content(found.fetched)
    if outcome == "same":
        assert now == right
    elif outcome == "undated":
        assert now == {one.model_copy(update={"published_at": None}) for one in right}
    elif outcome == "redated":
        assert {_undated(one) for one in now} < {_undated(one) for one in right}
        assert not now & right, "the list that says when a report was taken in did not come"
    else:
        assert outcome == "fewer"
        assert now < right


def right_of(service: Service, provider: Provider, request: FetchRequest) -> set[Fact | Item]:
    """The answer without a fault: asked for once, since a fake always says the same."""
    known = _RIGHT.setdefault(service, {})
    if request not in known:
        known[request] = _content(provider.fetch(request))
    return known[request]


def _content(parts: tuple[Fetched, ...]) -> set[Fact | Item]:
    return {one for part in parts for one in (*part.rows, *part.items)}


def _undated(one: Fact | Item) -> Fact | Item:
    """A figure without the note that says since when it is known."""
    return one.model_copy(update={"note": None}) if isinstance(one, Fact) else one
