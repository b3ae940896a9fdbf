"""Endpoints that are compatible in part: what one does not take is left out, and stays left out."""

from collections.abc import Callable

import pytest

from services.scoring.workflow import ScoringWorkflow
from services.settings import Settings
from tests.fakes.models import Asked, ModelServer, Step, as_json, refuse
from tests.unit.scoring_workflow.given import PASSED, given, written

Taken = Callable[[Asked], Step]


def _unless(name: str, *, said: bool = True) -> Taken:
    """An endpoint for both agents that refuses what carries that option, by its name or not."""

    def answer(asked: Asked) -> Step:
        if name in asked.body and asked.body[name] is not False:
            return refuse(400, parameter=name if said else None)
        return as_json(PASSED if asked.body["model"] == "reviewer" else written())

    return answer


def _settings(server: ModelServer) -> Settings:
    return Settings(
        secrets={"LLM_API_KEY": "sk-only-here"},
        llm_base_url=server.url,
        llm_model="scorer",
        model_review_agent="reviewer",
        llm_deadline_s=8.0,
    )


def _scored_twice(answer: Taken) -> list[Asked]:
    """What the endpoint was asked in two scores by one workflow."""
    with ModelServer(answer) as server:
        workflow = ScoringWorkflow(settings=_settings(server))
        for _ in range(2):
            done = workflow.approve(given().step1, given().card)
            assert done.recommendation.hold_score == 7.2
            assert len(done.rounds) == 1
        return list(server.asked)


@pytest.mark.parametrize("name", ["temperature", "response_format", "max_tokens"])
def test_an_option_that_is_refused_by_name_is_left_out_from_then_on(name: str) -> None:
    asked = _scored_twice(_unless(name))
    carried = [name in one.body for one in asked]
    # Each of the two models is asked once with it, and from then on without.
    assert carried == [True, False, True, False, False, False]
    assert all("sk-only-here" not in str(one.body) for one in asked)


def test_a_refusal_that_names_nothing_is_met_by_leaving_out_one_thing_after_another() -> None:
    asked = _scored_twice(_unless("response_format", said=False))
    assert len(asked) == 6
    assert [one.body.get("temperature") for one in asked] == [0.1] * 6


def test_an_endpoint_that_does_not_stream_is_asked_for_the_whole() -> None:
    def answer(asked: Asked) -> Step:
        body = PASSED if asked.body["model"] == "reviewer" else written()
        return as_json(body).in_one_piece()

    asked = _scored_twice(answer)
    assert [bool(one.body.get("stream")) for one in asked] == [
        *(True, False, True, False),
        *(False, False),
    ]


def test_an_endpoint_that_refuses_to_stream_is_asked_for_the_whole() -> None:
    def answer(asked: Asked) -> Step:
        if asked.body.get("stream"):
            return refuse(400, parameter="stream")
        return as_json(PASSED if asked.body["model"] == "reviewer" else written()).in_one_piece()

    assert len(_scored_twice(answer)) == 6
