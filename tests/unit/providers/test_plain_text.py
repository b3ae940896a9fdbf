"""Text of an upstream as plain text: no markup, no control that hides or turns it, bounded."""

import pytest

from services.providers.reading import LONGEST_TEXT, link, plain


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("<p>现金流</p><p>改善</p>", "现金流 改善"),
        ("好<script>alert(1)</script>的", "好 的"),
        ("茅\u200b台\ufeff", "茅台"),
        ("\u202e停跌\u202c", "停跌"),
        ("&lt;b&gt; &amp; &#x202e;反", "<b> & 反"),
        ("一\n二\t三\x00四\x1b[0m", "一 二 三 四 [0m"),
        ('=HYPERLINK("http://x","点")', '=HYPERLINK("http://x","点")'),
        (None, ""),
        (5, ""),
    ],
)
def test_markup_and_hidden_characters_go_and_words_stay(given: object, text: str) -> None:
    assert plain(given) == text


def test_a_long_text_ends_in_an_ellipsis() -> None:
    cut = plain("字" * 10_000)
    assert len(cut) == LONGEST_TEXT
    assert cut.endswith("字…")


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "//example.com", "https://a\u202eb", 5]
)
def test_only_a_web_address_becomes_a_link(address: object) -> None:
    assert link(address) is None
