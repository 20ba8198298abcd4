"""A changed kernel never runs from a stale cache: the cache's name follows the sources."""

import shutil
from pathlib import Path

import numba

import hil
from hil.common.kernel_cache import PACKAGES, fingerprint

ROOT = Path(hil.__file__).resolve().parents[1]


def test_fingerprint_follows_the_kernels(tmp_path: Path) -> None:
    """A changed kernel file changes the fingerprint, wherever it lies; a file without kernels does not.

    Unless kernels take constants from it, which are compiled into them.
    """
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    before = fingerprint(tmp_path)
    assert before == fingerprint(ROOT)
    plain = tmp_path / "hil/common/errors.py"
    plain.write_text(plain.read_text(encoding="utf-8") + "# a remark\n", encoding="utf-8")
    assert fingerprint(tmp_path) == before
    kernels = ("hil/common/geometry.py", "drivers/robot/flange_motion.py", "sim/world/stops.py")
    constants = ("hil/wrench/detector/state.py", "planner/following/limits.py")
    for name in (*kernels, *constants):
        kernel = tmp_path / name
        text = kernel.read_text(encoding="utf-8")
        kernel.write_text(text + "# a remark\n", encoding="utf-8")
        assert fingerprint(tmp_path) != before, name
        kernel.write_text(text, encoding="utf-8")
        assert fingerprint(tmp_path) == before


def test_cache_is_in_use() -> None:
    """numba writes below the folder of the present sources."""
    assert fingerprint(ROOT) in str(numba.config.CACHE_DIR)
