"""The key pairs of the two sites: made by `zerog keys`, read by the bridges.

Each site has a secret file, which stays on its host, and a public file, which both hosts have. The format is
that of ZeroMQ's certificates.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

import zmq

from hil.common.errors import KeyFileError
from hil.processes.bridge.sites import COMPUTE, ROBOT, other_site

READABLE_BY_OTHERS = stat.S_IRWXG | stat.S_IRWXO
MOST_BYTES = 4096  # of a key file


@dataclass(frozen=True)
class Keys:
    """What one site needs: its own pair and the other's public key (Z85 text)."""

    public: bytes
    secret: bytes
    other_public: bytes


def public_file(folder: Path, site: str) -> Path:
    """Return where a site's public key lies."""
    return folder / f"{site}.key"


def secret_file(folder: Path, site: str) -> Path:
    """Return where a site's secret key lies."""
    return folder / f"{site}.key_secret"


def make_keys(folder: Path) -> None:
    """Write fresh key pairs of both sites into a folder that nobody else may read.

    Raises:
        KeyFileError: a key is there already, or the folder is open to others or cannot be written.
    """
    files = [name(folder, site) for site in (ROBOT, COMPUTE) for name in (secret_file, public_file)]
    for file in files:
        if file.exists():
            raise KeyFileError(
                f"{file}: exists already and is not overwritten: move it away or name a new folder"
            )
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        mode = stat.S_IMODE(folder.stat().st_mode)
        if mode & READABLE_BY_OTHERS:
            raise KeyFileError(
                f"{folder}: is open to others (mode {mode:o}): chmod 700 {folder}, or name a new folder"
            )
        for site in (ROBOT, COMPUTE):
            public, secret = zmq.curve_keypair()
            pair = f'    public-key = "{public.decode()}"\n    secret-key = "{secret.decode()}"\n'
            _write(secret_file(folder, site), f"# Secret key of {site}: stays on that host.\ncurve\n{pair}")
            _write(
                public_file(folder, site),
                f'# Public key of {site}: both hosts have it.\ncurve\n    public-key = "{public.decode()}"\n',
            )
    except OSError as error:
        raise KeyFileError(f"{folder}: keys cannot be written: {error.strerror}") from error


def load_keys(folder: Path, site: str) -> Keys:
    """Return the keys that a site's bridge needs.

    Raises:
        KeyFileError: a file is missing, unreadable, malformed, or a secret one is open to others.
    """
    file = secret_file(folder, site)
    own = _read(file)
    mode = stat.S_IMODE(file.stat().st_mode)
    if mode & READABLE_BY_OTHERS:
        raise KeyFileError(
            f"{file}: a secret key must not be open to others (mode {mode:o}): chmod 600 {file}"
        )
    secret = _key(file, own, "secret-key")
    other = public_file(folder, other_site(site))
    return Keys(zmq.curve_public(secret), secret, _key(other, _read(other), "public-key"))


def _write(file: Path, text: str) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(text)


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(MOST_BYTES)
    except FileNotFoundError as error:
        remedy = "`zerog keys` makes them; docs/use/network.md says which file goes to which host"
        raise KeyFileError(f"{file}: this key file is missing: {remedy}") from error
    except OSError as error:
        raise KeyFileError(f"{file}: this key file cannot be read: {error.strerror}") from error


def _key(file: Path, text: bytes, name: str) -> bytes:
    for line in text.splitlines():
        head, _, value = line.partition(b"=")
        if head.strip() == name.encode():
            key = value.strip().strip(b"\"'")
            try:
                zmq.curve_public(key)  # a public key has the form of a secret one
            except (zmq.ZMQError, ValueError):
                break
            return key
    raise KeyFileError(
        f"{file}: is no key file: {name} must be 40 characters of Z85; make new keys with `zerog keys`"
    )
