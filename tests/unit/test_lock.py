"""The lock holds what requirements.txt asks for, each file of it by its hash."""

import re
from pathlib import Path

_ROOT = Path(__file__).parents[2]
# `name==1.2.3`, an extra in brackets or a marker behind it aside.
_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", re.MULTILINE)


def _pins(name: str) -> dict[str, str]:
    found = _PIN.findall((_ROOT / name).read_text("utf-8"))
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found}


def test_the_lock_is_of_these_requirements() -> None:
    wanted = _pins("requirements.txt") | _pins("deploy/requirements.txt")
    locked = _pins("deploy/requirements.lock")
    assert wanted
    assert {name: locked.get(name) for name in wanted} == wanted, "run `make lock`"


def test_every_locked_package_has_a_hash_and_no_address() -> None:
    text = (_ROOT / "deploy/requirements.lock").read_text("utf-8")
    blocks = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(blocks) == len(_PIN.findall(text))
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in text
