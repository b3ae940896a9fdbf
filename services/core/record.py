"""Base of every stored, sent or shown value: frozen, closed, and free of NaN."""

from typing import Any, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field


class Record(BaseModel):
    """Immutable; unknown keys and NaN or infinity are refused."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
    )

    def but(self, **fields: Any) -> Self:
        """The same with these fields otherwise; they are not validated."""
        return self.model_copy(update=fields)


# A symbol is called `code` on the wire, as in the seed; inside it is `symbol` everywhere.
SYMBOL_FIELD: Any = Field(
    validation_alias=AliasChoices("code", "symbol"), serialization_alias="code"
)
