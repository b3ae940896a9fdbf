"""A hold score as Markdown: the verdict and its reason, then every table, all with sources."""

from services.core.rendering import Language
from services.reports.markdown import (
    Footnotes,
    escape,
    prose_markdown,
    table_markdown,
    with_sources,
)
from services.reports.provenance import Ground
from services.reports.score_view import ScorePage, ScoreView
from services.reports.table import View, Words

_SCORE = Words("持有评分", "Hold score")
_BY_FACTORS = Words("因子规则的评分", "Score of the factor rules")
_JUDGED = Words("模型的判断，不是计算", "a model's judgement, not computed")
_STANCE = Words("含义", "It means")
_COVERAGE = Words("数据覆盖度", "Data coverage")
_WRITER = Words("评分", "Scored")
_REVIEWER = Words("审核", "Reviewed")
_AT = Words("评分时间", "Scored at")
_REASON = Words("理由", "Reason")
_CHECKS = Words("核对时注意到", "Noted while checking")


def score_markdown(view: View, language: Language = "zh") -> str:
    """The whole page. Raises: KeyError when a cited claim or call is not in the view."""
    notes = Footnotes(Ground(view.claims, view.trace), language)
    blocks = [f"# {escape(view.title.text(language))}"]
    found = view.score.view if isinstance(view, ScorePage) and view.score is not None else None
    if isinstance(found, ScoreView):
        blocks += [_verdict(found, notes, language), f"## {_REASON.text(language)}"]
        blocks.append(prose_markdown(found.reason, notes, found.language))
        if found.checks:
            said = "\n".join(f"- {escape(one.text(language))}" for one in found.checks)
            blocks.append(f"**{_CHECKS.text(language)}**\n\n{said}")
    blocks += [table_markdown(table, notes, language) for table in view.tables()]
    return with_sources(blocks, notes, language)


def _verdict(found: ScoreView, notes: Footnotes, language: Language) -> str:
    lines: list[str] = []
    if found.judged is not None:
        lines.append(f"{_SCORE.text(language)}: {found.judged} ({_JUDGED.text(language)})")
    if found.score is not None:
        name = _SCORE if found.judged is None else _BY_FACTORS
        lines.append(f"{name.text(language)}: {prose_markdown(_place(found), notes, language)}")
    coverage = prose_markdown("{{c:" + found.coverage.claim_id + "}}", notes, language)
    lines += [
        f"{_STANCE.text(language)}: {escape(found.stance.text(language))}",
        f"{_COVERAGE.text(language)}: {coverage}",
        f"{_WRITER.text(language)}: {escape(found.writer.text(language))}",
        f"{_REVIEWER.text(language)}: {escape(found.reviewer.text(language))}",
        f"{_AT.text(language)}: {found.at.isoformat()}",
    ]
    return "\n".join(f"- {line}" for line in lines)


def _place(found: ScoreView) -> str:
    return "{{c:" + found.score.claim_id + "}}" if found.score is not None else ""
