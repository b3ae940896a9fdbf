"""Figures in sentences: each a template with `{{c:ID}}` places, worded as the figure allows.

`close` is 最近收盘, `current_price` 当前价, `price_implied` 推算股价; a loss is called one; an
estimate says 推算.
"""

from collections.abc import Sequence

from services.core.claim_names import is_estimate, is_of_day
from services.core.claims import Claim, Figure, Missing
from services.core.formulas import BESIDE, formula_for
from services.core.ledger import Ledger
from services.core.periods import is_report
from services.core.rendering import place
from services.market.report_sheet import MULTIPLES
from services.query.answering.desk import label_of, period_label
from services.query.answering.outcomes import Column, Outcome, Said

_PERIODS_TOLD = 6
_PRICES = frozenset({"close", "current_price", "price_implied"})
_PROFITS = frozenset({"net_profit", "forecast_net_profit"})
_GROWTH = frozenset({"revenue_yoy", "net_profit_yoy"})


def figures_of(outcome: Outcome) -> list[Said]:
    """A sentence for each figure of an outcome that is one row; why, for one that is missing."""
    row, asked = outcome.rows[0], str(outcome.node.arg("period") or "")
    return [
        figure_told(outcome.subject, figure, column.label, asked)
        for column in outcome.columns
        if (figure := row.figures.get(column.key)) is not None
    ]


def periods_of(outcome: Outcome) -> list[Said]:
    """A sentence for each figure over its periods, the newest first; why, for one that is missing.

    Of many periods the newest and the oldest are told, and the table has the others.
    """
    return [_course(outcome, column) for column in outcome.columns]


def _course(outcome: Outcome, column: Column) -> Said:
    subject, label = outcome.subject, column.label
    found = [(row.label, row.figures.get(column.key)) for row in outcome.rows]
    told = [(period, one) for period, one in found if isinstance(one, Claim)]
    if not told:
        lost = next((one for _, one in found if isinstance(one, Missing)), None)
        why = Said.of(lost.reason) if lost else Said("来源没有数据", "the source has nothing")
        return Said(
            f"{subject.zh}的{label.zh}暂缺：{why.zh}。", f"{subject.en}, {label.en}: {why.en}."
        )
    shown = told if len(told) <= _PERIODS_TOLD else [told[0], told[-1]]
    zh = [f"{p.zh} {_note_lost(one)}{place(one)}{_estimate(one, alone=True)}" for p, one in shown]
    en = [
        f"{p.en} {_note_lost(one, zh=False)}{place(one)}{_estimate(one, alone=True, zh=False)}"
        for p, one in shown
    ]
    if len(shown) < len(told):
        return Said(
            f"{subject.zh}的{label.zh}：{zh[0]}，最早的 {zh[1]}，其余见表。",
            f"{subject.en}, {label.en}: {en[0]}; the earliest, {en[1]}; the others in the table.",
        )
    return Said(
        f"{subject.zh}的{label.zh}：{'；'.join(zh)}。",
        f"{subject.en}, {label.en}: {'; '.join(en)}.",
    )


def _note_lost(figure: Claim, *, zh: bool = True) -> str:
    if figure.metric not in _PROFITS or figure.value >= 0:
        return ""
    return "亏损，" if zh else "a loss, "


def figure_told(subject: Said, figure: Figure, label: Said, asked: str = "") -> Said:
    """One figure of one company in a sentence; `asked` is the report period, where one was."""
    if isinstance(figure, Missing):
        why, of = Said.of(figure.reason), period_label(asked) if is_report(asked) else None
        zh = f"{subject.zh} {of.zh}" if of else subject.zh
        en = f"{subject.en}, {of.en}" if of else subject.en
        return Said(f"{zh}的{label.zh}暂缺：{why.zh}。", f"{en}, {label.en}: {why.en}.")
    day, name = figure.as_of.isoformat(), label_of(figure.metric)
    dated = is_of_day(figure)
    if figure.period and not dated and (is_report(figure.period) or figure.metric not in MULTIPLES):
        return _tell_report(subject, figure, name, period_label(figure.period))
    of_, verb = ("", " ") if figure.metric in _PRICES else ("的", "为 ")
    return Said(
        f"{subject.zh}{of_}{name.zh}{verb}{place(figure)}（{day}{_estimate(figure)}）。",
        f"{subject.en}: {name.en} {place(figure)} ({day}{_estimate(figure, zh=False)}).",
    )


def compared(ledger: Ledger, told: Sequence[tuple[Said, Claim]]) -> list[Said]:
    """The order of companies by one metric, and of two how far apart they are.

    Figures of different units or report periods are not compared, and that is said.
    """
    name = label_of(told[0][1].metric)
    kinds = {_kind(claim) for _, claim in told}
    if len(kinds) > 1:
        return [
            Said(
                f"{name.zh}的报告期、口径或币种不同，不作比较。",
                f"{name.en}: of different periods, kinds or currencies, so not compared.",
            )
        ]
    ranked = sorted(told, key=lambda pair: -pair[1].value)
    if len(ranked) > 2:
        zh = "、".join(who.zh for who, _ in ranked)
        en = ", ".join(who.en for who, _ in ranked)
        return [Said(f"{name.zh}从高到低：{zh}。", f"{name.en} from highest to lowest: {en}.")]
    return [_two(ledger, ranked[0], ranked[1], name)]


def _two(ledger: Ledger, high: tuple[Said, Claim], low: tuple[Said, Claim], name: Said) -> Said:
    (who, one), (whom, other) = high, low
    if one.value == other.value:
        return Said(f"两者{name.zh}相同。", f"Their {name.en} is the same.")
    zh = f"{who.zh}的{name.zh}高于{whom.zh}"
    en = f"{who.en} has the higher {name.en}"
    difference = _derive_claim(ledger, "difference", "one - other", one, other)
    if difference is not None:
        zh, en = f"{zh}，相差 {place(difference)}", f"{en}, by {place(difference)}"
    ratio = _derive_claim(ledger, "ratio", "one / other", one, other) if other.value > 0 else None
    if ratio is not None:
        zh, en = f"{zh}，前者是后者的 {place(ratio)}", f"{en}, {place(ratio)} that of {whom.en}"
    return Said(zh + "。", en + ".")


def _derive_claim(
    ledger: Ledger, word: str, expression: str, one: Claim, other: Claim
) -> Claim | None:
    if one.metric not in BESIDE:
        return None
    formula = formula_for(f"{one.metric}_{word}", expression)
    return ledger.derive(formula, (one, other)) if formula is not None else None


def _tell_report(subject: Said, figure: Claim, name: Said, period: Said) -> Said:
    loss = figure.metric in _PROFITS and figure.value < 0
    estimate, estimate_en = _estimate(figure, alone=True), _estimate(figure, alone=True, zh=False)
    worded = "亏损，" if loss else "的"
    fell = "（下降）" if figure.metric in _GROWTH and figure.value < 0 else ""
    lost = "a loss, " if loss else ""
    verb = " " if loss else "为 "
    return Said(
        f"{subject.zh} {period.zh}{worded}{name.zh}{verb}{place(figure)}{fell}{estimate}。",
        f"{subject.en}, {period.en}: {lost}{name.en} {place(figure)}{estimate_en}.",
    )


def estimated(figure: Claim) -> tuple[str, str]:
    """`，推算` and `, estimated` behind a day or a period; empty for what a source gives."""
    return _estimate(figure), _estimate(figure, zh=False)


def _estimate(figure: Claim, *, alone: bool = False, zh: bool = True) -> str:
    if not is_estimate(figure):
        return ""
    word = "推算" if zh else "estimated"
    if not alone:
        return f"，{word}" if zh else f", {word}"
    return f"（{word}）" if zh else f" ({word})"


def _kind(claim: Claim) -> tuple[str, str, str | None]:
    """Metric, unit, and the report period where there is one; trailing figures are of one kind."""
    basis = (claim.period or "").partition("_")[0] if claim.period else None
    return claim.metric, claim.unit, claim.period if is_report(claim.period) else basis
