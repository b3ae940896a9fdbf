"""The bundled snapshot as frames, read straight from its Parquet files."""

import warnings
from collections.abc import Callable
from pathlib import Path

import exchange_calendars
import pandas as pd
import pytest

FOLDER = Path(__file__).resolve().parents[3] / "data" / "snapshot"


@pytest.fixture(scope="session")
def folder() -> Path:
    return FOLDER


@pytest.fixture(scope="session")
def listed() -> pd.DataFrame:
    return pd.read_parquet(FOLDER / "companies.parquet").set_index("symbol")


@pytest.fixture(scope="session")
def facts() -> pd.DataFrame:
    return pd.read_parquet(FOLDER / "facts.parquet")


@pytest.fixture(scope="session")
def bars() -> pd.DataFrame:
    frame = pd.read_parquet(FOLDER / "bars.parquet")
    return frame.assign(date=frame["date"].astype(str)).set_index(["symbol", "date"])


@pytest.fixture(scope="session")
def gaps() -> pd.DataFrame:
    frame = pd.read_parquet(FOLDER / "gaps.parquet")
    return frame.astype({"start": str, "end": str})


@pytest.fixture(scope="session")
def sessions() -> Callable[[str, str, str], list[str]]:
    """Days an exchange was open, by the published calendar: (exchange, first, last) → ISO days."""

    def between(name: str, first: str, last: str) -> list[str]:
        with warnings.catch_warnings():
            # exchange_calendars 4.13 calls what pandas 3.1 deprecates (2026-11).
            warnings.simplefilter("ignore", DeprecationWarning)
            calendar = exchange_calendars.get_calendar(name, start="2011-07-01", end="2017-08-31")
            found = calendar.sessions_in_range(first, last)
        return [str(day.date()) for day in found]

    return between
