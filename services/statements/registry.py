"""Every kind of statement, and reading one from outside."""

from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from services.statements.change import Change
from services.statements.compare import Compare
from services.statements.event import Event
from services.statements.extreme import Extreme
from services.statements.gap import Gap
from services.statements.level import Level
from services.statements.move import Move
from services.statements.outdated import Outdated
from services.statements.pace import Pace
from services.statements.quote import Quote
from services.statements.rank import Rank
from services.statements.reading import Reading
from services.statements.signal import Signal
from services.statements.statement import Broken, broken
from services.statements.trend import Trend
from services.statements.watch import Watch

AnyStatement = Annotated[
    Level | Change | Pace | Move | Compare | Trend | Extreme | Rank | Signal | Event | Quote | Gap
    | Watch
    | Outdated
    | Reading,
    Field(discriminator="kind"),
]  # fmt: skip
_READER: TypeAdapter[AnyStatement] = TypeAdapter(AnyStatement)


def read_statement(raw: object) -> AnyStatement | Broken:
    """The statement a model or a file gave, or why it is none."""
    try:
        return _READER.validate_python(raw)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return broken("malformed", f"{where} {first['type']}".strip())
