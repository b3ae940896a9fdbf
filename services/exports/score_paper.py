"""A hold score as a paper: the verdict, its reason, what was noted, then every table."""

from services.core.rendering import place
from services.core.text import Language, Text
from services.exports.paper import Block, Bullets, Heading, Paper, PaperLine, Prose
from services.exports.paper_lines import make_labelled, make_note
from services.exports.table_paper import paper_table
from services.views.score_view import ScorePage, ScoreView, VetoView

_SCORE = Text("持有评分", "Hold score")
_BY_FACTORS = Text("因子规则的评分", "Score of the factor rules")
_JUDGED = Text("模型的判断，不是计算", "a model's judgement, not computed")
_STANCE = Text("含义", "It means")
_COVERAGE = Text("数据覆盖度", "Data coverage")
_WRITER = Text("评分", "Scored")
_REVIEWER = Text("审核", "Reviewed")
_AT = Text("数据截至", "Data as of")
_REASON = Text("理由", "Reason")
_CHECKS = Text("核对时注意到", "Noted while checking")


def score_paper(view: ScorePage | ScoreView | VetoView, language: Language) -> Paper:
    """The whole page of a company, or one score alone; of a refused score only its rounds."""
    scored = view.score if isinstance(view, ScorePage) else None
    found = scored.view if scored else view
    blocks = _list_blocks(found, language) if isinstance(found, ScoreView) else []
    blocks += [paper_table(table, language, view.claims) for table in view.tables()]
    return Paper(
        kind="score",
        language=language,
        title=view.title.in_language(language),
        run_ids=view.run_ids,
        blocks=tuple(blocks),
    )


def _list_blocks(found: ScoreView, language: Language) -> list[Block]:
    made = {one.text: one for one in found.made}
    known = (*found.labels, *found.quotes)
    reason: list[Block] = [
        Prose(
            line=PaperLine(template=part, language=found.language, known=known, made=made.get(part))
        )
        for part in found.reason.split("\n")
        if part.strip()
    ]
    blocks: list[Block] = [
        Bullets(lines=tuple(_verdict(found, language))),
        Heading(text=_REASON.in_language(language)),
        *reason,
    ]
    if found.checks:
        lines = tuple(make_note(one.in_language(language)) for one in found.checks)
        blocks.append(Bullets(title=_CHECKS.in_language(language), lines=lines))
    return blocks


def _verdict(found: ScoreView, language: Language) -> list[PaperLine]:
    lines: list[PaperLine] = []
    if found.judged is not None:
        said = f"{found.judged} ({_JUDGED.in_language(language)})"
        lines.append(make_labelled(_SCORE.in_language(language), said))
    if found.score is not None:
        name = _SCORE if found.judged is None else _BY_FACTORS
        lines.append(PaperLine(template=f"{name.in_language(language)}: {place(found.score)}"))
    return [
        *lines,
        make_labelled(_STANCE.in_language(language), found.stance.in_language(language)),
        PaperLine(template=f"{_COVERAGE.in_language(language)}: {place(found.coverage)}"),
        make_labelled(_WRITER.in_language(language), found.writer.in_language(language)),
        make_labelled(_REVIEWER.in_language(language), found.reviewer.in_language(language)),
        make_labelled(_AT.in_language(language), found.coverage.as_of.isoformat()),
    ]
