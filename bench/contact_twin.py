"""A known port's scene model, registered by what scheme S identified, in place of S's own line of force.

The port's geometry is known from drawings: its feet and the directions of its planes, not where these lie nor
how hard they are. A first landing is flown by scheme S; the planes' places, the common stiffness and damping
are found from its samples by least squares, begun where the force began and with the stiffness that S found.
In a landing after it the registered model carries what is measured from the arm's pose to the body's,
`w = w_measured + model(body) - model(arm)`, with the lead and no identification.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import least_squares, nnls
from scipy.spatial.transform import Rotation

from bench.contact_plant import Plant, Port, contact_wrench, law_of
from bench.contact_trials import LANDINGS, STEP, Landing, Rig, approach, fly_trial, landed_as
from hil.common.arrays import Array
from hil.force.contact_loop import ContactLoop
from hil.force.contact_state import ContactState

SEEN = 5.0  # deviations of the force from which a sample is one of a contact
WRONG = (
    ("planes 0.1 mm too deep", 1e-4, 1.0),
    ("a fifth too soft", 0.0, 0.8),
    ("a fifth too hard", 0.0, 1.2),
)
AROUND = 3  # samples before and behind it that tell where nothing touches


@dataclass(frozen=True)
class Sample:
    """Pose and twist of the arm, and the wrench measured there."""

    p: Array
    quat: Array
    twist: Array
    wrench: Array


@dataclass(frozen=True)
class Twin:
    """Landings before and after registration; how far its planes lie off [m], its stiffness off (share)."""

    before: Landing
    after: Landing
    offset: float
    stiffness: float


class Listening:
    """A plant whose samples are kept, each with the arm's twist as the loop's observer has it."""

    def __init__(self, plant: Plant, loop: ContactLoop) -> None:
        """Listen to a plant that flies in `loop`."""
        self._plant, self._loop = plant, loop
        self.samples: list[Sample] = []

    @property
    def peak(self) -> float:
        """The greatest real force so far [N]."""
        return self._plant.peak

    def packet(self) -> tuple[Array, Array, Array, bool]:
        """Return the packet; see `Plant`."""
        self._newest = self._plant.packet()
        return self._newest

    def command(self, state: ContactState) -> Array:
        """Keep the sample and move on; see `Plant`."""
        p, quat, wrench, _ = self._newest
        self.samples.append(Sample(p, quat, self._loop.state.arm_twist.copy(), wrench))
        return self._plant.command(state)


class Carried(Listening):
    """A plant whose wrench is carried by a model of the port to where the body is."""

    def __init__(self, plant: Plant, loop: ContactLoop, port: Port, twist: Array) -> None:
        """Carry by the model of `port`; the arm moves with `twist` at first."""
        super().__init__(plant, loop)
        self._port, self._begun = port, False
        self._bodies = self._arms = (twist, twist)  # of the last two cycles

    def packet(self) -> tuple[Array, Array, Array, bool]:
        """Return the packet as it would be if the arm were where the body is."""
        p, quat, wrench, usable = super().packet()
        if self._begun:
            wrench = wrench + model_wrench(self._port, *self._halfway())
            arm = 2.0 * self._arms[1] - self._arms[0]  # as it goes on; the observer hears of it later
            wrench = wrench - model_wrench(self._port, p, quat, arm)
        return p, quat, wrench, usable

    def _halfway(self) -> tuple[Array, Array, Array]:
        """Return the body in the middle of the cycle: what acts is held over it, and must not lag."""
        body, (before, now) = self._loop.state, self._bodies
        twist = now + 0.5 * (now - before)
        turn = Rotation.from_rotvec(0.5 * STEP * twist[3:]) * Rotation.from_quat(np.roll(body.quat, -1))
        return body.p + 0.5 * STEP * twist[:3], np.roll(turn.as_quat(), 1), twist

    def command(self, state: ContactState) -> Array:
        """Move on; see `Plant`."""
        self._bodies = self._bodies[1], state.twist.copy()
        self._arms = self._arms[1], state.arm_twist.copy()
        self._begun = True
        return super().command(state)


def model_wrench(port: Port, p: Array, quat: Array, twist: Array) -> Array:
    """Return the wrench of a port's model at a pose, world axes about the centre of mass, (6,)."""
    R = Rotation.from_quat(np.roll(quat, -1)).as_matrix()
    found: Array = contact_wrench(
        np.ascontiguousarray(p), R, twist[:3].copy(), twist[3:].copy(), port.feet, port.points, port.normals,
        law_of(port), np.zeros(2),
    )  # fmt: skip
    return found


def twin_trial(
    rig: Rig, case: str, wT: float, z: float, seed: int, deeper: float = 0.0, stiffer: float = 1.0
) -> Twin:
    """Land by scheme S, register the port, and land again by its model.

    Args:
        rig: on which.
        case: a key of `LANDINGS`.
        wT: of the port.
        z: its damping.
        seed: of both landings.
        deeper: by which the registered planes are then moved into the port [m].
        stiffer: factor on the registered stiffness.
    """
    way, loop = approach(rig, case, wT, z, seed), rig.loop()
    heard = Listening(started(rig, case, wT, z, seed), loop)
    before = landed_as(way, fly_trial(loop, heard, way.p, way.quat, way.twist, way.seconds))
    port = registered(rig, way.port, heard.samples, float(before.flown.track[:, 8].max()))
    offset = np.abs(((port.points - way.port.points) * way.port.normals).sum(axis=1)).max()
    found = Twin(before, before, float(offset), port.stiffness / way.port.stiffness - 1.0)
    port = replace(port, points=port.points - deeper * port.normals, stiffness=stiffer * port.stiffness)
    led = replace(rig, settings={**rig.settings, "scheme": "lead"})
    way, loop = approach(rig, case, wT, z, seed + 17), led.loop()
    carried = Carried(started(rig, case, wT, z, seed + 17), loop, port, way.twist)
    after = landed_as(way, fly_trial(loop, carried, way.p, way.quat, way.twist, way.seconds))
    return replace(found, after=after)


def started(rig: Rig, case: str, wT: float, z: float, seed: int) -> Plant:
    """Return the arm on its way to a landing."""
    way = approach(rig, case, wT, z, seed)
    plant = rig.plant(way.port, seed)
    plant.start(way.p, way.quat, way.twist)
    return plant


def registered(rig: Rig, drawn: Port, samples: list[Sample], stiffness: float) -> Port:
    """Return a port as it lies, by least squares over the samples of contacts.

    Args:
        rig: whose noise weighs force and torque.
        drawn: the port's feet and the directions of its planes; all else of it is not looked at.
        samples: of a landing.
        stiffness: that was identified [N/m].
    """
    force, torque = SEEN * max(rig.noise.force, 1e-3), max(rig.noise.torque, 1e-4)
    felt = np.array([np.linalg.norm(s.wrench[:3]) > force for s in samples])
    near = np.convolve(felt, np.ones(2 * AROUND + 1), "same") > 0.5
    used = [s for s, wanted in zip(samples, near, strict=True) if wanted]
    begin = [*touched(drawn, used, force), math.log(stiffness), 0.0]
    weight = 1.0 / np.repeat([0.2 * force, torque], 3)

    def port_of(x: Array) -> Port:
        k = math.exp(x[-2])
        return replace(
            drawn, points=x[:-2, None] * drawn.normals, stiffness=k, damping=1e-2 * k * max(0.0, x[-1])
        )  # fmt: skip

    def left(x: Array) -> Array:
        port = port_of(x)
        return np.concatenate(
            [weight * (model_wrench(port, s.p, s.quat, s.twist) - s.wrench) for s in used]
        )  # fmt: skip

    scale = np.array([1e-4] * len(drawn.normals) + [0.1, 0.1])
    return port_of(least_squares(left, begin, x_scale=scale, loss="soft_l1").x)


def touched(drawn: Port, samples: list[Sample], least: float) -> list[float]:
    """Return where each plane is touched first, along its normal [m]: there its deepest foot is."""
    places: list[float] = []
    for j, normal in enumerate(drawn.normals):
        for s in samples:
            if nnls(drawn.normals.T, s.wrench[:3])[0][j] > least:
                feet = s.p + Rotation.from_quat(np.roll(s.quat, -1)).apply(drawn.feet)
                places.append(float((feet @ normal).min()))
                break
        else:
            places.append(0.0)  # never touched: it is left where it is drawn
    return places


def twins(rig: Rig, seeds: int) -> Iterator[tuple[str, str, float, float | None]]:
    """6d-twin: landings by a registered model of the port, and by one that is wrong."""
    for case in LANDINGS:
        found = [
            twin_trial(rig, case, wT, z, s) for wT in (0.5, 1.0) for z in (0.0, 0.1) for s in range(seeds)
        ]
        name = f"landing {case}, port registered"
        yield "6d-twin", f"{name}, planes off (um)", 1e6 * max(t.offset for t in found), 20.0
        yield "6d-twin", f"{name}, stiffness off", max(abs(t.stiffness) for t in found), 0.05
        yield "6d-twin", f"{name}, error of velocity", max(t.after.velocity for t in found), 0.03
        yield (
            "6d-twin",
            f"landing {case}, scheme S, error of velocity",
            max(t.before.velocity for t in found),
            None,
        )
    for name, deeper, stiffer in WRONG:
        wrong = max(twin_trial(rig, case, 1.0, 0.1, 0, deeper, stiffer).after.velocity for case in LANDINGS)
        yield "6d-twin", f"registered, {name}, error of velocity", wrong, None
