"""The report for machines: one dictionary, ready for JSON."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hil.analysis.latency.analysis import Analysis
from hil.analysis.latency.distribution import distribution
from hil.analysis.latency.stages import ACROSS
from hil.common.arrays import Array
from hil.common.output_file import write_output

PAPER = {"reaction_ms": 300.0, "interface_delay_ms": 250.0, "simulation_and_ik_ms": 15.0}

MS = 1e3  # from seconds
FAST_CYCLE = 0.0015  # [s]; goals differ between 1 and 2 ms
BEHIND_MS = {True: 12.0, False: 18.0}  # the ideal body at half the velocity, median, at fast and slow cycles
OVERSHOOT = 0.10  # 95th percentile
OWN_SHARE_MS = 1.0  # median
OVER_BARE = 2.0  # own share over the bare loop's, 99th percentile
IDENTIFIED_MS = 1.0  # off the configured delay


@dataclass(frozen=True)
class Goal:
    """A goal and what was measured; `met` is None where it cannot be judged."""

    name: str
    value: float | None
    bound: float | None
    unit: str

    @property
    def met(self) -> bool | None:
        """Whether the value is within the bound."""
        return None if self.value is None or self.bound is None else self.value <= self.bound


def report(analysis: Analysis) -> dict[str, Any]:
    """Return all figures. Distributions are `{min, p50, p90, p99, p999, max, n}`."""
    recording, pushes, stages = analysis.recording, analysis.pushes, analysis.stages
    fri = recording.configuration.fri
    return {
        "push_to_motion_ms": {
            "first_motion": distribution(pushes.first_motion * MS),
            "to_10": distribution(pushes.to_10 * MS),
            "to_50": distribution(pushes.to_50 * MS),
            "behind_ideal_first": distribution(pushes.behind_ideal_first * MS),
            "behind_ideal_10": distribution(pushes.behind_ideal_10 * MS),
            "behind_ideal_50": distribution(pushes.behind_ideal_50 * MS),
            "time_shift": distribution(pushes.time_shift * MS),
        },
        "velocity_overshoot": distribution(pushes.overshoot) | {"p95": p95(pushes.overshoot)},
        "pushes": {
            "used": len(pushes.to_50),
            "left_out": dict(pushes.left_out),
            "onset": "true force" if recording.truth is not None else "measured wrench",
        },
        "own_share_ms": distribution(stages.own_share),
        "round_trip_ms": distribution(stages.round_trip),
        "ring_ms": distribution(stages.ring),
        "bare_loop_ms": distribution(analysis.bare_ms),
        "bare_loop": {"sent": recording.bare_sent, "answered": len(recording.bare_ns)},
        "stages": {name: distribution(values) for name, values in stages.stages.items()},
        "stages_uncertainty_ms": _uncertainty(analysis),
        "cycle": {
            "wake_up_us": distribution(stages.wake_up),
            "compute_us": distribution(stages.compute),
            "slack_us": distribution(stages.slack),
            "missed": stages.missed,
            "lost": stages.lost,
            "overtaken": stages.overtaken,
            "answered": stages.answered,
            "packets": stages.packets,
        },
        "interface_delay_ms": _interface_delay(analysis),
        "paper": dict(PAPER),
        "goals": [
            {"name": g.name, "value": g.value, "bound": g.bound, "unit": g.unit, "met": g.met}
            for g in goals(analysis)
        ],
        "not_measured": list(analysis.not_measured),
        "robot": recording.configuration.robot.kind,
        "sample_time_ms": fri.sample_time * MS,
        "machine": recording.machine,
        "real_time": dict(recording.real_time),
    }


def write_report(path: Path, values: dict[str, Any]) -> None:
    """Write the report as JSON."""
    write_output(path, json.dumps(values, indent=2, allow_nan=False) + "\n")


def goals(analysis: Analysis) -> list[Goal]:
    """Return the goals of the emulated arm; those that add a delay or a real arm have fewer."""
    c, pushes = analysis.recording.configuration, analysis.pushes
    own, bare = distribution(analysis.stages.own_share), distribution(analysis.bare_ms)
    found = []
    if analysis.recording.truth is not None and c.emulator.delay == 0.0:
        behind = distribution(pushes.behind_ideal_50 * MS)["p50"]
        found += [
            Goal(
                "behind the ideal body at 50 % velocity, p50",
                behind,
                BEHIND_MS[c.fri.sample_time < FAST_CYCLE],
                "ms",
            ),
            Goal("velocity overshoot, p95", p95(pushes.overshoot), OVERSHOOT, ""),
        ]
    found.append(Goal("own share, p50", own["p50"], OWN_SHARE_MS, "ms"))
    limit = None if bare["p99"] is None else OVER_BARE * bare["p99"]
    found.append(Goal("own share, p99 (bound: twice the bare loop's)", own["p99"], limit, "ms"))
    delay = _interface_delay(analysis)
    if delay["configured"] is not None:
        off = None if delay["identified"] is None else abs(delay["identified"] - delay["configured"])
        found.append(Goal("identified interface delay, off the configured one", off, IDENTIFIED_MS, "ms"))
    return found


def p95(values: Array) -> float | None:
    """Return the 95th percentile of finite values, or None."""
    finite = values[np.isfinite(values)]
    return float(np.quantile(finite, 0.95)) if len(finite) else None


def _interface_delay(analysis: Analysis) -> dict[str, Any]:
    """Return what was configured and what the robot's part was found to be [ms]."""
    robot, c = analysis.robot, analysis.recording.configuration
    configured = c.emulator.delay * MS if analysis.recording.truth is not None else None
    names = ("total", "dead_time", "lag", "cross_correlation", "on_line")
    if robot is None:
        return {"configured": configured, "identified": None, **dict.fromkeys(names), "residual": None}
    values = {name: getattr(robot, name) for name in names}
    return {
        "configured": configured,
        "identified": robot.identified * MS,
        **{name: None if value is None else value * MS for name, value in values.items()},
        "plant": robot.plant * MS,
        "residual": robot.residual,
    }


def _uncertainty(analysis: Analysis) -> dict[str, float]:
    """Return the clocks' share in the doubt of stages that lie between two machines [ms]."""
    remote = analysis.recording.remote_uncertainty
    return {name: remote * MS for name in ACROSS} if 0.0 < remote < np.inf else {}
