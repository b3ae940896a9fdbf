"""持有评分: one company's hold score, drafted, reviewed and released; and many at once."""

from pages.ui import errors, score

with errors.frame("score"):
    score.carry_out()
if not score.opened():
    with errors.frame("score"):
        score.home()
