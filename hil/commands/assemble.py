"""`zerog assemble`: is this arm sound, what can it do, and its models and picture as files."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.grammar import add_command
from hil.commands.outputs import Kind, add_output
from hil.common.errors import AssemblyError
from hil.common.output_file import write_output

if TYPE_CHECKING:
    from sim.assembly.chain import Chain

TEXT = "Check an arm that is put together from components, and write its figures, models and picture."
BENT = 0.6  # where in its range each joint is drawn
EXAMPLE = "zerog assemble configs/assemblies/lwr4.toml --check --json figures.json"


def add_assemble(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "assemble", assemble, TEXT, EXAMPLE)
    sub.add_argument("assembly", type=Path, metavar="ARM.toml", help="which components, in which order")
    sub.add_argument(
        "--check", action="store_true", help="findings and figures; what happens without options"
    )
    add_output(sub, sub, "--json", metavar="OUT.json", text="write figures and findings")
    add_output(
        sub, sub, "--export", kind=Kind.FOLDER, metavar="DIR", text="write the arm's models into a folder"
    )
    sub.add_argument("--formats", metavar="LIST", help="of the models, for example urdf,mjcf,gltf (all)")
    add_output(sub, sub, "--picture", kind=Kind.PNG, metavar="OUT.png", text="draw the arm, bent")


def assemble(options: argparse.Namespace) -> int:
    """Load, check, export and draw; return 0, or 1 if a finding is an error.

    Raises:
        AssemblyError: the file or one of its components breaks a rule, or parts do not fit.
        OutputError: a path cannot be written to.
    """
    from hil.commands.assembly_tables import print_assembly
    from sim.assembly.assembly_file import load_assembly
    from sim.assembly.checks import check, figures
    from sim.assembly.database import load_database

    if options.formats is not None and options.export is None:
        raise AssemblyError(f"--formats {options.formats} is the export's: add --export DIR")
    chain = load_assembly(options.assembly, load_database())
    findings = check(chain)
    sound = not any(finding.level == "error" for finding in findings)
    values = figures(chain) if sound else None
    only_files = (options.export or options.picture) and not (options.check or options.json)
    if not (sound and only_files):
        print_assembly(chain, values, findings)
    if options.json is not None:
        told = [{"level": f.level, "part": f.part, "text": f.text, "remedy": f.remedy} for f in findings]
        content = {**(values or {}), "findings": told}
        write_output(options.json, json.dumps(content, indent=2) + "\n")
    if sound:
        _files(options, chain)
    return 0 if sound else 1


def _files(options: argparse.Namespace, chain: "Chain") -> None:
    """Write models and picture, as asked."""
    from sim.assembly.manipulator import manipulator_of

    manipulator = manipulator_of(chain)
    if options.export is not None:
        from sim.exports.exporting import FORMATS, export

        formats = list(FORMATS) if options.formats is None else options.formats.split(",")
        for path in export(manipulator, chain, options.export, formats):
            print(path)
    if options.picture is not None:
        from sim.assembly.picture import manipulator_picture

        bent = manipulator.lower + BENT * (manipulator.upper - manipulator.lower)
        write_output(options.picture, manipulator_picture(manipulator, bent))
        print(options.picture)
