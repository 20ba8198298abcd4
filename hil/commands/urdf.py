"""`zerog urdf`: a run's arm with its base and what it holds, as one file that other programs read."""

import argparse

from hil.commands.grammar import add_command, add_configuration, add_settings
from hil.commands.outputs import Kind, add_output

TEXT = "Write arm, base with its joints, mount and held mock-up as one URDF for other programs."
EXAMPLE = "zerog urdf configs/platform.toml -o platform.urdf"


def add_urdf(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "urdf", urdf, TEXT, EXAMPLE)
    add_configuration(sub)
    add_settings(sub)
    add_output(sub, sub, "-o", "--output", kind=Kind.URDF, metavar="OUT.urdf", text="where to", required=True)


def urdf(options: argparse.Namespace) -> int:
    """Write it, and say which joints it has beside the arm's."""
    from hil.common.output_file import write_output
    from hil.configuration import load_configuration
    from hil.loop.setting_urdf import base_joints, setting_urdf

    c = load_configuration(options.configuration, options.set)
    write_output(options.output, setting_urdf(c))
    joints = ", ".join(base_joints(c)) or "none: the arm stands"
    print(f"{options.output}: joints of the base: {joints}; frames mockup and object behind the flange")
    return 0
