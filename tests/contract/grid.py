"""One fault of a source, seen through a chain that keeps answers: its outcome, and what is left.

An outcome is the class of the error, or `same` (nothing changed), `undated` (the same texts, none
with a time) or `fewer` (some figures or texts are absent, no other ones are there).
"""

from services.core.errors import NotCoveredError, UnavailableError, YoujuError
from services.core.requests import FetchRequest
from services.core.trace import Fact, Item
from services.providers.base import Fetched, Provider
from services.providers.kit import Kit
from tests.fakes.server import Fault, Service
from tests.fakes.wired import keeping

Outcome = type[YoujuError] | str


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
    right = _content(provider.fetch(request))
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
    else:
        assert outcome == "fewer"
        assert now < right


def _content(parts: tuple[Fetched, ...]) -> set[Fact | Item]:
    return {one for part in parts for one in (*part.rows, *part.items)}
