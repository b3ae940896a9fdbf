"""The years, or the months, at which a price rose or fell: 哪几个月跌了, how many months did it rise."""

# Meanings of phrases are of as many kinds as phrases: what stands at a place is known by its category.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# ruff: noqa: E501 — one rule a line
# fmt: off

from dataclasses import replace
from functools import partial

from services.query.reading import moves
from services.query.reading.chart import Grammar
from services.query.reading.phrases import Fig


def add_months(g: Grammar) -> None:
    """Of a price alone; of years the words must be of a price too, for reports fall in years."""
    for asked in ("whichyear", "years", *moves.OF_SESSIONS):
        for move in ("move", "pmove"):
            gone = partial(moves.gone_in, asked, is_price=move == "pmove")
            g.add(f"YEARS = FIG ask.{asked} {move}; YEARS = FIG ask.{asked} {move} TEST", lambda f, _, *m, gone=gone: gone(f, *m), 0.1)
            g.add(f"YEARS = ask.{asked} FIG {move}; YEARS = ask.{asked} FIG {move} TEST", lambda _, f, *m, gone=gone: gone(f, *m), 0.1)
            g.add(f"YEARS = ask.{asked} FIG {move} WH; YEARS = ask.{asked} FIG {move} rel.in WH", lambda _, f, m, *w, gone=gone: gone(replace(f, when=w[-1]), m) if f.when is None else None)
            g.add(f"YEARS = ask.{asked} {move}; YEARS = ask.{asked} {move} TEST", lambda _, *m, gone=gone: gone(Fig(), *m), 0.1)
            g.add(f"YEARS = ask.{asked} follow.these {move}; YEARS = ask.{asked} follow.these {move} TEST", lambda _, __, *m, gone=gone: gone(Fig(), *m), 0.1)
