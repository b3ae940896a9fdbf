"""Live mode as a whole: every upstream played, and the workbench on it."""

from collections.abc import Iterator

import pytest

from services.container import Services
from tests.fakes import everything
from tests.fakes.server import World
from tests.live.answered import opened


@pytest.fixture
def world() -> Iterator[World]:
    with everything.world() as running:
        yield running


@pytest.fixture
def youju(world: World) -> Iterator[Services]:
    services = opened(world)
    yield services
    services.close()
