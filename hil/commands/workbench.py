"""`zerog workbench`: the page on which arms are put together, exported and simulated."""

import argparse
from pathlib import Path

from hil.commands.grammar import add_command, tcp_port

PORT = 8090  # beside the dashboard's


def add_workbench(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""

    def workbench(options: argparse.Namespace) -> int:
        from hil.workbench.page.main import run_workbench

        return run_workbench(options.port, options.assembly, not options.no_browser)

    sub = add_command(
        commands,
        "workbench",
        workbench,
        "Put an arm together from components, on a page: preview, figures, models, simulation.",
        "zerog workbench configs/assemblies/lwr4.toml",
    )
    sub.add_argument("assembly", type=Path, nargs="?", metavar="ARM.toml", help="an arm to begin with")
    sub.add_argument("--port", type=tcp_port, default=PORT, metavar="N", help=f"of the page (default {PORT})")
    sub.add_argument("--no-browser", action="store_true", help="only print the address")
