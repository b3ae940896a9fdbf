"""A day as prose of each language writes it."""

from datetime import date

from services.core.day_words import tell_day, tell_days


def test_english_writes_day_month_year_and_chinese_iso() -> None:
    assert tell_day(date(2017, 7, 6), "en") == "6 Jul 2017"
    assert tell_day(date(2017, 7, 6), "en", year=False) == "6 Jul"
    assert tell_day(date(2017, 7, 6), "zh") == "2017-07-06"
    assert tell_day(date(2017, 7, 6), "zh", year=False) == "07-06"


def test_days_within_a_text_are_said_and_what_is_no_day_stays() -> None:
    text = "from 2017-05-25, to 2017-06-01; 2017-02-30, 2017-07-26T10:00 and v2017-07-26.zip stay"
    told = "from 25 May 2017, to 1 Jun 2017; 2017-02-30, 2017-07-26T10:00 and v2017-07-26.zip stay"
    assert tell_days(text, "en") == told
    assert tell_days(text, "zh") == text
