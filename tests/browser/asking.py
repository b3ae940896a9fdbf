"""What tests do on 问答: open the files of one answer, or those of the whole conversation."""

from typing import Any


def open_files(screen: Any, number: int | None = None) -> None:
    """Open the menu of an answer's files; without a number that of the conversation."""
    screen.page.keyboard.press("Escape")
    at = f".st-key-w_export_{number}" if number else ".st-key-yj_ask_top"
    button = screen.page.locator(f"{at} button", has_text="导出")
    button.click()
    screen.page.locator(
        "[data-testid=stPopoverBody] [data-testid=stDownloadButton]"
    ).first.wait_for()
