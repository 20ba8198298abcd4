"""`zerog --version`: which version this is, of which sources, and what it runs on."""

import argparse
import platform
from collections.abc import Sequence
from typing import Any


class Version(argparse.Action):
    """Prints the version and ends; looked up only when it is asked for."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Print one line and end with status 0."""
        print(version_line())
        parser.exit()


def version_line() -> str:
    """Return version, fingerprint of the sources as recordings carry it, and what compiles and computes."""
    from importlib.metadata import version

    from hil.common.source_stamp import source_stamp

    with_what = ", ".join(f"{name} {version(name)}" for name in ("numba", "mujoco"))
    own = version("zerog-emulator")
    return f"zerog {own}, sources {source_stamp()}, Python {platform.python_version()}, {with_what}"
