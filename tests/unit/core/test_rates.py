"""How often one person may do something within an hour."""

import pytest

from services.core.errors import NotAllowedError
from services.core.identity import HourlyRates, Identity, acting_as
from services.core.rates import Rates

TWICE = HourlyRates(asks=2, analyses=1, exports=0)
ANNA = Identity(owner="a", name="Anna", rates=TWICE)
BEN = Identity(owner="b", name="Ben", rates=TWICE)


def test_one_who_did_it_as_often_as_they_may_waits_until_the_first_is_an_hour_old() -> None:
    now = [0.0]
    rates = Rates(lambda: now[0])
    with acting_as(ANNA):
        rates.count("asks")
        now[0] = 600.0
        rates.count("asks")
        rates.count("analyses")
        now[0] = 1200.0
        # The first is 20 minutes old: 40 more, told as the minute that is begun.
        with pytest.raises(NotAllowedError, match=r"最多 2 次，41 分钟"):
            rates.count("asks")
    with acting_as(BEN):
        rates.count("asks")
    now[0] = 3600.0
    with acting_as(ANNA):
        rates.count("asks")
        with pytest.raises(NotAllowedError, match=r"11 分钟"):
            rates.count("asks")


def test_nothing_is_counted_without_a_sign_in_or_with_a_rate_of_nought() -> None:
    rates = Rates(lambda: 0.0)
    for _ in range(500):
        rates.count("asks")
    with acting_as(ANNA):
        for _ in range(500):
            rates.count("exports")
