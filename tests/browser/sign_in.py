"""A local OIDC provider with people of ours, and the secrets file that makes the app ask it."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.serving import free_port

PEOPLE: Mapping[str, Mapping[str, object]] = {
    "anna": {"name": "安娜 Anna", "role": "analyst", "team": "research"},
    "ben": {"name": "Ben", "role": "analyst", "team": "research"},
    "carl": {"name": "Carl", "role": ["admin", "other"], "team": "research"},
    "rita": {"name": "Rita <b>", "team": "research"},
    "olga": {"name": "Olga", "role": "analyst", "team": "sales"},
}
_SECRETS = """
[auth]
redirect_uri = "{at}/oauth2callback"
cookie_secret = "a-secret-of-this-test-alone"
client_id = "youju"
client_secret = "known-to-nobody"
server_metadata_url = "http://127.0.0.1:{port}/.well-known/openid-configuration"

[team]
hours = 12
"""


@contextmanager
def provider(folder: Path, at: str = "http://127.0.0.1:{port}") -> Generator[Path]:
    """A provider that signs in whoever is named; the secrets file that names it. `at` is where the
    browser finds the app: by itself, its own port.
    """
    port = free_port()
    people = [
        word
        for sub, claims in PEOPLE.items()
        for word in ("--user-claims", json.dumps({"sub": sub, **claims}))
    ]
    words = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "-p", str(port), *people]
    with (folder / "provider.log").open("wb") as log:
        process = subprocess.Popen(words, stdout=log, stderr=subprocess.STDOUT)
        try:
            _wait_for(f"http://127.0.0.1:{port}/.well-known/openid-configuration", process)
            secrets = folder / "secrets.toml"
            secrets.write_text(_SECRETS.format(port=port, at=at), "utf-8")
            yield secrets
        finally:
            process.terminate()
            process.wait(20)


def sign_in(page: Page, who: str) -> None:
    """From the sign-in of the app to its first page, as that person."""
    page.locator('[class*="st-key-w_sign_in"] button').click()
    page.get_by_role("button", name=who, exact=True).click()
    page.wait_for_selector(".st-key-yj_bar", timeout=60_000)


def _wait_for(address: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(300):
        assert process.poll() is None, "the provider ended by itself"
        try:
            with urllib.request.urlopen(address, timeout=2) as answer:  # noqa: S310 — loopback
                assert answer.status == 200
                return
        except OSError:
            try:
                process.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
    raise AssertionError("the provider did not answer")
