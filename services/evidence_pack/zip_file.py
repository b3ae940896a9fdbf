"""The file of an evidence pack: a ZIP of which every byte follows from its parts.

Nothing is left to whoever writes one: fixed instants, no attributes, no comments, no gaps, the
manifest first and not compressed. So a reader can lay the container out again and see any byte
that is not where it must be. Reading is bounded and trusts no number in the file.
"""

import re
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from services.core.text import Text
from services.evidence_pack.size_limits import (
    LARGEST_CONTENT,
    LARGEST_MANIFEST,
    LARGEST_PACK,
    LARGEST_PART,
    MOST_PARTS,
    Fault,
    content_fault,
    limit_unpacked,
    too_large,
    too_many_parts,
    unpacks_to_too_much,
)

MANIFEST = "manifest.json"
_LONGEST_NAME = 120
# Between the local header of a part and its directory entry these must be the same.
_LOCAL = struct.Struct("<IHHHHHIIIHH")
_CENTRAL = struct.Struct("<IHHHHHHIIIHHHHHII")
_END = struct.Struct("<IHHHHIIH")
_LOCAL_MARK, _CENTRAL_MARK, _END_MARK = 0x04034B50, 0x02014B50, 0x06054B50
_VERSION, _UTF8, _STORED, _DEFLATED = 20, 0x0800, 0, 8
# 1980-01-01 00:00, the first instant a ZIP can say.
_TIME, _DAY = 0, 0x21
_NAME = re.compile(rb"[a-z0-9_]+(?:\.[a-z0-9]+)+|tables/[A-Za-z0-9_-]+\.csv")
_FIELDS = (
    "signature", "version", "flags", "method", "time", "date", "crc-32", "compressed size",
    "size", "name length", "extra length",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """One part as it lies in the file. `content` is null when it cannot be unpacked."""

    name: str
    packed: bytes
    content: bytes | None


@dataclass(frozen=True, slots=True)
class OpenedPack:
    """What could be read of a pack, and what is wrong with its container."""

    members: tuple[Member, ...]
    faults: tuple[Fault, ...]


def pack_part(content: bytes, *, first: bool) -> bytes:
    """The content as it lies in the file: the manifest as it is, the others deflated."""
    if first:
        return content
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return squeezer.compress(content) + squeezer.flush()


def container(parts: Sequence[tuple[str, bytes, bytes]]) -> bytes:
    """The file of these parts (name, content, content as packed), in this order."""
    laid = [(name, zlib.crc32(content), len(content), body) for name, content, body in parts]
    return _lay_out(laid)


def _lay_out(parts: Sequence[tuple[str, int, int, bytes]]) -> bytes:
    front, directory, at = [], [], 0
    for place, (name, crc, size, body) in enumerate(parts):
        spelled = name.encode()
        method = _DEFLATED if place else _STORED
        about = (_VERSION, _UTF8, method, _TIME, _DAY, crc, len(body), size, len(spelled), 0)
        header = _LOCAL.pack(_LOCAL_MARK, *about) + spelled
        front += [header, body]
        directory.append(_CENTRAL.pack(_CENTRAL_MARK, _VERSION, *about, 0, 0, 0, 0, at) + spelled)
        at += len(header) + len(body)
    listed = b"".join(directory)
    end = _END.pack(_END_MARK, 0, 0, len(parts), len(parts), len(listed), at, 0)
    return b"".join([*front, listed, end])


def is_pack(data: bytes) -> bool:
    """Whether this is meant to be an evidence pack, though a byte of it may be wrong: two of its
    three marks are there.
    """
    marks = (data[:4] == b"PK\x03\x04", data[30:43] == MANIFEST.encode())
    return sum(marks) + (b'"format": "youju-pack/' in data[:400]) >= 2


def open_pack(data: bytes) -> OpenedPack:
    """Every part, as far as the file can be read, and each place where it is not as written.

    Never unpacks more than the limits above, whatever the file says of itself.
    """
    if len(data) > LARGEST_PACK:
        return OpenedPack((), (too_large("pack", len(data), LARGEST_PACK),))
    reader = _Reader(data)
    reader.read()
    return OpenedPack(tuple(reader.members), tuple(reader.faults))


class _Reader:
    """Walks the parts from the first byte on; the directory is then laid out again and compared."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._left = LARGEST_CONTENT
        self._laid: list[tuple[str, int, int, bytes]] = []
        self.members: list[Member] = []
        self.faults: list[Fault] = []

    def read(self) -> None:
        while self._starts_a_part():
            if len(self.members) == MOST_PARTS:
                self.faults.append(too_many_parts("pack", MOST_PARTS))
                return
            if not self._part():
                return
        self._directory()

    def _starts_a_part(self) -> bool:
        mark = self._data[self._at : self._at + 4]
        if mark == b"PK\x01\x02" and self.members:
            return False
        # One wrong byte of a signature: the rest of the header tells that a part starts here.
        rest = self._data[self._at + 4 : self._at + 8]
        return mark == b"PK\x03\x04" or rest == struct.pack("<HH", _VERSION, _UTF8)

    def _part(self) -> bool:
        header = self._data[self._at : self._at + _LOCAL.size]
        if len(header) < _LOCAL.size:
            return self._note_broken("pack", "文件在此中断", "the file ends here")
        about = _LOCAL.unpack(header)
        start = self._at + _LOCAL.size
        if about[9] > _LONGEST_NAME:
            return self._note_broken("pack", "部件名过长", "the name of a part is too long")
        spelled = self._data[start : start + about[9]]
        place = f"{self._name_part(spelled)} (header, byte {self._at})"
        if not self._header_holds(about, place):
            return False
        if not _NAME.fullmatch(spelled):
            return self._note_broken(place, "部件名不合规", "not a name a part can have")
        body = self._data[start + len(spelled) : start + len(spelled) + about[7]]
        if len(body) < about[7]:
            return self._note_broken(place, "文件在此中断", "the file ends here")
        self._keep(spelled.decode(), about[6], about[8], body)
        self._at = start + len(spelled) + len(body)
        return True

    def _name_part(self, spelled: bytes) -> str:
        if _NAME.fullmatch(spelled):
            return spelled.decode()
        return f"part {len(self.members) + 1}"

    def _header_holds(self, about: tuple[int, ...], place: str) -> bool:
        """The fixed fields; a wrong one is told, and only those that say how long stop reading."""
        method = _DEFLATED if self.members else _STORED
        fixed = (_LOCAL_MARK, _VERSION, _UTF8, method, _TIME, _DAY)
        for name, wanted, got in zip(_FIELDS, fixed, about, strict=False):
            if wanted != got:
                self._fault(
                    place, "container",
                    f"{name} 应为 {wanted}，实为 {got}", f"{name} must be {wanted}, is {got}",
                )  # fmt: skip
        if about[10]:
            return self._note_broken(place, "不应有附加字段", "extra field")
        if about[2] & 1:
            return self._note_broken(place, "部件被加密", "the part is encrypted")
        if about[8] > LARGEST_PART or about[7] > LARGEST_PACK:
            self.faults.append(too_large(place, max(about[7], about[8]), LARGEST_PART))
            return False
        return True

    def _keep(self, name: str, crc: int, size: int, body: bytes) -> None:
        if any(member.name == name for member in self.members):
            self._fault(name, "container", "部件名重复", "a second part of this name")
        content = self._unpack_part(name, size, body)
        if content is not None and (len(content), zlib.crc32(content)) != (size, crc):
            self._fault(name, "container", "长度或 CRC-32 不符", "size or crc-32 differs")
        self._laid.append((name, crc, size, body))
        self.members.append(Member(name, body, content))

    def _unpack_part(self, name: str, size: int, body: bytes) -> bytes | None:
        """Never more than the part says it holds, than such bytes may unpack to, and than the pack
        may hold in all; null, with the reason told, for what is not read.
        """
        if not self.members:
            return self._within(name, body, LARGEST_MANIFEST)
        allowed = min(self._left, limit_unpacked(len(body)))
        most = min(size, allowed)
        opener = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = opener.decompress(body, most + 1)
        except zlib.error:
            self._fault(name, "container", "无法解压", "it cannot be unpacked")
            return None
        if len(content) > allowed:
            self.faults.append(unpacks_to_too_much(name, allowed))
            return None
        self._left -= len(content)
        if len(content) > most or not opener.eof or opener.unused_data:
            self._fault(name, "container", "压缩数据与长度不符", "packed data and size differ")
        return self._within(name, content, LARGEST_PART)

    def _within(self, name: str, content: bytes, most: int) -> bytes | None:
        """The content, unless there is more in it than is read."""
        fault = content_fault(name, content)
        if len(content) > most:
            fault = too_large(name, len(content), most)
        if fault is not None:
            self.faults.append(fault)
            return None
        return content

    def _directory(self) -> None:
        """What follows the parts, against what must follow parts like these."""
        wanted = _lay_out(self._laid)[self._at :]
        got = self._data[self._at :]
        if wanted == got:
            return
        pairs = zip(wanted, got, strict=False)
        at = next((at for at, (one, two) in enumerate(pairs) if one != two), None)
        if at is None:
            at = min(len(wanted), len(got))
        self._fault(
            f"directory (byte {self._at + at})", "container",
            "压缩包目录与部件不符，或其后有多余字节", "the directory is not that of these parts",
        )  # fmt: skip

    def _note_broken(self, place: str, zh: str, en: str) -> bool:
        self._fault(place, "container", zh, en)
        return False

    def _fault(self, place: str, check: str, zh: str, en: str) -> None:
        self.faults.append(Fault(place, check, Text(zh, en)))
