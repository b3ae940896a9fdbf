"""Pinyin and slips of sound are read as the words meant; nothing else is written anew."""

import pytest

from services.language.standard_words import in_standard_words
from tests.unit.query.asking import query, reading


@pytest.mark.parametrize(
    ("sounded", "written"),
    [
        ("maotai 2016 nian jinglirun", "茅台2016年净利润"),
        ("zhaoshang yinhang shiyinglv", "招商银行市盈率"),
        ("贵州矛台的市净律", "贵州茅台的市净率"),
        ("片仔黄市盈率", "片仔癀市盈率"),
    ],
)
def test_what_is_written_by_sound_is_read(sounded: str, written: str) -> None:
    assert query(written) is not None
    assert query(sounded) == query(written)


@pytest.mark.parametrize("text", ["港交所由2015年最高位到而家跌咗几多", "he has a zzyzx"])
def test_what_is_written_right_stays(text: str) -> None:
    # Cantonese is read in standard words; by its sound nothing of it is changed.
    assert reading(text).lattice.text == in_standard_words(text)
