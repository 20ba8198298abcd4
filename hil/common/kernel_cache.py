"""Where compiled kernels are kept: a folder of their own for every state of the sources.

numba notices a changed file, but not a changed function that a kernel in another file calls, nor a changed
constant that it takes from there; stale code would then run. So the cache's folder is named by a fingerprint
of all files that hold kernels, and of those whose constants these import.

numba itself takes a kernel only where it lay when it was compiled, by the same Python and the same numba, for
the same processor. These are in the fingerprint too: what is complete for one clone is not so for another.
"""

import hashlib
import importlib.metadata
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from hil.common.base_directory import base_directory
from hil.common.private_folder import is_trusted, is_writable, private_folder

PACKAGES = ("hil", "drivers", "sim", "planner")
MARK = b"\n@njit("
IMPORT = re.compile(
    rb"^from ((?:%s)[\w.]*) import (\([^)]*\)|.*)$" % "|".join(PACKAGES).encode(), re.MULTILINE
)
CONSTANT = re.compile(rb"\b[A-Z][A-Z0-9_]+\b")
PREFIX = "kernels-"
PROCESSOR = re.compile(r"^(?:model|flags|CPU|Features).*$", re.MULTILINE)  # what never changes of a processor
COMPLETE = "complete"  # a file in the cache: its lines say for what everything is compiled
SETTING = "NUMBA_CACHE_DIR"  # numba's own; it reads it when it is first imported
STANDS_IN = "ZEROG_CACHE_STANDS_IN"  # tells the processes of a run what its first one has found


def use_kernel_cache() -> Path:
    """Direct numba's cache to the folder of the present sources and return it.

    Compiled code is run: a folder to which others may have written is not used, nor one that cannot be
    written.

    Raises:
        ConfigurationError: no folder can be written at all.
    """
    root = Path(__file__).absolute().parents[2]  # as numba sees it, which resolves no link
    name = f"{PREFIX}{fingerprint(root)}"
    base = _base()
    why = _refusal(base, name)
    if base is None or why:
        base = private_folder("cache")[0]
        os.environ.setdefault("MPLCONFIGDIR", str(base / "matplotlib"))  # it looks for a home as well
        os.environ[STANDS_IN] = f"{why}: compiled kernels are kept in {base}"
    folder = base / name
    os.environ[SETTING] = str(folder)
    if "numba" in sys.modules:  # imported by the program that imports us
        sys.modules["numba"].config.CACHE_DIR = str(folder)
    return folder


def stands_in() -> str:
    """Return why the kernels do not lie in the user's own folder, and where they do; empty if they do."""
    return os.environ.get(STANDS_IN, "")


def cache_folder() -> Path:
    """Return the folder that kernels are kept in."""
    return Path(os.environ[SETTING])


def compiled_for() -> set[str]:
    """Return for what everything is compiled, by the names that `mark_compiled` was given."""
    try:
        return set((cache_folder() / COMPLETE).read_text(encoding="utf-8").splitlines())
    except OSError:
        return set()


def mark_compiled(names: Iterable[str]) -> None:
    """Remember for what everything is compiled; left undone where that cannot be written."""
    folder = cache_folder()
    lines = "".join(f"{name}\n" for name in sorted(compiled_for() | set(names)))
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = folder / f"{COMPLETE}.{os.getpid()}"
        fresh.write_text(lines, encoding="utf-8")
        fresh.replace(folder / COMPLETE)
    except OSError:
        return


def fingerprint(root: Path) -> str:
    """Return a hash of all that decides whether a kernel that was compiled is still the right one.

    That is all files with kernels in the packages below `root`, those of their constants, where they are, and
    the compiler.
    """
    digest = hashlib.sha256(repr((str(root), *compiler())).encode())
    contents = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for package in PACKAGES
        for path in sorted((root / package).rglob("*.py"))
    }
    compiled = {name for name, content in contents.items() if MARK in content}
    compiled |= {name for kernel in compiled for name in _constants_from(contents[kernel])} & contents.keys()
    for name in sorted(compiled):
        digest.update(name.encode())
        digest.update(contents[name])
    return digest.hexdigest()[:16]


def compiler(proc: Path = Path("/proc")) -> tuple[str, str, str]:
    """Return for what kernels are compiled: Python, numba, and the processor where the system tells."""
    try:
        first = (proc / "cpuinfo").read_text(encoding="utf-8", errors="replace").partition("\n\n")[0]
    except OSError:
        first = ""
    processor = " ".join(PROCESSOR.findall(first))
    return str(sys.implementation.cache_tag), importlib.metadata.version("numba"), processor


def _constants_from(content: bytes) -> list[str]:
    """Return the files from which a file imports constants."""
    found = [module for module, names in IMPORT.findall(content) if CONSTANT.search(names)]
    return [module.decode().replace(".", "/") + ".py" for module in found]


def _base() -> Path | None:
    """Return the folder of all caches: numba's own setting, or the user's; None: the account has no home."""
    configured = os.environ.get(SETTING)
    if configured:
        # a parent process of ours has set it already
        return Path(configured).parent if Path(configured).name.startswith(PREFIX) else Path(configured)
    try:
        return (base_directory(os.environ, "XDG_CACHE_HOME") or Path.home() / ".cache") / "zerog"
    except RuntimeError:  # an account without a name, as in a container
        return None


def _refusal(base: Path | None, name: str) -> str:
    """Return why kernels cannot be kept in a folder; empty if they can."""
    if base is None:
        return "this account has no home"
    folder = base / name
    if not is_writable(base) or (folder.exists() and not is_writable(folder)):
        return f"{base} cannot be written"
    if not is_trusted(base) or (folder.exists() and not is_trusted(folder)):
        return f"{base} can be written by others, and compiled kernels are run"
    return ""
