"""What was chosen once for the whole store: a name and a value, such as which market is shown."""

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from services.store.database import Database
from services.store.tables import CHOICES


class Choices:
    """Reads and writes them; what was read or written here is not asked of the store again."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database
        self._known: dict[str, str] = {}

    def read(self, name: str) -> str | None:
        """What was chosen; None where nobody chose yet."""
        if name not in self._known:
            with self._database.open_reading() as connection:
                statement = select(CHOICES.c.value).where(CHOICES.c.name == name)
                found = connection.execute(statement).scalar()
            if found is None:
                return None
            self._known[name] = found
        return self._known[name]

    def keep(self, name: str, value: str) -> None:
        """Put that choice in place of the one before."""
        changed = {"value": value, "chosen_at": func.now()}
        statement = insert(CHOICES).values(name=name, **changed)
        with self._database.open_writing() as connection:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["name"], set_=changed)
            )
        self._known[name] = value
