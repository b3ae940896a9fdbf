"""What one call of a language model was: who was asked, how long it took, what it cost.

The prompt itself is not here, only its hash; nor is anything the endpoint said.
"""

from pydantic import AwareDatetime, Field

from services.core.record import Record


class ModelCall(Record):
    """One answer asked of a model, with all its tries.

    `endpoint` is the host alone. `prompt_sha256` is the hash of messages, tools and options as they
    were asked for. Tokens are null where the endpoint does not count them, `cost` (in `currency`)
    where the price is not known. `error` is the class of what went wrong, null when it answered.
    """

    model: str
    endpoint: str
    purpose: str
    prompt_sha256: str
    started_at: AwareDatetime
    seconds: float
    first_token_s: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    currency: str | None = None
    finish_reason: str | None = None
    error: str | None = None
    attempts: int = Field(ge=1)
