"""Half a contact real: a device's force and a virtual spring, through joints, guard and limits of jerk.

The target is w T = 2 at the emulated delay, of which a tenth is real. Oracles: the restitution that was set,
the device's own spring and damper, and the arm's greatest speed in the device.
"""

import math
from pathlib import Path

import numpy as np
import pytest

from hil.analysis.figures.limits import violations
from hil.analysis.judged_contact import TARGET, ContactJudge
from hil.common.errors import ConfigurationError
from hil.configuration import load_configuration
from hil.loop.lockstep import LockStep
from hil.messaging.codec import Message
from hil.messaging.messages import Contact
from hil.recording.lockstep_file import lockstep_recorder
from hil.recording.replaying.runner import in_one_process

HYBRID = Path(__file__).parents[3] / "configs/hybrid.toml"
MASS, SPEED, DELAY = 60.0, 0.02, 0.013
DEVICE, TARGET_STIFFNESS, DEVICE_DAMPING = 1.42e5, 1.42e6, 200.0
SECONDS = 0.85


def lacking(begin: str, folder: Path) -> Path:
    """Return the file without the line that begins so."""
    text = HYBRID.read_text().replace('"robots/', f'"{HYBRID.parent}/robots/')
    kept = [line for line in text.splitlines() if not line.startswith(begin)]
    assert len(kept) == len(text.splitlines()) - 1
    (folder / "hybrid.toml").write_text("\n".join(kept))
    return folder / "hybrid.toml"


def ideal_restitution(z: float) -> float:
    """Return the restitution of a spring and damper that may not pull (closed form)."""
    root = math.sqrt(1.0 - z * z)
    return math.exp(-z * (math.pi - math.atan2(2.0 * z * root, root * root - z * z)) / root)


class Flown:
    """A flight against the device and away from it.

    Attributes:
        e: speed after over speed before, of the simulated body.
        contact: what was told of the contact.
    """

    def __init__(self, *settings: str, record: Path | None = None, file: Path = HYBRID) -> None:
        self.c = load_configuration(file, list(settings))
        self.contacts: list[Contact] = []
        recorder = None
        if record is not None:
            recorder = lockstep_recorder(
                record, self.c, HYBRID.read_text(), settings, duration_s=repr(SECONDS)
            )

        def hear(topic: str, msg: Message) -> None:
            if recorder is not None:
                recorder.take(topic, msg)
            if topic == "contact" and isinstance(msg, Contact) and msg.ended:
                self.contacts.append(msg)

        loop = LockStep(self.c, None, hear)
        self.trace = loop.run(SECONDS)
        if recorder is not None:
            recorder.end({})
        self.fault = loop.fault
        self.e = -float(self.trace.twist_world_object_sim[-1, 0]) / SPEED

    @property
    def contact(self) -> Contact:
        """The only one."""
        (told,) = self.contacts
        return told


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the flight of the file is recorded."""
    return tmp_path_factory.mktemp("hybrid") / "run.mcap"


@pytest.fixture(scope="module")
def flown(path: Path) -> Flown:
    """The flight of the file: restitution 0.8."""
    return Flown(record=path)


def test_it_comes_back_as_from_the_target(flown: Flown) -> None:
    """Restitution within 0.02 of the one set, which is not the device's own."""
    assert flown.fault == "" and not violations(flown.trace).any()
    assert flown.e == pytest.approx(0.8, abs=0.02)
    assert ideal_restitution(DEVICE_DAMPING / (2.0 * math.sqrt(DEVICE * MASS))) > 0.88


def test_the_device_is_identified_and_the_contact_held_against_the_target(flown: Flown) -> None:
    """Stiffness and damping are the device's, the ideal is the target's."""
    assert flown.contact.stiffness == pytest.approx(DEVICE, rel=0.03)
    assert flown.contact.damping == pytest.approx(DEVICE_DAMPING, rel=0.5)
    judged = ContactJudge(flown.c).judged(flown.contact)
    assert judged.against == TARGET and judged.wanted == 0.8
    assert judged.ideal is not None and judged.ideal.restitution == pytest.approx(0.8, abs=1e-9)
    assert judged.error == pytest.approx(flown.e - 0.8, abs=0.01)


def test_the_real_force_is_the_devices_share(flown: Flown) -> None:
    """As deep as the arm went, times the device; below the target's own peak, which nothing had to bear."""
    whole = SPEED * math.sqrt(TARGET_STIFFNESS * MASS)
    told = flown.contact
    assert told.peak_force < 0.6 * whole
    depth = float(np.max(flown.trace.p_world_object_arm[:, 0])) - 0.795
    assert told.peak_force == pytest.approx(DEVICE * depth, rel=0.08)


@pytest.mark.parametrize("restitution", [1.0, 0.4])
def test_restitution_is_as_commanded(restitution: float) -> None:
    """Also where the device damps more than the target: the virtual damper gives it back."""
    again = Flown(f"force.target_restitution={restitution}")
    assert again.fault == "" and again.e == pytest.approx(restitution, abs=0.02)


def test_without_a_restitution_the_devices_damper_is_all_there_is(tmp_path: Path) -> None:
    """The body feels the target's spring with the device's damper: (68) with `d / (2 sqrt(k_t M))`."""
    again = Flown(file=lacking("target_restitution", tmp_path))
    ideal = ideal_restitution(DEVICE_DAMPING / (2.0 * math.sqrt(TARGET_STIFFNESS * MASS)))
    assert again.fault == "" and again.e == pytest.approx(ideal, abs=0.02)


def test_replayed_to_the_bit(flown: Flown, path: Path) -> None:
    """Driver, simulation and planner say from the recorded inputs what they said."""
    assert flown.contacts
    for verdict in in_one_process(path, lambda core, turns: None):
        assert verdict.same, verdict


def test_a_device_that_is_missing_ends_at_the_force_stop() -> None:
    """The arm runs into the bare port, 35 times as hard as what it was told: FAULT, every limit kept."""
    hit = Flown("port.device_stiffness_n_per_m=1e7", "port.device_damping_n_s_per_m=0")
    assert "above force.stop_force_n = 150" in hit.fault and not violations(hit.trace).any()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["force.target_stiffness_n_per_m=1e5"], "must be above force.device_stiffness_n_per_m = 142000"),
        (["force.target_restitution=0"], "force.target_restitution = 0 must be above 0"),
        (["force.target_restitution=1.01"], "force.target_restitution = 1.01 must be at most 1"),
        (["force.device_stiffness_n_per_m=0"], "force.device_stiffness_n_per_m = 0 must be above 0"),
        (['force.compensation="lead"'], "needs force.compensation 'S' or 'model', not 'lead'"),
        (['force.mode="contact"'], "has no virtual part"),
    ],
)
def test_what_no_contact_can_be_is_refused(settings: list[str], words: str) -> None:
    """In a line that names key, value, bound and remedy."""
    with pytest.raises(ConfigurationError) as refused:
        load_configuration(HYBRID, settings)
    assert words in str(refused.value)


def test_a_device_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    """And the line says how it is found."""
    with pytest.raises(ConfigurationError, match="touch once in mode 'contact'"):
        load_configuration(lacking("device_stiffness_n_per_m = 1.42e5", tmp_path))
