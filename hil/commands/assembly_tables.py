"""An assembly for people: its parts, its joints with their margins, its figures, its findings."""

import math
from typing import Any

from rich.console import Console
from rich.table import Table

from sim.assembly.chain import Chain
from sim.assembly.checks import Finding
from sim.assembly.manipulator import Axis, manipulator_of


def print_assembly(chain: Chain, values: dict[str, Any] | None, findings: list[Finding]) -> None:
    """Print an assembly; without values where it is not sound enough for them."""
    console = Console(highlight=False)
    console.print(_parts(chain))
    if values is not None:
        console.print(_joints(chain, values["margins"]))
        console.print(_summary(values))
    for finding in findings:
        console.print(
            str(finding), style="red" if finding.level == "error" else "yellow", markup=False, soft_wrap=True
        )
    if not findings:
        console.print("no findings")


def _parts(chain: Chain) -> Table:
    table = _table(f"{chain.name}: {len(chain)} parts")
    for head, justify in (
        ("part", "left"),
        ("component", "left"),
        ("kind", "left"),
        ("turn deg", "right"),
        ("kg", "right"),
    ):
        table.add_column(head, justify=justify)  # type: ignore[arg-type]
    for part in chain:
        component = part.component
        mass = sum(body.mass for body in component.bodies)
        turn = f"{math.degrees(part.turn):g}" if part.turn else ""
        table.add_row(part.name, component.name, component.kind, turn, f"{mass:.3f}")
    return table


def _joints(chain: Chain, margins: list[dict[str, Any]]) -> Table:
    table = _table("joints; at rest: worst pose without payload, lasting: what the drive gives for ever")
    for head in ("joint", "range", "speed", "greatest", "lasting", "at rest", "margin"):
        table.add_column(head, justify="left" if head == "joint" else "right")
    for axis, margin in zip(manipulator_of(chain).axes, margins, strict=True):
        greatest, lasting = f"{axis.effort:.4g}", f"{margin['continuous']:.4g}"
        unit = "N" if axis.linear else "N m"
        table.add_row(
            axis.name,
            _range(axis),
            _speed(axis),
            f"{greatest} {unit}",
            f"{lasting} {unit}",
            f"{margin['static']:.4g} {unit}",
            f"{100.0 * margin['margin']:.0f} %",
        )
    return table


def _summary(values: dict[str, Any]) -> Table:
    table = _table("")
    table.show_header = False
    table.add_column(justify="left")
    table.add_column(justify="right")
    table.add_row("joints", str(values["joints"]))
    table.add_row("mass", f"{values['mass_kg']:.3f} kg")
    table.add_row("reach from the first turning axis", f"{values['reach_m']:.4f} m")
    payload = values["payload_kg"]
    table.add_row("payload at the tip", "none: no gravity" if payload is None else f"{payload:.2f} kg")
    return table


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", box=None, pad_edge=False)


def _range(axis: Axis) -> str:
    scale, unit = (1e3, "mm") if axis.linear else (180.0 / math.pi, "deg")
    return f"{scale * axis.joint.lower:.0f} to {scale * axis.joint.upper:.0f} {unit}"


def _speed(axis: Axis) -> str:
    scale, unit = (1e3, "mm/s") if axis.linear else (180.0 / math.pi, "deg/s")
    return f"{scale * axis.joint.speed:.0f} {unit}"
