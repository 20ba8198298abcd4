"""What is public stays: names, arguments, attributes; one module each, all of it typed."""

import dataclasses
import inspect
import subprocess
import sys
import tomllib
import typing
from pathlib import Path

import pytest
import zerog

from tests.conftest import ROOT

NAMES = {
    "Configuration", "ConfigurationError", "Criterion", "Daemon", "Impulse", "LinkError", "OperatorError",
    "Push", "RecordingError", "RecordingWarning", "Run", "SimulationError", "Status", "TraceError",
    "ZeroGError", "load", "simulate",
}  # fmt: skip
MEMBERS = {
    "Run": {
        "arrays", "units", "frames", "meanings", "tables", "columns", "column_units",
        "column_frames", "frame", "pushes", "impulses", "figures", "certificate", "configuration", "duration", "plot",
    },
    "Daemon": {"status", "float", "hold", "push", "stop", "reset", "wait_for", "close"},
    "Configuration": {"read", "changed", "values", "items"},
    "Impulse": {"error"},
}  # fmt: skip
FIELDS = {
    "Status": ["state", "reason", "values"],
    "Push": ["t_start", "t_end", "impulse", "angular_impulse"],
    "Impulse": [
        "t_start", "t_end", "t_centroid", "impulse", "angular_impulse", "deviation", "push",
    ],
    "Criterion": ["name", "title", "value", "tolerance", "unit", "verdict", "remark"],
    "Configuration": ["path", "text", "settings"],
}  # fmt: skip
ARGUMENTS = {
    "load": "(path)",
    "simulate": "(config, changes=None, /, *, duration_s=None, record=None, told=None, **more)",
    "Daemon": "(runtime_directory='', timeout_s=2.0)",
    "Daemon.float": "(self, *, velocity_mm_s=None, spin_deg_s=None)",
    "Daemon.push": "(self, force_n, *, duration_ms, at_mm=None)",
    "Daemon.wait_for": "(self, *states, timeout_s=60.0)",
    "Run.frame": "(self, name='cycles')",
    "Run.columns": "(self, name)",
    "Configuration.changed": "(self, changes=None, /, **more)",
}
USE = """
import zerog

run: zerog.Run = zerog.load("run.mcap")
speed = run.columns("cycles")["v_x_m_s"]
for impulse in run.impulses:
    off: float | None = impulse.error
    x: float = float(impulse.impulse[0])
again = zerog.simulate(run.configuration, {"emulator.delay_ms": 20.0}, duration_s=1.0, run={"seed": 3})
passed: list[str] = [row.name for row in again.certificate if row.verdict == "pass"]
mass: float = again.configuration.values.object.mass
again.plot().savefig("run.png")
with zerog.Daemon(timeout_s=1.0) as daemon:
    state: str = daemon.push((30.0, 0.0, 0.0), duration_ms=100.0).state
    daemon.float(velocity_mm_s=[0.0, 1.0, 0.0])
"""
MISUSE = {
    'zerog.load(3)': "arg-type",
    'zerog.Daemon().push((1.0, 0.0, 0.0))': "call-arg",
    'zerog.Daemon().status().stat': "attr-defined",
    'zerog.simulate("a.toml", duration_s="long")': "arg-type",
}  # fmt: skip


def is_door(thing: type) -> bool:
    """Whether somebody wrote how it is made: not for data alone."""
    return not dataclasses.is_dataclass(thing)


def test_the_public_names_are_these() -> None:
    """A name that goes, or comes, is seen here."""
    assert set(zerog.__all__) == NAMES
    for owner, members in MEMBERS.items():
        found = {name for name in vars(getattr(zerog, owner)) if not name.startswith("_")}
        assert found - set(FIELDS.get(owner, ())) == members, owner
    for owner, fields in FIELDS.items():
        assert [*typing.get_type_hints(getattr(zerog, owner))] == fields, owner


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_keep_their_names(name: str) -> None:
    """And their defaults."""
    found = zerog
    for part in name.split("."):
        found = getattr(found, part)
    signature = inspect.signature(found)
    plain = [value.replace(annotation=inspect.Parameter.empty) for value in signature.parameters.values()]
    assert str(inspect.Signature(plain)) == ARGUMENTS[name]


def test_all_of_it_is_documented_and_annotated() -> None:
    """Every function and method, with what it returns; every error is a ZeroGError."""
    for name in zerog.__all__:
        thing = getattr(zerog, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and issubclass(thing, Exception) and not issubclass(thing, Warning):
            assert issubclass(thing, zerog.ZeroGError)
        functions = [thing] if inspect.isfunction(thing) else []
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            functions = [
                f
                for key, f in vars(thing).items()
                if inspect.isfunction(f)
                and (not key.startswith("_") or (key == "__init__" and is_door(thing)))
            ]
        for function in functions:
            signature = inspect.signature(function)
            assert signature.return_annotation is not inspect.Signature.empty, function
            for argument in [*signature.parameters.values()][inspect.isclass(thing) :]:
                assert argument.annotation is not inspect.Parameter.empty, (function, argument)


def test_nothing_is_there_twice() -> None:
    """`zerog` is a door: what is behind it is loaded once, under the package's own name."""
    assert zerog.Run.__module__ == "hil.api.run"
    assert not [name for name in sys.modules if name.startswith(("zerog.", "hil.api.public"))]
    assert not hasattr(zerog, "run") and Path(zerog.__file__).parent == ROOT / "hil/api/public/zerog"


def test_the_import_is_light() -> None:
    """Who only asks the daemon waits for neither mathematics nor pictures to be read."""
    command = "import sys, zerog; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    path = f"{ROOT}:{ROOT / 'hil/api/public'}"
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, env={"PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stderr
    assert not {"scipy", "matplotlib", "mujoco", "pandas", "numba"} & set(done.stdout.split())


def test_it_is_installed_from_its_own_folder() -> None:
    """As `zerog` and under no other name, with the mark that it is typed."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    find = told["packages"]["find"]
    from setuptools import find_namespace_packages
    from setuptools.config.expand import find_packages

    folders: dict[str, str] = {}
    found = find_packages(namespaces=True, root_dir=ROOT, fill_package_dir=folders, **find)
    assert folders == {"zerog": "hil/api/public/zerog"} and "zerog" in found and "hil.api" in found
    assert not [name for name in found if name.startswith("hil.api.public")]
    assert "hil.loop" in find_namespace_packages(str(ROOT), include=["hil*"])
    for package, folder in (("hil", "hil"), ("zerog", folders["zerog"])):
        assert "py.typed" in told["package-data"][package] and (ROOT / folder / "py.typed").is_file()


def test_strict_typing_bears_its_use_and_finds_misuse(tmp_path: Path) -> None:
    """mypy --strict: nothing to say of the one, the right thing of each line of the other."""
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "misuse.py").write_text("import zerog\n" + "".join(f"{line}\n" for line in MISUSE))
    command = [
        "--strict",
        "--follow-imports=silent",
        "--ignore-missing-imports",
        "--cache-dir",
        f"{ROOT}/.mypy_cache/use",
    ]
    path = f"{ROOT}:{ROOT / 'hil/api/public'}"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *command, "use.py", "misuse.py"],
        cwd=tmp_path, capture_output=True, text=True, env={"MYPYPATH": path, "PYTHONPATH": ""},
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert [line for line in lines if line.startswith("use.py")] == []
    assert [(int(line.split(":")[1]), line.rpartition("[")[2].rstrip("]")) for line in lines] == [
        (number, kind) for number, kind in enumerate(MISUSE.values(), 2)
    ]
