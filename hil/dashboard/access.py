"""Who may come in: this machine's own pages, with the run's token. The rest is refused.

A browser lets any page of the world open connections to the local machine. Therefore the name by which
we are asked for must be a local one (else a foreign name may point to us), what comes from a page must
come from ours, and the token must be known: from the address that the run prints, then from a cookie.
"""

import hashlib
import os
import secrets
import socket
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from hil.common.errors import LinkError
from hil.common.state_directory import state_directory
from hil.configuration.schema import Run
from hil.messaging.bus import runtime_directory

HOST = "127.0.0.1"  # elsewhere by a tunnel of one's own: see docs/use/dashboard.md
LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
TOKEN_BYTES = 24


class Access:
    """The rules for one port and one token."""

    def __init__(self, port: int, token: str) -> None:
        self._token = token
        # cookies do not know ports: two runs on one machine must not take each other's
        self.cookie = f"zerog-{port}"

    def refusal(self, headers: Mapping[str, str], from_page: bool) -> str:
        """Return why a request's headers are not ours; empty when they are.

        Args:
            headers: of the request.
            from_page: only a page may ask so (WebSockets, commands): its origin must be told.
        """
        host, origin = headers.get("Host", ""), headers.get("Origin")
        if not _local(host):
            return f"host {host[:80]!r} is not this machine: open the address that the run prints"
        if origin is None:
            return "no origin is told: only the dashboard's own page may ask for this" if from_page else ""
        if origin != f"http://{host}":
            return f"origin {origin[:80]!r} is not the dashboard's own page"
        return ""

    def knows(self, token: str | None) -> bool:
        """Return whether this is the run's token."""
        return token is not None and secrets.compare_digest(token.encode(), self._token.encode())


def kept_token(run: Run) -> str:
    """Return the token of the run in this run-time directory, made once and kept for its owner alone.

    It outlives the run: a page that is open finds the next run by itself.

    Raises:
        LinkError: it cannot be kept.
    """
    runtime = runtime_directory(run.runtime_directory).absolute()
    name = hashlib.sha256(str(runtime).encode()).hexdigest()[:12]
    file = state_directory(run.state_directory, os.environ) / f"dashboard-{name}"
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _private(file):
            file.unlink(missing_ok=True)
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as made:
                made.write(secrets.token_urlsafe(TOKEN_BYTES))
        return file.read_text(encoding="ascii").strip()
    except OSError as error:
        raise LinkError(
            f"{file} cannot be written ({error.strerror}): the dashboard's token is kept there; set "
            "run.state_directory to a folder of yours"
        ) from error


def address_of(port: int, token: str) -> str:
    """Return what is to be opened in a browser."""
    return f"http://{HOST}:{port}/?token={token}"


def may_listen(port: int) -> None:
    """Look whether the port is free.

    Raises:
        LinkError: it is not.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise port_refused(port, error) from error


def port_refused(port: int, error: OSError) -> LinkError:
    """Return the error of a port on which the dashboard cannot listen."""
    return LinkError(
        f"dashboard: {HOST}:{port} cannot be listened on ({error.strerror}): is another run or program "
        "there? Choose another port with --port"
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
