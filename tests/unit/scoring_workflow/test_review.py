"""The code's verdict on a draft: no model, no reviewer. Its reason is what its grounds make."""

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from services.core.rendering import PLACE, render
from services.core.text import Language, Text
from services.core.verifier import verify
from services.scoring.models import ReviewResult, ScoreDraft
from services.scoring.reading import ScorerAnswer
from services.scoring.rule_agents import score_by_rule
from services.scoring.sayings import sayings_of
from tests.unit.scoring_workflow.given import BANK, CARS, CHOSEN, draft, given

FOR_ALONE, AGAINST_ALONE = ("f1", "f2", "f4", "f5"), ("s1",)


def failures(made: ScoreDraft) -> tuple[str, ...]:
    return tuple(one.zh for one in given().code().failures(made))


def spoilt(old: str, new: str) -> ScoreDraft:
    """The draft with other words in its reason."""
    made = draft()
    assert old in made.summary_reason
    changed = made.summary_reason.replace(old, new)
    return made.model_copy(update={"summary_reason": changed})


def test_a_reason_that_code_wrote_of_the_grounds_holds() -> None:
    assert failures(draft()) == ()


def test_the_grounds_of_a_reason_are_all_claims_that_hold() -> None:
    found, made = given(), draft()
    assert set(PLACE.findall(made.summary_reason)) <= found.card.by_id.keys()
    assert verify(found.card.claims, found.step1.trace, found.step1.instant).ok


def test_what_is_offered_is_true_of_the_bank() -> None:
    told = {one.id: one for one in sayings_of(given().card)}
    texts = {name: given().rendered(one.text.zh) for name, one in told.items()}
    # Revenue 209,025 m in 2016, 201,471 m in 2015, 165,863 m in 2014.
    slowed = "2016年，营业收入 2,090亿元，同比增长 3.75%，增速由上年的 21.5% 放缓。"
    assert slowed in texts.values()
    assert told[next(name for name, text in texts.items() if text == slowed)].side == -1
    assert not any("连续" in text for text in texts.values())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("放缓", "加快"),
        ("低于同行中位数", "高于同行中位数"),
        ("反对：", "支持："),
        ("数据：", "数据可靠："),
        ("。", "，每股收益 98.76元。"),
    ],
)
def test_a_changed_word_is_no_longer_what_the_grounds_make(old: str, new: str) -> None:
    assert any("不是由所选的依据写成" in one for one in failures(spoilt(old, new)))


def test_a_place_without_its_claim_does_not_hold() -> None:
    made = draft().model_copy(update={"summary_reason": "每股收益 {{c:c_0000000000000000}}。"})
    assert "占位符所指的证据不存在" in failures(made)


def test_a_reason_of_other_grounds_does_not_hold() -> None:
    made = draft(chosen=FOR_ALONE)
    assert failures(made.model_copy(update={"chosen": CHOSEN})) != ()


def test_a_draft_of_another_stock_does_not_hold() -> None:
    assert any(BANK in one for one in failures(draft(symbol=CARS)))


@pytest.mark.parametrize("score", [-0.1, 10.01, 11])
def test_a_score_out_of_range_does_not_hold(score: float) -> None:
    assert "评分不在 0 到 10 之间" in failures(draft(score))


@pytest.mark.parametrize("score", [0.0, 10.0])
def test_the_ends_of_the_range_belong_to_it(score: float) -> None:
    assert not any("0 到 10" in one for one in failures(draft(score)))


def test_a_side_of_which_nothing_was_chosen_is_told_all_the_same() -> None:
    told = given().rendered(draft(5.0, chosen=FOR_ALONE).summary_reason)
    assert "\n反对：" in told
    assert failures(draft(5.0, chosen=FOR_ALONE)) == ()


def test_a_score_must_fit_the_grounds_that_were_chosen_for_it() -> None:
    assert any("都是反对" in one for one in failures(draft(8.5, chosen=AGAINST_ALONE)))
    assert any("都是支持" in one for one in failures(draft(2.0, chosen=FOR_ALONE)))
    assert failures(draft(4.0, chosen=AGAINST_ALONE)) == ()


@pytest.mark.parametrize("said", ["zh", "en"])
@pytest.mark.parametrize("symbol", [BANK, CARS])
@settings(max_examples=10)
@hypothesis.given(data=st.data())
def test_whatever_is_chosen_makes_a_reason_of_fit_length_with_both_sides(
    symbol: str, said: Language, data: st.DataObject
) -> None:
    found = given(symbol)
    offered = st.sampled_from([one.id for one in sayings_of(found.card)])
    ids = data.draw(st.lists(offered, min_size=4, unique=True))
    made = found.code().drafted(ScorerAnswer(symbol, 5.0, tuple(ids)), "m", said)
    assert found.code().failures(made) == ()
    text = render(made.summary_reason, found.card.by_id, said)
    assert 100 <= len(text) <= 1000
    heads = ("支持：", "反对：") if said == "zh" else ("For:", "Against:")
    assert all(f"\n{head}" in text for head in heads), text


def test_a_rule_score_is_the_one_of_its_factors() -> None:
    found = given()
    total = found.card.by_id[found.card.total or ""].value
    made = score_by_rule(found.step1, found.card, "zh")
    assert made.hold_score == round(total, 2)
    assert found.code().failures(made) == ()
    other = made.model_copy(update={"hold_score": round(total, 2) - 0.5})
    assert found.code().failures(other) == (
        Text("规则评分与因子总分不符", "the rule's score is not that of its factors"),
    )


def test_a_verdict_is_of_the_draft_and_of_nothing_else() -> None:
    """The same words of another score are another draft."""
    assert draft(7.2).digest != draft(7.3).digest
    assert draft().digest == draft().digest
    assert ReviewResult(stock_code=BANK, passed=True, reason="").passed
