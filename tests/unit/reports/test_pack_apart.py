"""A check in a process of its own says what the check itself says, and ends what takes too much."""

import resource

import pytest

from services.core.errors import InputError
from services.evidence_pack.build import seal_pack
from services.evidence_pack.compare_exports import Beside
from services.evidence_pack.read_pack import read_manifest
from services.evidence_pack.size_limits import MB
from services.evidence_pack.steps import steps_of
from services.evidence_pack.verify import verify_pack
from services.evidence_pack.verify_in_child import Limits, verify_apart
from services.evidence_pack.zip_file import open_pack
from tests.unit.reports.pack_samples import pack


def test_it_says_what_the_check_says() -> None:
    files = [Beside("给别人的.md", b"# 15 %"), Beside("empty.csv", b"")]
    assert verify_apart(pack(), files) == verify_pack(pack(), files)
    assert verify_apart(pack()).ok
    with pytest.raises(InputError, match="evidence pack"):
        verify_apart(b"a letter")


def _large() -> bytes:
    """A pack that holds, but for a text of 24 MB."""
    head = open_pack(pack()).members[0]
    parts = {one.name: one.content or b"" for one in open_pack(pack()).members[1:]}
    parts["report.md"] = b"# " + b"a" * (24 * MB)
    return seal_pack(read_manifest(head.packed), parts)


def test_what_takes_too_much_memory_is_refused_in_one_sentence() -> None:
    found = verify_apart(_large(), limits=Limits(room=MB))
    assert [(one.place, one.check) for one in found.failures] == [("PACK", "too_large")]
    assert found.finished
    assert not found.ok


def _busy() -> bytes:
    """A pack with more to look at than a second of the processor is enough for."""
    head = open_pack(pack()).members[0]
    parts = {one.name: one.content or b"" for one in open_pack(pack()).members[1:]}
    parts["report.md"] = b"# " + b"15.43 % " * (3 * MB)
    return seal_pack(read_manifest(head.packed), parts)


@pytest.mark.parametrize("limits", [Limits(wait=0), Limits(seconds=0)])
def test_one_stopped_for_its_time_is_told_as_not_finished_and_as_no_mismatch(
    limits: Limits,
) -> None:
    found = verify_apart(_busy(), limits=limits)
    assert (found.finished, found.ok) == (False, False)
    (told,) = found.failures
    assert told.check == "not_finished"
    assert "不等于对不上" in told.reason.zh
    assert not any(one.asked or one.failures for one in steps_of(found, ["给别人的.md"]))


def test_a_large_honest_part_costs_this_process_nothing() -> None:
    data = _large()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert not verify_apart(data).ok
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (after - before) * 1024 < 8 * MB
