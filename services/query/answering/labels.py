"""Figures and periods as they are called, in both languages."""

from services.core.catalogue import CATALOGUE
from services.core.errors import InputError
from services.core.periods import Period
from services.query.answering.outcomes import Said


def label_of(metric: str) -> Said:
    """The name of a metric as shown."""
    known = CATALOGUE.figures.get(metric)
    return Said(known.zh, known.en) if known else Said(metric, metric)


def period_label(period: str) -> Said:
    """A period as an analyst writes it (2016年报, FY2016); what is none, as it is."""
    try:
        parsed = Period.parse(period)
    except InputError:
        return Said(period, period)
    if parsed.basis == "TTM":
        return Said(
            f"近十二个月（至{parsed.report.label('zh')}）",
            f"twelve months to {parsed.report.label('en')}",
        )
    return Said(parsed.label("zh"), parsed.label("en"))
