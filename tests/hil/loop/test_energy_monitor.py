"""The object's energy grows only by work of measured pushes: exact where it must be, held where it is not."""

import dataclasses

import numpy as np
import pytest

import hil.loop.judging.energy_monitor as energy_monitor
from bench.fidelity import changed
from hil.configuration import Configuration
from hil.configuration.schema import ScriptedPush
from hil.loop.judging.energy_monitor import GROWTH, EnergyMonitor
from hil.loop.judging.state_machine import Machine, State
from hil.loop.lockstep import LockStep
from hil.messaging.messages import ImpulseSlice, SimState, Witness
from sim.world.flight.free import NO_DOCKING, NOBODY, NOWHERE
from sim.world.world import World

MS = 1_000_000
FLOATING = Machine(State.FLOATING, epoch=1)
MASS = 60.0


def piece(identifier, t_ms, impulse, index=0, revision=0, length_ms=50):
    t_ns = round(t_ms * MS)
    return ImpulseSlice(
        t_ns + length_ms // 2 * MS, identifier, index, revision, False, False, False, False,
        t_ns - length_ms // 2 * MS, t_ns + length_ms // 2 * MS, t_ns, np.array(impulse, float), np.zeros(6),
    )  # fmt: skip


class Floating:
    """A world with its monitor; the witness bears `share` of every push out."""

    def __init__(self, c: Configuration, twist=(0.0,) * 6, share: float = 1.0) -> None:
        self.world, self.monitor, self.share = World(c), EnergyMonitor(c), share
        self.world.restart(
            0, 1, c.stops.centre, self.world.state(0).quat_world_object, np.array(twist, float)
        )
        self.machine, self.t_ms = FLOATING, 0.0

    def push(self, item: ImpulseSlice, doubled: float = 1.0) -> None:
        self.monitor.push(item)
        disagreement = (1.0 - self.share) * item.impulse_object
        self.monitor.witness(Witness(item.t_ns, item.impulse_id, item.slice_index, disagreement))
        self.world.apply(dataclasses.replace(item, impulse_object=doubled * item.impulse_object))

    def until(self, t_ms: float) -> Machine:
        while self.t_ms < t_ms and self.machine.state is State.FLOATING:
            self.t_ms += 10.0
            t_ns = round(self.t_ms * MS)
            self.world.advance(t_ns)
            self.machine = self.monitor.step(t_ns, self.machine, self.world.state(t_ns))
        return self.machine


def test_the_work_of_pushes_is_the_energy(cube: Configuration, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no doubt allowed, what the pushes explain equals the energy to rounding, whatever happens.

    Pushes come late, are revised, retracted, act in the stops and turn a body of unequal inertia.
    """
    monkeypatch.setattr(energy_monitor, "UNSURE_FORCE", 0.0)
    monkeypatch.setattr(energy_monitor, "UNSURE_SHARE", 0.0)
    c = changed(cube, "object", inertia=np.array([2.0, 3.0, 4.0]))
    c = changed(c, "stops", max_speed=10.0, max_spin=10.0)
    rng = np.random.default_rng(7)
    floating = Floating(c, 0.05 * rng.normal(size=6))
    gaps = []
    for k in range(1, 40):
        t = 100.0 + 150.0 * k
        for revision in range(4):
            floating.until(t + 10.0 * revision)
            scale = 0.0 if k % 5 == 0 and revision == 3 else revision + 1.0
            impulse = scale * rng.normal(size=6) * [0.3, 0.3, 0.3, 0.02, 0.02, 0.02]
            floating.push(piece(k, t - 40.0 + 3.0 * revision, impulse, revision=revision))
            floating.until(t + 10.0 * revision + 10.0)
            gaps.append(floating.monitor.explained - floating.monitor.energy)
    assert floating.machine.state is State.FLOATING
    assert (
        floating.monitor.energy > 0.05
        and floating.world.state(round(floating.t_ms * MS)).stored_energy >= 0.0
    )
    assert np.abs(gaps).max() < 2e-5 * floating.monitor.energy


@pytest.mark.parametrize("impulse", [0.5, 1.0, 5.0])
@pytest.mark.parametrize("mass", [5.0, 60.0, 1000.0])
def test_a_reversed_wrench_gives_energy_from_the_first_push(
    cube: Configuration, impulse: float, mass: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From rest the object has J^2 / 2m while the torques say -J^2 / 2m; a right wrench is let through."""
    monkeypatch.setattr(energy_monitor, "BORNE_OUT", -np.inf)  # by the energy alone
    c = changed(changed(cube, "object", mass=mass), "stops", max_speed=10.0)
    floating = Floating(c, share=-1.0)
    floating.push(piece(1, 100, [impulse, 0, 0, 0, 0, 0]))
    assert floating.until(400).state is State.HOLDING
    assert floating.t_ms <= 120
    assert floating.monitor.energy == pytest.approx(impulse**2 / (2 * mass), rel=1e-9)
    doubt = (
        (energy_monitor.UNSURE_FORCE * 0.05 + energy_monitor.UNSURE_SHARE * impulse) * impulse / (2 * mass)
    )
    assert floating.monitor.explained == pytest.approx(-(impulse**2) / (2 * mass) + doubt, rel=1e-6)
    assert "energy that no push gave" in floating.machine.reason
    assert floating.machine.mode(0).hold
    right = Floating(c, share=1.0)
    right.push(piece(1, 100, [impulse, 0, 0, 0, 0, 0]))
    assert right.until(3000).state is State.FLOATING


@pytest.mark.parametrize("along", [1.0, 0.0, -1.0])
def test_torques_against_the_wrench_hold_whatever_the_motion(cube: Configuration, along: float) -> None:
    """0.5 N s against what the torques say: held although a push that only brakes gives no energy."""
    for share, held in ((-1.0, True), (0.0, True), (0.8, False), (1.0, False)):
        floating = Floating(cube, (0.1 * along, 0.02, 0.05, 0.0, 0.1, 0.0), share=share)
        floating.push(piece(1, 100, [0.5, 0, 0, 0, 0, 0]))
        assert (floating.until(500).state is State.HOLDING) == held, share
        if held:
            assert "joint torques contradict" in floating.machine.reason
            assert "fri.wrench_sign" in floating.machine.reason and "check-wrench" in floating.machine.reason


@pytest.mark.parametrize(
    ("length_ms", "impulse", "share", "held"),
    [(28, -1.13, 0.46, False), (8, -0.02, -0.02, False), (28, -1.13, -1.0, True), (60, -1.13, 0.46, True)],
)
def test_a_piece_of_a_push_contradicts_by_the_opposite_alone(
    cube: Configuration, length_ms: int, impulse: float, share: float, held: bool
) -> None:
    """A hold cuts a push off before both filters have told it, and its last 8 ms are next to nothing."""
    floating = Floating(cube, (0.1, 0.0, 0.0, 0.0, 0.0, 0.0), share=share)
    cut = piece(1, 100, [impulse, 0, 0, 0, 0, 0], length_ms=length_ms)
    floating.push(dataclasses.replace(cut, final=True))
    assert (floating.until(500).state is State.HOLDING) == held


def test_what_is_unsure_contradicts_nothing(cube: Configuration) -> None:
    """A baseline 1 N off over a weak push of 1.9 N contradicts nothing; nor does a slice's first instant."""
    weak = piece(1, 100, [0.19, 0, 0, 0, 0, 0], length_ms=100)
    early = piece(1, 100, [0.5, 0, 0, 0, 0, 0], length_ms=30)
    for item, share in ((weak, 1.0 - 1.0 / 1.9), (early, 0.6)):
        floating = Floating(cube, (-0.1, 0.0, 0.0, 0.0, 0.0, 0.0), share=share)
        floating.push(item)
        assert floating.until(500).state is State.FLOATING


def test_the_second_time_is_a_fault(cube: Configuration) -> None:
    """The operator floats on after a hold and is believed; at the next push against the torques it is over.

    Floating anew from READY forgets it.
    """
    floating = Floating(cube, share=-1.0)
    floating.push(piece(1, 100, [1.0, 0, 0, 0, 0, 0]))
    assert floating.until(400).state is State.HOLDING
    held = floating.machine
    assert held.policy("RUN", "") is held, "a path does not end this hold"
    floating.machine = held.float()
    floating.push(piece(1, 103, [1.0, 0, 0, 0, 0, 0], revision=1))
    assert floating.until(1000).state is State.FLOATING
    floating.push(piece(2, 1000, [1.0, 0, 0, 0, 0, 0]))
    assert floating.until(1200).state is State.FAULT
    anew = dataclasses.replace(FLOATING, epoch=2)
    state = dataclasses.replace(state_of(1300, [0.5, 0, 0]), epoch=2)
    assert floating.monitor.step(1_300 * MS, anew, state) is anew


def state_of(t_ms, v, omega=(0.0, 0.0, 0.0), stored=0.0, work=0.0):
    return SimState(
        t_ms * MS, 1, 1e-3 * t_ms, 1.0, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]),
        np.array([*v, *omega]), False, stored, np.zeros((0, 3), np.int64), np.zeros((0, 6)), work,
        NOBODY, NOWHERE, False, *NO_DOCKING,
    )  # fmt: skip


def test_a_slice_of_a_driver_that_began_anew_is_another_one(cube: Configuration) -> None:
    """Its ids begin anew as well: what the torques said of the old slice says nothing of the new one."""
    monitor, impulse = EnergyMonitor(cube), [6.0, 0, 0, 0, 0, 0]
    for revision in range(3):
        monitor.push(piece(1, 50, 5.0 * np.array(impulse), revision=revision))
    monitor.witness(Witness(50 * MS, 1, 0, 10.0 * np.array(impulse)))  # they contradict it
    assert monitor.step(60 * MS, FLOATING, state_of(60, [0.0, 0, 0])) is FLOATING
    monitor.push(piece(1, 100, impulse))
    acting = {"slices": np.array([[1, 0, 0]]), "slice_twists": np.array([[0.05, 0, 0, 0, 0, 0]])}
    pushed = dataclasses.replace(state_of(110, [0.1, 0, 0]), **acting)
    assert monitor.step(110 * MS, FLOATING, pushed) is FLOATING, "they have not said anything of it yet"
    monitor.witness(Witness(115 * MS, 1, 0, np.zeros(6)))
    later = dataclasses.replace(state_of(130, [0.1, 0, 0]), **acting)
    assert monitor.step(130 * MS, FLOATING, later) is FLOATING
    explained = monitor.explained
    unheard = dataclasses.replace(later, t_ns=150 * MS, slices=np.array([[1, 0, 2]]))
    monitor.step(150 * MS, FLOATING, unheard)
    assert monitor.explained == explained, "the old driver's third revision is not this one's"


def test_what_the_torques_say_may_come_before_the_slice(cube: Configuration) -> None:
    """Slices and statements travel apart: a slice overtaken by its only statement is judged by it."""
    floating = Floating(cube)
    item = piece(1, 100.0, [6.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    floating.until(130.0)
    floating.world.apply(item)
    floating.monitor.witness(Witness(item.t_ns, 1, 0, 2.0 * item.impulse_object))
    floating.monitor.push(item)
    assert floating.until(1000.0).state is State.HOLDING


@pytest.mark.parametrize("share", [1.0, 0.0])
def test_a_push_may_act_in_the_first_state_that_is_seen(cube: Configuration, share: float) -> None:
    """A push that brakes takes its energy once: what the first state has lost to it is no part of the start.

    One that the torques do not bear out is found there as well.
    """
    floating = Floating(cube, (0.05, 0.0, 0.0, 0.0, 0.0, 0.0), share)
    floating.push(piece(1, 60.0, [0.0, 0.0, -2.0, 0.0, 0.0, 0.0]))  # its z is x of the world
    floating.t_ms = 90.0  # so long nothing is heard of the object
    expected = State.FLOATING if share else State.HOLDING
    assert floating.until(1000.0).state is expected
    assert share == 0.0 or floating.monitor.excess <= 0.0


def test_the_state_of_another_floating_is_not_judged(cube: Configuration) -> None:
    """One left over from the floating before, as fast as may be, changes nothing and is not reckoned with."""
    monitor, machine = EnergyMonitor(cube), dataclasses.replace(FLOATING, epoch=2)
    anew = dataclasses.replace(state_of(20, [0.1, 0, 0]), epoch=2)
    assert monitor.step(0, machine, state_of(0, [0.0, 0, 0])) is machine
    assert monitor.step(20 * MS, machine, anew) is machine
    assert monitor.step(40 * MS, machine, state_of(40, [9.0, 0, 0])) is machine
    assert monitor.energy == pytest.approx(0.5 * MASS * 0.1**2)
    slow = dataclasses.replace(state_of(60, [0.1, 0, 0]), epoch=2)
    assert monitor.step(60 * MS, machine, slow) is machine


def test_every_floating_has_its_first_time(cube: Configuration) -> None:
    """Held in the first floating; the first violation of the second holds as well, and is no fault."""
    monitor = EnergyMonitor(cube)
    for epoch in (1, 2, 3):
        machine, t_ms = dataclasses.replace(FLOATING, epoch=epoch), 1000 * epoch
        for later, v in ((0, 0.0), (20, 0.1)):
            state = dataclasses.replace(state_of(t_ms + later, [v, 0, 0]), epoch=epoch)
            machine = monitor.step((t_ms + later) * MS, machine, state)
        assert machine.state is State.HOLDING, epoch
        assert monitor.step((t_ms + 40) * MS, machine, state) is machine


@pytest.mark.parametrize(("part", "held"), [(0.9, False), (1.1, True)])
def test_energy_from_nowhere_is_found_at_the_margin(cube: Configuration, part: float, held: bool) -> None:
    """A body at 0.1 m/s and 0.2 rad/s gains energy by a share: held just above the margin, not below it.

    Oracle: E = m v^2 / 2 + I w^2 / 2 = 0.36 J, and the margin by its own formula.
    """
    monitor = EnergyMonitor(cube)
    energy = 0.5 * MASS * 0.1**2 + 0.5 * 3.0 * 0.2**2
    speed = energy_monitor.GROWTH_SPEED
    margin = GROWTH * energy + 0.5 * MASS * speed**2 + 0.5 * 3.0 * (speed / cube.filter.length) ** 2
    gain = np.sqrt(1.0 + part * margin / energy)
    machine = monitor.step(0, FLOATING, state_of(0, [0.1, 0, 0], [0, 0.2, 0]))
    assert monitor.energy == pytest.approx(energy, rel=1e-12)
    machine = monitor.step(
        20 * MS, machine, state_of(20, gain * np.array([0, 0.1, 0]), gain * np.array([0.2, 0, 0]))
    )
    assert (machine.state is State.HOLDING) == held
    if held:
        assert "energy that no push gave" in machine.reason


def test_stops_give_back_and_losses_are_not_given_back(cube: Configuration) -> None:
    """Energy that a spring stores returns freely; what a wall has taken does not, nor a bounce above 1."""
    monitor = EnergyMonitor(cube)
    stored = 0.5 * MASS * (0.1**2 - 0.02**2)
    states = [state_of(0, [0.1, 0, 0]), state_of(20, [0.02, 0, 0], stored=stored), state_of(40, [-0.1, 0, 0])]
    machine = FLOATING
    for state in states:
        machine = monitor.step(state.t_ns, machine, state)
    assert machine is FLOATING
    machine = monitor.step(60 * MS, machine, state_of(60, [-0.05, 0, 0]))
    assert machine is FLOATING
    assert monitor.step(80 * MS, machine, state_of(80, [0.055, 0, 0])).state is State.HOLDING


def test_a_slice_counted_twice_is_held(cube: Configuration) -> None:
    """A world that applies a push twice has four times its energy from rest, twice what is explained."""
    floating = Floating(cube)
    floating.push(piece(1, 100, [1.0, 0, 0, 0, 0, 0]), doubled=2.0)
    assert floating.until(400).state is State.HOLDING
    assert "energy that no push gave" in floating.machine.reason


def test_a_push_that_nobody_reported_is_none(cube: Configuration) -> None:
    """A slice that acts in the world unheard of is waited for 0.2 s and then explains nothing."""
    floating = Floating(cube)
    floating.until(100)
    floating.world.apply(piece(1, 100, [1.0, 0, 0, 0, 0, 0]))
    assert floating.until(290).state is State.FLOATING
    assert floating.until(400).state is State.HOLDING


@pytest.mark.parametrize("spoilt", [np.nan, np.inf])
def test_a_state_that_is_no_number_is_a_fault_at_once(cube: Configuration, spoilt: float) -> None:
    """A world that has blown up: FAULT in the same step, from the first state on."""
    machine = EnergyMonitor(cube).step(0, FLOATING, state_of(0, [spoilt, 0, 0]))
    assert machine.state is State.FAULT and "blown up" in machine.reason


def pushed(cube: Configuration, *pushes: tuple[float, float]) -> LockStep:
    """The whole loop from rest, with pushes of an impulse [N s] at times [s], along y."""
    script = tuple(
        ScriptedPush.model_construct(
            time=t, force=np.array([0.0, impulse * np.pi / 0.2, 0.0]), duration=0.1, point=np.zeros(3)
        )
        for t, impulse in pushes
    )
    c = changed(cube, "object", initial_velocity=np.zeros(3), initial_spin=np.zeros(3))
    return LockStep(changed(c, "operator", random=None, push=script))


def test_wrong_sign_of_the_wrench_holds_at_the_first_push(cube: Configuration) -> None:
    """The whole loop with a reversed wrench: a first push of 0.5 N s brings HOLDING within 0.15 s."""
    loop = pushed(cube, (0.5, 0.5))
    loop._session._fri = loop._session._fri.model_copy(update={"wrench_sign": -1})
    trace = loop.run(1.0)
    held = np.flatnonzero(trace.state == "HOLDING")
    assert held.size and trace.t[held[0]] < trace.push_t_end[0] + 0.15
    assert np.all(trace.state[held[0] :] == "HOLDING")
    assert "fri.wrench_sign" in loop._machine.reason


def test_other_frame_of_the_wrench_is_held(cube: Configuration) -> None:
    """The whole loop with the wrench read in the other frame: the object goes elsewhere, and is held."""
    loop = pushed(cube, (0.5, 1.0))
    sensing = loop._driver._sensing
    sensing._in_its_axes = not sensing._in_its_axes
    trace = loop.run(1.0)
    assert np.any(trace.state == "HOLDING")


def test_a_right_wrench_is_never_held(cube: Configuration) -> None:
    """With motion noise, offsets and counter-swing the energy stays within a tenth of the margin."""
    c = changed(cube, "emulator.wrench", motion_noise=True)
    loop = LockStep(changed(c, "operator.random", first=0.5, gap=0.7, gap_spread=0.2))
    trace = loop.run(3.5)
    assert len(trace.impulse_id) >= 2
    assert np.all(trace.state == "FLOATING")
    assert loop.energy.excess < 0.1


@pytest.mark.parametrize(("told", "held"), [(1.0, False), (0.5, True)])
def test_work_of_other_bodies_is_no_energy_from_nowhere(cube: Configuration, told: float, held: bool) -> None:
    """A servicer accelerates the body to 0.1 m/s: all of the work told, nothing is held; half of it, held.

    Oracle: m v^2 / 2 = 0.3 J.
    """
    monitor = EnergyMonitor(cube)
    machine = monitor.step(100 * MS, FLOATING, state_of(100, [0.0, 0.0, 0.0]))
    work = told * 0.5 * MASS * 0.1**2
    machine = monitor.step(1_000 * MS, machine, state_of(1000, [0.1, 0.0, 0.0], work=work))
    assert (machine.state is State.HOLDING) is held


def test_energy_that_other_bodies_took_back_must_be_gone(cube: Configuration) -> None:
    """The servicer takes its 0.3 J back, but the body still has them: held."""
    monitor, machine = EnergyMonitor(cube), FLOATING
    for t_ms, v, work in ((100, 0.0, 0.0), (1000, 0.1, 0.5 * MASS * 0.1**2), (2000, 0.1, 0.0)):
        assert machine.state is State.FLOATING
        machine = monitor.step(t_ms * MS, machine, state_of(t_ms, [v, 0.0, 0.0], work=work))
    assert machine.state is State.HOLDING
