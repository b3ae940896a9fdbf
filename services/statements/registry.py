"""Every kind of statement, and reading one from outside."""

from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from services.statements.change import ChangeStatement
from services.statements.compare import CompareStatement
from services.statements.event import EventStatement
from services.statements.extreme import ExtremeStatement
from services.statements.gap import GapStatement
from services.statements.level import LevelStatement
from services.statements.move import MoveStatement
from services.statements.outdated import OutdatedStatement
from services.statements.pace import PaceStatement
from services.statements.quote import QuoteStatement
from services.statements.rank import RankStatement
from services.statements.reading import ReadingStatement
from services.statements.signal import SignalStatement
from services.statements.statement import Broken, broken
from services.statements.trend import TrendStatement
from services.statements.watch import WatchStatement

AnyStatement = Annotated[
    LevelStatement
    | ChangeStatement
    | PaceStatement
    | MoveStatement
    | CompareStatement
    | TrendStatement
    | ExtremeStatement
    | RankStatement
    | SignalStatement
    | EventStatement
    | QuoteStatement
    | GapStatement
    | WatchStatement
    | OutdatedStatement
    | ReadingStatement,
    Field(discriminator="kind"),
]
_READER: TypeAdapter[AnyStatement] = TypeAdapter(AnyStatement)


def read_statement(raw: object) -> AnyStatement | Broken:
    """The statement a model or a file gave, or why it is none."""
    try:
        return _READER.validate_python(raw)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return broken("malformed", f"{where} {first['type']}".strip())
