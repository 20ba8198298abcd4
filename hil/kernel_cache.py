"""Where compiled kernels are kept: a folder of their own for every state of the sources.

numba notices a changed file, but not a changed function that a kernel in another file calls; stale code
would then run. So the cache's folder is named by a fingerprint of all files that hold kernels.
"""

import hashlib
import os
from pathlib import Path

import numba

PACKAGES = ("hil", "drivers", "sim", "planner")
MARK = b"njit"


def use_kernel_cache() -> Path:
    """Direct numba's cache to the folder of the present sources and return it."""
    root = Path(__file__).resolve().parents[1]
    folder = _base() / f"kernels-{fingerprint(root)}"
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    return folder


def fingerprint(root: Path) -> str:
    """Return a hash of all files with kernels in the packages below `root`."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            content = path.read_bytes()
            if MARK in content:
                digest.update(str(path.relative_to(root)).encode())
                digest.update(content)
    return digest.hexdigest()[:16]


def _base() -> Path:
    """Return the folder of all caches: numba's own setting, or the user's cache folder."""
    configured = os.environ.get("NUMBA_CACHE_DIR")  # as for any program that uses numba
    if configured:
        return Path(configured)
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "zerog"
