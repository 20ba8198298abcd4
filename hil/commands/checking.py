"""The body of `zerog check`: is the configuration sound, and what does it say?"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hil.analysis.configured_noise import force_noise
from hil.analysis.inside_words import inside_in_words
from hil.commands.base_lines import told_of_base
from hil.commands.contact_lines import told_of_port
from hil.commands.unbounded import unbounded
from hil.common.arrays import plain_numbers
from hil.common.errors import ZeroGError
from hil.common.state_directory import state_directory
from hil.configuration import Configuration, load_configuration
from hil.configuration.loading import text_of
from hil.configuration.sensor import has_own_sensor, sensor_in_words
from hil.configuration.spelled import spelled
from hil.loop.inside_setting import start_mobility
from hil.loop.judging.real_arm import FORGETFUL, lacks
from hil.loop.models import build_models
from hil.loop.partner.found import grasp_in_words
from hil.messaging.runtime_directory import may_hold_sockets, runtime_directory
from hil.processes.supervisor.wrench_record import WrenchRecord
from hil.wrench.force_path import FORCE_PATH_LIMIT, FORCE_PATH_WARNING, force_path_ratio
from hil.wrench.load.taken_words import taken_words
from hil.wrench.worth.bound import Swing
from hil.wrench.worth.noise_model import NoiseModel
from hil.wrench.worth.words import worth_in_words
from planner.kinematics.arm_model import check_inverse, load_arm_model


def check_configuration(path: Path, settings: Sequence[str] = ()) -> int:
    """Print the values and warnings; return 0 when sound, 1 when not.

    Values stand as in a file: keys with their units; behind a `#` defaults are marked, and SI.
    `settings` are lines KEY=VALUE that stand in for the file's.
    """
    text_of(path)  # of a file that cannot be read there is no verdict
    try:
        configuration = load_configuration(path, settings)
        model = load_arm_model(configuration.robot.model)
        check_inverse(model, configuration.planner.inverse, configuration.robot.model.name)
        notes = build_models(configuration, model)
        bodies = inside_in_words(configuration, model) + grasp_in_words(configuration, model)
        may_hold_sockets(runtime_directory(configuration.run.runtime_directory))
    except ZeroGError as error:
        print(error, file=sys.stderr)
        return 1
    for line, remark in spelled(configuration):
        print(f"{line}  # {remark}" if remark else line)
    for note in notes:
        print(f"note: {configuration.robot.model.name}: {note}")
    form = "any serial chain" if model.open_form else f"lengths {plain_numbers(model.lengths)} m"
    print(f"arm: {', '.join(model.names)}; {form}")
    for line in bodies:
        print(line)
    return _verdict(configuration, path)


def worth_of_impulses(c: Configuration) -> list[str]:
    """Return what an impulse is worth in the noise that the configuration tells of."""
    swing, step = Swing.of(c.detector), c.fri.sample_time
    if c.robot.kind != "emulated" or has_own_sensor(c):
        told = NoiseModel(c.detector.noise_force**2, np.zeros(0), np.zeros(0))
        words = worth_in_words(told, step, swing)
        return [f"sensor: {words}, by detector.noise_force_n alone: a report tells what motion adds"]
    errors = c.emulator.wrench
    lines = [f"sensor, arm at rest: {worth_in_words(force_noise(errors, 0.0), step, swing)}"]
    if errors.motion_noise:
        speed = f"{1e3 * errors.motion_noise_speed:g} mm/s"
        lines.append(f"sensor, from {speed} on: {worth_in_words(force_noise(errors), step, swing)}")
    return lines


def _verdict(c: Configuration, path: Path) -> int:
    status = max(_force_path(c, path), told_of_port(c, path))
    if told := sensor_in_words(c):
        print(told)
    for line in (*told_of_base(c), *worth_of_impulses(c)):
        print(line)
    if c.robot.kind == "fri":
        return max(status, _real_arm(c, path))
    if warning := unbounded(c, path):
        print(warning)
    return status


def _real_arm(c: Configuration, path: Path) -> int:
    """Print what a real arm lacks before it may move, and return 1 if anything does that nobody sets aside.

    Whether the wrench was checked is no question of the configuration alone: for that the run must begin.
    """
    state = state_directory(c.run.state_directory, os.environ)
    record = WrenchRecord(state.path, c)
    status = 0
    if state.forgets:
        print(f"{path}: {FORGETFUL}: {state.forgets}", file=sys.stderr)
        status = 1
    for lack in lacks(c, record.passed):
        if lack.reason:
            print(f"warning: {lack.what}: set aside by fri.override.{lack.key}: {lack.reason}")
        elif lack.key == "wrench_check":
            print(f"warning: no motion yet: {lack.what}")
        else:
            print(f"{path}: {lack.what}", file=sys.stderr)
            status = 1
    return status


def _force_path(c: Configuration, path: Path) -> int:
    """Print the bias of the force path, and return 1 if no arm can bear it."""
    ratio, found = force_path_ratio(c, start_mobility(c)), c.mockup.found
    told = f"force path: uncompensated inertia ratio {ratio:.4f}"
    if found is None:
        print(f"{told}: impulses come out {100 * ratio / (1 + ratio):.2f} % too small")
    else:
        print(
            f"{told}; [mockup.found] takes {found.mass:.2f} +- {found.mass_interval:.2f} kg out of the "
            f"impulses: {100 * found.mass_interval / c.object.mass:.2f} % are left open"
        )
        print(f"load: {taken_words(c)}")
    if ratio > FORCE_PATH_LIMIT:
        print(
            f"{path}: mockup.uncompensated = {c.mockup.uncompensated:g} gives a ratio of {ratio:.3f}, above "
            f"{FORCE_PATH_LIMIT}: use a heavier object, a lighter mock-up or better load data",
            file=sys.stderr,
        )
        return 1
    if ratio > FORCE_PATH_WARNING and c.robot.kind != "fri":
        print(f"warning: that ratio is above {FORCE_PATH_WARNING}: better load data would remove the bias")
    return 0
