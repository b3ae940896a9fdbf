"""What is done again and again beside the pages: after a failure too, until it is ended."""

import logging
import threading

import pytest

from services.jobs.ticking import begin_ticking

ENOUGH_S = 60.0


def test_it_is_done_again_though_it_failed_and_no_more_once_ended(
    caplog: pytest.LogCaptureFixture,
) -> None:
    third, done = threading.Event(), list[str]()

    def do() -> None:
        done.append(threading.current_thread().name)
        if len(done) == 1:
            raise ValueError("a source")
        if len(done) == 3:
            end()
            third.set()

    with caplog.at_level(logging.ERROR, "youju.due"):
        end = begin_ticking(do, 0.001)
        assert third.wait(ENOUGH_S)
    for thread in threading.enumerate():
        if thread.name == "due":
            thread.join(ENOUGH_S)
    assert done == ["due"] * 3
    assert "by schedule" in caplog.text
