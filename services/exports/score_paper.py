"""A hold score as a paper: the verdict, its reason, what was noted, then every table."""

from services.core.rendering import Language, place
from services.exports.paper import Block, Bullets, Heading, Line, Paper, Prose
from services.exports.paper_lines import labelled, noted
from services.exports.table_paper import paper_table
from services.views.score_view import ScorePage, ScoreView, VetoView
from services.views.table import Words

_SCORE = Words("持有评分", "Hold score")
_BY_FACTORS = Words("因子规则的评分", "Score of the factor rules")
_JUDGED = Words("模型的判断，不是计算", "a model's judgement, not computed")
_STANCE = Words("含义", "It means")
_COVERAGE = Words("数据覆盖度", "Data coverage")
_WRITER = Words("评分", "Scored")
_REVIEWER = Words("审核", "Reviewed")
_AT = Words("数据截至", "Data as of")
_REASON = Words("理由", "Reason")
_CHECKS = Words("核对时注意到", "Noted while checking")


def score_paper(view: ScorePage | ScoreView | VetoView, language: Language) -> Paper:
    """The whole page of a company, or one score alone; of a refused score only its rounds."""
    scored = view.score if isinstance(view, ScorePage) else None
    found = scored.view if scored else view
    blocks = _released(found, language) if isinstance(found, ScoreView) else []
    blocks += [paper_table(table, language) for table in view.tables()]
    return Paper(
        kind="score",
        language=language,
        title=view.title.text(language),
        run_ids=view.run_ids,
        blocks=tuple(blocks),
    )


def _released(found: ScoreView, language: Language) -> list[Block]:
    known = (*found.labels, *found.quotes)
    reason: list[Block] = [
        Prose(line=Line(template=part, language=found.language, known=known))
        for part in found.reason.split("\n")
        if part.strip()
    ]
    blocks: list[Block] = [
        Bullets(lines=tuple(_verdict(found, language))),
        Heading(text=_REASON.text(language)),
        *reason,
    ]
    if found.checks:
        lines = tuple(noted(one.text(language)) for one in found.checks)
        blocks.append(Bullets(title=_CHECKS.text(language), lines=lines))
    return blocks


def _verdict(found: ScoreView, language: Language) -> list[Line]:
    lines: list[Line] = []
    if found.judged is not None:
        said = f"{found.judged} ({_JUDGED.text(language)})"
        lines.append(labelled(_SCORE.text(language), said))
    if found.score is not None:
        name = _SCORE if found.judged is None else _BY_FACTORS
        lines.append(Line(template=f"{name.text(language)}: {place(found.score)}"))
    return [
        *lines,
        labelled(_STANCE.text(language), found.stance.text(language)),
        Line(template=f"{_COVERAGE.text(language)}: {place(found.coverage)}"),
        labelled(_WRITER.text(language), found.writer.text(language)),
        labelled(_REVIEWER.text(language), found.reviewer.text(language)),
        labelled(_AT.text(language), found.at.isoformat()),
    ]
