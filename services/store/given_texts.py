"""Texts a reader gives to be kept: a name of a list, a screen, a conversation; a note."""

from services.core.errors import InputError
from services.core.text import Text


def check_length(argument: str, text: str, most: int, *, least: int = 1) -> str:
    """The text trimmed. Raises: InputError naming `argument` when it is shorter or longer."""
    trimmed = text.strip()
    if least <= len(trimmed) <= most:
        return trimmed
    valid = (
        Text(f"{least} 到 {most} 个字", f"{least} to {most} characters")
        if least
        else Text(f"最多 {most} 个字", f"at most {most} characters")
    )
    raise InputError(argument, text, valid)
