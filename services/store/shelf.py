"""Where the versions of the market copy are: a folder with one folder each, and a pointer to the
newest. What every process sees itself needs nothing more; a bucket is mirrored (mirror.py).
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from services.core.errors import StoreError
from services.core.text import Text

_POINTER = "current"
# Those before the newest may still be read by whoever began before it came.
KEPT = 3


class Shelf:
    """A folder that every process sees. Safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def trouble(self) -> Text | None:
        """Why what is here may not be the newest; None when it is."""
        return None

    def follow(self) -> None:
        """See to it that what is newer comes here, now or soon. Never raises for a place away."""

    def look(self) -> None:
        """Have the newest here now. Raises: StoreError when it cannot be asked for."""

    def version(self) -> str | None:
        """The version the pointer names; None where nothing was published yet."""
        try:
            return (self.folder / _POINTER).read_text("utf-8").strip() or None
        except (FileNotFoundError, NotADirectoryError):
            return None

    def hand_out(self, version: str, base: str | None) -> None:
        """Let every process find that version, which is whole in the folder.

        Raises: StoreError when the newest is another than `base`, or cannot be told.
        """
        if self.version() != base:
            raise overtaken()
        self.point(version)
        self.tidy()

    def point(self, version: str | None) -> None:
        """Move the pointer in one step; None takes it away."""
        if version is None:
            (self.folder / _POINTER).unlink(missing_ok=True)
            return
        fresh = self.folder / f".{version}.{_POINTER}"
        with fresh.open("w", encoding="utf-8") as written:
            written.write(version + "\n")
            written.flush()
            os.fsync(written.fileno())
        os.replace(fresh, self.folder / _POINTER)

    def tidy(self, halves: str = ".0") -> None:
        """Let go of all but the newest versions, and of what a killed process left half written,
        whose names begin so.
        """
        found = [one.name for one in self.folder.iterdir() if one.is_dir()]
        left = [one for one in found if one.startswith(halves)]
        whole = (one for one in found if not one.startswith("."))
        for old in (*left, *outdated(whole, self.version())):
            shutil.rmtree(self.folder / old, ignore_errors=True)


def outdated(versions: Iterable[str], newest: str | None) -> list[str]:
    """Which of them may go: neither the newest nor one of the few before it."""
    return sorted(one for one in versions if one != newest)[: 1 - KEPT]


def overtaken() -> StoreError:
    """Somebody else was faster: what is older does not become the newest."""
    return StoreError(
        Text("另一个进程已发布更新的行情", "another process has published newer market data")
    )
