"""`doctor --probe`: a line for every source and question, and what an upstream changed is in it."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services.cli.commands import main
from services.views.probing import Probed, probe_all
from tests.fakes import everything
from tests.fakes.server import Asked, Reply, World
from tests.live.answered import opened

pytestmark = pytest.mark.thorough

# Two letters of an alphabet no upstream uses: a field nobody can mean.
NEW = "brand_new_ζ"


@pytest.fixture
def world() -> Iterator[World]:
    with everything.world() as running:
        yield running


def probed(world: World) -> list[Probed]:
    """What was asked; who is not configured is another test's."""
    services = opened(world)
    try:
        return [one for one in probe_all(services.settings, services.chain) if not one.lacking]
    finally:
        services.close()


def test_every_source_and_question_has_a_line_and_the_shape_that_is_known(world: World) -> None:
    found = probed(world)
    assert {one.source for one in found} == set(everything.SERVICES)
    assert len(found) == len({(one.source, one.capability, one.about) for one in found})
    assert all(one.ok for one in found if one.source not in {"xueqiu"}), [
        one.line for one in found if not one.ok
    ]
    told = [one.line for one in found if one.changed and one.source != "rss"]
    assert not told
    assert all(re.match(r"\w+ · \w+ · \S+: (ok|FAILED), ", one.line) for one in found)


def grown(node: Any) -> Any:
    """The same document with a field more in every object."""
    if isinstance(node, list):
        return [grown(one) for one in node]
    if isinstance(node, dict):
        return {**{name: grown(one) for name, one in node.items()}, NEW: {"nested": [None, 1]}}
    return node


def test_fields_nobody_knows_break_no_client_and_are_named(world: World) -> None:
    before = {(o.source, o.capability, o.about): o.told for o in probed(world)}
    for service in world.services.values():
        usual: Callable[[Asked], Reply] = service.answer

        def answer(asked: Asked, usual: Callable[[Asked], Reply] = usual) -> Reply:
            reply = usual(asked)
            if reply.text is not None or reply.document is None:
                return reply
            return Reply(grown(reply.document), status=reply.status, headers=reply.headers)

        vars(service)["answer"] = answer
    after = probed(world)
    found = {(one.source, one.capability, one.about): one.told for one in after}
    # AkShare names the columns of these two by their place: one more would be another's name.
    by_place = {("akshare", "macro", series) for series in ("lpr", "pmi")}
    for question in by_place & found.keys():
        del found[question], before[question]
    assert found == before
    assert any(NEW in one.line and "new: " in one.line for one in after)


def test_the_command_prints_a_line_each_and_keeps_them_in_the_report(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    world.services["tushare"].fault = "renamed_column"
    for name, value in everything.environment(world, YOUJU_STORE=":memory:").items():
        monkeypatch.setenv(name, value)
    assert main(["doctor", "--probe"]) == 0
    out, err = capsys.readouterr()
    (line,) = (one for one in err.splitlines() if one.startswith("tushare · valuation · 600519"))
    assert "FAILED" in line
    assert "missing: .data.rows[].close; new: .data.rows[].close_new" in line
    (source,) = (one for one in json.loads(out)["sources"] if one["key"] == "tushare")
    assert source["probe"] == [one for one in err.splitlines() if one.startswith("tushare · ")]
    assert "shapes" not in source
    assert everything.environment(world)["TUSHARE_TOKEN"] not in out + err


def test_a_source_that_is_not_configured_has_a_line_that_names_what_it_lacks(world: World) -> None:
    services = opened(world, TUSHARE_TOKEN="")
    try:
        found = list(probe_all(services.settings, services.chain))
    finally:
        services.close()
    assert [one.line for one in found if one.source == "tushare"] == [
        "tushare · not asked: TUSHARE_TOKEN not set"
    ]
    assert not any(one.path.startswith("/tushare") for one in world.services["tushare"].asked)
