from datetime import UTC, date, datetime

import pytest

from services.core.clock import FixedClock
from services.core.errors import (
    ConfigError,
    DeniedError,
    NoDataError,
    UnavailableError,
    YoujuError,
)
from services.core.requests import FetchRequest, SpotRequest
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.chain import Chain
from services.providers.registry import PROVIDERS
from services.settings import Settings

CLOCK = FixedClock(datetime(2017, 7, 26, 8, 30, tzinfo=UTC))
REQUEST = SpotRequest(symbol="600519.SH")


class Scripted:
    """A provider that answers one price, or raises what it was given."""

    def __init__(self, name: str, error: YoujuError | None = None) -> None:
        self.name = name
        self.error = error
        self.capabilities = frozenset({"spot"})
        self.asked = 0

    def covers(self, request: FetchRequest) -> bool:
        return True

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        self.asked += 1
        if self.error is not None:
            raise self.error
        price = Fact(
            symbol="600519.SH",
            metric="current_price",
            value=485.0,
            unit="CNY",
            as_of=date(2017, 7, 26),
            field="price",
        )
        return (Fetched(self.name, "spot", (price,), CLOCK.now(), "00"),)


def chain(*providers: Scripted) -> Chain:
    names = tuple(provider.name for provider in providers)
    return Chain({provider.name: provider for provider in providers}, {"spot": names}, CLOCK)


def test_the_first_provider_that_answers_ends_the_chain() -> None:
    first, second = Scripted("first"), Scripted("second")
    outcome = chain(first, second).ask(REQUEST)
    assert (outcome.provider, outcome.error, second.asked) == ("first", None, 0)
    assert [(a.provider, a.table, a.error) for a in outcome.attempts] == [("first", "spot", None)]
    assert outcome.attempts[0].started_at == CLOCK.now()


def test_a_provider_error_moves_on_and_stays_visible() -> None:
    down = Scripted("down", UnavailableError("down", "quote", "timed out after 10 s"))
    outcome = chain(down, Scripted("second")).ask(REQUEST)
    assert outcome.provider == "second"
    assert [(a.provider, a.table, a.error) for a in outcome.attempts] == [
        ("down", "quote", "UnavailableError"),
        ("second", "spot", None),
    ]
    assert outcome.attempts[0].message == "down quote: timed out after 10 s"


def test_no_data_is_an_answer_and_is_never_replaced_by_another_source() -> None:
    empty, second = Scripted("empty", NoDataError("spot 600519.SH", "停牌")), Scripted("second")
    outcome = chain(empty, second).ask(REQUEST)
    assert isinstance(outcome.error, NoDataError)
    assert (outcome.fetched, second.asked) == ((), 0)
    assert outcome.attempts[0].error == "NoDataError"


def test_when_every_provider_fails_the_last_error_comes_back_with_all_attempts() -> None:
    outcome = chain(
        Scripted("a", UnavailableError("a", "t", "down")),
        Scripted("b", DeniedError("b", "t", "no")),
    ).ask(REQUEST)
    assert isinstance(outcome.error, DeniedError)
    assert [attempt.provider for attempt in outcome.attempts] == ["a", "b"]
    assert outcome.error.tried == ("a", "b")


def test_a_capability_nobody_is_configured_for_is_unavailable() -> None:
    outcome = Chain({}, {}, CLOCK).ask(REQUEST)
    assert isinstance(outcome.error, UnavailableError)
    assert (outcome.attempts, outcome.provider) == ((), "")


def test_a_provider_without_the_capability_is_not_asked() -> None:
    other = Scripted("other")
    other.capabilities = frozenset({"screen"})
    outcome = chain(other, Scripted("second")).ask(REQUEST)
    assert (outcome.provider, other.asked) == ("second", 0)


def test_a_fault_of_ours_is_not_taken_for_an_upstream_failure() -> None:
    class Broken(Scripted):
        def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
            raise KeyError("symbol")

    with pytest.raises(KeyError):
        chain(Broken("broken"), Scripted("second")).ask(REQUEST)


def test_a_chain_that_names_an_unknown_provider_is_a_configuration_error() -> None:
    with pytest.raises(ConfigError, match=r"nobody.*valid: snapshot"):
        Chain({"snapshot": Scripted("snapshot")}, {"spot": ("nobody",)}, CLOCK)


def test_every_provider_the_settings_name_exists() -> None:
    named = {name for names in Settings().chains.values() for name in names}
    assert named <= set(PROVIDERS)
