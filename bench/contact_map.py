"""The closed forms of real contact in the loop beside the sampled loop, and what the map costs.

python -m bench.contact_map [--quick] [--json OUT.json]

Critical delay: body masses, stiffnesses, damping ratios, a fixed port and one of 100 kg; the closed form
against the delay at which the poles of the loop, as it runs cycle by cycle, leave the unit circle. What
diverges without dead time or never is compared as such. Restitution: the formula against bounces in the loop,
w T to 1, z to 0.5, worst of three phases of entry.
"""

import argparse
import itertools
import math
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.report import Row, print_rows, write_rows
from hil.force.map.bounce import bounces
from hil.force.map.contact import Contact
from hil.force.map.critical_delay import critical_dead_time
from hil.force.map.fields import fields_of
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.pressed_loop import growth, onset
from hil.force.map.restitution import late_restitution
from hil.force.map.rule import Touch, advise

CYCLE, LAG, TOTAL = 0.002, 0.01, 0.013  # [s]
MASSES, STIFFNESSES, RATIOS = (20.0, 60.0, 500.0), (1e3, 1e4, 1e5), (0.05, 0.1, 0.2, 0.4, 0.7)
PORTS = {"fixed port": math.inf, "port of 100 kg": 100.0}
DRIVES = {"drives 10 ms late": LAG, "no lag": 0.0}
SHORT = 2.0 * CYCLE  # a critical dead time below this is no delay but a matter of sampling
PHASES = (0.1, 0.45, 0.8)
TOLERANCE = 10.0  # [%]


def contacts(port_mass: float, quick: bool) -> Iterator[Contact]:
    """Yield the contacts whose critical delay is compared."""
    masses = MASSES[:2] if quick else MASSES
    stiffnesses = STIFFNESSES[1:] if quick else STIFFNESSES
    for mass, stiffness, ratio in itertools.product(masses, stiffnesses, RATIOS):
        reduced = 1.0 / (1.0 / mass + 1.0 / port_mass)
        yield Contact.of_ratio(mass, math.sqrt(stiffness / reduced), ratio, port_mass)


def critical_rows(name: str, port_mass: float, lag: float, quick: bool) -> list[Row]:
    """Return the worst error of the critical delay, and in how many cases the verdict differs."""
    loop, errors, wrong = LoopDelay(CYCLE, 0.0, lag), [], 0
    for contact in contacts(port_mass, quick):
        dead = critical_dead_time(contact, loop)
        if math.isinf(dead):
            late = LoopDelay(CYCLE, 1.0 / contact.rate, lag)
            wrong += growth(contact, late) > 0.0
        elif dead == 0.0:
            wrong += growth(contact, LoopDelay(CYCLE, 0.5 * CYCLE, lag)) < 0.0
        elif dead >= SHORT:
            found = onset(contact, loop, 1.3 * dead)
            errors.append(100.0 * abs((dead + lag) / found - 1.0))
    return [
        Row(f"1 critical delay, {name}: worst error of {len(errors)}", max(errors), TOLERANCE, "%"),
        Row(f"1 never or always divergent, {name}: wrong verdicts", float(wrong), 0.0, ""),
    ]


def restitution_row(name: str, port_mass: float, lag: float, cycle: float = CYCLE) -> Row:
    """Return the worst error of the formula for the uncompensated restitution."""
    loop = LoopDelay(cycle, TOTAL - lag - 0.5 * cycle, lag)
    cells = [
        Contact.of_ratio(60.0, wT / TOTAL, z, port_mass)
        for wT, z in itertools.product(np.linspace(0.1, 1.0, 10), np.linspace(0.0, 0.5, 6))
    ]
    told = np.array([late_restitution(contact, loop) for contact in cells])
    many = len(cells)
    found = [bounces(cells, [loop] * many, [0.0] * many, phase).restitution for phase in PHASES]
    worst = 100.0 * np.abs(told / np.array(found) - 1.0).max()
    coarse = lag == 0.0 and cycle == CYCLE  # of no arm: the phase of entry alone makes 3 % there
    return Row(
        f"2 restitution, {name}: worst error of {many}", float(worst), None if coarse else TOLERANCE, "%"
    )


def cost_rows() -> list[Row]:
    """Return what the rule and the map's fields take, compiled."""
    contact, loop, touch = Contact(60.0, 4e5), LoopDelay(CYCLE, CYCLE, LAG), Touch(0.02, 150.0)
    advise(contact, loop, touch)
    begin = time.perf_counter()
    advise(contact, loop, touch)
    ruled = time.perf_counter()
    fields_of(contact, loop, touch)
    return [
        Row("the rule for one contact", 1e3 * (ruled - begin), 50.0, "ms"),
        Row("the fields of the map", time.perf_counter() - ruled, 10.0, "s"),
    ]


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer masses and stiffnesses")
    parser.add_argument("--json", type=Path, metavar="OUT.json")
    options = parser.parse_args()
    rows: list[Row] = []
    for (port, mass), (drives, lag) in itertools.product(PORTS.items(), DRIVES.items()):
        rows += critical_rows(f"{port}, {drives}", mass, lag, options.quick)
    for (port, mass), (drives, lag) in itertools.product(PORTS.items(), DRIVES.items()):
        rows.append(restitution_row(f"{port}, {drives}", mass, lag))
    rows.append(restitution_row("fixed port, no lag, cycle 0.2 ms", math.inf, 0.0, 0.1 * CYCLE))
    rows += cost_rows()
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows)


if __name__ == "__main__":
    main()
