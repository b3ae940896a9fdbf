"""Digits in a name are no figures: 5、20、60 日均线, the 5-, 20- and 60-session averages."""

import pytest

from services.views.labels import labels_in


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("收盘在 5、20、60 日均线之上", "5、20、60 日均线"),
        ("above the 5-, 20- and 60-session averages", "5-, 20- and 60-session averages"),
    ],
)
def test_several_averages_told_at_once_are_one_name(text: str, name: str) -> None:
    assert labels_in([text], [])[0] == name
