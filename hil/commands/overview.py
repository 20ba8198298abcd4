"""What `zerog` says of itself: its commands by what one wants, and the one that was nearly meant."""

import argparse
import difflib
import re
import textwrap
from typing import Any, NoReturn

GROUPS = {
    "try it, without an arm": ("run", "simulate", "doctor"),
    "make it yours": ("check", "contact-map", "workspace", "urdf", "assemble", "workbench", "design"),
    "operate a run": ("status", "float", "hold", "stop", "reset", "push", "thresholds", "reload", "partner"),
    "look at runs": ("show", "report", "info", "export", "replay", "latency"),
    "series of trials, recorded sensors": ("experiment", "detect", "import", "soak"),
    "bring a real arm up": ("check-wrench", "approach", "calibrate", "keys", "emulate", "weight", "disturb"),
    "other motions and contacts": ("share", "drive", "dock", "mate", "validate"),
}
FIRST = "zerog run configs/cube.toml --dashboard"
BEGIN = f"""begin with: {FIRST}
then read:  docs/use/first_hour.md; zerog COMMAND --help ends with an example
version:    zerog --version"""
WIDTH = 100  # of the help


class Top(argparse.ArgumentParser):
    """The grammar of `zerog` itself, above those of its commands."""

    def format_help(self) -> str:
        """Return the help: groups of commands, a line each."""
        commands = self._commands()
        lines = [self.format_usage().strip(), "", str(self.description), ""]
        grouped = {name for names in GROUPS.values() for name in names}
        for title, names in {**GROUPS, "more": tuple(commands.keys() - grouped)}.items():
            if names:
                lines += [f"{title}:", *(_line(name, commands[name]) for name in names), ""]
        return "\n".join([*lines, BEGIN, ""])

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in a line; where a command is missing or unknown, which were meant."""
        if "required: COMMAND" in message:
            self.exit(2, f"zerog: which command? `zerog --help` lists them; a first one: {FIRST}\n")
        super().error(message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            near = difflib.get_close_matches(str(value), list(action.choices), n=2)
            hint = f"; did you mean {' or '.join(near)}?" if near else "; `zerog --help` lists them"
            self.exit(2, f"zerog: there is no command {str(value)[:40]!r}{hint}\n")

    def _commands(self) -> dict[str, str]:
        """Return what each command says of itself."""
        found = next(a for a in self._actions if isinstance(a, argparse._SubParsersAction))
        return {choice.dest: str(choice.help) for choice in found._choices_actions}


def _line(name: str, text: str) -> str:
    """Return a command's name and the first thing that its help says."""
    said = re.split(r"[.:;](?: |$)", text)[0]
    return textwrap.fill(f"  {name:<13} {said}", WIDTH, subsequent_indent=" " * 16)
