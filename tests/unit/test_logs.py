"""The log goes where it is told, from the level it is told, and never stops the program."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.logs import init_logging
from services.settings import ROOT, load_settings


@pytest.fixture(autouse=True)
def _ours() -> Iterator[None]:
    log = logging.getLogger("youju")
    before = (log.level, log.propagate, list(log.handlers))
    yield
    for handler in [one for one in log.handlers if one not in before[2]]:
        handler.close()
        log.removeHandler(handler)
    log.setLevel(before[0])
    log.propagate = before[1]


def test_detail_goes_to_the_file_and_progress_to_the_console(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "logs" / "analysis_llm.log"
    init_logging(file, console=True)
    log = logging.getLogger("youju.scoring")
    log.info("评分开始 600036.SH")
    log.debug("第 1 轮")
    written = file.read_text("utf-8")
    assert "INFO youju.scoring 评分开始 600036.SH" in written
    assert "DEBUG youju.scoring 第 1 轮" in written
    told = capsys.readouterr().err
    assert "评分开始" in told
    assert "第 1 轮" not in told


def test_a_file_that_cannot_be_written_stops_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("")
    init_logging(tmp_path / "taken" / "x.log", console=True)
    logging.getLogger("youju.scoring").info("评分开始")
    assert "评分开始" in capsys.readouterr().err


def test_the_setting_names_the_file_or_none() -> None:
    assert load_settings({}).log == ROOT / "logs" / "analysis_llm.log"
    assert load_settings({"YOUJU_LOG": "/x/y.log"}).log == Path("/x/y.log")
    assert load_settings({"YOUJU_LOG": "off"}).log is None
