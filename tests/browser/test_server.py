"""The server itself: under which names it answers, what it tells the browser, when it is ready."""

import http.client
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.serving import serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server"), YOUJU_HOSTS="youju.example.org") as found:
        yield found


def _get(
    address: str, path: str, host: str | None = None, **headers: str
) -> tuple[int, str, Mapping[str, str]]:
    where = urlsplit(address)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=30)
    named = {"Host": host} if host else {}
    connection.request("GET", path, headers={**named, **headers})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body, {name.lower(): value for name, value in answer.getheaders()}


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (None, 200),
        ("localhost:8501", 200),
        ("[::1]:8501", 200),
        ("192.168.1.7", 200),
        ("Youju.Example.org:443", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example:80", 421),
    ],
)
def test_it_answers_under_its_own_names_alone(address: str, host: str | None, status: int) -> None:
    found, body, _ = _get(address, "/", host)
    assert found == status
    assert ("YOUJU_HOSTS" in body) == (status == 421)


def test_the_socket_of_the_pages_is_closed_to_other_names(address: str) -> None:
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    status, _, _ = _get(address, "/_stcore/stream", "evil.example", **upgrade)
    assert status in {403, 421}


def test_nothing_from_elsewhere_may_be_loaded_and_no_frame_may_hold_it(address: str) -> None:
    _, _, headers = _get(address, "/")
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy
    assert "unsafe-eval" not in policy
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "above"),
    [("/company", None), ("/a/nosuch", "../nosuch"), ("/a/b/%E4%B8%AD", "../../%E4%B8%AD")],
)
def test_below_a_page_there_is_no_other(address: str, path: str, above: str | None) -> None:
    status, _, headers = _get(address, path)
    assert (status, headers.get("location")) == (307 if above else 200, above)


def test_it_is_ready_when_its_store_takes_a_write(address: str) -> None:
    status, body, _ = _get(address, "/readyz")
    assert (status, body) == (200, "ready\n")


def test_it_is_not_ready_when_its_store_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "youju.duckdb").write_text("亲爱的" * 3000)
    with serving(tmp_path) as address:
        status, body, _ = _get(address, "/readyz")
    assert status == 503
    assert "youju.duckdb" in body
    assert "Traceback" not in body
