"""An arm that is driven: a chain of bodies, a drive at each joint, a base that stands or floats."""

from collections.abc import Sequence

import numpy as np

from hil.common.arrays import Array, BoolArray, frozen_array
from hil.common.errors import DriveError, SimulationError
from sim.chain.dynamics import bias
from sim.chain.serial_chain import SerialChain
from sim.drives.account import EnergyAccount, account_of
from sim.drives.arm_readings import ArmReadings
from sim.drives.arm_step import DIVERGED, arm_step
from sim.drives.base import base_at_rest, momenta_in_world
from sim.drives.bodies import joined
from sim.drives.drive import DriveParameters, packed
from sim.drives.needed import needed_torques
from sim.drives.parameters import parameter_names, written_parameter
from sim.drives.resting import rest
from sim.drives.running import run_steps
from sim.drives.state import STATE
from sim.drives.variables import variables_of

NO_WRENCH = np.zeros(6)


class DrivenArm(ArmReadings):
    """A simulation of a chain with drives; pure: it knows no clock.

    Its state is carried on by `step` and `run`; what it shows is of the last step's end, forces and voltages
    of its middle.
    """

    def __init__(
        self,
        chain: SerialChain,
        drives: Sequence[DriveParameters],
        gravity: Array,
        dt: float = 0.001,
        *,
        q_start: Array | None = None,
        base_mass: float | None = None,
        base_inertia: Array | None = None,
        base_twist: Array | None = None,
        T_world_base: Array | None = None,
        rotors_spin: bool | None = None,
    ) -> None:
        """Place the arm at rest, in balance: the springs hold its weight, currents and integrators stand.

        Args:
            chain: its bodies; its armatures are not used, the rotors are the drives'.
            drives: of its joints, base first.
            gravity: in world axes [m/s2], shape (3,); zeros: none.
            dt: step [s].
            q_start: where it begins [rad, m], shape (n,); zeros.
            base_mass: of a satellite on which the arm stands, and which floats [kg]; None: the base stands.
            base_inertia: of the satellite about its centre, the base's origin, base axes [kg m2], (3, 3).
            base_twist: with which a floating base begins: of its origin in world axes, angular in its own
                [m/s, rad/s], shape (6,).
            T_world_base: pose of the base, shape (4, 4); the world's.
            rotors_spin: whether the rotors' spin acts on what carries them (`sim.drives.rotors`), and a rotor
                on its carrier's turning; None: where the base floats.

        Raises:
            DriveError: numbers that do not fit together.
        """
        n = len(chain.linear)
        if len(drives) != n:
            raise DriveError(f"{len(drives)} drives for {n} joints; each joint has one")
        if not (np.isfinite(dt) and 0.0 < dt <= 0.1):
            raise DriveError(f"dt = {dt} s must be above 0 and at most 0.1 s")
        self.dt = dt
        self.drive_parameters = tuple(drives)
        self.floats = base_mass is not None
        self.rotors_spin = self.floats if rotors_spin is None else rotors_spin
        self._drives = packed(drives)
        self._arm = chain._replace(armatures=frozen_array(self._rotors()))
        self._chain = self._arm if base_mass is None else _on_satellite(self._arm, base_mass, base_inertia)
        self._linear = tuple(bool(slides) for slides in chain.linear)
        self._gravity = np.array(gravity, np.float64)
        self._base = base_at_rest(np.eye(4) if T_world_base is None else T_world_base)
        if base_twist is not None and not self.floats:
            raise DriveError("base_twist is for a base that floats: give base_mass and base_inertia")
        self._twist_start = np.zeros(6) if base_twist is None else np.array(base_twist, np.float64)
        self._T_world_start = self._base.pose.copy()
        self._states = np.zeros(n, STATE)
        self._steps = 0
        self._reset_to = np.zeros(n) if q_start is None else np.array(q_start, np.float64)
        self.reset()

    def reset(
        self, q: Array | None = None, dq: Array | None = None, motor_speed: Array | None = None
    ) -> None:
        """Place the arm in balance again, where it began or at q; time and account begin anew.

        Args:
            q: joint positions [rad, m], shape (n,).
            dq: joint speeds [rad/s, m/s], shape (n,); at rest.
            motor_speed: of the rotors [rad/s], shape (n,); those that their joints have.

        Raises:
            DriveError: q is not a position of this arm.
        """
        n = len(self._states)
        start = self._reset_to if q is None else np.array(q, np.float64)
        if start.shape != (n,) or not np.isfinite(start).all():
            raise DriveError(f"q = {start.tolist()} must be {n} finite joint positions")
        speed = np.zeros(n) if dq is None else np.array(dq, np.float64)
        self._steps = 0
        self._base.pose[:] = self._T_world_start
        self._base.twist[:] = self._twist_start
        weights = bias(self._arm, start, np.zeros(n), self._own_gravity())
        if self.floats:  # what floats has no weight
            weights[:] = 0.0
        rest(self._drives, self._states, start, weights)
        self._states["dq"] = speed
        self._states["omega"] = self._drives["ratio"] * speed if motor_speed is None else motor_speed
        self._base.outside[:] = 0.0
        self._base.acceleration[:] = 0.0
        self._base.momentum[:] = self.momentum
        self._begun = self._account(None)

    def step(self, q_reference: Array, dq_reference: Array, wrench_tip: Array = NO_WRENCH) -> None:
        """Carry the arm on by one step.

        Args:
            q_reference: of the joints [rad, m], shape (n,).
            dq_reference: its speed [rad/s, m/s], shape (n,).
            wrench_tip: force and torque of the environment on the tip, about it, base axes [N, N m], (6,).

        Raises:
            SimulationError: the step has no solution; nothing was changed.
        """
        rounds = arm_step(
            self._chain, self._drives, self._states, self._base, self.floats, self.rotors_spin, self._arm,
            q_reference, dq_reference, self._gravity, wrench_tip, self.dt,
        )  # fmt: skip
        if rounds == DIVERGED:
            raise self._diverged()
        self._steps += 1

    def run(self, q_references: Array, dq_references: Array, wrench_tip: Array = NO_WRENCH) -> "Run":
        """Carry the arm on by a step for each row of the references, in one compiled call.

        Args:
            q_references: of the joints in the middle of each step [rad, m], shape (k, n).
            dq_references: their speeds [rad/s, m/s], shape (k, n).
            wrench_tip: see `step`.

        Returns:
            Positions, currents and motor angles behind each step.

        Raises:
            SimulationError: a step has no solution; the arm stands before it.
        """
        out = [np.empty(q_references.shape) for _ in range(3)]
        done = run_steps(
            self._chain, self._drives, self._states, self._base, self.floats, self.rotors_spin, self._arm,
            np.ascontiguousarray(q_references), np.ascontiguousarray(dq_references), self._gravity,
            wrench_tip, self.dt, *out,
        )  # fmt: skip
        self._steps += done
        if done < len(q_references):
            raise self._diverged()
        return Run(*out)

    def needed_torque(self, q: Array, dq: Array, ddq: Array) -> Array:
        """Return what a motion asks of the motors, on the joints' side, of a base that stands [N m, N], (n,).

        Bodies, rotors and friction, the gears taken as rigid; a joint that stands has no friction.

        Args:
            q: joint positions [rad, m], shape (n,).
            dq: their speeds [rad/s, m/s], shape (n,).
            ddq: their accelerations [rad/s2, m/s2], shape (n,).
        """
        return needed_torques(self._arm, self._drives, q, dq, ddq, self._own_gravity())

    def close_brakes(self, closed: BoolArray) -> None:
        """Close the brakes of some joints, shape (n,), and open the others; a closed drive has no current."""
        self._states["braked"] = np.asarray(closed, np.int64)

    def _diverged(self) -> SimulationError:
        worst = int(np.abs(self._states["dq"]).argmax())
        return SimulationError(
            f"the step from {self.t:.6g} s of {self.dt:g} s has no solution; joint {worst + 1} is fastest, "
            f"at {self._states['dq'][worst]:.4g} rad/s or m/s: take a shorter step, or softer controllers"
        )

    def _rotors(self) -> Array:
        """Return the rotors' inertia on the joints' side, of rigid gears; the others turn by themselves."""
        reflected = self._drives["rotor_inertia"] * self._drives["ratio"] ** 2
        return np.where(self._drives["elastic"] == 0, reflected, 0.0)

    def _own_gravity(self) -> Array:
        return np.asarray(self._base.pose[:3, :3].T @ self._gravity)

    @property
    def momentum(self) -> Array:
        """Momentum, angular momentum about the world's origin, of the whole, in world axes, (6,)."""
        return momenta_in_world(self._chain, self._base, self.q, self.dq, self._spins())

    def energy_account(self) -> EnergyAccount:
        """Return where the energy went since the beginning."""
        return self._account(self._begun.stored)

    def _account(self, begun: float | None) -> EnergyAccount:
        return account_of(
            self._chain, self._drives, self._states, self._base, self._gravity, self._spins(), begun
        )

    def _spins(self) -> Array:
        """Return the rotors' momenta beside what carries them [N m s], shape (n,); zeros: not looked at."""
        share = 1.0 if self.rotors_spin else 0.0
        return np.asarray(share * self._drives["rotor_inertia"] * self._states["omega"])

    def variables(self) -> dict[str, float]:
        """Return all that can be watched, by dotted names with their units."""
        return variables_of(
            self._drives, self._states, self._linear, self._base, self.T_base_tip, self.floats, self.t
        )

    def parameters(self) -> dict[str, float]:
        """Return all that can be changed while the model runs, by dotted names with their units."""
        found = {}
        for name, (joint, field) in parameter_names(self._linear).items():
            found[name] = float(self._gravity[field]) if joint < 0 else float(self._drives[joint][field])
        return found

    def set_parameter(self, name: str, value: float) -> None:
        """Change a parameter of the running model.

        Raises:
            DriveError: there is none of that name, or the value is out of its bounds.
        """
        written_parameter(self._drives, self._linear, self._gravity, name, value)
        rotors = frozen_array(self._rotors())
        self._arm, self._chain = self._arm._replace(armatures=rotors), self._chain._replace(armatures=rotors)
        self._base.momentum[:] = self.momentum  # a changed rotor has another


class Run:
    """What `DrivenArm.run` wrote down, a row a step.

    Attributes:
        q: joint positions [rad, m], shape (k, n).
        current: of the motors [A], shape (k, n).
        motor_angle: [rad], shape (k, n).
    """

    def __init__(self, q: Array, current: Array, motor_angle: Array) -> None:
        """Hold the rows."""
        self.q, self.current, self.motor_angle = q, current, motor_angle


def _on_satellite(arm: SerialChain, mass: float, inertia: Array | None) -> SerialChain:
    """Return the chain with a satellite in its base body."""
    turning = np.zeros((3, 3)) if inertia is None else np.array(inertia, np.float64)
    if not (np.isfinite(mass) and mass > 0.0):
        raise DriveError(f"base_mass = {mass} kg must be finite and above 0: a satellite weighs something")
    if (
        turning.shape != (3, 3)
        or not np.allclose(turning, turning.T)
        or np.linalg.eigvalsh(turning)[0] <= 0.0
    ):
        raise DriveError("base_inertia must be a symmetric matrix (3, 3) with moments above 0 [kg m2]")
    whole, centre, total = joined(arm.masses[0], arm.centres[0], arm.inertias[0], mass, np.zeros(3), turning)
    masses, centres, inertias = arm.masses.copy(), arm.centres.copy(), arm.inertias.copy()
    masses[0], centres[0], inertias[0] = whole, centre, total
    return arm._replace(
        masses=frozen_array(masses), centres=frozen_array(centres), inertias=frozen_array(inertias)
    )
