"""A file to try the verification with: a pack's own report in which one figure was changed."""

import re

from services.evidence_pack.compare_exports import Beside
from services.evidence_pack.parts import REPORT
from services.evidence_pack.zip_file import open_pack

# A figure of a report stands before the mark of its footnote: its first digit, then the rest.
_FIGURE = re.compile(r"(?<![\d.,])([1-8])(?=[\d,]{2,}\.\d\d[^\n\[|]{0,12}\[\^)")


def change_report(pack: bytes, name: str) -> Beside:
    """The report of the pack under that name, the first digit of one of its figures one more.

    Raises: LookupError for a pack without a report or a report without a figure.
    """
    parts = {one.name: one.content for one in open_pack(pack).members}
    text = (parts[REPORT] or b"").decode()
    found = _FIGURE.search(text)
    if found is None:
        raise LookupError(REPORT)
    digit = str(int(found[1]) + 1)
    return Beside(name, (text[: found.start()] + digit + text[found.end() :]).encode())
