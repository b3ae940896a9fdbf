"""What upstreams really answered (../shared/data/recorded), played over loopback.

The folder is test data outside the tree: without it every test that needs it is skipped.
"""

import csv
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from services.core.clock import BEIJING
from services.core.requests import FetchRequest
from services.core.trace import Fact
from services.providers.base import Fetched, Provider
from services.providers.provider_context import Kit
from tests.contract.provider_contract import list_chinese_in_english
from tests.fakes.server import Asked, Reply, Service, World
from tests.fakes.wired import kit_at

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "recorded"
there = pytest.mark.skipif(not FOLDER.is_dir(), reason="no recorded answers on this machine")
Source = str | Callable[[Asked], str]


class Player(Service):
    """Answers a request with the first body whose key is part of its path, query and form.

    A value is the path of a recorded body, or a text to answer as it is (one that has no `/`
    before its first brace), or makes one of the request.
    """

    prefix = "recorded"
    variables: Mapping[str, str] = {
        **{f"XUEQIU_{host}_URL": f"/{host.lower()}" for host in ("WEB", "API", "STOCK")},
        **{
            f"EASTMONEY_{host}_URL": f"/{host.lower()}"
            for host in ("PUSH2", "PUSH2HIS", "PUSH2EX", "DATACENTER", "NOTICE", "SEARCH")
        },
        "CNINFO_URL": "/cninfo",
        "TUSHARE_URL": "/tushare",
    }

    def __init__(self, bodies: Mapping[str, Source]) -> None:
        super().__init__()
        self.bodies = bodies

    def answer(self, asked: Asked) -> Reply:
        if asked.path == "/web/hq":
            cookies = "xq_a_token=a; Path=/\nu=1; Path=/"
            return Reply(text="<html></html>", headers={"Set-Cookie": cookies})
        query = "&".join(f"{name}={value}" for name, value in asked.query.items())
        line = f"{asked.path}?{query} {asked.body.decode()}"
        for key, source in self.bodies.items():
            if key in line:
                text = source if isinstance(source, str) else source(asked)
                return Reply(text=recorded(text) if is_recorded(text) else text)
        return Reply({}, status=404)


def is_recorded(text: str) -> bool:
    """Whether that names a recorded body."""
    return text.startswith(("xueqiu/", "eastmoney/", "cninfo/", "tushare/"))


def recorded(path: str) -> str:
    """A recorded body as text."""
    return (FOLDER / path).read_text(encoding="utf-8")


@cache
def index() -> tuple[Mapping[str, str], ...]:
    """The lines of INDEX.csv."""
    with (FOLDER / "INDEX.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def play(
    make: Callable[[Kit], Provider],
    bodies: Mapping[str, Source],
    request: FetchRequest,
    now: str,
    **environ: str,
) -> tuple[Fetched, ...]:
    """What a provider says to `request` at `now` (Beijing) when these bodies are served; what it
    remarks of any figure is English in English.
    """
    with World(Player(bodies)) as world:
        at = datetime.fromisoformat(now).replace(tzinfo=BEIJING)
        parts = make(kit_at(world, at, **environ)).fetch(request)
    assert list_chinese_in_english(fact.note for fact in rows(parts) if fact.note) == {}
    return parts


def rows(parts: tuple[Fetched, ...]) -> list[Fact]:
    """Every fact of an answer."""
    return [fact for part in parts for fact in part.rows]


def told(parts: tuple[Fetched, ...]) -> dict[tuple[str, str | None], Fact]:
    """The facts of an answer by metric and period."""
    return {(fact.metric, fact.period): fact for fact in rows(parts)}


def no_rows(currency: str = "CNY") -> str:
    """A list of Xueqiu's reports without a row."""
    document: dict[str, Any] = {"data": {"currency": currency, "list": []}, "error_code": 0}
    return json.dumps(document)
