"""What every line of PROVIDERS promises, each promise once; a provider states what it is asked."""

import math
import re
from collections.abc import Iterable, Iterator
from datetime import date

import pytest

from services.core.clock import BEIJING, Clock
from services.core.errors import NoDataError
from services.core.requests import CAPABILITIES, BarsRequest, FetchRequest
from services.core.source_marks import note_text
from services.core.symbols import Symbol
from services.core.units import UNITS
from services.providers.base import Fetched, Provider

# Letters and marks that only Chinese has.
CHINESE = re.compile("[一-鿿，；：（）]")


def list_chinese_in_english(notes: Iterable[str], quoted: str = "") -> dict[str, str]:
    """The notes whose English has Chinese left in it, but for what it quotes, with that English."""
    said = {note: note_text(note).en for note in notes}
    return {note: en for note, en in said.items() if CHINESE.search(en.replace(quoted, ""))}


class ProviderContract:
    """A subclass gives the provider, its clock, and requests it answers, refuses and outgrows."""

    provider: Provider
    clock: Clock
    answered: tuple[FetchRequest, ...]
    # Asked of something that does not exist, or of what the source does not have.
    refused: tuple[FetchRequest, ...]
    # What a test of its own asks, of a source that has more than the fake here.
    elsewhere: frozenset[str] = frozenset()
    # Words of the source's own that its notes quote.
    quoted: str = ""

    def earlier(self) -> tuple[Provider, date] | None:
        """The same provider when its clock stood on that day; None: its past is not kept."""
        return None

    def parts(self) -> Iterator[Fetched]:
        for request in self.answered:
            yield from self.provider.fetch(request)

    def test_every_capability_it_names_is_known_and_tried_here(self) -> None:
        tried = {request.capability for request in (*self.answered, *self.refused)}
        assert self.provider.capabilities <= set(CAPABILITIES)
        assert tried | self.elsewhere == self.provider.capabilities

    def test_an_answer_is_never_empty(self) -> None:
        for request in self.answered:
            parts = self.provider.fetch(request)
            assert parts, request
            assert all(part.rows or part.items or part.members for part in parts), request

    def test_an_answer_says_who_where_when_and_of_what_bytes(self) -> None:
        for part in self.parts():
            assert part.source
            assert part.table
            assert part.fetched_at.tzinfo is not None
            assert part.fetched_at <= self.clock.now()
            assert re.fullmatch("[0-9a-f]{64}", part.body_sha256)

    def test_a_row_is_found_again_by_its_key(self) -> None:
        for part in self.parts():
            keys = [fact.key for fact in part.rows]
            assert len(set(keys)) == len(keys)

    def test_figures_are_finite_in_a_known_unit_with_the_upstreams_field(self) -> None:
        for part in self.parts():
            for fact in part.rows:
                assert math.isfinite(fact.value)
                assert fact.unit.split("/")[0] in UNITS
                assert fact.field

    def test_a_note_is_english_in_english(self) -> None:
        notes = {fact.note for part in self.parts() for fact in part.rows if fact.note}
        assert list_chinese_in_english(notes, self.quoted) == {}

    def test_a_symbol_is_spelled_as_inside(self) -> None:
        for part in self.parts():
            for fact in part.rows:
                # A market, an industry or a text is a scope: CN, CN:银行, post:31234, macro:pmi.
                if ":" not in fact.symbol and fact.symbol not in {"CN", "HK", "US"}:
                    assert str(Symbol.parse(fact.symbol)) == fact.symbol

    def test_bars_are_oldest_first_within_the_days_asked(self) -> None:
        asked = [request for request in self.answered if isinstance(request, BarsRequest)]
        assert bool(asked) == ("daily_bars" in self.provider.capabilities)
        for request in asked:
            closes = [f.as_of for f in self.provider.fetch(request)[0].rows if f.metric == "close"]
            assert closes == sorted(closes)
            assert (request.start or date.min) <= closes[0]
            assert closes[-1] <= (request.end or date.max)

    def test_nothing_is_of_a_day_after_the_clock(self) -> None:
        today = self.clock.now().astimezone(BEIJING).date()
        days = [fact.as_of for part in self.parts() for fact in part.rows]
        assert max(days, default=today) <= today

    def test_texts_are_plain_linked_and_dated_or_undated(self) -> None:
        for part in self.parts():
            assert len({item.item_id for item in part.items}) == len(part.items)
            for item in part.items:
                assert item.item_id.startswith(f"{item.kind}:")
                assert "</" not in item.text + item.title
                assert item.url is None or item.url.startswith(("http://", "https://"))
                assert item.published_at is None or item.published_at <= self.clock.now()

    def test_at_an_earlier_clock_nothing_later_is_known(self) -> None:
        before = self.earlier()
        if before is None:
            return
        provider, day = before
        told = 0
        for request in self.answered:
            try:
                parts = provider.fetch(request)
            except NoDataError:
                continue
            for part in parts:
                told += len(part.rows)
                assert part.fetched_at.astimezone(BEIJING).date() <= day
                assert all(fact.as_of <= day for fact in part.rows)
        assert told, "an earlier clock that knows nothing at all proves nothing"

    def test_what_it_has_not_is_no_data_with_the_reason_never_a_zero(self) -> None:
        for request in self.refused:
            with pytest.raises(NoDataError) as caught:
                self.provider.fetch(request)
            assert caught.value.why, request
