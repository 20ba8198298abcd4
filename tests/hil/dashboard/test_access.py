"""Who comes in, and who does not: headers, token, port."""

import socket
import stat
from pathlib import Path

import pytest

from hil.common.errors import LinkError
from hil.configuration.schema import Run
from hil.dashboard.run_token import run_token
from hil.messaging.page_access import Access, address_of, may_listen

ACCESS = Access(8080, "secret")
OURS = "http://127.0.0.1:8080"
LET_IN = [
    {"Host": "127.0.0.1:8080"},
    {"Host": "localhost:8080"},
    {"Host": "[::1]:8080"},
    {"Host": "localhost:9000"},  # through a tunnel from another port
    {"Host": "127.0.0.1:8080", "Origin": OURS},
    {"Host": "localhost:8080", "Origin": "http://localhost:8080"},
]
KEPT_OUT = [
    {},
    {"Host": ""},
    {"Host": "evil.example"},
    {"Host": "evil.example:8080"},
    {"Host": "127.0.0.1.evil.example:8080"},
    {"Host": "127.0.0.1:8080@evil.example"},
    {"Host": "[::1"},
    {"Host": "192.168.1.7:8080"},
    {"Host": "127.0.0.1:8080", "Origin": "http://evil.example"},
    {"Host": "127.0.0.1:8080", "Origin": "http://127.0.0.1:8081"},
    {"Host": "127.0.0.1:8080", "Origin": "http://localhost:8080"},
    {"Host": "127.0.0.1:8080", "Origin": "https://127.0.0.1:8080"},
    {"Host": "127.0.0.1:8080", "Origin": "null"},
    {"Host": "evil.example:8080", "Origin": "http://evil.example:8080"},
]


@pytest.mark.parametrize("headers", LET_IN, ids=str)
def test_local_names_and_our_own_page_are_let_in(headers: dict[str, str]) -> None:
    """No refusal; what only a page may ask needs an origin as well."""
    assert ACCESS.refusal(headers, from_page=False) == ""
    assert bool(ACCESS.refusal(headers, from_page=True)) is ("Origin" not in headers)


@pytest.mark.parametrize("headers", KEPT_OUT, ids=str)
def test_foreign_names_and_pages_are_refused(headers: dict[str, str]) -> None:
    """Whether a page asks or a program: one line."""
    for from_page in (False, True):
        refusal = ACCESS.refusal(headers, from_page)
        assert refusal and "\n" not in refusal


def test_only_the_token_is_known() -> None:
    """No part of it, no other, none."""
    assert ACCESS.knows("secret")
    assert not any(ACCESS.knows(wrong) for wrong in (None, "", "secre", "secrets", "Secret", "gehéim"))


def test_cookies_of_two_ports_differ() -> None:
    """A browser sends cookies to every port of a machine: two runs must not take each other's."""
    assert Access(8080, "a").cookie != Access(8081, "b").cookie


def test_the_token_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    """The same again and again, for no other to read; another run-time directory has another."""
    run = Run(runtime_directory=str(tmp_path / "bus"), state_directory=str(tmp_path / "state"))
    token = run_token(run)
    assert run_token(run) == token and len(token) >= 32
    (file,) = (tmp_path / "state").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert run_token(run.model_copy(update={"runtime_directory": str(tmp_path / "other")})) != token
    assert address_of(8080, token) == f"http://127.0.0.1:8080/?token={token}"


def test_a_token_that_others_could_read_is_replaced(tmp_path: Path) -> None:
    """Nor is a damaged one taken."""
    run = Run(runtime_directory=str(tmp_path / "bus"), state_directory=str(tmp_path / "state"))
    token = run_token(run)
    (file,) = (tmp_path / "state").iterdir()
    file.chmod(0o644)
    second = run_token(run)
    assert second != token and stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text("", encoding="ascii")
    assert run_token(run) not in ("", second)


def test_a_token_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    """One line with the file and the key that helps."""
    (tmp_path / "file").write_text("")
    with pytest.raises(LinkError, match=r"state_directory"):
        run_token(Run(runtime_directory="r", state_directory=str(tmp_path / "file" / "below")))


def test_a_taken_port_is_refused_and_a_free_one_is_not() -> None:
    """The message names address, port and remedy."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(LinkError, match=rf"127\.0\.0\.1:{port} .*--port"):
            may_listen(port)
    may_listen(port)
