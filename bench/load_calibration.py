"""How well `zerog calibrate load` finds what load data misses, and what pushes gain by it.

The emulated arm, its controller and the driver run on virtual time; the hand's orders are played. Then the
push trial in lock-step, quiet, without the finding and with it: found under motion noise, by another seed.

python -m bench.load_calibration [--seeds 20] [--seconds 150]
"""

import argparse
from pathlib import Path

import numpy as np

from bench.fidelity import CONFIGS, changed
from bench.report import Row, print_rows, write_rows
from drivers.emulation.controller.controller import EmulatedController
from drivers.fri.session import FriSession
from drivers.sensor.rdt import decode_record
from hil.analysis.figures.impulses import match_impulses
from hil.common.arrays import Array
from hil.common.clock import nanoseconds
from hil.configuration import Configuration, load_configuration
from hil.configuration.load_stamp import load_stamp
from hil.configuration.schema import FoundLoad as Section
from hil.loop.approach.permit import Permit
from hil.loop.calibration.shape import DURATION
from hil.loop.calibration.shown_motion import load_shown
from hil.loop.driver.core import DriverCore
from hil.loop.driver.cycle_log import CycleLog
from hil.loop.judging.state_machine import Machine, State
from hil.loop.lockstep import START_NS, LockStep
from hil.messaging.messages import CycleBlock
from hil.wrench.load.identification import FoundLoad
from planner.kinematics.arm_model import load_arm_model

MISSED = (0.05, 0.1, 0.2)  # shares of the mock-up's inertia
STANDS = 1.2  # [s] before the hand holds: a force sensor finds its bias meanwhile
LEAVES = 0.3  # [s] after the motion
GOALS = (0.35, 0.7)  # [%] of quiet pushes: median and p95


def calibrated(c: Configuration) -> FoundLoad:
    """Return what one calibration finds; see `motion_cycles`."""
    return load_shown(motion_cycles(c), c)


def motion_cycles(c: Configuration) -> list[CycleBlock]:
    """Return the driver's cycles of one calibration: packets, answers and orders as in the loop.

    Nothing is planned.

    Raises:
        RuntimeError: the driver did not let the motion come to its end.
    """
    c = changed(c, "operator", random=None, push=())  # nobody pushes
    period_ns, model = nanoseconds(c.fri.sample_time), load_arm_model(c.robot.model)
    controller, session, driver = EmulatedController(c), FriSession(c.fri), DriverCore(c, model)
    log, blocks, begin = CycleLog(c.fri.sample_time), [], None
    for k in range(round((STANDS + DURATION + LEAVES) / c.fri.sample_time)):
        t_ns = START_NS + k * period_ns
        sample = session.receive(controller.send(), c.fri.controller_address, t_ns)
        assert sample is not None
        measured = controller.sense()
        driver.sense([decode_record(data, START_NS + nanoseconds(t)) for t, data in measured])
        driver.observe(sample)
        if k * c.fri.sample_time < STANDS:
            mode = Machine(State.READY, 1).mode(t_ns)
        else:
            begin = begin or tuple(driver.q_command.tolist())
            permit = Permit(1, k, t_ns, begin, 0.0, "calibrate")
            mode = Machine(State.CALIBRATING, 1, permit=permit).mode(t_ns)
        cycle = driver.cycle(sample, mode)
        driver.conclude(sample, driver.slices_of(cycle), None)
        block = log.add(sample, (t_ns,) * 4, driver.q_command, driver.wrench_object, driver.following)
        blocks += [] if block is None else [kept(block)]
        if not cycle.withheld:
            controller.receive(session.answer(sample, cycle.q_command))
        controller.advance()
    if driver.fault or driver.moving or controller.monitor.violations:
        raise RuntimeError(f"{driver.fault}, {controller.monitor.violations} violations")
    return blocks


def kept(block: CycleBlock) -> CycleBlock:
    """Return a copy: the log writes over its rows."""
    parts = block.stamps, block.counts, block.q_command, block.q_measured, block.wrench_object
    return CycleBlock(block.t_ns, *(part.copy() for part in parts))


def calibration_rows(c: Configuration, seeds: int) -> tuple[list[Row], dict[str, list[float]]]:
    """Return coverage and error for each share, and the masses found."""
    rows, masses = [], {}
    body = np.array([c.mockup.mass, 0.0, 0.0, 0.0, *c.mockup.inertia, 0.0, 0.0, 0.0])
    for missed in MISSED:
        case, truth = changed(c, "mockup", uncompensated=missed), missed * body
        found = [calibrated(changed(case, "run", seed=1000 + seed)) for seed in range(seeds)]
        values, halves = np.array([f.value for f in found]), np.array([f.interval for f in found])
        covered = np.abs(values - truth) <= halves
        name = f"missed {100 * missed:.0f} %"
        rows += [
            Row(f"{name}: mass covered, of {seeds}", covered[:, 0].sum(), 0.9 * seeds, "", least=True),
            Row(f"{name}: all ten covered", 100.0 * float(covered.mean()), 90.0, "%", least=True),
            Row(f"{name}: error of the mass, median", error_of(values, truth), 10.0, "%"),
            Row(f"{name}: half interval of the mass", float(np.median(halves[:, 0])), None, "kg"),
        ]
        masses[name] = values[:, 0].tolist()
    return rows, masses


def error_of(values: Array, truth: Array) -> float:
    """Return the median error of the mass [%]."""
    return 100.0 * float(np.median(np.abs(values[:, 0] / truth[0] - 1.0)))


def push_rows(seconds: float) -> list[Row]:
    """Return the errors of quiet pushes: without a finding, with it, and with the truth in its place.

    What the truth leaves is the detector's; what the finding leaves beside that, the calibration's.
    """
    c = load_configuration(CONFIGS / "pushes.toml")
    found = calibrated(changed(changed(c, "run", seed=77), "emulator.wrench", motion_noise=True))
    truth = c.mockup.uncompensated * np.array([c.mockup.mass, *np.zeros(3), *c.mockup.inertia, *np.zeros(3)])
    c = changed(changed(c, "run", seed=991), "emulator.wrench", motion_noise=False)
    rows = [Row("mass found for the pushes", float(found.value[0]), None, "kg")]
    for name, case, goals in (
        ("as it is", c, (None, None)),
        ("calibrated", with_load(c, found.value, found.interval), GOALS),
        ("with the true load", with_load(c, truth, found.interval), (None, None)),
    ):
        matches = match_impulses(LockStep(case).run(seconds))
        share = 100.0 * matches.relative_error[matches.judged]
        rows.append(
            Row(f"pushes missed or false {name}, of {len(share)}", matches.missed + matches.false, 0.0, "")
        )
        size = matches.size[matches.judged]
        for kind, these in (("from 1 N s", share[size >= 1.0]), ("all, from 0.3 N s", share)):
            rows += [
                Row(f"quiet pushes {name}, {kind}: median", float(np.nanmedian(these)), goals[0], "%"),
                Row(f"quiet pushes {name}, {kind}: p95", float(np.nanquantile(these, 0.95)), goals[1], "%"),
            ]
    return rows


def with_load(c: Configuration, value: Array, interval: Array) -> Configuration:
    """Return the configuration with a finding: ten parameters and their half intervals, SI."""
    section = Section(
        stamp=load_stamp(c), mass_kg=value[0], mass_interval_kg=interval[0],
        moment_kg_mm=(1e3 * value[1:4]).tolist(), moment_interval_kg_mm=(1e3 * interval[1:4]).tolist(),
        inertia_kg_m2=value[4:].tolist(), inertia_interval_kg_m2=interval[4:].tolist(),
    )  # fmt: skip
    return changed(c, "mockup", found=section)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=300.0, help="of the push trial; 0: leave it out")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows, masses = calibration_rows(load_configuration(CONFIGS / "cube.toml"), arguments.seeds)
    if arguments.seconds:
        rows += push_rows(arguments.seconds)
    print_rows(rows)
    if arguments.json:
        write_rows(arguments.json, rows, masses)


if __name__ == "__main__":
    main()
