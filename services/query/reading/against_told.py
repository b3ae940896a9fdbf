"""The rules of what is set against what was told: 比2012年高多少, 五粮液比它高多少."""

# Meanings of phrases are of as many kinds as phrases: what stands at a place is known by its category.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# ruff: noqa: E501 — one rule a line
# fmt: off

from dataclasses import replace
from typing import cast

from services.query.algebra.nodes import Sign
from services.query.reading import predicates as p
from services.query.reading.chart import Grammar
from services.query.reading.phrases import Fig
from services.query.reading.phrases_said import fig_in
from services.query.reading.times_joined import LATELY


def add_against_told(g: Grammar) -> None:
    """比2012年高多少, 是茅台的几倍: what is told last against that; 五粮液比它高多少: that against
    what is told last.
    """
    r = p.Relation
    g.add("REL = ENTS ask.share", lambda e, _: r("percent", Fig(ents=e), None) if len(e) == 1 else None, 0.4)
    g.add("REL = FIG rel.shi|rel.zhan follow.these ask.share", lambda f, *_: r("percent", f, Fig()), 0.1)
    g.add("ask = ask.grew inpercent; ask = ask.grew COMMA inpercent", lambda *_: "grew")
    for time in ("", "follow.thatyear ", "follow.thatday "):  # 占当年营收多少
        g.add(f"REL = rel.zhan {time}FIG ask.what; REL = rel.zhan {time}FIG ask.share; REL = rel.zhan {time}FIG", lambda *a: r("percent", Fig(), o) if (o := fig_in(a)) == Fig(mets=o.mets, when=o.when) and o.mets else None, 0.3)
    g.add("REL = ask.share FIG", lambda _, o: r("percent", Fig(), o) if o == Fig(scope=o.scope, peer=o.peer, mets=o.mets) and (o.scope or o.peer) else None, 0.3)
    g.add("REL = rel.zhaneach FIG; REL = rel.zhaneach FIG ask.share; REL = rel.zhaneach FIG ask.what", lambda _, o, *__: r("percent", Fig(apart=True), o), 0.2)
    for asked, how in p.GAPS.items():
        _add_gap_of_told(g, asked, how)
    g.add("REL = join FIG rel.bi; REL = join FIG rel.bi follow.ne", lambda _, o, *__: r("sub", Fig(), o) if o.agg and o.scope and not o.mets else None)
    g.add("REL = rel.bi FIG higher bool.or higher; REL = rel.bi FIG higher postcmp", lambda _, o, *__: r("sub", Fig(), o))
    for whether in ("ask.yesno", "ask.yesno follow.these|told"):
        g.add(f"REL = {whether} rel.bi FIG higher; REL = {whether} cmp FIG", _whether, 0.4)
    g.add("REL = rel.bi FIG higher ask.yesno; REL = cmp FIG ask.yesno; REL = rel.bi FIG higher neg higher; REL = cmp FIG edit.all; REL = rel.bi FIG higher edit.all", _whether, 0.4)
    g.add("REL = FIG rel.bi FIG higher ask.yesno; REL = FIG cmp FIG ask.yesno; REL = FIG rel.bi FIG higher bool.or higher", _whether_fold, 0.4)
    for asked in ("growth", "gain"):
        g.add(f"REL = rel.bi FIG ask.{asked}; REL = ask.{asked} rel.bi FIG", lambda *w, asked=asked: r("rate" if asked == "growth" else "sub", Fig(), fig_in(w)) if fig_in(w) == Fig(when=fig_in(w).when) else None, 0.1)
    g.add("REL = rel.back WH ask.share", lambda _, w, __: r("percent", Fig(when=LATELY), Fig(when=w)), -0.3)
    g.add("REL = rel.back WH ask.mult", lambda _, w, __: r("div", Fig(when=LATELY), Fig(when=w)), -0.3)
    g.add("REL = cmp FIG; REL = rel.shi cmp FIG", lambda *a: r("sub", Fig(), a[-1]) if a[-1] == Fig(mets=a[-1].mets) and len(a[-1].mets) == 1 and a[-2] in ("gt", "lt") else None, 0.4)  # faster than total assets
    g.add("REL = rel.shi FIG ask.mult", lambda _, o, __: r("div", Fig(), o))


def _whether(*words: object) -> p.Relation | None:
    """比行业中位数高吗, 高于五粮液吗, is that above the median: whether what was told is."""
    signs = list(dict.fromkeys(one for one in words if one in ("gt", "lt", "ge", "le")))
    other = fig_in(words)
    if len(signs) != 1 or other == Fig(mets=other.mets):
        return None
    return p.Relation("sub", Fig(), other, sign=cast("Sign", signs[0]))


def _whether_fold(left: Fig, *words: object) -> p.Relation | None:
    """平均市盈率比行业高吗: of a fold of those that were told."""
    is_fold = left.agg is not None and left == Fig(mets=left.mets[:1], agg=left.agg)
    return replace(told, left=left) if is_fold and (told := _whether(*words)) else None


def _add_gap_of_told(g: Grammar, asked: str, how: p.Gap) -> None:
    """和五粮液差多少, 五粮液比它高多少: how far another lies from what was told."""
    r = p.Relation
    g.add(f"REL = rel.bi FIG ask.{asked}", lambda _, o, __: r(how, Fig(), o))
    g.add(f"REL = ORD rel.bi|rel.shi|join|bool.and|rel.to ORD ask.{asked}; REL = ORD join|bool.and ORD rel.bi ask.{asked}", lambda one, _, *b: r(how, Fig(), None, rows=(one[0], b[0][0])) if not (one[1] or b[0][1]) else None, 0.2)
    g.add(f"REL = ask.{asked} FIG", lambda _, o: r(how, Fig(), o) if o.agg and o == Fig(scope=o.scope, peer=o.peer, agg=o.agg) else None, 0.3)
    g.add(f"REL = join FIG ask.{asked}; REL = join FIG rel.bi ask.{asked}", lambda _, o, *__: None if o.mets else r(how, Fig(), o), 0.2)
    g.add(f"REL = FIG rel.bi|rel.shi follow.these ask.{asked}; REL = FIG join follow.these rel.bi ask.{asked}; REL = FIG join follow.these ask.{asked}", lambda f, *_: r(how, f, Fig()), 0.1)
