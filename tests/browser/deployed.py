"""The deployment as processes: the Caddyfile of `deploy/`, two replicas, PostgreSQL."""

import hmac
import os
import shutil
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
from playwright.sync_api import Browser, Page

from tests.browser.screens import Screen, open_page
from tests.browser.serving import ROOT, free_port, running
from tests.postgres import cluster, programs

_CADDY = shutil.which("caddy")
_USER, _PASSWORD = "analyst", "geheim"
# What `caddy hash-password` makes of that word.
_HASH = "$2a$14$1eoZ0LpiPm.OwWZhToI1heQHXgir3cVJEzzpQQGOcHeqPHQCZZq8y"
_KEY = "a-secret-of-this-test"
# What takes ten seconds on a machine of its own may take longer on a shared one.
SLOWER = 3
MARKS = [
    pytest.mark.browser,
    pytest.mark.thorough,
    pytest.mark.skipif(_CADDY is None, reason="Caddy is not installed"),
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed"),
]


@dataclass
class Deployed:
    """The door, the replicas by their address, and how one at such an address is started."""

    door: str
    replicas: dict[str, "subprocess.Popen[bytes]"]
    start: Callable[[str], "subprocess.Popen[bytes]"]

    def revive(self) -> None:
        """Start again those that were killed, at their addresses."""
        for address, process in list(self.replicas.items()):
            if process.poll() is not None:
                self.replicas[address] = self.start(address)


@contextmanager
def deployed(folder: Path, port: int, **more: str) -> Generator[Deployed]:
    """Everything running, its door at that port; `more` are settings of the replicas."""
    with ExitStack() as stack:
        url = stack.enter_context(cluster()).new_database()
        replicas: dict[str, subprocess.Popen[bytes]] = {}

        def start(address: str) -> "subprocess.Popen[bytes]":
            own = folder / address.rpartition(":")[2]
            own.mkdir(exist_ok=True)
            process, _ = stack.enter_context(
                running(
                    own,
                    STREAMLIT_SERVER_PORT=address.rpartition(":")[2],
                    YOUJU_STORE=url,
                    YOUJU_MARKET=str(own / "youju-market.duckdb"),
                    YOUJU_PUBLISHED=str(folder / "shared"),
                    **more,
                )
            )
            return process

        for _ in range(2):
            address = f"127.0.0.1:{free_port()}"
            replicas[address] = start(address)
        address = stack.enter_context(_door(folder, port, replicas))
        yield Deployed(address, replicas, start)


@contextmanager
def _door(
    folder: Path, port: int, replicas: dict[str, "subprocess.Popen[bytes]"]
) -> Generator[str]:
    """The address of a Caddy with our file, its keys in `folder`."""
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
        if status(address, "/", signed_in=True) == 200:
            return
        time.sleep(0.25)
    raise AssertionError(log.read_text("utf-8"))


def status(address: str, path: str, *, signed_in: bool = False) -> int:
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
def visit(chromium: Browser, door: str) -> Generator[Screen]:
    """The page of questions behind the door, for somebody who knows its password."""
    page = open_page(
        chromium,
        ignore_https_errors=True,
        http_credentials={"username": _USER, "password": _PASSWORD},
    )
    yield Screen(page, door).open("/ask")
    page.context.close()


def ask(screen: Screen, question: str) -> None:
    """Type it and send it."""
    field = screen.page.get_by_role("textbox", name="问题")
    field.fill(question)
    field.press("Enter")


def replica_of(page: Page, deployed: Deployed) -> str:
    """The replica a browser is pinned to: its cookie is the address, signed with the secret."""
    cookie = next(
        one.get("value", "") for one in page.context.cookies() if one.get("name") == "youju_replica"
    )
    signed = {
        hmac.new(_KEY.encode(), address.encode(), sha256).hexdigest(): address
        for address in deployed.replicas
    }
    return signed[cookie]
