"""A PostgreSQL of one's own, from Debian's package: made for a test session, gone after it."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_OWNER = "postgres"
_URL = "postgresql+psycopg://{owner}@/{name}?host={socket}"


def programs() -> Path | None:
    """Where `initdb` and `pg_ctl` are; None where PostgreSQL is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    on_path = shutil.which("pg_ctl")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


@contextmanager
def cluster(**environ: str) -> Generator["Cluster"]:
    """A running server that listens on a socket in a folder of its own alone."""
    with TemporaryDirectory(prefix="youju-pg-") as made:
        # Not in pytest's folder: every run of pytest closes that to others, the server's owner too.
        folder = Path(made)
        if os.geteuid() == 0:  # the server refuses to run as root
            owner = pwd.getpwnam(_OWNER)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        with _running(folder, environ) as server:
            yield server


@contextmanager
def _running(folder: Path, environ: dict[str, str]) -> Generator["Cluster"]:
    where = programs()
    assert where is not None
    made = Cluster(where, folder, environ)
    made.run("initdb", "-D", str(folder / "data"), "-A", "trust", "-U", _OWNER, "-E", "UTF8")
    made.start()
    try:
        yield made
    finally:
        made.stop()


class Cluster:
    """A running server."""

    def __init__(self, where: Path, folder: Path, environ: dict[str, str]) -> None:
        self._environ = {**os.environ, **environ}
        self._where = where
        self._folder = folder
        self._count = 0

    def run(self, program: str, *words: str) -> None:
        """Run a program of PostgreSQL's, as its owner."""
        command = [str(self._where / program), *words]
        if os.geteuid() == 0:
            command = ["runuser", "-u", _OWNER, "--", *command]
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            cwd=self._folder,
            env=self._environ,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        """Let it serve, until it is told to stop."""
        own = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}' -c fsync=off"
        self._control("-o", own, "-l", str(self._folder / "log"), "start")

    def stop(self) -> None:
        """End it at once, as a crash would; what was committed is there at the next start."""
        self._control("-m", "immediate", "stop")

    def _control(self, *words: str) -> None:
        self.run("pg_ctl", "-D", str(self._folder / "data"), "-w", *words)

    def new_database(self) -> str:
        """The URL of an empty database."""
        self._count += 1
        name = f"youju_{self._count}"
        self.run("createdb", "-h", str(self._folder), "-U", _OWNER, name)
        return _URL.format(owner=_OWNER, name=name, socket=self._folder)
