"""One text in Chinese and English: the language is chosen where it is drawn.

On the wire, in a store and in a log it is one string, `中文 | English`; one text that serves for
both stands there alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, Language] = ("zh", "en")
_BAR = " | "


@dataclass(frozen=True, slots=True)
class Text:
    """The same said in Chinese and in English."""

    zh: str
    en: str

    @classmethod
    def of(cls, text: "Text | str") -> "Text":
        """The text itself; a string that says the same to every reader serves for both."""
        return text if isinstance(text, Text) else cls(text, text)

    @classmethod
    def read(cls, text: str) -> "Text":
        """Of the one string it is on the wire."""
        zh, bar, en = text.partition(_BAR)
        return cls(zh, en) if bar else cls(text, text)

    def in_language(self, language: Language) -> str:
        """What a reader of that language sees."""
        return self.zh if language == "zh" else self.en

    def format(self, **fields: "Text | str | float | date") -> "Text":
        """Its named places filled, a field that is itself a text by what it is in each language."""
        zh = {name: one.zh if isinstance(one, Text) else one for name, one in fields.items()}
        en = {name: one.en if isinstance(one, Text) else one for name, one in fields.items()}
        return Text(self.zh.format(**zh), self.en.format(**en))

    def __str__(self) -> str:
        return self.zh if self.zh == self.en else f"{self.zh}{_BAR}{self.en}"

    def __contains__(self, part: str) -> bool:
        """Whether it says that in either language."""
        return part in self.zh or part in self.en

    def __bool__(self) -> bool:
        return bool(self.zh or self.en)

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """One string in JSON and in a dump; read from either."""
        return core_schema.no_info_plain_validator_function(
            _validate,
            serialization=core_schema.plain_serializer_function_ser_schema(
                str, return_schema=core_schema.str_schema()
            ),
            json_schema_input_schema=core_schema.str_schema(),
        )


def _validate(value: object) -> Text:
    if isinstance(value, Text):
        return value
    if isinstance(value, str):
        return Text.read(value)
    raise ValueError("a text, as one string")


NO_TEXT = Text("", "")


def join_texts(texts: Iterable[Text], zh: str = "；", en: str = "; ") -> Text:
    """Several said one after the other, between these signs."""
    told = list(texts)
    return Text(zh.join(one.zh for one in told), en.join(one.en for one in told))
