"""Two arms in lock-step that show two bodies to one observer: a touch, a reach, and one stop line."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hil.common.errors import ConfigurationError
from hil.configuration.shared_pair import load_pair
from hil.loop.judging.state_machine import State
from hil.loop.shared.flown_pair import bounces, figures, in_words, reaches, relative_error
from hil.loop.shared.lockstep_shared import LockStepShared

TOUCH = Path(__file__).parents[4] / "configs/shared/touch.toml"


def arm(mount: float, v: str, *more: str) -> str:
    """Settings of an arm at a mount along x [mm]; one that is not at the origin looks back."""
    own = [
        f"object.initial_velocity_mm_s={v}", "object.initial_spin_deg_s=[0,0,0]", *more,
    ]  # fmt: skip
    if mount:
        own += [
            f"robot.mount_position_mm=[{mount},0,0]", "robot.mount_rotvec_deg=[0,0,180]",
            f"stops.centre_mm=[{mount - 790.0},0,150]", "stops.axis_yaw_deg=180", "run.seed=2",
        ]  # fmt: skip
    return "[" + ",".join(f"'{text}'" for text in own) + "]"


def pair(v_a: str, v_b: str, gap: float, *settings: str, b: tuple[str, ...] = ()):
    """A pair whose noses begin so far apart [mm]."""
    arms = f"first.settings={arm(0.0, v_a)}", f"second.settings={arm(1940.0 + gap, v_b, *b)}"
    return load_pair(TOUCH, [*arms, *settings])


@pytest.fixture(scope="module")
def touched():
    """60 and 40 kg that drift along together, touch after a second and part."""
    body = "object.mass_kg=40.0", "object.inertia_kg_m2=[2,2,2]"
    loop = LockStepShared(pair("[50,30,0]", "[10,30,0]", 40.0, b=body))
    return loop, loop.run(1.9)


def test_the_mockups_are_to_each_other_as_the_bodies_are(touched) -> None:
    """Free, and through the touch, within what the arm's delay costs; both bodies have one object time."""
    _, run = touched
    off, turned = relative_error(run)
    before = run.t < 1.0
    assert run.ended == ""
    assert run.clocks_apart == 0.0
    assert off[before].max() < 1e-4
    assert off.max() < 1.5e-3
    assert np.degrees(turned.max()) < 0.1


def test_each_arm_does_its_part_of_the_way_and_nothing_of_what_is_common(touched) -> None:
    """By mass the arm of the lighter body does six tenths, and none moves the 30 mm/s along y."""
    _, run = touched
    k = int(np.argmax(run.t > 0.9))
    moved = [run.held(i).p[k] - run.held(i).p[0] for i in (0, 1)]
    bodies = [run.body(i).p[k] - run.body(i).p[0] for i in (0, 1)]
    apart = bodies[0] - bodies[1]
    assert apart[0] > 0.025 and bodies[0][1] > 0.02
    assert moved[0] == pytest.approx(0.4 * apart, abs=1e-4)
    assert moved[1] == pytest.approx(-0.6 * apart, abs=1e-4)


def test_the_bodies_part_as_two_free_ones_would(touched) -> None:
    """Beside one equation of their distance, integrated by scipy; their momentum is kept."""
    _, run = touched
    (bounce,) = bounces(run)
    touch, m = run.pair.shared.touch, 1.0 / (1.0 / 60.0 + 1.0 / 40.0)

    def rate(_, y):
        force = max(0.0, touch.stiffness * y[0] + touch.damping * y[1]) if y[0] > 0.0 else 0.0
        return [y[1], -force / m]

    free = solve_ivp(rate, (0.0, 0.3), [0.0, bounce.before], max_step=1e-4, rtol=1e-9)
    peak = max(touch.stiffness * x + touch.damping * v for x, v in free.y.T if x > 0.0)
    assert bounce.before == pytest.approx(0.04, rel=1e-3)
    assert bounce.after == pytest.approx(-free.y[1, -1], rel=0.03)
    assert bounce.force == pytest.approx(peak, rel=0.15)
    assert bounce.lost < 0.05


def test_what_is_told_is_what_was_flown(touched) -> None:
    """Reach by sets and masses alone; words say what the figures say."""
    _, run = touched
    shared, alone = reaches(run.pair)
    assert shared == pytest.approx([0.16 / 0.6, 0.26 / 0.6, 0.26 / 0.6])
    assert alone == pytest.approx([0.16, 0.26, 0.26])
    told = figures(run)
    assert told["reach_gained"] == pytest.approx(1.0 / 0.6)
    assert told["relative_travel_mm"][0] == pytest.approx(
        sum(way[0] for way in told["mockups_moved_mm"]), abs=0.5
    )
    words = "\n".join(in_words(run))
    assert f"{told['touches'][0]['peak_n']:.1f} N at most" in words
    assert "267 mm as it is shared, 160 mm by one arm alone: 1.67 times" in words


def test_a_push_moves_the_pushed_mockup_at_once_and_is_shared_later() -> None:
    """40 N for 60 ms on the first: half of its speed is the second's, after what is committed."""
    push = "operator.push=[{time_s=0.5,force_n=[0.0,40.0,0.0],duration_ms=60.0}]"
    arms = f"first.settings={arm(0.0, '[0,20,0]', push)}", f"second.settings={arm(2040.0, '[0,20,0]')}"
    run = LockStepShared(load_pair(TOUCH, [*arms, "observer.sharing=reach"])).run(1.7)
    off, _ = relative_error(run)
    soon, later, end = (int(np.searchsorted(run.t, t)) for t in (0.7, 1.55, 1.69))
    gained = run.body(0).twist[end, 1] - 0.02
    whole = (
        2.4 / 60.0 * 2.0 / np.pi
    )  # of a half sine; contact mode takes what a hand gives from rest for less
    assert 0.7 * whole < gained < 1.02 * whole
    assert run.body(1).twist[end, 1] == pytest.approx(0.02, abs=1e-6)
    first, second = (run.held(i).p[:, 1] - run.held(i).p[0, 1] for i in (0, 1))
    assert first[soon] > 0.7 * gained * (0.7 - 0.53) and abs(second[soon]) < 1e-4
    assert first[later] == pytest.approx(-second[later], abs=1e-3)
    assert off.max() < 5e-4 and off[end] < 1e-5


def test_one_arm_alone_runs_out_of_reach_and_both_are_held() -> None:
    """Held by the set of the one that does all; in the same cycle, with one object time to the end."""
    small = "stops.half_extent_mm=[30,130,130]"
    chosen = (
        f"first.settings={arm(0.0, '[60,0,0]', small)}",
        f"second.settings={arm(2040.0, '[0,0,0]', small)}",
    )
    loop = LockStepShared(load_pair(TOUCH, [*chosen, "observer.sharing=first"]))
    run = loop.run(1.2)
    assert "the first arm's body leaves its set" in run.ended and "along x" in run.ended
    assert [one.judge.machine.state for one in loop.arms] == [State.HOLDING] * 2
    for _ in range(300):
        loop.turn()
        assert loop.arms[0].state.object_time == loop.arms[1].state.object_time
    assert loop.arms[0].state.time_rate == 0.0
    assert abs(loop.arms[0].T_world_object[0, 3] - 0.79) < 0.03
    assert not any(one.fault for one in loop.arms)


def test_what_one_arm_holds_the_other_holds() -> None:
    """An operator's hold, and drives that go off: the other arm stops with it, and nothing goes on alone."""
    for meddle, word in (
        (lambda loop: loop.arms[1].judge.order("hold"), "HOLDING"),
        (lambda loop: setattr(loop.arms[0]._controller, "power_on", False), "first arm"),
    ):
        loop = LockStepShared(pair("[5,0,0]", "[0,0,0]", 100.0))
        while loop.arms[0].floated_s < 0.4:
            loop.turn()
        meddle(loop)
        for _ in range(10):
            loop.turn()
        assert word in loop.ended
        assert State.FLOATING not in [one.judge.machine.state for one in loop.arms]


@pytest.mark.parametrize("start", ["[0,-60,0,80,0,58,0]", "[0,-64.311,0,84.574,0,58.885,8]"])
def test_an_arm_begins_in_the_middle_of_its_set(start: str) -> None:
    """Else the observer would ask for more speed than is certified, to share what is there already."""
    off = load_pair(TOUCH, [f"first.settings=['robot.start_deg={start}']"])
    with pytest.raises(ConfigurationError, match=r"first.configuration: robot.start_deg holds the object"):
        LockStepShared(off)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (("first.nose_mm=[0,0,251]",), "the noses' gap is -1.0 mm, it must be above 0"),
        (("second.settings=['fri.sample_time_ms=4']",), "fri.sample_time_ms = 4 must be"),
        (
            ("first.settings=['force.mode=pushes']",),
            "first.configuration: force.mode = 'pushes' is not for a pair",
        ),
        (
            ("first.configuration='../platform.toml'", "first.settings=[]"),
            "base.kind = 'platform' is not for a pair",
        ),
        (
            (
                "first.settings=['shared.pair=touch.toml','shared.arm=first','shared.other=x',"
                "'shared.other_port=3000']",
            ),
            "first.configuration: [shared] is not for a pair",
        ),
        (("touch.stiffness_n_per_m=0",), "touch.stiffness_n_per_m = 0 must be above 0"),
        (("observer.sharing=third",), "observer.sharing"),
        (("observer.speed=3",), "observer.speed is unknown"),
        (("first.configuration='nowhere.toml'",), "nowhere.toml: cannot be read"),
    ],
)
def test_bad_input_is_one_clear_line(settings, told) -> None:
    """Key, value, bound and remedy; never a traceback, never a run."""
    with pytest.raises(ConfigurationError) as error:
        load_pair(TOUCH, settings)
    assert told in str(error.value)
