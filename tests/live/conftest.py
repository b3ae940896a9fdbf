"""Live mode as a whole: every upstream played, and the workbench on it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.container import Services
from tests.fakes import everything
from tests.fakes.server import World
from tests.live.answered import opened
from tests.prepared import prepared


@pytest.fixture
def world() -> Iterator[World]:
    with everything.world() as running:
        yield running


@pytest.fixture
def youju(world: World, tmp_path: Path) -> Iterator[Services]:
    services = opened(world, YOUJU_STORE=prepared(tmp_path / "youju.duckdb"))
    yield services
    services.close()
