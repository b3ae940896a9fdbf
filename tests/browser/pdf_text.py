"""The text of a PDF as Chromium writes one: its fonts say which letters their numbers are."""

import re
import unicodedata
import zlib

_OBJECT = re.compile(rb"\n(\d+) 0 obj\s")
_LENGTH = re.compile(rb"/Length (\d+)")
_UNICODE = re.compile(rb"/ToUnicode (\d+) 0 R")
# A font is named by the number of its object: /F12 9.5 Tf; text follows as numbers of letters.
_SHOWN = re.compile(rb"/F(\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>")
_PAIR = re.compile(rb"<([0-9A-Fa-f]+)> ?<([0-9A-Fa-f]+)>")
_RANGE = re.compile(rb"<([0-9A-Fa-f]+)> ?<([0-9A-Fa-f]+)> ?<([0-9A-Fa-f]+)>")


def pages_of(pdf: bytes) -> int:
    """How many pages it has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def text_of(pdf: bytes) -> str:
    """Every letter in the order it is drawn, in plain width and without the blanks between."""
    objects = {int(found[1]): pdf[found.end() :] for found in _OBJECT.finditer(pdf)}
    objects = {number: _cut(body) for number, body in objects.items()}
    fonts = {
        number: _letters(_unpacked(objects[int(found[1])]))
        for number, body in objects.items()
        if b"/Type /Font" in body and (found := _UNICODE.search(body))
    }
    told: list[str] = []
    for body in objects.values():
        content = _unpacked(body)
        if b" Tf" not in content:
            continue
        letters: dict[int, str] = {}
        for font, digits in _SHOWN.findall(content):
            if font:
                letters = fonts.get(int(font), {})
                continue
            codes = (int(digits[at : at + 4], 16) for at in range(0, len(digits), 4))
            told += [letters.get(code, "") for code in codes]
    return unicodedata.normalize("NFKC", "".join("".join(told).split()))


def _cut(body: bytes) -> bytes:
    """One object; a stream is as long as it says, whatever its bytes look like."""
    head, mark, rest = body.partition(b"stream\n")
    length = _LENGTH.search(head)
    if not mark or b"endobj" in head or length is None:
        return body.partition(b"endobj")[0]
    return head + mark + rest[: int(length[1])]


def _unpacked(body: bytes) -> bytes:
    head, mark, packed = body.partition(b"stream\n")
    if not mark:
        return b""
    return zlib.decompress(packed) if b"/FlateDecode" in head else packed


def _letters(table: bytes) -> dict[int, str]:
    made: dict[int, str] = {}
    for block in re.findall(rb"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        made |= {int(code, 16): _said(told) for code, told in _PAIR.findall(block)}
    for block in re.findall(rb"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for first, last, base in _RANGE.findall(block):
            codes = range(int(first, 16), int(last, 16) + 1)
            made |= {code: chr(int(base, 16) + step) for step, code in enumerate(codes)}
    return made


def _said(told: bytes) -> str:
    return bytes.fromhex(told.decode()).decode("utf-16-be")
