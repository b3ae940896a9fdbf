"""Sets of companies as they are put together from words: joined, met, left out."""

from collections.abc import Collection, Sequence

from services.query.algebra.nodes import AllOf, AnyOf, In, Not, Pred, both, either, items_of
from services.query.reading.phrases import Listings, can_meet, dimensions

# How an industry finer than the mainland's source is told: 食品饮料（数据源未细分白酒）.
UNDIVIDED = "（数据源未细分"


def is_set(pred: Pred) -> bool:
    """Whether it says who, not what of them."""
    if isinstance(pred, In):
        return True
    if isinstance(pred, Not):
        return is_set(pred.item)
    if isinstance(pred, AllOf | AnyOf):
        return all(is_set(item) for item in pred.items)
    return False


def without(ents: Sequence[Listings]) -> Not | None:
    """除了茅台和五粮液."""
    if any(len(one) != 1 for one in ents):
        return None
    return Not(item=In(dim="symbol", values=tuple(one[0] for one in ents)))


def excluded(pred: Pred) -> Not | None:
    """除了银行; of several kinds of set nobody knows which is left out. What is finer than the
    source goes with all of its industry, and is told so."""
    return None if isinstance(pred, AllOf | Not) else Not(item=pred)


def both_gone(one: Not | None, other: Pred | None) -> Pred | None:
    """剔除ST和银行: of two kinds, each is to go; of one kind they are a set already."""
    if one is None or other is None:
        return None
    left, right = (
        dimensions(pred.item if isinstance(pred, Not) else pred) for pred in (one, other)
    )
    return None if left == right or "market" in left | right else both(one, other)


def united(one: Pred, other: Pred) -> Pred | None:
    """A股银行和港股银行, 银行或保险: sets joined are a union."""
    if isinstance(one, Not) or isinstance(other, Not):
        return None
    if isinstance(one, In) and isinstance(other, In):
        return _without_parts(either(one, other)) if one.dim == other.dim else None
    if isinstance(one, AllOf) and isinstance(other, In):  # A股银行或保险
        last = one.items[-1]
        if isinstance(last, In) and last.dim == other.dim and not _is_of_an_exchange(one):
            return both(*one.items[:-1], _without_parts(either(last, other)))
    if _is_of_an_exchange(one) or _is_of_an_exchange(other):  # 沪市主板和创业板
        return AnyOf(items=(*_alternatives(one), *_alternatives(other)))
    if dimensions(one) != dimensions(other):
        return None
    if isinstance(one, AllOf) and isinstance(other, AllOf):  # A股医药和A股银行: of one market
        shared = [item for item in one.items if item in other.items]
        mine, theirs = ([i for i in x.items if i not in shared] for x in (one, other))
        if shared and len(mine) == len(theirs) == 1:
            joined = united(mine[0], theirs[0])
            return both(*shared, joined) if joined is not None else None
    return AnyOf(items=(one, other))


def _without_parts(made: Pred) -> Pred:
    """煤炭或采掘: coal, which no source splits out, is in the whole industry anyway."""
    parts = made.label.split("、") if isinstance(made, In) and made.label else []
    kept = [
        one for one in parts if (name := one.partition(UNDIVIDED)[0]) == one or name not in parts
    ]
    if not isinstance(made, In) or kept == parts:
        return made
    label = None if {*kept} <= {*made.values} else "、".join(kept)
    return made.but(label=label)


def without_values(one: Pred, gone: Collection[tuple[str, str]]) -> Pred | None:
    """What is left out of a set but for those values of a kind; None where that leaves nothing."""
    item = one.item if isinstance(one, Not) else None
    if not isinstance(item, In):
        return one
    kept = tuple(value for value in item.values if (item.dim, value) not in gone)
    return Not(item=item.but(values=kept)) if kept else None


def _is_of_an_exchange(pred: Pred) -> bool:
    """Whether it has a board of one exchange (沪市主板): another board beside it is not there."""
    return dimensions(pred) == {"exchange", "board"}


def _alternatives(pred: Pred) -> Sequence[Pred]:
    if isinstance(pred, In) and pred.dim == "board":
        return [pred.but(values=(one,)) for one in pred.values]
    return pred.items if isinstance(pred, AnyOf) else (pred,)


def intersected(one: Pred, other: Pred) -> Pred | None:
    """创业板医药: sets of two kinds meet; an exchange none but one board (沪市主板和创业板)."""
    return both(one, other) if can_meet(one, other) else None


def _parts_of(one: In) -> int:
    """煤炭和石油 are two, though the source has one industry for both."""
    told = one.label.count("、") + 1 if one.label and one.dim == "industry" else 0
    return max(len(one.values), told)


def size(pred: Pred) -> int:
    """How many sets were joined to it."""
    items = items_of(pred)
    joined = [_parts_of(one) for one in items if isinstance(one, In) and _parts_of(one) > 1]
    joined += [len(one.items) for one in items if isinstance(one, AnyOf)]
    return joined[0] if len(joined) == 1 else 1


def sizes_of(scope: Pred | None) -> list[int]:
    """How many sets were joined to one."""
    items = items_of(scope)
    joined = [
        len(one.label.split("、") if one.label else one.values)
        for one in items
        if isinstance(one, In) and one.dim != "symbol"
    ]
    return [*joined, *(len(one.items) for one in items if isinstance(one, AnyOf))]
