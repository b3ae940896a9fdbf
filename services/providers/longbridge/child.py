"""Runs alone in a process of its own: asks Longbridge through its package, answers on stdout.

The package holds the interpreter's lock for as long as a call takes and has no timeout, so that a
slow source would stop every session of the workbench; here it can be ended. It is started as a
script and imports nothing of ours. Only codes come back of a failure, never its words.
"""

import json
import re
import sys
from typing import Any

# The package tells the status of an answer it does not understand nowhere else than in its words.
_STATUS = re.compile(r"status=(\d{3})\b")


def main() -> None:
    """Read `{config, calls}` from stdin; write one answer per call until one fails."""
    asked = json.load(sys.stdin)
    try:
        from longbridge.openapi import HttpClient, OpenApiException
    except ImportError:
        json.dump([{"missing": True}], sys.stdout)
        return
    client = HttpClient.from_apikey(*asked["config"])
    answers: list[dict[str, Any]] = []
    for call in asked["calls"]:
        try:
            found = client.request(call["method"], call["path"], body=call["body"])
        except OpenApiException as error:
            answers.append(_failure(error))
            break
        answers.append({"data": found})
    json.dump(answers, sys.stdout, ensure_ascii=False)


def _failure(error: Any) -> dict[str, Any]:
    words = str(error.message or "")
    status = _STATUS.search(words)
    return {
        "code": error.code,
        "status": int(status.group(1)) if status else None,
        "unreadable": words.startswith(("deserialize", "unexpected response")),
    }


if __name__ == "__main__":
    main()
