"""Which program this is, to the letter: a hash of its sources."""

import hashlib
from functools import cache
from pathlib import Path

from hil.common.kernel_cache import PACKAGES

ROOT = Path(__file__).resolve().parents[2]


@cache
def source_stamp() -> str:
    """Return a hash of all Python files of the packages."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            digest.update(str(path.relative_to(ROOT)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
