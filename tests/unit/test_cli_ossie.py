"""The Apache Ossie document has the parts its specification names, and every figure once."""

import json

from services.cli.ossie import VERSION, ossie_document
from services.core.catalogue import CATALOGUE


def test_the_document_is_a_semantic_model() -> None:
    made = ossie_document()
    assert json.loads(json.dumps(made)) == made
    assert made["version"] == VERSION
    assert set(made) <= {
        "version", "name", "description", "ai_context", "datasets", "relationships", "metrics",
        "custom_extensions",
    }  # fmt: skip
    for dataset in made["datasets"]:  # type: ignore[union-attr]
        assert {"name", "source"} <= set(dataset)  # type: ignore[arg-type]
    names = [one["name"] for one in made["metrics"]]  # type: ignore[union-attr,index,call-overload]
    assert len(set(names)) == len(names)
    assert {"pb", "revenue", "roe"} <= set(names)
    assert set(names) <= set(CATALOGUE.figures)
