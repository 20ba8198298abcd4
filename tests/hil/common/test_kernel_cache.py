"""A changed kernel never runs from a stale cache: the cache's name follows the sources."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba.core.caching import UserProvidedCacheLocator

import hil
from hil.common import kernel_cache
from hil.common.kernel_cache import PACKAGES, compiler, fingerprint

ROOT = Path(hil.__file__).absolute().parents[1]
KERNEL = "hil/common/geometry.py"
CPUINFO = "processor : {n}\nmodel name : {model}\ncpu MHz : {mhz}\nflags : fpu {flags}\n\n"


def test_fingerprint_follows_the_kernels(tmp_path: Path) -> None:
    """A changed kernel file changes the fingerprint, wherever it lies; a file without kernels does not.

    Unless kernels take constants from it, which are compiled into them.
    """
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    before = fingerprint(tmp_path)
    plain = tmp_path / "hil/common/errors.py"
    plain.write_text(plain.read_text(encoding="utf-8") + "# a remark\n", encoding="utf-8")
    assert fingerprint(tmp_path) == before
    kernels = (KERNEL, "drivers/robot/flange_motion.py", "sim/world/stops.py")
    constants = ("hil/wrench/detector/state.py", "planner/following/limits.py")
    for name in (*kernels, *constants):
        kernel = tmp_path / name
        text = kernel.read_text(encoding="utf-8")
        kernel.write_text(text + "# a remark\n", encoding="utf-8")
        assert fingerprint(tmp_path) != before, name
        kernel.write_text(text, encoding="utf-8")
        assert fingerprint(tmp_path) == before


def test_another_clone_is_not_complete(tmp_path: Path) -> None:
    """numba takes no kernel of the same sources in another place, so that what is complete is told apart.

    Else the processes of a run in a second clone would each compile for themselves, and keep the compiler.
    """
    for place in ("one", "other"):
        (tmp_path / place / KERNEL).parent.mkdir(parents=True)
        shutil.copy(ROOT / KERNEL, tmp_path / place / KERNEL)
    subpath = UserProvidedCacheLocator.get_suitable_cache_subpath
    assert subpath(tmp_path / "one" / KERNEL) != subpath(tmp_path / "other" / KERNEL)
    assert fingerprint(tmp_path / "one") != fingerprint(tmp_path / "other")


@pytest.mark.parametrize("which", range(3))
def test_another_compiler_is_not_complete(monkeypatch: pytest.MonkeyPatch, which: int) -> None:
    """Kernels of another Python, another numba or for another processor are not taken."""
    before, own = fingerprint(ROOT), compiler()
    monkeypatch.setattr(
        kernel_cache, "compiler", lambda: tuple("other" if i == which else own[i] for i in range(3))
    )
    assert fingerprint(ROOT) != before


def test_a_compiler_is_known(tmp_path: Path) -> None:
    """Python and numba by their versions; a processor by model and abilities, whatever its clock is at."""

    def written(mhz: float = 2596.1, model: str = "EPYC", flags: str = "avx2") -> tuple[str, str, str]:
        texts = [CPUINFO.format(n=n, model=model, mhz=mhz + n, flags=flags) for n in range(2)]
        (tmp_path / "cpuinfo").write_text("".join(texts), encoding="ascii")
        return compiler(tmp_path)

    python, version, processor = written()
    assert python == sys.implementation.cache_tag and version == numba.__version__
    assert processor == written(mhz=3100.0)[2]
    assert processor not in (written(model="Ryzen")[2], written(flags="avx512f")[2])
    assert compiler(tmp_path / "none") == (python, version, "")


def test_cache_is_in_use() -> None:
    """numba writes below the folder of the present sources."""
    assert fingerprint(ROOT) in str(numba.config.CACHE_DIR)


def where(folder: Path, **environment: str) -> tuple[Path, str]:
    """Return where a new process keeps its kernels, and what it says of that."""
    code = (
        "import hil\nfrom hil.common.kernel_cache import cache_folder, stands_in\n"
        "print(cache_folder().parent); print(stands_in())"
    )
    kept = {"PATH": "/bin", "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)}
    run = subprocess.run(
        [sys.executable, "-c", code], env=kept | environment, capture_output=True, text=True, check=True
    )
    place, said = run.stdout.split("\n")[:2]
    return Path(place), said


def test_kernels_that_others_may_have_put_there_are_not_run(tmp_path: Path) -> None:
    """A cache that all can write to, or another user's, is left alone: a private one stands in."""
    for name in ("shared", "own"):
        (tmp_path / name / "zerog").mkdir(parents=True)
    (tmp_path / "shared" / "zerog").chmod(0o777)
    private = tmp_path / f"zerog-cache-{os.geteuid()}"
    assert where(tmp_path, XDG_CACHE_HOME=str(tmp_path / "own")) == (tmp_path / "own" / "zerog", "")
    place, said = where(tmp_path, XDG_CACHE_HOME=str(tmp_path / "shared"))
    assert place == private and "can be written by others" in said and str(private) in said
    assert private.stat().st_mode & 0o777 == 0o700
    if os.geteuid() == 0:
        os.chown(tmp_path / "own" / "zerog", 65534, 65534)
        assert where(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "own" / "zerog"))[0] == private
    private.chmod(0o755)  # somebody may have read it, and who knows what else
    assert where(tmp_path, XDG_CACHE_HOME="/dev/null")[0] != private


@pytest.mark.parametrize("environment", [{"HOME": "/proc/none"}, {"XDG_CACHE_HOME": "/dev/null"}])
def test_without_a_home_kernels_are_kept_elsewhere(tmp_path: Path, environment: dict[str, str]) -> None:
    """No home, one that is not there or cannot be written: no traceback, and every kernel has its place."""
    place, said = where(tmp_path, **environment)
    assert place == tmp_path / f"zerog-cache-{os.geteuid()}"
    assert said.endswith(f": compiled kernels are kept in {place}")
