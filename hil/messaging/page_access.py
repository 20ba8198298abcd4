"""Who may come in: this machine's own pages, with the token of who serves them. The rest is refused.

A browser lets any page of the world open connections to the local machine. Therefore the name by which
we are asked for must be a local one (else a foreign name may point to us), what comes from a page must
come from ours, and the token must be known: from the address that is printed, then from a cookie.
"""

import os
import secrets
import socket
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from hil.common.errors import LinkError

HOST = "127.0.0.1"  # elsewhere by a tunnel of one's own: see docs/use/dashboard.md
LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
TOKEN_BYTES = 24
FOXGLOVE_OPTION = "--foxglove-port"  # of the command line, for a port without page and token


class Access:
    """The rules for one port and one token."""

    def __init__(self, port: int, token: str, page: str = "the dashboard", host: str = "the run") -> None:
        """Set the rules.

        Args:
            port: on which the page is served.
            token: who knows it may come in.
            page: what the page is called in a refusal.
            host: who prints its address.
        """
        self._token, self._page, self._host = token, page, host
        # cookies do not know ports: two pages of one machine must not take each other's
        self.cookie = f"zerog-{port}"

    def refusal(self, headers: Mapping[str, str], from_page: bool) -> str:
        """Return why a request's headers are not ours; empty when they are.

        Args:
            headers: of the request.
            from_page: only a page may ask so (WebSockets, commands): its origin must be told.
        """
        host, origin = headers.get("Host", ""), headers.get("Origin")
        if not _local(host):
            return f"host {host[:80]!r} is not this machine: open the address that {self._host} prints"
        if origin is None:
            return f"no origin is told: only {self._page}'s own page may ask for this" if from_page else ""
        if origin != f"http://{host}":
            return f"origin {origin[:80]!r} is not {self._page}'s own page"
        return ""

    @property
    def stranger(self) -> str:
        """What is said to one without the token."""
        return f"the token is missing or another's: open the address that {self._host} prints"

    def knows(self, token: str | None) -> bool:
        """Return whether this is the token."""
        return token is not None and secrets.compare_digest(token.encode(), self._token.encode())


def kept_token(file: Path, page: str, remedy: str) -> str:
    """Return the token in a file, made once and kept for its owner alone.

    Args:
        file: where it is kept.
        page: whose it is, in words.
        remedy: what helps if it cannot be kept.

    Raises:
        LinkError: it cannot be kept.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _private(file):
            file.unlink(missing_ok=True)
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as made:
                made.write(secrets.token_urlsafe(TOKEN_BYTES))
        return file.read_text(encoding="ascii").strip()
    except OSError as error:
        raise LinkError(
            f"{file} cannot be written ({error.strerror}): {page}'s token is kept there; {remedy}"
        ) from error


def address_of(port: int, token: str) -> str:
    """Return what is to be opened in a browser."""
    return f"http://{HOST}:{port}/?token={token}"


def may_listen(port: int, page: str = "dashboard", option: str = "--port") -> None:
    """Look whether the port is free.

    Raises:
        LinkError: it is not.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise port_refused(port, error, page, option) from error


def port_refused(port: int, error: OSError, page: str = "dashboard", option: str = "--port") -> LinkError:
    """Return the error of a port on which a page cannot be served."""
    return LinkError(
        f"{page}: {HOST}:{port} cannot be listened on ({error.strerror}): is another run or program "
        f"there? Choose another port with {option}"
    )


def _private(file: Path) -> bool:
    """Return whether a token is there that nobody else may read."""
    if not file.is_file():
        return False
    status = file.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o077 and status.st_size > TOKEN_BYTES


def _local(host: str) -> bool:
    try:
        return urlsplit(f"//{host}").hostname in LOCAL_NAMES
    except ValueError:
        return False
