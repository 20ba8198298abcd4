"""Flights through joints on which something is wrong: a lead, a bias, a link that loses packets."""

import dataclasses
import math
from dataclasses import replace

import numpy as np

from bench.acceptance.joint_trials import Case, flown
from bench.acceptance.row import Touched
from drivers.emulation.disturbances import CALM
from hil.common.arrays import Array
from hil.force.setup import drive_of
from hil.loop.judging.judge import Judge
from hil.loop.lockstep import LockStep, float_when_ready

OUTWARDS = np.array([-1.0, 0.0, 0.0, 0.0, 0.0, 0.0])  # the port's normal: where a force that pushes points


def misled(case: Case, factor: float) -> Touched:
    """Fly with a lead that is wrong by a factor, and stays so; the observer knows the drives as they are.

    By keys alone both would be wrong: what the configuration says of the delay is the observer's as well.
    """
    c = replace(case, settings=(*case.settings, *fixed_lead(case, factor)))
    return flown(c, lambda loop: know_drives(loop, case))


def fixed_lead(case: Case, factor: float) -> tuple[str, str]:
    """Return the keys that lead by a factor times the case's delay, and take no other one."""
    return 'interpolation.lead="fixed"', f"interpolation.lead_time_ms={factor * case.lead_ms}"


def know_drives(loop: LockStep, case: Case) -> None:
    """Give the driver's observer the drives of the case, whatever the lead."""
    c, touching = loop._c, loop._driver.touching
    assert touching is not None
    step, force = c.fri.sample_time, c.force
    drive = drive_of(1e-3 * case.lead_ms, step, force.drive_lag, force.drive_damping)
    touching._loop.retime(max(0.0, c.interpolation.lead_time - step), drive)
    touching.drives.retime(drive)


def lossy(case: Case, share: float) -> Touched:
    """Fly while the link loses a share of the packets and of the answers, each by its own draws."""
    return flown(case, lambda loop: lose(loop, share))


def lose(loop: LockStep, share: float) -> None:
    """Let the link lose packets from when the object floats: what connects first is not in question."""

    def order(t_ns: int, judge: Judge) -> None:
        float_when_ready(t_ns, judge)
        if judge.machine.moving and loop._controller.disturbances.current is CALM:
            loop.ask(dataclasses.replace(CALM, t_ns=t_ns, duration=math.inf, loss=share))

    loop._operator = order


def biased(case: Case, bias: float) -> Touched:
    """Fly with an estimate that is wrong by so much [N] while a contact is open; above 0 it pushes."""
    return flown(case, lambda loop: bias_in_contact(loop, bias))


def bias_in_contact(loop: LockStep, bias: float) -> None:
    """Let the estimate go wrong where nobody can follow it: from the onset to the end, as the loop has it."""
    estimate, touching = loop._controller._wrench, loop._driver.touching
    assert touching is not None
    right = estimate.sample

    def wrong(t: float, wrench_world: Array) -> Array:
        return right(t, wrench_world if touching.quiet else wrench_world + bias * OUTWARDS)

    estimate.sample = wrong  # type: ignore[method-assign]
