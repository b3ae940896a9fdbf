"""运行状态: what an admin reads there is what is so, held against the store itself."""

from collections.abc import Callable
from pathlib import Path

import pytest

from services.core.errors import NotAllowedError
from services.core.identity import acting_as
from services.core.sight import seen, watch_with
from services.sight import RECENT
from services.workbench.desk import Desk
from tests.pages.conftest import Shown
from tests.unit.store.test_ownership import ANNA
from tests.waiting import job_ended

Show = Callable[[str], Shown]


def cells(shown: Shown, table: str) -> dict[str, list[str]]:
    """The rows of a table by their first cell."""
    rows = shown.tree.xpath(f"//table[@id='{table}']/tbody/tr")
    told = [[cell.text_content() for cell in row.xpath("td")] for row in rows]
    return {row[0]: row[1:] for row in told}


def test_it_tells_sessions_jobs_the_store_slow_requests_and_errors(show: Show, store: str) -> None:
    from pages.ui import resources

    before = cells(show("status"), "t-health_now")
    job = Desk(resources.shared()).score("600036.SH", "s_status", by_rule=True)
    job_ended(job)
    watch_with(RECENT)
    try:
        show("company?symbol=600036.SH")
        with pytest.raises(ValueError, match="x"), seen("tool", "get_made_up"):
            raise ValueError("x, as somebody wrote it")
        shown = show("status")
    finally:
        watch_with()
    now = cells(shown, "t-health_now")
    assert now["正在做的任务"] == ["0"]
    assert int(now["任务"][0]) == int(before["任务"][0]) + 1
    assert int(now["24 小时内完成的任务"][0]) >= 1
    with resources.shared().database.cursor() as cursor:
        runs = cursor.execute("select count(*) from runs").fetchone()
    assert runs == (int(now["运行记录"][0]),)
    sizes = [Path(store), Path(f"{store}.wal")]
    size = sum(one.stat().st_size for one in sizes if one.exists()) / 2**20
    assert float(now["库文件与日志"][0].split(" MB")[0]) == pytest.approx(size, abs=0.2)
    assert "MB" in now["库文件与日志"][0].split("·")[1]
    slow = shown.tree.xpath("//table[@id='t-health_slowest']//td/span[@data-nocite='code']/text()")
    assert "公司" in slow
    times = cells(shown, "t-health_courses")
    assert "页面" in times
    failed = shown.tree.xpath("//table[@id='t-health_errors']/tbody/tr[1]")[0].text_content()
    assert "get_made_up" in failed
    assert "ValueError" in failed
    assert "somebody wrote" not in shown.text
    assert cells(shown, "t-health_sources")


def test_browsers_are_counted_while_they_are_there(show: Show) -> None:
    from streamlit.runtime.caching import clear_session_resource_cache

    from pages.ui import keeping

    shown = show("status")
    count = keeping.connected()
    assert cells(shown, "t-health_now")["连着的浏览器（本进程）"] == [f"{count}"]
    clear_session_resource_cache("test session id")
    assert keeping.connected() == count - 1


def test_nobody_but_an_admin_is_told(show: Show) -> None:
    from pages.ui import resources

    show("")
    with acting_as(ANNA), pytest.raises(NotAllowedError):
        Desk(resources.shared()).status((), 0)


def test_an_admin_ends_the_scheduled_report_of_another(show: Show) -> None:
    from pages.ui import resources

    show("")
    with acting_as(ANNA):
        made = Desk(resources.shared()).schedule("600036.SH", "daily", "zh")
        with pytest.raises(NotAllowedError):
            Desk(resources.shared()).end_schedule(made)
    shown = show("status")
    assert ANNA.name in shown.text
    shown.app.button(key=f"w_end_{made}").click().run()
    assert "Anna" not in shown.text
    with acting_as(ANNA):
        assert Desk(resources.shared()).schedules() == ()
