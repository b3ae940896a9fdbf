"""An answer, or a whole conversation, as Markdown: every figure with a footnote for its source.

Quoted texts from outside are escaped and stand in quote blocks: they can form no markup.
"""

from services.core.rendering import Language
from services.reports.ask_view import ConversationView, Outside, TurnView
from services.reports.markdown import (
    Footnotes,
    escape,
    prose_markdown,
    table_markdown,
    with_sources,
)
from services.reports.provenance import Ground
from services.reports.table import View, Words

_READ_AS = Words("我理解为：", "Read as: ")
_WENT_ON = Words("（接着第{}问）", "(going on from {})")
_UNANSWERED = Words("（没有答案）", "(no answer)")
_OUTSIDE = Words("以下为外部原文", "Quoted from outside")


def answer_markdown(turn: TurnView, language: Language = "zh") -> str:
    """One question with its answer and its sources."""
    notes = Footnotes(Ground(turn.claims, turn.trace), language)
    blocks = [f"# {escape(turn.question)}", *_answer(turn, notes, language)]
    return with_sources(blocks, notes, language)


def conversation_markdown(view: View, language: Language = "zh") -> str:
    """Every turn in order, then one footnote for each figure used."""
    if not isinstance(view, ConversationView):
        raise TypeError(f"a conversation, not {type(view).__name__}")
    notes = Footnotes(Ground(view.claims, view.trace), language)
    blocks = [f"# {escape(view.title.text(language))}"]
    for turn in view.turns:
        went_on = _WENT_ON.text(language).format("、".join(map(str, turn.refs)))
        heading = f"## {turn.number}. {escape(turn.question)}{went_on if turn.refs else ''}"
        blocks += [heading, *_answer(turn, notes, language)]
    return with_sources(blocks, notes, language)


def _answer(turn: TurnView, notes: Footnotes, language: Language) -> list[str]:
    blocks: list[str] = []
    if turn.plan is not None:
        blocks.append(f"*{_READ_AS.text(language)}{escape(turn.plan.words.text(language))}*")
    if turn.state == "unanswered":
        blocks.append(_UNANSWERED.text(language))
    if turn.reason:
        choices = "\n".join(f"- {escape(one)}" for one in turn.choices)
        blocks += [part for part in (escape(turn.reason), choices) if part]
    lines = [line for line in turn.template.split("\n") if line.strip()]
    blocks += [prose_markdown(line, notes, turn.language) for line in lines]
    blocks += [_body(table_markdown(table, notes, language)) for table in turn.tables()]
    if turn.items:
        blocks += [f"**{_OUTSIDE.text(language)}**", *map(_quoted, turn.items)]
    if turn.notes:
        said = (prose_markdown(note.text(language), notes, turn.language) for note in turn.notes)
        blocks.append("\n".join(f"- {one}" for one in said))
    return blocks


def _body(table: str) -> str:
    """A table without its heading, which is the question above it."""
    return table.partition("\n\n")[2]


def _quoted(item: Outside) -> str:
    about = " · ".join(escape(one) for one in (item.author, item.published, item.source) if one)
    lines = [f"**{escape(item.title)}**" if item.title else "", about, escape(item.text)]
    if item.url:
        lines.append(escape(item.url))
    return "\n>\n".join(f"> {line}" for line in lines if line)
