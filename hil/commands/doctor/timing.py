"""What only measuring tells: how late this machine wakes, and how much the loop needs of it."""

import time

import numpy as np

from drivers.emulation.controller.controller import EmulatedController, warm
from drivers.fri.session import FriSession
from hil.commands.doctor.finding import FAIL, OK, WARN, Finding
from hil.configuration import Configuration
from hil.loop.carried.carried_arm import carried_by
from hil.loop.driver.core import DriverCore
from hil.loop.judging.state_machine import Machine, State
from hil.loop.real_port import port_of
from hil.processes.real_time.wake_up import lateness, real_time
from hil.processes.supervisor.real_time_watch import SAFE_LOAD
from hil.processes.table import PROCESSES
from planner.kinematics.arm_model import load_arm_model

MEASURE_S = 0.5  # of each class
CYCLES = 500
IN_MOTION = 2.0  # following a plan, and with the kernel's share for sockets, a cycle takes about twice that
LATE_SHARE = 0.1  # of the sample time: so late a wake-up is no trouble


def wake_up(sample_time: float) -> list[Finding]:
    """Measure for a second how late deadlines are met, as an ordinary and as a real-time process."""
    found = [_judged("wake-up, ordinary", lateness(MEASURE_S), sample_time)]
    with real_time(PROCESSES["driver"].real_time_priority) as refused:
        if refused:
            text = f"not measured: {refused}"
            return [*found, Finding("wake-up, real time", WARN, text, "docs/use/realtime.md: limits")]
        late = lateness(MEASURE_S)
    return [*found, _judged("wake-up, real time", late, sample_time)]


def _judged(
    name: str, late: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]", sample_time: float
) -> Finding:
    p50, p99 = np.percentile(late, [50.0, 99.0])
    text = f"late by {p50:.0f} us (median), {p99:.0f} us (p99), {late.max():.0f} us (max)"
    bound = 1e6 * LATE_SHARE * sample_time
    good = p99 <= bound
    return Finding(name, OK if good else WARN, text, f"p99 above {bound:.0f} us: other load, or no real time")


def running_load(load: float) -> Finding:
    """Judge the load that a running daemon measures."""
    verdict = OK if load < SAFE_LOAD else FAIL
    return Finding(
        "real-time load", verdict, f"{load:.0%} of a core, measured by the running daemon", _remedy()
    )


def expected_load(c: Configuration) -> Finding:
    """Time the real-time processes' work on synthetic samples, without a robot."""
    cpu = _cycle_cpu(c)
    load = IN_MOTION * cpu / c.fri.sample_time
    text = (
        f"about {load:.0%} of a core in motion ({1e6 * cpu:.0f} us of CPU a cycle at rest, "
        f"sample time {1e3 * c.fri.sample_time:g} ms)"
    )
    return Finding("real-time load", OK if load < SAFE_LOAD else FAIL, text, _remedy())


def _remedy() -> str:
    return f"must stay below {SAFE_LOAD:.0%}: a longer sample time, or a faster machine"


def _cycle_cpu(c: Configuration) -> float:
    """Return the CPU time of a cycle [s]: the driver's, and the emulated controller's if there is one."""
    warm(c, port_of)
    model = load_arm_model(c.robot.model)
    core = DriverCore(c, model, carried_by(c, model))
    core.warm()
    controller, session = EmulatedController(c, None, port_of), FriSession(c.fri)
    mode = Machine(State.READY).mode(0)
    period_ns = round(1e9 * c.fri.sample_time)
    own = emulated = 0.0
    for n in range(CYCLES):
        t_ns = (n + 1) * period_ns
        begin = time.thread_time()
        packet = controller.send()
        sent = time.thread_time()
        sample = session.receive(packet, c.fri.controller_address, t_ns)
        assert sample is not None
        core.observe(sample)
        answer = session.answer(sample, core.cycle(sample, mode).q_command)
        answered = time.thread_time()
        controller.receive(answer)
        controller.advance()
        own += answered - sent
        emulated += sent - begin + time.thread_time() - answered
    return (own + (emulated if c.robot.kind == "emulated" else 0.0)) / CYCLES
