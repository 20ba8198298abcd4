"""The fit on logs whose truth is known: intervals hold it, and what a log cannot tell is named."""

from functools import partial

import numpy as np
import pytest

from drivers.robot.stiffness_arm import JointControl
from hil.trials.validation.arm_log import ArmLog
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.comparison import compare
from hil.trials.validation.fitting import Fit, fit
from hil.trials.validation.parameters import NAMES, Parameters
from hil.trials.validation.schema import Noise
from hil.trials.validation.setup import Setup
from hil.trials.validation.simulation import simulate
from hil.trials.validation.stand_in import made_up_log
from tests.hil.trials.validation.setups import slide

NOISE = Noise.model_validate({"position_rad": 1e-4, "torque_n_m": 0.1})
SEEDS = range(1, 11)
N = 400
T = np.linspace(0.0, 6.0, N)
JOINTS = JointControl(*(np.linspace(low, 2.0 * low, 7) for low in (200.0, 5.0, 0.2, 0.5)))
START = Parameters.of(JOINTS, friction=0.2, stiffness=1e5, damping=300.0, mass=1.2)
COURSES = np.array([np.sin((k + 1) * T) for k in range(5)])


def model(p: Parameters) -> ArmRun:
    """No arm, but an explicit one that is quickly computed: torques and joints linear in the parameters.

    Friction and the tool's mass come in as their product only, the contact's damping not at all.
    """
    control = p.control
    torque = np.column_stack(
        [
            1e-3 * control.stiffness[j] * COURSES[0]
            + 0.1 * control.damping[j] * COURSES[1]
            + control.coulomb[j] * COURSES[2]
            + 0.2 * control.viscous[j] * COURSES[3]
            for j in range(7)
        ]
    )
    q = np.tile(1e-3 * p["contact_friction"] * p["tool_mass"] * COURSES[4][:, None], (1, 7))
    q[:, 3] += 1e-8 * p["contact_stiffness"] * COURSES[0]
    nothing = np.zeros((N, 7))
    return ArmRun(T, nothing, q, torque, nothing, np.zeros((N, 3)), np.zeros((N, 3)))


@pytest.fixture(scope="module")
def fits() -> list[tuple[Fit, Parameters]]:
    """Ten seeds."""
    found = []
    for seed in SEEDS:
        truth = START.drawn(seed, 0.1)
        found.append((fit(START, made_up_log(model(truth), NOISE, seed), NOISE, model), truth))
    return found


def test_intervals_hold_the_truth_all_at_once(fits: list[tuple[Fit, Parameters]]) -> None:
    """In at least 8 of 10 seeds every interval does; 95 % are meant."""
    held = [all(e.holds(truth[e.name]) for e in found.estimates if e.identified) for found, truth in fits]
    assert sum(held) >= 8


def test_standard_errors_are_as_large_as_the_errors(fits: list[tuple[Fit, Parameters]]) -> None:
    """Errors over standard errors scatter by one: intervals that are only wide would not."""
    scores = [
        (e.value - truth[e.name]) / e.standard_error
        for found, truth in fits
        for e in found.estimates
        if e.identified and e.standard_error is not None
    ]
    assert len(scores) > 250
    assert 0.88 < np.std(scores) < 1.12 and abs(np.mean(scores)) < 0.2


def test_what_the_log_cannot_tell_is_named(fits: list[tuple[Fit, Parameters]]) -> None:
    """A parameter without effect, and two of which only the product shows, have no interval; the rest has."""
    for found, _ in fits:
        lost = {e.name for e in found.estimates if not e.identified}
        assert lost == {"contact_damping", "contact_friction", "tool_mass"}
        by_name = {e.name: e for e in found.estimates}
        assert by_name["tool_mass"].alike == ("contact_friction",)
        assert by_name["contact_damping"].alike == ()
        assert by_name["contact_damping"].low is None and by_name["contact_damping"].fitted is None
        # the model goes on with what was configured
        assert found.parameters["contact_damping"] == START["contact_damping"]
        assert found.converged and found.misfit == pytest.approx(1.0, abs=0.03)


def test_only_the_named_parameters_are_fitted() -> None:
    """The others keep their values, and their error shows as misfit."""
    truth = START.drawn(1, 0.1)
    log = made_up_log(model(truth), NOISE, 1)
    found = fit(START, log, NOISE, model, names=("stiffness_A1", "damping_A2"))
    assert [e.name for e in found.estimates] == ["stiffness_A1", "damping_A2"]
    assert found.misfit > 1.03
    changed = [NAMES[i] for i in np.flatnonzero(found.parameters.values != START.values)]
    assert changed == ["stiffness_A1", "damping_A2"]


def test_errors_that_hang_together_widen_the_intervals() -> None:
    """Noise that drifts tells less than as much white noise: the standard errors grow with its memory."""
    truth = model(START)
    rng = np.random.default_rng(5)
    white = rng.normal(0.0, 0.1, (N, 7))
    drifting = np.zeros((N, 7))
    for k in range(1, N):
        drifting[k] = 0.8 * drifting[k - 1] + np.sqrt(1.0 - 0.8**2) * white[k]
    errors = []
    for noise in (white, drifting):
        log = ArmLog("log", T, truth.q + rng.normal(0.0, 1e-4, (N, 7)), truth.torque + noise)
        found = fit(START, log, NOISE, model, names=("stiffness_A1", "coulomb_A1"))
        errors.append((found.inflation, found.estimates[0].standard_error))
    assert errors[0][0] < 1.1
    assert errors[1][0] > 2.0 and errors[1][1] > 1.3 * errors[0][1]


@pytest.fixture(scope="module")
def short() -> Setup:
    """One push at the table."""
    return slide("campaign.moves=1", "sequence.move=[{tip_mm=[0, 0, -30], speed_mm_s=40, dwell_s=0.5}]")


FEW = ("stiffness_A1", "stiffness_A2", "damping_A2", "coulomb_A2", "contact_friction", "tool_mass")


@pytest.mark.parametrize("seed", [1])
def test_the_arm_in_contact_is_identified(short: Setup, seed: int) -> None:
    """In the contact simulation itself: the truth is in the intervals, and the fitted arm is the log's."""
    run = partial(simulate, short)
    truth = short.parameters.drawn(seed, 0.1, FEW)
    log = made_up_log(run(truth), NOISE, seed)
    found = fit(short.parameters, log, NOISE, run, jobs=2, names=FEW)
    assert all(e.identified and e.holds(truth[e.name]) for e in found.estimates)
    assert found.misfit == pytest.approx(1.0, abs=0.03)
    before, after = (compare(run(p), log).sigma_rad for p in (short.parameters, found.parameters))
    assert after < 1.1e-4 < before


def test_a_log_without_contact_tells_nothing_of_the_contact() -> None:
    """In free motion friction, stiffness and damping of the contact are named as not identified."""
    free = slide(
        "campaign.moves=1",
        "plate.position_mm=[750, 300, 500]",
        "sequence.move=[{tip_mm=[0, 0, 200], speed_mm_s=60}, {tip_mm=[0, 60, 250], speed_mm_s=60}]",
    )
    run = partial(simulate, free)
    names = ("stiffness_A2", "contact_friction", "contact_stiffness", "contact_damping", "tool_mass")
    found = fit(free.parameters, made_up_log(run(free.parameters), NOISE, 1), NOISE, run, jobs=2, names=names)
    lost = {e.name for e in found.estimates if not e.identified}
    assert lost == {"contact_friction", "contact_stiffness", "contact_damping"}
