"""A workbench on the played upstreams, and what every answer of a tool owes its reader."""

from collections.abc import Iterator
from typing import Any

from services.container import Services, build_services
from services.settings import load_settings
from services.tools.base import ToolResult
from tests.fakes import everything
from tests.fakes.server import World


def opened(world: World, **more: str) -> Services:
    """The services of live mode, in memory; close them when done."""
    environ = {"API_TIMEOUT": "0.5", "YOUJU_STORE": ":memory:", **more}
    return build_services(load_settings(everything.environment(world, **environ)))


def walk(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of an answer that holds no other, with its place."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from walk(inner, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from walk(inner, f"{path}[{place}]")
    else:
        yield path, value


def cited(answer: ToolResult) -> None:
    """Every number has its claim and every null its reason."""
    assert isinstance(answer.result, dict)
    reasons: Any = answer.result.get("reasons", {})
    for path, value in walk(answer.result):
        if isinstance(value, int | float) and not isinstance(value, bool):
            assert path in answer.cites, path
        if value is None:
            assert reasons.get(path), path
