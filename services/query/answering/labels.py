"""Figures and periods as they are called, in both languages."""

from services.core.catalogue import CATALOGUE
from services.core.errors import InputError
from services.core.periods import Period
from services.core.text import Text


def label_of(metric: str) -> Text:
    """The name of a metric as shown."""
    known = CATALOGUE.figures.get(metric)
    return Text(known.zh, known.en) if known else Text(metric, metric)


def period_label(period: str) -> Text:
    """A period as an analyst writes it (2016年报, FY2016); what is none, as it is."""
    try:
        parsed = Period.parse(period)
    except InputError:
        return Text(period, period)
    if parsed.basis == "TTM":
        return Text(
            f"近十二个月（至{parsed.report.label('zh')}）",
            f"twelve months to {parsed.report.label('en')}",
        )
    return Text(parsed.label("zh"), parsed.label("en"))
