"""The colours of the company's charts, light and dark, as theme.css has them for the page."""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from pages.ui import state


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of one theme; `up` and `down` by the reader's convention."""

    theme: Literal["light", "dark"]
    up: str
    down: str
    ink: str
    soft: str
    mute: str
    line_2: str
    paper: str
    accent: str
    before: str
    warn: str
    on: str
    grid: str
    averages: dict[int, str]
    series: tuple[str, ...]


_LIGHT = {
    "red": "#c42b30", "green": "#08734a", "ink": "#151d26", "soft": "#55616e", "mute": "#5f6b77",
    "line_2": "#c9d2db", "paper": "#ffffff", "accent": "#1a5a8c", "before": "#b9cede",
    "warn": "#8a5200", "on": "#ffffff", "grid": "#e5e9ee",
}  # fmt: skip
_DARK = {
    "red": "#ff7474", "green": "#3fc98e", "ink": "#e6ebf0", "soft": "#9cabb9", "mute": "#8795a3",
    "line_2": "#384450", "paper": "#0f1419", "accent": "#7fbbe9", "before": "#35506a",
    "warn": "#e9b65a", "on": "#0b1a26", "grid": "#232b34",
}  # fmt: skip
_SERIES = {
    "light": ("#1a5a8c", "#6b7785", "#c77f12", "#0f8b8d", "#b4467f", "#7a5bc0"),
    "dark": ("#6fb1e4", "#9aa6b2", "#e0a63d", "#3fbfc0", "#e07fb0", "#a397f0"),
}
_AVERAGES = {
    "light": {5: "#c98a1b", 20: "#7a6cd8", 60: "#2f86c9"},
    "dark": {5: "#e0a63d", 20: "#a397f0", 60: "#5fb0ea"},
}


def palette() -> Palette:
    """The colours of the theme this reader sees."""
    return _of("dark" if getattr(st.context.theme, "type", None) == "dark" else "light")


def paper_palette() -> Palette:
    """Those of paper, which is always light."""
    return _of("light")


def _of(theme: Literal["light", "dark"]) -> Palette:
    tones = dict(_DARK if theme == "dark" else _LIGHT)
    red, green = tones.pop("red"), tones.pop("green")
    up, down = (red, green) if state.colours() == "red_up" else (green, red)
    return Palette(
        theme=theme,
        up=up,
        down=down,
        **tones,
        averages=_AVERAGES[theme],
        series=_SERIES[theme],
    )
