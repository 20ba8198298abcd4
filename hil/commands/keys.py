"""`zerog keys`: key pairs for the link between the two hosts of a split run."""

import argparse
from pathlib import Path

from hil.commands.grammar import add_command
from hil.commands.outputs import Kind, add_output

TEXT = "Make the keys with which the two hosts of a split run know each other; refuses to overwrite any."
EXAMPLE = "zerog keys configs/keys"


def add_keys(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "keys", keys, TEXT, EXAMPLE)
    text = "made if it is not there; mode 700"
    add_output(sub, sub, "folder", kind=Kind.FOLDER, metavar="DIR", text=text)


def keys(options: argparse.Namespace) -> int:
    """Write the key files and say which of them goes to which host."""
    from hil.processes.bridge.keys import make_keys, public_file, secret_file
    from hil.processes.bridge.sites import PARTS, other_site

    folder: Path = options.folder
    make_keys(folder)
    print(f"keys made in {folder}")
    for site, parts in PARTS.items():
        files = ", ".join(
            file.name for file in (secret_file(folder, site), public_file(folder, other_site(site)))
        )
        print(f"  host with --only {','.join(parts)} needs: {files}")
    print(
        "Copy them over a safe channel, keep mode 600, and delete the secret file that a host does not need."
    )
    return 0
