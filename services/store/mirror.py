"""Versions of the market copy in an S3-compatible store, of which this process keeps a folder.

A version is written whole before the pointer moves, one object in one request; it comes here whole
before the folder's pointer does. A store that does not answer leaves the folder as it was.
"""

import logging
import os
import re
import shutil
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

from services.core.buckets import Bucket
from services.core.errors import StoreError
from services.core.lazy import import_later
from services.core.text import Text
from services.store.shelf import Shelf, outdated, overtaken
from services.store.store_file import PRIVATE

_FS: Any = import_later("pyarrow.fs")
_LOG = logging.getLogger("youju.published")
_POINTER = "current"
_FETCHED = ".fetched-"
_EVERY_S = 10.0
_CONNECT_S, _SILENT_S = 2.0, 5.0
_PIECE = 1 << 20
# Both become paths here: nothing but what `publish` writes.
_VERSION = re.compile(r"[0-9]{9}-[0-9a-f]{8}")
_FILE = re.compile(r"[a-z0-9_]+\.parquet")
# One folder is brought up to date by one thread of the process: its services share it.
_LOOKING = threading.Lock()


class Mirror(Shelf):
    """The folder that is kept what the bucket is."""

    def __init__(self, bucket: Bucket, folder: Path, every_s: float = _EVERY_S) -> None:
        super().__init__(folder)
        self._objects = _Objects(bucket)
        self._every_s = every_s
        self._trouble: Text | None = None
        self._following = threading.Lock()

    @property
    def trouble(self) -> Text | None:
        """That the bucket could not be read when it was last looked at."""
        return self._trouble

    def follow(self) -> None:
        """Look again and again from now on; at once where nothing is held yet."""
        if not self._following.acquire(blocking=False):
            return
        if self.version() is None:
            self.look_quietly()
        ended = threading.Event()
        weakref.finalize(self, ended.set)
        threading.Thread(
            target=_follow, args=(weakref.ref(self), ended, self._every_s), daemon=True
        ).start()

    def look(self) -> None:
        """Bring what is newer. Raises: StoreError."""
        with _LOOKING:
            self._look()

    def hand_out(self, version: str, base: str | None) -> None:
        """Put it into the bucket, and point to it there, then here. Raises: StoreError."""
        try:
            for file in sorted((self.folder / version).glob("*.parquet")):
                self._objects.put(f"{version}/{file.name}", file)
            newest = self._objects.current()
            if newest == base:
                self._objects.point(version)
        except OSError as error:
            # What was put stays, seen by nobody, and goes with the old versions.
            raise self._away(error) from error
        if newest != base:
            self._objects.drop(version)
            raise overtaken()
        for old in outdated(self._objects.versions(), version):
            self._objects.drop(old)
        self.point(version)
        self.tidy()

    def look_quietly(self) -> None:
        """Bring what is newer, unless another thread does; what fails is told by `trouble`."""
        if not _LOOKING.acquire(blocking=False):
            return
        try:
            self._look()
        except StoreError:
            return
        finally:
            _LOOKING.release()

    def _look(self) -> None:
        try:
            version = self._objects.current()
            if version != self.version():
                self._bring(version)
        except OSError as error:
            raise self._away(error) from error
        self._trouble = None

    def _bring(self, version: str | None) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if version is not None and not (self.folder / version).is_dir():
            part = self.folder / f"{_FETCHED}{version}-{uuid4().hex[:8]}"
            part.mkdir(mode=0o700)
            try:
                for name, size in self._objects.files(version):
                    self._objects.take(f"{version}/{name}", part / name, size)
                part.rename(self.folder / version)
            finally:
                shutil.rmtree(part, ignore_errors=True)
        self.point(version)
        self.tidy(_FETCHED)

    def _away(self, error: OSError) -> StoreError:
        """What happened, in words; what the store said goes to the log."""
        if self._trouble is None:
            _LOG.warning("published market data: %s", error)
        self._trouble = Text(
            "共享行情的存储（S3）没有应答或拒绝了访问：沿用上次取到的版本，其数据有多旧见各自的日期；"
            "恢复后自动跟上",
            "the store of published market data (S3) does not answer or refuses: the version held "
            "last serves on, as old as its figures say; it is followed again by itself",
        )
        return StoreError(self._trouble)


def _follow(mirror: "weakref.ref[Mirror]", ended: threading.Event, every_s: float) -> None:
    """Look again and again, for as long as somebody has the mirror."""
    while True:
        one = mirror()
        if one is None:
            return
        one.look_quietly()
        del one
        if ended.wait(every_s):
            return


class _Objects:
    """The bucket's objects. Everything raises OSError when the store does not answer or refuses."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket
        self._opened: Any = None

    @property
    def _fs(self) -> Any:
        """The client: one for all threads, made at its first use."""
        if self._opened is None:
            bucket = self._bucket
            self._opened = _FS.S3FileSystem(
                access_key=bucket.key,
                secret_key=bucket.secret,
                session_token=bucket.token or None,
                region=bucket.region,
                scheme=bucket.scheme,
                endpoint_override=bucket.endpoint or None,
                connect_timeout=_CONNECT_S,
                request_timeout=_SILENT_S,
                retry_strategy=_FS.AwsStandardS3RetryStrategy(max_attempts=2),
                # What is small goes in one request: the pointer is there or it is not.
                allow_delayed_open=True,
                background_writes=False,
            )
        return self._opened

    def current(self) -> str | None:
        """The version the pointer names; None where nothing was published yet."""
        try:
            with self._fs.open_input_stream(self._path(_POINTER)) as read:
                version = read.read(100).decode("utf-8", "replace").strip()
        except FileNotFoundError:
            # A bucket that is not there has not published nothing: it is the wrong one.
            if self._fs.get_file_info(self._bucket.name).type == _FS.FileType.NotFound:
                raise
            return None
        if not _VERSION.fullmatch(version):
            raise OSError("the pointer names no version")
        return version

    def files(self, version: str) -> Iterator[tuple[str, int]]:
        """The files of a version and their bytes. Raises: FileNotFoundError without any."""
        found = self._fs.get_file_info(_FS.FileSelector(self._path(version)))
        yield from ((one.base_name, one.size) for one in found if _FILE.fullmatch(one.base_name))

    def versions(self) -> list[str]:
        """Every version the bucket has, whole or not."""
        found = self._fs.get_file_info(
            _FS.FileSelector(self._bucket.root, allow_not_found=True, recursive=False)
        )
        return [one.base_name for one in found if _VERSION.fullmatch(one.base_name)]

    def take(self, name: str, path: Path, size: int) -> None:
        """Write that object to a file only its owner may read."""
        written = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
        with (
            os.fdopen(written, "wb") as out,
            self._fs.open_input_stream(self._path(name)) as read,
        ):
            while piece := read.read(_PIECE):
                out.write(piece)
            out.flush()
            os.fsync(out.fileno())
            if out.tell() != size:
                raise OSError(f"{name} is shorter than it was listed")

    def put(self, name: str, path: Path) -> None:
        """Make that object of the file."""
        with path.open("rb") as read, self._fs.open_output_stream(self._path(name)) as out:
            shutil.copyfileobj(read, out, _PIECE)

    def point(self, version: str) -> None:
        """Move the pointer, in one request."""
        with self._fs.open_output_stream(self._path(_POINTER)) as out:
            out.write(version.encode())

    def drop(self, version: str) -> None:
        """Let go of a version; one that cannot be reached just now stays until the next time."""
        try:
            self._fs.delete_dir(self._path(version))
        except OSError as error:
            _LOG.info("an old version stays: %s", error)

    def _path(self, name: str) -> str:
        return f"{self._bucket.root}/{name}"
