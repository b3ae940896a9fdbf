"""持有评分: one company's hold score, drafted, reviewed and released; and many at once."""

from pages.company import score_parts as score
from pages.ui import errors

with errors.frame("score"):
    score.carry_out()
if not score.opened():
    with errors.frame("score"):
        score.home()
