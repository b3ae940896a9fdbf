"""Figures of companies in sentences, each made of a statement: one figure, one over its periods,
and who of several has more.

`close` is 最近收盘, `current_price` 当前价, `price_implied` 推算股价; a loss is called one; an
estimate says 推算.
"""

from collections.abc import Mapping, Sequence

from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure, Missing
from services.core.ledger import Ledger
from services.core.periods import is_report
from services.core.text import Text
from services.query.answering.outcomes import AnswerColumn, Outcome
from services.query.assertions.assertion import Assertion
from services.query.assertions.made import tell
from services.query.assertions.of_company import CourseOfFigure, LackingFigure, One
from services.query.assertions.order import Ordered
from services.query.sayings import saying
from services.statements.reasons import REASONS
from services.statements.statement import Broken


def figures_of(ledger: Ledger, outcome: Outcome) -> list[Text]:
    """A sentence for each figure of an outcome that is one row; why, for one that is missing."""
    row, asked = outcome.rows[0], str(outcome.node.arg("period") or "")
    return [
        figure_told(ledger, outcome.subject, figure, asked)
        for column in outcome.columns
        if (figure := row.figures.get(column.key)) is not None
    ]


def periods_of(ledger: Ledger, outcome: Outcome) -> list[Text]:
    """A sentence for each figure over its periods, the newest first; why, for one that is missing.

    Of many periods the newest and the oldest are told, and the table has the others.
    """
    return [_course(ledger, outcome, column) for column in outcome.columns]


def _course(ledger: Ledger, outcome: Outcome, column: AnswerColumn) -> Text:
    subject = outcome.subject
    found = [one for row in outcome.rows if (one := row.figures.get(column.key)) is not None]
    known = [one for one in found if isinstance(one, Claim)]
    if known:
        course = CourseOfFigure(symbol=known[0].symbol, claims=tuple(one.claim_id for one in known))
        return say(course, ledger, {known[0].symbol: subject})
    if found and isinstance(found[0], Missing):
        lacking = _lacking(found[0]).but(reports=True)
        return say(lacking, ledger, {lacking.symbol: subject})
    label = column.label
    return saying("course_lacks", subject=subject, label=label)


def figure_told(ledger: Ledger, subject: Text, figure: Figure, asked: str = "") -> Text:
    """One figure of one company in a sentence; `asked` is the report period, where one was."""
    if isinstance(figure, Claim):
        one = One(symbol=figure.symbol, claim=figure.claim_id)
        return say(one, ledger, {figure.symbol: subject})
    lacking = _lacking(figure, asked if is_report(asked) else "")
    return say(lacking, ledger, {figure.symbol: subject})


def _lacking(figure: Missing, period: str = "") -> LackingFigure:
    return LackingFigure(
        symbol=figure.symbol, metric=figure.metric, period=period, why=figure.reason
    )


def compared(ledger: Ledger, told: Sequence[tuple[Text, Claim]]) -> list[Text]:
    """The order of companies by one metric, and of two how far apart they are.

    Figures that cannot be compared are not, and that is said.
    """
    ranked = sorted(told, key=lambda pair: -pair[1].value)
    names = {claim.symbol: who for who, claim in told}
    made = tell(Ordered(claims=tuple(one.claim_id for _, one in ranked)), ledger, names)
    if not isinstance(made, Broken):
        return [made]
    name, why = metric_words(told[0][1].metric), made.why
    return [Text(f"{name.zh}不作比较：{why.zh}。", f"{name.en} is not compared: {why.en}.")]


def say(statement: Assertion, ledger: Ledger, names: Mapping[str, Text]) -> Text:
    """The sentence; where it does not hold, that it is not said and why."""
    told = tell(statement, ledger, names)
    return not_said(told) if isinstance(told, Broken) else told


def not_said(broken: Broken) -> Text:
    """That a sentence did not hold and is not said, with the kind of reason: what was found
    instead is written for who mends it, in formulas.
    """
    why = REASONS[broken.code]
    return Text(f"这一句没有核对通过，不说：{why.zh}。", f"Not said, as unproved: {why.en}.")
