"""`zerog show`: a recording on the page, with a time slider."""

import argparse
from pathlib import Path

from hil.commands.grammar import add_command, tcp_port

PORT = 8085  # beside the dashboard's


def add_show(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""

    def show(options: argparse.Namespace) -> int:
        from hil.dashboard.showing.main import show_recording

        return show_recording(options.recording, options.port)

    sub = add_command(
        commands,
        "show",
        show,
        "Play a recording on a page: picture, curves, time slider.",
        "zerog show run.mcap",
    )
    sub.add_argument("recording", type=Path, metavar="FILE.mcap")
    sub.add_argument("--port", type=tcp_port, default=PORT, metavar="N", help=f"of the page (default {PORT})")
