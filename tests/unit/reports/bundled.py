"""The real services over the bundled snapshot and a store in memory, shared by the view tests."""

from functools import cache
from uuid import uuid4

from services.container import Services, build_services
from services.settings import Settings
from services.workbench.desk import Desk


@cache
def services() -> Services:
    return build_services(Settings(store=":memory:"))


def desk() -> Desk:
    return Desk(services())


def session() -> str:
    """A session nobody else uses."""
    return "s_" + uuid4().hex[:12]
