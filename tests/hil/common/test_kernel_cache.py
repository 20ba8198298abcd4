"""A changed kernel never runs from a stale cache: the cache's name follows the sources."""

import os
import shutil
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


@pytest.mark.parametrize("home", ["none", "a file", "closed"])
def test_a_user_without_home_has_a_folder_of_their_own(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No home, one that is no folder, one that cannot be written to: a folder that is ours alone."""
    monkeypatch.delenv(kernel_cache.SETTING)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOME", str(tmp_path / ("file" if home == "a file" else "home")))
    if home == "none":

        def homeless(_: object = None) -> Path:
            raise RuntimeError("Could not determine home directory.")

        monkeypatch.setattr(kernel_cache.Path, "home", homeless)
    if home == "closed":  # by asking, for nothing is closed to root
        monkeypatch.setattr("os.access", lambda *_: False)
    own = tmp_path / f"zerog-cache-{os.getuid()}"
    assert kernel_cache._base() == own and own.stat().st_mode & 0o777 == 0o700
    own.chmod(0o777)  # others could have put something into it that we would run
    other = kernel_cache._base()
    assert other != own and other.is_dir() and other.stat().st_mode & 0o777 == 0o700


def test_a_link_is_no_folder_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where somebody else has laid a link, what it leads to is not taken."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / f"zerog-cache-{os.getuid()}").symlink_to(tmp_path)
    assert kernel_cache._without_home().parent == tmp_path
    assert kernel_cache._without_home() != tmp_path / f"zerog-cache-{os.getuid()}"
