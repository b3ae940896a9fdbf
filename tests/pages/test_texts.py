"""The table of texts: one key, one pair of words."""

import pytest

from pages.ui.company_texts import COMPANY_TEXTS
from pages.ui.home_texts import HOME_TEXTS
from pages.ui.texts import TEXTS, join_texts


def test_each_table_keeps_its_words() -> None:
    for table in (COMPANY_TEXTS, HOME_TEXTS):
        assert {key: TEXTS[key] for key in table} == dict(table)


def test_a_key_of_two_tables_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="moves_day"):
        join_texts([{"moves_day": ("单日", "Session")}, {"moves_day": ("日期", "Date")}])
