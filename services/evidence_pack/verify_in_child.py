"""Checking what somebody gave in a process of its own, which may take so much memory and time.

What a file costs is then the child's to pay: whoever else uses the server notices nothing, and a
file that asks for more than an honest one ever does is refused in one sentence.
"""

import resource
import signal
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
    """What one check may take: bytes of memory beyond what its imports took, seconds of the
    processor, and seconds to wait for it. A busy machine takes longer over an honest file.
    """

    room: int = 700 * 1024 * 1024
    seconds: int = 60
    wait: int = 240


_PACK = Text("证据包", "the pack")
_TOO_MUCH = Text(
    "核验它所需的内存超过上限，已停止。本软件写出的文件不会这样",
    "checking it takes more memory than is given, and was stopped. No file of this program does",
)
# How a process ends that has used up its time, or that the system needed the room of.
_ENDED = (-signal.SIGXCPU, -signal.SIGKILL)
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
                timeout=limits.wait,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return _stop_unfinished(name, limits.wait)
    if done.returncode in _ENDED:
        return _stop_unfinished(name, limits.seconds)
    if done.returncode or not done.stdout:
        finding = PackFinding(place=name, where=_PACK, check="too_large", reason=_TOO_MUCH)
        return PackVerdict(ok=False, checked=Checked(), failures=(finding,))
    return PackVerdict.model_validate_json(done.stdout)


def _stop_unfinished(name: str, seconds: int) -> PackVerdict:
    """Nothing was found wrong: it was not looked at to the end."""
    why = Text(
        f"{seconds} 秒内没有核验完，已停止。没有查完，不等于对不上；机器忙时稍后再试",
        f"the check was not done within {seconds} s and was stopped. That is no mismatch: try "
        "again when the machine is less busy",
    )
    finding = PackFinding(place=name, where=_PACK, check="not_finished", reason=why)
    return PackVerdict(ok=False, finished=False, checked=Checked(), failures=(finding,))


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
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 1))
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
