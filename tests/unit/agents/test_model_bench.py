"""`make model-bench`: what it counts, played by a scripted model; with none it asks nobody."""

import json
from typing import Any

import pytest

from services.container import build_services
from services.settings import load_settings
from tests.benchmark import model_bench
from tests.contract.analyst import picked, seen
from tests.fakes.models import Asked, ModelServer, Step, as_json, say


def test_without_a_model_it_says_so_and_asks_nobody(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("LLM_BASE_URL", "LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("YOUJU_STORE", ":memory:")
    model_bench.main([])
    assert capsys.readouterr().out.startswith("no model is configured")


def test_choices_invalid_items_and_calls_are_counted() -> None:
    answers: list[Any] = [
        lambda asked: as_json({**picked(seen(asked)), "own": [{"kind": "x"}]}),
        lambda asked: as_json(picked(seen(asked))),
        lambda asked: say("不会"),
        lambda asked: say("还是不会"),
    ]

    def play(asked: Asked) -> Step:
        return answers.pop(0)(asked)

    with ModelServer(play) as server:
        given = {"YOUJU_STORE": ":memory:", **server.environment()}
        youju = build_services(load_settings(given))
        try:
            told = model_bench.report_bench(youju, ["600036.SH", "00700.HK"]).told()
        finally:
            youju.close()
    assert (told["asked"], told["own_choice_shown"], told["left_to_the_rules"]) == (2, 0.5, 1)
    assert told["calls"] == 4
    assert (told["prompt_tokens"], told["completion_tokens"]) == (400, 80)
    assert told["invalid_items"] == {
        "not a statement of a known form": 1,
        "unreadable answer": 2,
    }
    json.dumps(told)


def test_its_questions_are_of_every_kind_and_its_companies_of_every_market() -> None:
    youju = build_services(load_settings({"YOUJU_STORE": ":memory:"}))
    try:
        markets = {symbol.rpartition(".")[2] for symbol in model_bench.companies(youju, 30)}
    finally:
        youju.close()
    assert len(markets) >= 3
    asked = model_bench.questions(60)
    assert len(asked) == len(set(asked)) == 60
    assert any(text.isascii() for text in asked)
