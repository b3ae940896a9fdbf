"""`verify`: does an evidence pack hold, and do the exports beside it? No store, no network."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from services.cli.documents import print_json, write_file
from services.core.errors import InputError, NotVerifiedError, StoppedError
from services.evidence_pack.size_limits import LARGEST_FILE, LARGEST_PACK


def verify_command(
    pack: Annotated[str, typer.Argument(metavar="PACK", help="An evidence pack (.youju.zip).")],
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]...", help="Exports of it to be held against it."),
    ] = None,
) -> None:
    """核验证据包 Verify an evidence pack and exports (CSV, XLSX, Markdown) beside it, as JSON:
    {"ok", "finished", "fingerprint", "manifest", "checked", "failures": [{"place", "where",
    "about", "check", "reason", "wanted", "got", "line", "claim", "column", "follows": [{"line",
    "label", "said", "would_be"}]}], "notes"}. Needs neither the store nor a network. Exit 4 when
    something does not hold, 5 when the check was stopped unfinished.

    A pack proves that it agrees with itself; compare the fingerprint with what the sender told to
    know that it is the one that was sent.
    """
    from services.evidence_pack.compare_exports import Beside
    from services.evidence_pack.verify_in_child import verify_apart

    data = read_bytes("PACK", pack, LARGEST_PACK)
    beside = [Beside(Path(one).name, read_bytes("FILE", one, LARGEST_FILE)) for one in files or ()]
    found = verify_apart(data, beside)
    print_json(found.model_dump(mode="json"))
    if not found.finished:
        raise StoppedError("; ".join(str(one.reason) for one in found.failures))
    if not found.ok:
        raise NotVerifiedError([f"{one.place}: {one.reason}" for one in found.failures])


def read_bytes(name: str, path: str, most: int) -> bytes:
    """The content of a file of at most so many bytes. Raises: InputError named `name`."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise InputError(name, path, f"a file that can be read ({error.strerror})") from None
    if len(content) > most:
        raise InputError(name, path, f"a file of at most {most // 1024 // 1024} MB")
    return content


def write_pack(path: str, content: bytes) -> None:
    """Write a pack and tell its fingerprint on standard error. Raises: InputError."""
    write_file("--pack", path, content)
    from services.evidence_pack.read_pack import fingerprint_of

    name = Path(path).name
    sys.stderr.write(f"证据包 evidence pack {name}: 指纹 fingerprint {fingerprint_of(content)}\n")
