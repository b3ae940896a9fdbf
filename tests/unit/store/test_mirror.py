"""Published market data in a bucket: a server that checks every signature, and real processes."""

import logging
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from services.container import build_services
from services.core.buckets import Bucket
from services.core.errors import StoreError, UnavailableError
from services.settings import ROOT, load_settings
from services.store.database import Database
from services.store.market_copy import MarketCopy
from services.store.mirror import Mirror
from services.store.published import PublishedCopy, publish
from services.views import sources
from tests.s3 import S3, installed, serving_s3
from tests.unit.store.test_market_copy import A, B, fact, listed
from tests.unit.store.test_published import caps

with_s3 = pytest.mark.skipif(not installed(), reason="moto is not installed (make thorough)")
# Reads the market values each time it is told to, with the settings of its environment.
REPLICA = """
import sys
from services.settings import load_settings
from services.store.database import Database
from services.store.published import market_copy_of
from tests.unit.store.test_published import caps
copy = market_copy_of(load_settings(), Database(":memory:"), lambda: None)
for _ in sys.stdin:
    print(sorted(caps(copy).items()), "behind" if copy.trouble else "current", flush=True)
"""
# In tenths of a second: it looks every ten seconds, and one that hangs is given up after as long.
ENOUGH = 900


@pytest.fixture(scope="module")
def s3() -> Iterator[S3]:
    with serving_s3() as found:
        yield found


@pytest.fixture
def made(s3: S3, tmp_path: Path) -> Callable[[str], Mirror]:
    """The folder one process keeps of this test's part of the bucket."""
    return lambda name: Mirror(s3.bucket(tmp_path.name.replace("_", "-")), tmp_path / name)


@pytest.fixture
def source() -> Iterator[MarketCopy]:
    """What the one that syncs has: two companies."""
    database = Database(":memory:")
    copy = MarketCopy(database)
    listed(copy, fact(A, "market_cap", 5e9), fact(B, "market_cap", 6e9))
    yield copy
    database.close()


@pytest.fixture
def reading() -> Iterator[Callable[[Mirror], MarketCopy]]:
    with ExitStack() as opened:

        def read(mirror: Mirror) -> MarketCopy:
            database = Database(":memory:")
            opened.callback(database.close)
            return PublishedCopy(database, mirror, lambda: None)

        yield read


def versions(mirror: Mirror) -> list[str]:
    return sorted(mirror._objects.versions())


@with_s3
@pytest.mark.thorough
def test_what_one_publishes_is_fetched_once_whole_and_by_its_owner_alone(
    made: Callable[[str], Mirror], source: MarketCopy, reading: Callable[[Mirror], MarketCopy]
) -> None:
    worker, one, two = made("worker"), made("one"), made("two")
    copies = [reading(one), reading(two)]
    assert [caps(copy) for copy in copies] == [{}, {}]
    first = publish(source, worker, None)
    for mirror in (one, two):
        mirror.look()
    assert [caps(copy) for copy in copies] == [{A: 5e9, B: 6e9}] * 2
    files = [one.folder / first, *(one.folder / first).iterdir()]
    kept = {(file.stat().st_ino, file.stat().st_mtime_ns) for file in files}
    modes = {stat.S_IMODE(file.stat().st_mode) for file in files}
    assert modes == {0o700, 0o600}
    one.look()
    assert {(file.stat().st_ino, file.stat().st_mtime_ns) for file in files} == kept
    listed(source, fact(A, "market_cap", 7e9))
    second = publish(source, worker, first)
    assert caps(copies[0]) == {A: 5e9, B: 6e9}
    one.look()
    assert (caps(copies[0]), one.version()) == ({A: 7e9}, second)


@with_s3
@pytest.mark.thorough
def test_old_versions_go_from_the_bucket_and_from_every_folder(
    made: Callable[[str], Mirror], source: MarketCopy
) -> None:
    worker, replica, version = made("worker"), made("replica"), None
    for _ in range(5):
        version = publish(source, worker, version)
        replica.look()
    assert version is not None
    assert len(versions(worker)) == 3
    for mirror in (worker, replica):
        held = sorted(one.name for one in mirror.folder.iterdir() if one.is_dir())
        assert held == versions(worker)
        assert mirror.version() == version == held[-1]


@with_s3
@pytest.mark.thorough
def test_a_version_nobody_points_to_is_seen_by_nobody_and_does_not_push_out_the_newest(
    made: Callable[[str], Mirror], source: MarketCopy
) -> None:
    worker, replica = made("worker"), made("replica")
    newest = publish(source, worker, None)
    # As a worker leaves them that is killed before the pointer, four times.
    for number in range(4):
        (file, *_) = (worker.folder / newest).glob("*.parquet")
        worker._objects.put(f"00000000{number + 2}-0000000{number}/{file.name}", file)
    # And as a replica is that was killed while it fetched.
    (replica.folder / f".fetched-{newest}-half").mkdir(parents=True)
    (worker.folder / ".000000002-half").mkdir()
    replica.look()
    assert [one.name for one in replica.folder.iterdir() if one.is_dir()] == [newest]
    second = publish(source, worker, newest)
    replica.look()
    assert (replica.version(), second in versions(worker)) == (second, True)
    assert sorted(one.name for one in worker.folder.iterdir() if one.is_dir()) == [newest, second]


@with_s3
@pytest.mark.thorough
def test_one_that_was_overtaken_publishes_nothing_to_the_bucket(
    made: Callable[[str], Mirror], source: MarketCopy
) -> None:
    slow, fast = made("slow"), made("fast")
    first = publish(source, slow, None)
    fast.look()
    second = publish(source, fast, first)
    with pytest.raises(StoreError, match="another process has published"):
        publish(source, slow, first)
    assert versions(slow) == [first, second]
    slow.look()
    assert slow.version() == second


@with_s3
@pytest.mark.thorough
@pytest.mark.parametrize("said", ["../../elsewhere", "000000001-0000000g", "", "current"])
def test_a_pointer_that_names_no_version_is_not_followed(
    said: str, made: Callable[[str], Mirror], source: MarketCopy
) -> None:
    worker, replica = made("worker"), made("replica")
    newest = publish(source, worker, None)
    replica.look()
    worker._objects.point(said)
    with pytest.raises(StoreError, match="does not answer or refuses"):
        replica.look()
    assert [one.name for one in replica.folder.iterdir() if one.is_dir()] == [newest]
    assert replica.version() == newest


@with_s3
@pytest.mark.thorough
def test_wrong_keys_and_no_such_bucket_are_said_without_a_key(
    s3: S3, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = replace(s3.bucket("x"), secret="-".join(["hush"] * 3))
    elsewhere = replace(s3.bucket("x"), name="nobodys-bucket")
    for bucket in (wrong, elsewhere):
        mirror = Mirror(bucket, tmp_path / bucket.name)
        with caplog.at_level(logging.INFO), pytest.raises(StoreError, match="refuses") as caught:
            mirror.look()
        assert mirror.trouble is not None
        assert "hush" not in str(caught.value) + caplog.text
        assert bucket.secret not in caplog.text


@contextmanager
def replica(environ: dict[str, str]) -> Iterator[Callable[[], str]]:
    """A process that reads what is published; what it says when it is asked."""
    with subprocess.Popen(
        [sys.executable, "-c", REPLICA],
        cwd=ROOT,
        env={**os.environ, **environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:

        def ask() -> str:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("\n")
            process.stdin.flush()
            return process.stdout.readline().strip()

        try:
            yield ask
        finally:
            process.kill()


def waited_for(ask: Callable[[], str], expected: str) -> str:
    """What it says once it says that, or in the end."""
    for _ in range(ENOUGH):
        if (said := ask()) == expected:
            break
        subprocess.run(["sleep", "0.1"], check=True)
    return said


@with_s3
@pytest.mark.thorough
def test_two_processes_follow_the_bucket_and_serve_on_while_it_hangs(
    s3: S3, tmp_path: Path, made: Callable[[str], Mirror], source: MarketCopy
) -> None:
    def given(name: str) -> dict[str, str]:
        return {
            "YOUJU_STORE": "postgresql://nobody/asks",
            "YOUJU_MARKET": str(tmp_path / f"{name}.duckdb"),
            "YOUJU_PUBLISHED": f"s3://market/{tmp_path.name.replace('_', '-')}",
            **s3.settings,
        }

    worker = made("worker")
    first = publish(source, worker, None)
    old, new = [(A, 5e9), (B, 6e9)], [(A, 7e9)]
    with replica(given("one")) as one, replica(given("two")) as two:
        assert [one(), two()] == [f"{old} current"] * 2
        with s3.hanging():
            assert waited_for(one, f"{old} behind") == f"{old} behind"
            assert waited_for(two, f"{old} behind") == f"{old} behind"
            # One that begins now and has what it fetched before begins with that.
            with replica(given("one")) as late:
                assert late().startswith(str(old))
            with pytest.raises(StoreError, match="does not answer"):
                publish(source, worker, first)
            assert worker.version() == first
        listed(source, fact(A, "market_cap", 7e9))
        publish(source, worker, first)
        assert waited_for(one, f"{new} current") == f"{new} current"
        assert waited_for(two, f"{new} current") == f"{new} current"


def test_a_bucket_that_is_away_is_said_where_the_copies_are_told(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{free.getsockname()[1]}"
    bucket = Bucket("team-data", "x", "http", nobody, "us-east-1", "k", "s")
    given = {"YOUJU_MODE": "live", "YOUJU_STORE": str(tmp_path / "a.duckdb"), "YOUJU_LOG": "off"}
    youju = build_services(replace(load_settings(given), published=bucket))
    try:
        told = sources.build(youju).copies_behind
        assert told is not None
        assert "没有应答" in told.zh
        with pytest.raises(UnavailableError, match="does not answer or refuses"):
            youju.sync.refresh("CN")
    finally:
        youju.close()
