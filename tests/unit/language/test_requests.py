"""The frame of a request asks, and holds nothing of what is asked."""

import pytest

from services.language.requests import request_frames


def frames(text: str) -> set[str]:
    return {text[start:end] for start, end in request_frames(text)}


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ("麻烦帮俺拉一下茅台的市值", "麻烦帮俺拉一下"),
        ("我同事说老板电器的roe", "我同事说"),
        ("could you please show me banks", "could you please show me"),
        ("i'd like to know pe of moutai", "i'd like to know"),
    ],
)
def test_who_asks_whom_is_a_frame(text: str, frame: str) -> None:
    assert frame in frames(text)


@pytest.mark.parametrize(
    "text", ["我要市盈率大于20的", "再给我来5个", "find us banks", "will it rise"]
)
def test_what_is_asked_is_none(text: str) -> None:
    assert not frames(text) & {"我要市盈率", "给我来", "find us", "will it rise"}
