"""The deployment as processes: the Caddyfile of `deploy/`, two replicas, PostgreSQL."""

import hmac
import os
import shutil
import socket
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.screens import Screen, open_page
from tests.browser.serving import ROOT, running
from tests.postgres import cluster, programs

_CADDY = shutil.which("caddy")
_USER, _PASSWORD = "analyst", "geheim"
# What `caddy hash-password` makes of that word.
_HASH = "$2a$14$1eoZ0LpiPm.OwWZhToI1heQHXgir3cVJEzzpQQGOcHeqPHQCZZq8y"

_KEY = "a-secret-of-this-test"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(_CADDY is None, reason="Caddy is not installed"),
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed"),
]


@dataclass(frozen=True)
class _Deployed:
    door: str
    replicas: dict[str, "subprocess.Popen[bytes]"]


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Generator[_Deployed]:
    folder = tmp_path_factory.mktemp("deployed")
    with ExitStack() as stack:
        url = stack.enter_context(cluster()).new_database()
        replicas: dict[str, subprocess.Popen[bytes]] = {}
        for name in ("one", "two"):
            own = folder / name
            own.mkdir()
            process, address = stack.enter_context(
                running(
                    own,
                    YOUJU_STORE=url,
                    YOUJU_MARKET=str(own / "youju-market.duckdb"),
                    YOUJU_PUBLISHED=str(folder / "shared"),
                )
            )
            replicas[address.removeprefix("http://")] = process
        yield _Deployed(stack.enter_context(_door(folder, replicas)), replicas)


@contextmanager
def _door(folder: Path, replicas: dict[str, "subprocess.Popen[bytes]"]) -> Generator[str]:
    """The address of a Caddy with our file, its keys in `folder`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "YOUJU_SITE": f"https://localhost:{port}",
        "YOUJU_USER": _USER,
        "YOUJU_PASSWORD_HASH": _HASH,
        "YOUJU_COOKIE_SECRET": _KEY,
        "YOUJU_REPLICAS": " ".join(replicas),
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
    config = ROOT / "deploy" / "Caddyfile"
    with (folder / "door.log").open("wb") as log:
        process = subprocess.Popen(
            [str(_CADDY), "run", "--config", str(config), "--adapter", "caddyfile"],
            env={**os.environ, **settings},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"https://localhost:{port}"
            _wait_for(address, process, folder / "door.log")
            yield address
        finally:
            process.terminate()
            process.wait(20)


def _wait_for(address: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Until a replica answers behind it: each loads the bundled market first."""
    for _ in range(400):
        assert process.poll() is None, log.read_text("utf-8")
        if _status(address, "/", signed_in=True) == 200:
            return
        time.sleep(0.25)
    raise AssertionError(log.read_text("utf-8"))


def _status(address: str, path: str, *, signed_in: bool = False) -> int:
    """What the door says; 0 where it is not there yet."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    handlers: list[urllib.request.BaseHandler] = [urllib.request.HTTPSHandler(context=context)]
    if signed_in:
        words = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        words.add_password(None, address, _USER, _PASSWORD)
        handlers.append(urllib.request.HTTPBasicAuthHandler(words))
    try:
        with urllib.request.build_opener(*handlers).open(address + path, timeout=20) as answer:
            return answer.status
    except urllib.request.HTTPError as error:
        return error.code
    except OSError:
        return 0


@contextmanager
def _visit(chromium: Browser, door: str) -> Generator[Screen]:
    page = open_page(
        chromium,
        ignore_https_errors=True,
        http_credentials={"username": _USER, "password": _PASSWORD},
    )
    yield Screen(page, door).open("/ask")
    page.context.close()


def _ask(screen: Screen, question: str) -> None:
    field = screen.page.get_by_role("textbox", name="问题")
    field.fill(question)
    field.press("Enter")


def test_the_door_lets_nobody_in_without_the_password_and_tells_nothing_of_the_inside(
    deployed: _Deployed,
) -> None:
    assert _status(deployed.door, "/") == 401
    assert _status(deployed.door, "/", signed_in=True) == 200
    for inside in ("/readyz", "/_stcore/metrics", "/metrics"):
        assert _status(deployed.door, inside, signed_in=True) == 404


def test_a_reader_whose_replica_dies_goes_on_at_the_other_with_the_conversation(
    deployed: _Deployed, chromium: Browser
) -> None:
    with _visit(chromium, deployed.door) as screen:
        page = screen.page
        _ask(screen, "招商银行2016年净利润")
        expect(page.get_by_text("620.81").first).to_be_visible(timeout=60_000)
        before = _replica_of(page, deployed)
        deployed.replicas[before].kill()
        # Nobody reloads: the page finds its way by itself, and what was asked stands.
        _wait_until(page, lambda: _replica_of(page, deployed) != before)
        expect(screen.settle().page.get_by_text("620.81").first).to_be_visible()
        _ask(screen, "万科A2016年净利润")
        expect(page.get_by_text("210.23").first).to_be_visible(timeout=60_000)


def _wait_until(page: Page, holds: Callable[[], bool]) -> None:
    for _ in range(300):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError("the page did not find the other replica")


def _replica_of(page: Page, deployed: _Deployed) -> str:
    """The replica a browser is pinned to: its cookie is the address, signed with the secret."""
    cookie = next(one["value"] for one in page.context.cookies() if one["name"] == "youju_replica")
    signed = {
        hmac.new(_KEY.encode(), address.encode(), sha256).hexdigest(): address
        for address in deployed.replicas
    }
    return signed[cookie]
