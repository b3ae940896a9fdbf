"""Names found by meaning where an endpoint gives vectors, by spelling where it does not."""

import math
from collections.abc import Iterator

import pytest

from services.agents.models import configured_embeddings
from services.container import build_services
from services.core.errors import InputError, ProviderError
from services.query.planning.metadata import Metadata, read_metadata
from services.query.reading.embedding import EMBEDDING_THRESHOLD, VectorNearness
from services.settings import load_settings
from tests.fakes.models import ModelServer, Step, hang, refuse
from tests.unit.query.bundled_query import metadata


def meaning(text: str) -> list[float]:
    """Two directions that mean something, and one of its own for every other text."""
    if text in {"净利润", "到手的钱", "扣非到手的钱"}:
        return [3.0, 0.0, 0.0]
    if text == "赚头":  # cosine 0.9 with 净利润
        return [0.9, math.sqrt(1 - 0.81), 0.0]
    if text == "油水":  # cosine 0.7: under the line
        return [0.7, math.sqrt(1 - 0.49), 0.0]
    return [0.0, 0.0, 1.0]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(embed=meaning) as running:
        yield running


def by_meaning(server: ModelServer) -> Metadata:
    given = server.environment() | {"LLM_EMBEDDING_MODEL": "vectors"}
    found = configured_embeddings(load_settings(given))
    assert found is not None
    return read_metadata(nearness=VectorNearness(found))


@pytest.mark.parametrize("text", ["到手的钱", "赚头"])
def test_a_word_is_found_by_what_it_means(server: ModelServer, text: str) -> None:
    with pytest.raises(InputError):
        metadata().resolve(text)
    assert by_meaning(server).resolve(text).code == "company.finance.net_profit"


def test_below_the_line_the_nearest_three_are_offered(server: ModelServer) -> None:
    with pytest.raises(InputError) as caught:
        by_meaning(server).resolve("油水")
    assert caught.value.choices[0] == "净利润"
    assert len(caught.value.choices) == 3
    assert 0.7 < EMBEDDING_THRESHOLD < 0.9


def test_a_word_that_makes_it_another_figure_weighs_here_too(server: ModelServer) -> None:
    with pytest.raises(InputError):
        by_meaning(server).resolve("扣非到手的钱")


def test_the_names_are_asked_for_once_and_known_words_never(server: ModelServer) -> None:
    found = by_meaning(server)
    assert found.resolve("营收").code == "company.finance.revenue"
    assert server.embedded == []
    found.resolve("到手的钱")
    asked = len(server.embedded)
    found.resolve("到手的钱")
    assert len(server.embedded) == asked
    found.resolve("赚头")
    assert server.embedded[asked:] == [["赚头"]]
    names = [text for part in server.embedded[: asked - 1] for text in part]
    assert len(names) == len(set(names))
    assert "净利润" in names


def test_an_endpoint_that_takes_few_texts_at_once_is_given_few() -> None:
    with ModelServer(embed=meaning, most_texts=10) as server:
        assert by_meaning(server).resolve("赚头").code == "company.finance.net_profit"
        assert max(map(len, server.embedded[1:])) == 10


@pytest.mark.parametrize(
    "step",
    [
        refuse(500),
        refuse(401),
        refuse(400),
        Step(text="{}", content_type="application/json"),
        Step(content_type="text/html"),
    ],
)
def test_a_failure_is_that_question_by_spelling_and_the_next_is_asked_again(
    server: ModelServer, step: Step
) -> None:
    found = by_meaning(server)
    server.fail_embeddings = step
    assert found.resolve("总营业收入").code == "company.finance.revenue"
    with pytest.raises(InputError) as caught:
        found.resolve("到手的钱")
    expected = [entry.name for entry in metadata().nearest("到手的钱", 3)]
    assert list(caught.value.choices) == expected
    server.fail_embeddings = None
    assert found.resolve("到手的钱").code == "company.finance.net_profit"


def test_vectors_that_cannot_be_compared_are_an_error(server: ModelServer) -> None:
    given = server.environment() | {"LLM_EMBEDDING_MODEL": "vectors"}
    found = configured_embeddings(load_settings(given))
    assert found is not None
    for broken in ([0.0, 0.0], [], [1.0] * 3):
        server.embed = lambda text, broken=broken: broken if text == "甲" else [1.0, 2.0]
        with pytest.raises(ProviderError) as caught:
            found.vectors(["甲", "乙"], 5)
        assert "sk-scripted" not in str(caught.value)
    server.embed = meaning
    server.fail_embeddings = hang()
    with pytest.raises(ProviderError, match="in time"):
        found.vectors(["甲"], 0.3)


def test_without_a_model_of_vectors_nothing_is_asked(server: ModelServer) -> None:
    assert configured_embeddings(load_settings(server.environment())) is None
    services = build_services(load_settings({"YOUJU_STORE": ":memory:"} | server.environment()))
    try:
        assert services.query.plan("茅台的营收").turn.nlir is not None
    finally:
        services.close()
    assert server.embedded == []
