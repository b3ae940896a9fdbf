"""Checking what somebody gave in a process of its own, which may take so much memory and time.

What a file costs is then the child's to pay: whoever else uses the server notices nothing, and a
file that asks for more than an honest one ever does is refused in one sentence.
"""

import resource
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn

from services.core.errors import InputError
from services.core.text import Text
from services.evidence_pack.compare_exports import Beside
from services.evidence_pack.verify import Checked, PackFinding, PackVerdict, verify_pack
from services.evidence_pack.zip_file import is_pack

_ROOT = Path(__file__).resolve().parents[2]
# Two at once: a third who drops a file waits, and the pages of everybody stay quick.
_turns = threading.BoundedSemaphore(2)
_LENGTH = struct.Struct(">Q")


class Limits(NamedTuple):
    """What one check may take: bytes of memory beyond what its imports took, and seconds."""

    room: int = 700 * 1024 * 1024
    seconds: int = 60


# Several times what the largest pack of ours takes.
_LIMITS = Limits()


def verify_apart(
    data: bytes, files: Sequence[Beside] = (), *, name: str = "PACK", limits: Limits = _LIMITS
) -> PackVerdict:
    """As `verify_pack`, in a child process with limits of memory and time.

    Raises: InputError when it is no evidence pack at all.
    """
    if not is_pack(data):
        raise InputError(name, f"{len(data)} bytes", "an evidence pack of Youju (.youju.zip)")
    command = [sys.executable, "-m", "services.evidence_pack.verify_in_child", *map(str, limits)]
    with _turns:
        try:
            done = subprocess.run(  # noqa: S603 (ourselves; what was given comes by standard input)
                command,
                input=b"".join(_frame(data, files)),
                cwd=_ROOT,
                capture_output=True,
                timeout=limits.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return _gave_up(name, limits.seconds)
    if done.returncode or not done.stdout:
        return _gave_up(name, limits.seconds)
    return PackVerdict.model_validate_json(done.stdout)


def _gave_up(name: str, seconds: int) -> PackVerdict:
    why = Text(
        f"核验它所需的内存或时间超过上限（{seconds} 秒），已停止。本软件写出的文件不会这样",
        f"checking it takes more memory or time ({seconds} s) than is given, and was stopped. No "
        "file of this program does",
    )
    finding = PackFinding(place=name, check="too_large", reason=why)
    return PackVerdict(ok=False, checked=Checked(), failures=(finding,))


def _frame(data: bytes, files: Sequence[Beside]) -> Iterator[bytes]:
    for part in (data, *(half for one in files for half in (one.name.encode(), one.content))):
        yield _LENGTH.pack(len(part))
        yield part


def _unframe(stream: BinaryIO) -> Iterator[bytes]:
    while head := stream.read(_LENGTH.size):
        yield stream.read(_LENGTH.unpack(head)[0])


def _work() -> NoReturn:
    """The child: the files from standard input, the verdict as JSON on standard output."""
    limits = Limits(*map(int, sys.argv[1:]))
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0]) if _has_proc() else 0
    if pages:
        room = pages * resource.getpagesize() + limits.room
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    data, *rest = _unframe(sys.stdin.buffer)
    files = [
        Beside(name.decode(), content) for name, content in zip(rest[::2], rest[1::2], strict=True)
    ]
    try:
        found = verify_pack(data, files)
    except MemoryError:
        sys.exit(1)
    sys.stdout.write(found.model_dump_json())
    sys.stdout.flush()
    sys.exit(0)


def _has_proc() -> bool:
    # Elsewhere than on Linux there is no such file, and the limit of time stands alone.
    return Path("/proc/self/statm").exists()


if __name__ == "__main__":
    _work()
