"""Texts of a report made of statements, each kept with what it was made of."""

from services.agents.results import AnalysisInput
from services.core.errors import NotVerifiedError
from services.statements.paragraphs import Paragraph
from services.statements.proved_texts import Made, Opening, tell_part
from services.statements.statement import Broken
from services.statements.tongue import Tongue


class Telling:
    """Tells parts of one report and keeps them, in the order they are told."""

    def __init__(self, asked: AnalysisInput) -> None:
        self._asked = asked
        self.made: list[Made] = []

    def tell(self, part: Opening | Paragraph, tongue: Tongue) -> str:
        """The part's text; what it derives is made on the ledger of the tongue's book.

        Raises: NotVerifiedError for a statement that does not hold.
        """
        text = tell_part(part, tongue)
        if isinstance(text, Broken):
            raise NotVerifiedError([str(text.why)])
        book = tongue.book
        self.made.append(
            Made(
                text=text,
                part=part,
                symbol=book.symbol,
                language=self._asked.language,
                year=self._asked.as_of.year,
                lender=book.lender,
                wording=tongue.wording,
            )
        )
        return text
