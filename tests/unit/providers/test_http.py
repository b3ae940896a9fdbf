"""The one HTTP client against a server that breaks in every way a server breaks."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

import pytest

from services.core.clock import BEIJING, FixedClock
from services.core.errors import (
    ChangedError,
    DeniedError,
    ProviderError,
    RateLimitError,
    UnavailableError,
)
from services.providers import http as client
from services.providers import retry
from services.providers.http import Http, Target
from services.providers.reading import json_of
from services.providers.retry import errand
from services.settings import Settings
from tests.fakes.clocks import Hand
from tests.fakes.plain import PlainService
from tests.fakes.server import Fault, World

CLOCK = FixedClock(datetime(2026, 11, 20, 16, 30, tzinfo=BEIJING))
SETTINGS = Settings(api_timeout_s=0.3, api_deadline_s=3, api_attempts=3, pace_s=0)


@pytest.fixture
def service() -> Iterator[PlainService]:
    plain = PlainService()
    with World(plain) as world:
        plain.base = world.url + "/plain"  # type: ignore[attr-defined] — the fixture's own note
        yield plain


def target(service: PlainService, **changes: object) -> Target:
    return replace(Target("plain", "prices", service.base), **changes)  # type: ignore[attr-defined,arg-type]


def http(**changes: object) -> Http:
    return Http(replace(SETTINGS, **changes), CLOCK)  # type: ignore[arg-type]


def test_an_answer_carries_its_bytes_their_hash_and_when_it_was_asked(
    service: PlainService,
) -> None:
    body = http().get(target(service), "/prices")
    assert json_of(body)["rows"][0]["day"] == "2026-11-20"
    assert body.sha256 == sha256(body.content).hexdigest()
    assert body.fetched_at == CLOCK.now()


@pytest.mark.parametrize(
    ("fault", "expected", "requests"),
    [
        ("timeout", UnavailableError, 3),
        ("reset", UnavailableError, 3),
        ("broken", UnavailableError, 3),
        ("too_many", RateLimitError, 3),
        ("too_many_later", RateLimitError, 1),
        ("forbidden", DeniedError, 1),
    ],
)
def test_each_failure_has_its_class_and_is_tried_again_only_where_that_may_help(
    service: PlainService, fault: Fault, expected: type[ProviderError], requests: int
) -> None:
    service.fault = fault
    with pytest.raises(expected) as caught:
        http().get(target(service), "/prices")
    assert (caught.value.provider, caught.value.table) == ("plain", "prices")
    assert len(service.asked) == requests


def test_a_pause_the_source_asks_for_is_told(service: PlainService) -> None:
    service.fault = "too_many_later"
    with pytest.raises(RateLimitError) as caught:
        http().get(target(service), "/prices")
    assert caught.value.retry_after_s == 120


def test_a_source_that_recovers_is_answered_and_its_failed_tries_are_kept(
    service: PlainService,
) -> None:
    service.fault, service.fault_left = "broken", 2
    with errand(3) as trip:
        body = http().get(target(service), "/prices")
    assert body.status == 200
    assert [type(one.error) for one in trip.tries] == [UnavailableError, UnavailableError]


def test_the_deadline_of_the_whole_call_wins_over_tries_and_timeouts(
    service: PlainService,
) -> None:
    service.fault = "timeout"
    with errand(0.4), pytest.raises(UnavailableError, match="no answer within"):
        http(api_timeout_s=0.3, api_attempts=50).get(target(service), "/prices")
    assert len(service.asked) <= 2


def test_a_redirect_is_not_followed(service: PlainService) -> None:
    with pytest.raises(ChangedError, match="HTTP 302"):
        http().get(target(service), "/moved")


def test_a_body_over_the_limit_is_refused(service: PlainService) -> None:
    with pytest.raises(ChangedError, match="over 1,000 bytes"):
        http().get(target(service, largest=1000), "/big")


@pytest.mark.parametrize("fault", ["timeout", "broken", "forbidden", "too_many", "html"])
def test_no_query_and_no_header_is_ever_in_a_message(service: PlainService, fault: Fault) -> None:
    service.fault = fault
    with pytest.raises(ProviderError) as caught:
        json_of(
            http().get(
                target(service),
                "/prices",
                params={"token": "hush-1"},
                headers={"Authorization": "Bearer hush-2"},
            )
        )
    told = f"{caught.value} {caught.value.__cause__!s}"
    assert "hush" not in told


def test_a_web_page_is_an_outage_and_half_a_document_a_change(service: PlainService) -> None:
    service.fault = "html"
    with pytest.raises(UnavailableError, match="web page"):
        json_of(http().get(target(service), "/prices"))
    service.fault = "truncated"
    with pytest.raises(ChangedError, match="JSON"):
        json_of(http().get(target(service), "/prices"))


def test_requests_to_one_host_start_apart(
    service: PlainService, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, paced = Hand(), http(api_timeout_s=60.0, api_attempts=1, pace_s=5.0)
    for module in (client, retry):
        monkeypatch.setattr(module, "time", hand)
    # What is left for the third is short of a fourth, and long enough for a busy machine to answer.
    with errand(14.5), pytest.raises(UnavailableError, match="waiting"):
        for _ in range(6):
            paced.get(target(service), "/prices")
    assert len(service.asked) == 3
    assert hand.waits == [5.0, 5.0]


def test_nobody_listening_is_said_as_such() -> None:
    gone = Target("plain", "prices", "http://127.0.0.1:9")
    with pytest.raises(UnavailableError, match=r"127\.0\.0\.1 cannot be reached"):
        http(api_attempts=1).get(gone, "/prices")
