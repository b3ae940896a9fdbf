"""The model the settings name, if they name one, and what the floors below want of it."""

from collections.abc import Mapping
from typing import Protocol

from pydantic import JsonValue

from services.agents.model import AnswerForm, ChatModel, JsonSchema, Message
from services.agents.prices import read_prices
from services.core.clock import Clock
from services.query.reading.embedding import Embedder
from services.query.reading.llm_parser import WrittenJson
from services.settings import Settings


class ConfiguredModel(ChatModel, Protocol):
    """A model with connections to let go of."""

    @property
    def host(self) -> str:
        """The host of its endpoint."""
        ...

    def close(self) -> None:
        """Let go of the connections."""
        ...


def configured_model(settings: Settings, clock: Clock) -> ConfiguredModel | None:
    """The model of LLM_BASE_URL and LLM_MODEL; None unless both are set. A key may be absent.

    Raises: ConfigError when the table of prices cannot be read.
    """
    if not settings.model_configured:
        return None
    # The client takes a second to import: only those who have a model pay it.
    from services.agents.openai_compatible import Endpoint, OpenAICompatible

    endpoint = Endpoint(settings.llm_base_url, settings.llm_model, settings.secret("LLM_API_KEY"))
    return OpenAICompatible(endpoint, clock, read_prices(settings.model_prices))


def configured_embeddings(settings: Settings) -> Embedder | None:
    """The model of LLM_EMBEDDING_MODEL at the same address; None unless both are set."""
    if not (settings.llm_base_url and settings.llm_embedding_model):
        return None
    from services.agents.embeddings import OpenAIEmbeddings
    from services.agents.openai_compatible import Endpoint

    key = settings.secret("LLM_API_KEY")
    return OpenAIEmbeddings(Endpoint(settings.llm_base_url, settings.llm_embedding_model, key))


class QuestionReader:
    """A ChatModel as the parser of questions asks it: one JSON document, as plainly as it can."""

    def __init__(self, model: ChatModel) -> None:
        """`model` may be any."""
        self._model = model

    def read(
        self, system: str, user: str, shape: Mapping[str, JsonValue], deadline_s: float
    ) -> WrittenJson:
        """See query.llm_parser.Reader."""
        reply = self._model.complete(
            (Message(role="system", content=system), Message(role="user", content=user)),
            wanted=AnswerForm(json=JsonSchema("plan", shape), temperature=0.0),
            purpose="parse",
            deadline_s=deadline_s,
        )
        return WrittenJson(reply.text, reply.call)
