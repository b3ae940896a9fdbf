"""A PDF as a reader's program draws it: how much of the first sheet is of a colour, and where."""

import io
import shutil
import subprocess
from typing import NamedTuple

from PIL import Image

_DPI = 100
# How far from the colour a point may be, in each of its three parts: edges are blended.
_NEAR = 24


class Inked(NamedTuple):
    """How many points of a sheet have a colour, and the box they fill, as shares of the sheet."""

    points: int
    left: float
    top: float
    right: float
    foot: float


def sheet_of(pdf: bytes) -> Image.Image:
    """The first sheet as poppler draws it."""
    poppler = shutil.which("pdftoppm")
    assert poppler, "this test needs pdftoppm: apt-get install poppler-utils"
    done = subprocess.run(
        [poppler, "-r", str(_DPI), "-f", "1", "-l", "1", "-png", "-"],
        input=pdf,
        capture_output=True,
        timeout=60,
        check=True,
    )
    return Image.open(io.BytesIO(done.stdout)).convert("RGB")


def inked(sheet: Image.Image, colour: str) -> Inked:
    """What of the sheet is of that colour (#c42b30). Fails where nothing is."""
    wanted = tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
    masks = [
        band.point([255 if abs(value - part) <= _NEAR else 0 for value in range(256)])
        for band, part in zip(sheet.split(), wanted, strict=True)
    ]
    mask = Image.merge("RGB", masks).convert("L").point([0] * 255 + [255])
    box = mask.getbbox()
    assert box is not None, f"nothing is {colour}"
    left, top, right, foot = box
    wide, high = sheet.size
    return Inked(mask.histogram()[255], left / wide, top / high, right / wide, foot / high)
