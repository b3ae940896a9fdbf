"""A clock that leaps in another process: libfaketime in front of the real one, read at each call.

What counts seconds from the start of the machine goes on as it was, as it does when a real clock is
set.
"""

from pathlib import Path

_LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)


def installed() -> bool:
    """Whether there is one."""
    return _LIBRARY is not None


class Leap:
    """The clock of every process that is started with `environ`."""

    def __init__(self, folder: Path) -> None:
        self._said = folder / "offset"
        self.by("+0")
        # A server that is not root's reads it too.
        self._said.chmod(0o644)
        self.environ = {
            "LD_PRELOAD": str(_LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self._said),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def by(self, offset: str) -> None:
        """From now on it is that much ahead, `+6h`, or behind, `-6h`."""
        fresh = self._said.with_suffix(".new")
        fresh.write_text(offset + "\n", "utf-8")
        fresh.chmod(0o644)
        fresh.replace(self._said)
