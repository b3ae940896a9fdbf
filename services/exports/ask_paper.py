"""An answer, or a whole conversation, as a paper: the question, how it was read, what was found."""

from services.core.text import Language, Text
from services.exports.paper import Block, Bullets, Heading, Paper, PaperLine, PaperQuote, Prose
from services.exports.paper_lines import make_note
from services.exports.table_paper import paper_table
from services.views.ask_view import ConversationView, Outside, TurnView

_READ_AS = Text("我理解为：", "Read as: ")
_WENT_ON = Text("（接着第{}问）", "(going on from {})")
_UNANSWERED = Text("（没有答案）", "(no answer)")
OUTSIDE = Text("以下为外部原文", "Quoted from outside")


def turn_paper(turn: TurnView, language: Language) -> Paper:
    """One question with its answer; the question is the title."""
    return Paper(
        kind="ask",
        language=language,
        title=turn.question,
        run_ids=turn.run_ids,
        blocks=tuple(_answer(turn, language)),
    )


def conversation_paper(view: ConversationView, language: Language) -> Paper:
    """Every turn in order, each under its question."""
    blocks: list[Block] = []
    for turn in view.turns:
        went_on = _WENT_ON.in_language(language).format("、".join(map(str, turn.refs)))
        question = f"{turn.number}. {turn.question}{went_on if turn.refs else ''}"
        blocks += [Heading(text=question), *_answer(turn, language)]
    return Paper(
        kind="ask",
        language=language,
        title=view.title.in_language(language),
        run_ids=view.run_ids,
        blocks=tuple(blocks),
    )


def quote(item: Outside) -> PaperQuote:
    """A text from outside as it stands in a paper."""
    about = tuple(one for one in (item.author, item.published, item.source) if one)
    return PaperQuote(title=item.title, about=about, text=item.text, url=item.url)


def _answer(turn: TurnView, language: Language) -> list[Block]:
    blocks: list[Block] = []
    if turn.plan is not None:
        blocks.append(
            _label(_READ_AS.in_language(language) + turn.plan.words.in_language(language))
        )
    if turn.state == "unanswered":
        blocks.append(_label(_UNANSWERED.in_language(language)))
    if turn.reason:
        blocks.append(_label(turn.reason))
    if turn.choices:
        lines = tuple(PaperLine(template=one, kind="label") for one in turn.choices)
        blocks.append(Bullets(lines=lines))
    made = {one.text: one for one in turn.made}
    blocks += [
        Prose(
            line=make_note(line)
            if line in turn.lacks
            else PaperLine(
                template=line, language=turn.language, known=turn.labels, made=made.get(line)
            )
        )
        for line in turn.template.split("\n")
        if line.strip()
    ]
    blocks += [paper_table(table, language, turn.claims, titled=False) for table in turn.tables()]
    if turn.items:
        blocks.append(Heading(level=3, text=OUTSIDE.in_language(language)))
        blocks += map(quote, turn.items)
    if turn.notes:
        blocks.append(
            Bullets(lines=tuple(make_note(note.in_language(language)) for note in turn.notes))
        )
    return blocks


def _label(text: str) -> Prose:
    return Prose(line=PaperLine(template=text, kind="label"))
