"""Logs: what they must be, what is said when they are not, and recordings of this program as logs."""

from pathlib import Path

import numpy as np
import pytest

from hil.commands.cli import main
from hil.common.errors import RecordingError
from hil.configuration import load_configuration
from hil.configuration.frames import Frames
from hil.recording.columns import read_columns
from hil.trials.validation.arm_log import ArmLog
from hil.trials.validation.csv_log import columns, read_csv_log, write_csv_log
from hil.trials.validation.mcap_log import read_log
from hil.trials.validation.result import against_log, commands_of
from hil.trials.validation.simulation import simulate
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import jacobian
from tests.documents import ROOT
from tests.hil.trials.validation.setups import slide

NAMES = ["t_s", *columns("q"), *columns("tau")]
PUSHES = ROOT / "configs/pushes.toml"


def save(path: Path, t: np.ndarray, names: list[str] = NAMES) -> Path:
    rows = np.column_stack([t, *(np.full(len(t), 0.01 * k) for k in range(1, len(names)))])
    np.savetxt(path, rows, "%.9g", ",", header=",".join(names), comments="")
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    """A log survives the file to nine digits, its commands as well."""
    rng = np.random.default_rng(1)
    t = np.linspace(0.0, 2.0, 201)
    q, torque, command = rng.normal(size=(3, 201, 7))
    path = tmp_path / "log.csv"
    write_csv_log(path, t, q, torque, command)
    log = read_csv_log(path)
    np.testing.assert_allclose(log.q, q, rtol=1e-8)
    np.testing.assert_allclose(log.torque, torque, rtol=1e-8)
    assert log.command is not None and not log.external and not log.notes
    np.testing.assert_allclose(log.command, command, rtol=1e-8)
    assert log.period == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([n for n in NAMES if n != "q4"], r"line 1: q4 missing among t_s, q1.*tau1\.\.tau7 \[N m\]"),
        ([n for n in NAMES if n not in ("tau2", "tau7")], r"line 1: tau2, tau7 missing"),
        (["time", *NAMES[1:]], r"line 1: t_s missing"),
        ([*NAMES, "q3"], r"line 1: q3 stands there more than once"),
        ([*NAMES, "command1"], r"line 1: command2, .*command7 missing"),
    ],
)
def test_missing_joints_are_named(tmp_path: Path, names: list[str], words: str) -> None:
    """Every column that is needed and not there is in the message."""
    with pytest.raises(RecordingError, match=words):
        read_csv_log(save(tmp_path / "log.csv", np.arange(50) * 0.01, names))


@pytest.mark.parametrize(
    ("t", "words"),
    [
        (np.array([0.0, 0.01, 0.02, 0.015, 0.03]), r"line 5: t_s = 0\.015 goes back behind 0\.02"),
        (np.arange(50) * 0.1, r"has 10 samples a second, needed are 20 or more"),
        (np.array([*np.arange(50), *np.arange(90, 140)]) * 0.01, r"no sample from t_s = 0\.49 to 0\.9"),
        (np.array([0.0, 0.0, 0.0, 0.01]), r"has 2 samples at different times"),
    ],
)
def test_times_that_cannot_be_used_are_refused(tmp_path: Path, t: np.ndarray, words: str) -> None:
    """The message says where, what, and what is allowed."""
    with pytest.raises(RecordingError, match=words):
        read_csv_log(save(tmp_path / "log.csv", t))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", r"is empty; line 1 must name the columns"),
        (",".join(NAMES) + "\n0," + ",".join(["1"] * 13) + ",x\n", r"line 2: tau7 = 'x' must be a finite"),
        (",".join(NAMES) + "\n0," + ",".join(["1"] * 13) + ",nan\n", r"line 2: tau7 = 'nan' must be"),
        (",".join(NAMES) + "\n0,1,2\n", r"line 2: has 3 values, line 1 names 15 columns"),
    ],
)
def test_rows_that_are_no_numbers_are_refused(tmp_path: Path, text: str, words: str) -> None:
    """The message names line and column."""
    path = tmp_path / "log.csv"
    path.write_text(text)
    with pytest.raises(RecordingError, match=words):
        read_csv_log(path)


def test_repeated_rows_and_other_columns_are_no_harm(tmp_path: Path) -> None:
    """Real loggers write a row twice and more than is asked for; external torques are told by their name."""
    t = np.repeat(np.arange(60) * 0.014, 2)[1:]
    names = ["t_s", *columns("q"), "cart_pos_x", *columns("tau_ext"), "fx"]
    log = read_csv_log(save(tmp_path / "log.csv", t, names))
    assert len(log.t) == 60 and log.external
    assert log.notes == ("59 rows with the time of the row before left out",)
    np.testing.assert_allclose(log.torque[0], 0.01 * np.arange(9, 16))


def test_a_log_of_another_sequence_is_refused() -> None:
    """It must begin when and where the sequence begins, and last as long."""
    setup = slide()
    t = np.arange(0.0, 12.3, 0.01)
    start = np.asarray(setup.experiment.arm.start)
    good = ArmLog("a.csv", t, np.tile(start, (len(t), 1)), np.zeros((len(t), 7)))
    assert commands_of(setup, good) is setup.commands
    for log, words in (
        (
            ArmLog("a.csv", t + 5.0, good.q, good.torque),
            r"is of t_s = 5 to 17\.\d+, the sequence of 0 to 12\.2",
        ),
        (good.within(0.0, 8.0), r"is of t_s = 0 to 8, the sequence of 0 to 12\.2: all of it is needed"),
        (
            ArmLog("a.csv", t, np.degrees(good.q), good.torque),
            r"begins with A4 = 5460\.\d+ deg.*joints are in rad",
        ),
    ):
        with pytest.raises(RecordingError, match=words):
            commands_of(setup, log)


def test_the_simulated_arm_follows_a_logs_own_commands() -> None:
    """A log at 250 Hz with commands other than the sequence's is simulated with those."""
    move = "sequence.move=[{tip_mm=[0, 0, 300], speed_mm_s=50}]"
    setup = slide("plate.position_mm=[750, 300, 400]", "campaign.moves=1", move)
    t = np.arange(0.0, 3.0, 0.004)
    command = setup.experiment.arm.start + 0.05 * np.sin(t)[:, None] * np.ones(7)
    log = ArmLog("a.csv", t, command, np.zeros((len(t), 7)), command=command)

    def run(rows: np.ndarray):
        return simulate(setup, setup.parameters, rows)

    result = against_log(setup, log, run)
    assert result.simulated.t[-1] == pytest.approx(2.99)
    np.testing.assert_allclose(
        result.simulated.command[:, 0],
        setup.experiment.arm.start[0] + 0.05 * np.sin(result.simulated.t),
        atol=1e-6,
    )
    assert 1e-4 < result.worst.max_deviation_rad < 0.02
    assert "the simulated arm follows the log's own commands" in result.notes


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three seconds of the loop in lock-step."""
    path = tmp_path_factory.mktemp("log") / "run.mcap"
    assert main(["simulate", str(PUSHES), "--duration", "3", "--record", str(path)]) == 0
    return path


def test_a_recording_is_a_log(recording: Path) -> None:
    """Joints and commands are the driver's; the external torques are J^T w of the recorded wrench."""
    log = read_log(recording)
    assert log.external and log.command is not None and log.t[0] == 0.0
    channels = read_columns(recording)[1]
    cycle, inputs = channels["/cycle"], channels["/driver_inputs"]
    begin = cycle["t_ns"][cycle["commanding"]][0]
    row = len(log.t) // 2
    at = int(np.argmin(np.abs(inputs["rows"][:, 0] - begin - round(1e9 * log.t[row]))))
    measured = inputs["values"][at].astype(float)
    np.testing.assert_array_equal(log.q[row], measured[:7])
    c = load_configuration(PUSHES)
    arm = load_arm_model(c.robot.model)
    J = jacobian(arm.geometry, measured[:7], Frames.from_configuration(c).T_flange_tcp)
    # of the unspoiled wrench: only the wrench on the wire has the errors of its estimate
    assert np.abs(log.torque[row] - J.T @ measured[7:13]).max() < 0.5
    assert np.abs(log.q - log.command).max() < 0.05


def test_a_recording_in_which_nothing_moves_is_refused(recording: Path, tmp_path: Path) -> None:
    """What is no recording, or lacks what a log needs, is told in one line."""
    empty = tmp_path / "none.mcap"
    empty.write_bytes(b"no recording")
    with pytest.raises(RecordingError, match="is no recording"):
        read_log(empty)
    with pytest.raises(RecordingError, match="cannot be read"):
        read_log(tmp_path / "missing.csv")
