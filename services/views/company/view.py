"""What the company page shows, as data: its head, and the one section that is open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from services.core.text import Text
from services.views.company.head import CompanyHead
from services.views.table import Table, View

Tab = Literal["chart", "valuation", "fin", "peers", "score", "news", "reports"]
TABS: tuple[Tab, ...] = ("chart", "valuation", "fin", "peers", "score", "news", "reports")


class SectionView(Protocol):
    """One section: what it says beside its figures, and its tables for exports."""

    @property
    def notes(self) -> Sequence[Text]:
        """Sentences about the data shown."""
        ...

    def tables(self) -> tuple[Table, ...]:
        """Every table of the section in reading order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyView(View):
    """公司: one symbol on one basis. `part` is the section `tab`; null for those that are made of
    stored scores and reports, and where the source has nothing of the company.
    """

    head: CompanyHead
    tab: Tab
    part: SectionView | None

    def tables(self) -> tuple[Table, ...]:
        """The head, then those of the section."""
        return (self.head.table(), *(self.part.tables() if self.part else ()))
