"""What a manifest says of a pack, against what the pack holds: instants, days, the kind of data."""

from collections.abc import Iterator

from services.core.clock import BEIJING
from services.core.text import Text
from services.evidence_pack.parts import PackContent, PackManifest
from services.evidence_pack.size_limits import Fault
from services.evidence_pack.zip_file import MANIFEST

_OF_ONE = frozenset({"stock", "financials", "score"})


def manifest_faults(manifest: PackManifest, content: PackContent) -> Iterator[Fault]:
    """Each field that cannot be so: nothing is packed before it was fetched, nor told of a day
    that had not come; a bundled market has its name.
    """
    fetched = [call.fetched_at for call in content.trace.tool_calls]
    if manifest.snapshot is not None:
        wanted = max([manifest.snapshot.clock, *fetched])
        if manifest.now != wanted:
            yield _differs("now", manifest.now.isoformat(), wanted.isoformat())
    elif manifest.now < max(fetched, default=manifest.now):
        yield _differs("now", manifest.now.isoformat(), f">= {max(fetched).isoformat()}")
    if manifest.made_at < manifest.now and not _by_stopped_clock(manifest):
        yield _differs("made_at", manifest.made_at.isoformat(), f">= {manifest.now.isoformat()}")
    if manifest.day > manifest.now.astimezone(BEIJING).date():
        yield _differs("day", manifest.day.isoformat(), f"<= {manifest.now.isoformat()}")
    bundled = manifest.snapshot is not None
    if bundled != (manifest.mode == "snapshot"):
        name = manifest.snapshot.name if manifest.snapshot else "null"
        yield _differs("snapshot", name, manifest.mode)
    if manifest.kind in _OF_ONE and len(manifest.symbols) != 1:
        yield _differs("symbols", ", ".join(manifest.symbols) or "[]", manifest.kind)


def _by_stopped_clock(manifest: PackManifest) -> bool:
    """Whether it was written before 2026-11-23, when packs of a bundled market were said to be made
    at the instant its clock stands at.
    """
    return manifest.snapshot is not None and manifest.made_at == manifest.snapshot.clock


def _differs(name: str, got: str, wanted: str) -> Fault:
    told = f"{got} ≠ {wanted}"
    reason = Text(f"清单与包内所说的不符：{told}", f"the pack says otherwise: {told}")
    return Fault(f"{MANIFEST} {name}", "manifest_equal", reason)
