"""What may be asked at all: a text of a bounded length, of characters that can be read."""

from services.core.errors import InputError
from services.core.text import Text

LONGEST = 500


def check_text(text: str) -> str:
    """The question without blanks around it. Raises: InputError."""
    asked = text.strip()
    if len(asked) > LONGEST:
        valid = Text(f"最多 {LONGEST} 个字的问题", f"a question of up to {LONGEST} characters")
        raise InputError("text", text, valid)
    if any("\ud800" <= letter <= "\udfff" for letter in asked):
        raise InputError("text", text, Text("可读的文字", "a text whose characters can be read"))
    return asked
