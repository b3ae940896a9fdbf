"""A store with the bundled market in it, made once a process: tests copy it.

Loading the market takes a second of work, and writing it out at the end another half; a copy takes
some milliseconds. A test that is about the loading itself takes an empty file.
"""

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from services.container import build_services
from services.settings import Settings
from services.workbench.desk import Desk


@cache
def _folder() -> TemporaryDirectory[str]:
    made = TemporaryDirectory(prefix="youju-prepared-")
    services = build_services(Settings(store=str(Path(made.name) / "youju.duckdb")))
    # The tables of the bundled instant are made when a market is first looked at.
    Desk(services).overview("s_prepared")
    services.close()
    return made


def clear() -> None:
    """Take it away again, at the end of the tests: the processes of xdist end without an exit."""
    if _folder.cache_info().currsize:
        _folder().cleanup()
        _folder.cache_clear()


def prepared(store: Path) -> str:
    """A new store at that path, as a first start and a first look leave it."""
    store.parent.mkdir(parents=True, exist_ok=True)
    return str(shutil.copy(Path(_folder().name) / "youju.duckdb", store))
