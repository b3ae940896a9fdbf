"""The copy wired into the whole: screens pull it, names grow with it, a snapshot knows nothing."""

from collections.abc import Iterator

import pytest

from services.container import Services, build_services
from services.core.errors import InputError
from services.settings import CAPABILITIES, load_settings
from services.workbench.desk import Desk
from tests.fakes.eastmoney_growing import Growing
from tests.fakes.server import World
from tests.unit.market.copied import FRIDAY

pytestmark = pytest.mark.thorough


@pytest.fixture
def upstream() -> Growing:
    return Growing(FRIDAY)


@pytest.fixture
def youju(upstream: Growing) -> Iterator[Services]:
    local = {"screen", "points", "summary", "peers"}
    chains = [f"{n}:{'market_copy' if n in local else 'eastmoney'}" for n in CAPABILITIES]
    with World(upstream) as world:
        given = {
            "YOUJU_MODE": "live",
            "YOUJU_STORE": ":memory:",
            "YOUJU_CLOCK": FRIDAY.isoformat(),
            "YOUJU_CHAINS": ";".join(chains),
            "API_PACE": "0",
        }
        made = build_services(load_settings({**given, **world.environment()}))
        yield made
        made.close()


def test_a_screen_pulls_the_market_and_cites_who_gave_it(
    youju: Services, upstream: Growing
) -> None:
    asked = {"usage": "stock-screener", "category": "CN", "pettm": "0_max", "netprofit": "0_max"}
    first = youju.toolbox.call("knowledge", asked, session_id="test").to_json()
    assert first["result"]["company_count"] == 8
    calls = {(c["source"], c["table"], c["served_by"]) for c in first["trace"]["tool_calls"]}
    assert ("eastmoney", "push2.clist", "market_copy") in calls
    upstream.asked.clear()
    youju.toolbox.call("knowledge", asked, session_id="test")
    assert upstream.asked == []


def test_a_screen_that_leaves_out_is_of_the_copy_too(youju: Services) -> None:
    whole = Desk(youju).screen_all({"category": "CN"}, "s_whole0000000")
    (first, *others) = [str(row.symbol) for row in whole.table.rows]
    left_out = '{"node":"not","item":{"node":"in","dim":"symbol","values":["' + first + '"]}}'
    found = Desk(youju).screen_all({"category": "CN", "filter": left_out}, "s_whole0000000")
    assert [row.symbol for row in found.table.rows] == others
    assert (found.match_count.value, found.company_count.value) == (7, 8)


def test_a_company_listed_since_the_snapshot_is_found_by_name(
    youju: Services, upstream: Growing
) -> None:
    assert youju.names.resolve("方大新材").value == "920163.BJ"
    assert youju.names.resolve("fdxc").value == "920163.BJ"
    pulled = len(upstream.asked)
    with pytest.raises(InputError, match="未找到"):
        youju.names.resolve("没有这家公司")
    assert youju.names.resolve("920163").value == "920163.BJ"
    # Of the mainland nothing was asked again; Hong Kong's list was tried for the unknown name.
    assert all(
        "128" in str(one.query) or "HSI" in str(one.query) for one in upstream.asked[pulled:]
    )


def test_what_is_pulled_for_a_screen_is_known_by_name_at_once(youju: Services) -> None:
    youju.sync.refresh("CN")
    assert youju.names.name("920163.BJ") == "方大新材"
    assert [row.symbol for row in youju.names.search("方大新")] == ["920163.BJ"]


def test_in_snapshot_mode_there_is_no_copy() -> None:
    snapshot = build_services(load_settings({"YOUJU_STORE": ":memory:"}))
    asked = {"usage": "stock-screener", "category": "CN", "pettm": "0_max", "netprofit": "0_max"}
    snapshot.toolbox.call("knowledge", asked, session_id="test")
    with pytest.raises(InputError):
        snapshot.names.resolve("没有这家公司")
    with snapshot.database.cursor() as cursor:
        schemas = cursor.execute("SELECT schema_name FROM information_schema.schemata").fetchall()
    assert ("copy",) not in schemas
    snapshot.close()
