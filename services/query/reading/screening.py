"""What was said of a screen in one question. Data only; screens_said.py reads it."""

from dataclasses import dataclass, field

from services.core.text import Text
from services.query.planning.metadata import Entry

# The place of 最后一名.
LAST = -1


@dataclass(slots=True)
class Screening:
    """What was said of a screen. `rest` is the shadow with all of it blanked."""

    conditions: dict[str, str] = field(default_factory=dict[str, str])
    names: dict[str, str] = field(default_factory=dict[str, str])
    order_by: str | None = None
    order: str | None = None
    size: int | None = None
    category: str | None = None
    # More markets said beside the first: A股和港股里.
    more_markets: tuple[str, ...] = ()
    industry: str | None = None
    more_industries: tuple[str, ...] = ()
    # 剔除银行股: what is to be left out, which no screen can do; 不限行业.
    excluded: str | None = None
    any_industry: bool = False
    bare_term: str | None = None
    # 市盈率改成15: a new figure for a condition, by its field; of no field when none was named.
    changed: dict[str, str] = field(default_factory=dict[str, str])
    # 上限放宽到30: 高 or 低, and the figure.
    limits: tuple[tuple[str, str], ...] = ()
    # 倒过来排: the other way round; 倒序 is that too when it is the order already.
    flipped: bool = False
    # 前三只的净利润, which after a list means its first three; 第二名, a place in that list.
    of_top: Entry | None = None
    place: int | None = None
    rest: str = ""
    # 大于, 10到: the condition that was not said to its end.
    half: str = ""
    offers: tuple[str, ...] = ()
    # Several orders of one list: each figure, and whether its lowest come first.
    orders: tuple[tuple[str, bool], ...] = ()
    # The word of a condition that cannot be met, and what is wrong with it.
    wrong: tuple[str, Text | str] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing of a screen was said; a market alone is not one."""
        said = (self.conditions, self.order_by, self.order, self.size, self.industry)
        said = (*said, self.changed, self.limits)
        return not any(said) and self.bare_term is None and self.wrong is None
