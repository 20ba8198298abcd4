"""What the page says of a recording: what it is, what it lacks, and how things stood at an instant."""

from pathlib import Path
from typing import Any

from hil.common.clock import NS
from hil.common.freshness import is_fresh
from hil.dashboard.hearing import Last
from hil.dashboard.news import news
from hil.dashboard.showing.player import Player
from hil.dashboard.showing.timeline import Timeline
from hil.dashboard.signals import Signals
from hil.dashboard.state_words import MEANINGS
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS, State
from hil.processes.supervisor.tally import fastened_words
from hil.processes.supervisor.touch_watch import touch_words
from hil.recording.head import began_in_words, is_live
from hil.recording.moments import Moments

NOTHING = "NOT RECORDED"
WATCH = "watch: this is a recording, and nothing here acts."
WHY_NOT = "this is a recording"
CONTROLS = ("float", "approach", "calibrate", "hold", "reset", "motion", "push", "thresholds", "stop")
LACKS = {
    "/mode": "the machine's states: no orders of the supervisor",
    "/robot_state": "the arm: no states of the driver",
    "/sim_state": "the simulated object, its way and its contacts: no states of the simulation",
    "/cycle": "wrench, joints and the arm against the simulation: no cycles of the driver",
}


def about(path: Path, moments: Moments, undrawn: str) -> dict[str, Any]:
    """Return what the page is told once of a recording.

    Args:
        path: of it.
        moments: the recording.
        undrawn: why neither picture nor curves can be drawn; empty where they can.
    """
    live = is_live(moments.summary)
    begun = began_in_words(moments.summary)
    return {
        "name": path.name,
        "how": f"live, {begun}" if live else begun,
        "length_s": (moments.end_ns - moments.begin_ns) / NS,
        "undrawn": undrawn,
        "lacks": lacking(moments, live),
    }


def lacking(moments: Moments, live: bool) -> list[str]:
    """Return what cannot be shown, and why, in words."""
    kind = moments.summary.metadata.get("configuration", {}).get("robot.kind", "")
    told = [words for name, words in LACKS.items() if name not in moments.names]
    if "/truth" not in moments.names:
        why = "nobody knows those on a real arm" if "fri" in kind else "the recording has no truth of the arm"
        told.append(f"true pushes: {why}")
    if not live:
        told.append("times of the stages: in lock-step nothing takes time")
    return told


def lost(moments: Moments) -> str:
    """Return what of a recording is lost, in words, as far as it was looked through; empty: nothing."""
    summary = moments.summary
    summary.damaged = len(moments.damaged)
    told = [] if summary.whole else ["it is broken off"]
    told += [summary.damage] if summary.damage else []
    missed = [f"{n} of {topic}" for topic, n in summary.lost.items() if n != "0"]
    told += [f"the recorder missed {', '.join(missed)}"] if missed else []
    return "; ".join(told)


def told_of(
    at_ns: int, last: Last, signals: Signals | None, timeline: Timeline, acts: str = ""
) -> dict[str, Any]:
    """Return how things stood at an instant, in the names of the live page's news.

    Args:
        at_ns: the instant.
        last: the newest of each kind then.
        signals: the curves up to then, or None.
        timeline: what happened when.
        acts: how force acted; empty of pushes.
    """
    mode, robot, sim = last.mode, last.robot, last.sim
    counts: dict[str, Any] = dict(timeline.counts(at_ns))
    if robot is not None:
        counts["missed"] = robot.missed
        if robot.sample_to_command_p50:  # in lock-step nothing takes time
            counts["sample_to_command_p50_us"] = 1e6 * robot.sample_to_command_p50
            counts["ring_p50_us"] = 1e6 * robot.ring_p50
    if acts:
        newest = last.contact or timeline.contact_at(at_ns)
        counts |= {"force_acts": acts, "touch": touch_words(newest, at_ns)}
    if sim is not None:
        counts |= {"docking": sim.outcome, "fastened": fastened_words(sim), "capped": sim.capped}
    forbidden = {"forbidden": dict.fromkeys(CONTROLS, WHY_NOT), "next": WATCH}
    if mode is None or not is_fresh(at_ns, mode.t_ns, MODE_TIMEOUT_NS):
        gap = "Nothing is recorded of this moment."
        return {"live": True, "state": NOTHING, "reason": "", "meaning": gap} | counts | forbidden
    if signals is not None:
        return news(at_ns, mode, robot, sim, counts, signals, emulated=False) | forbidden
    meaning = MEANINGS[State(mode.state)]
    return {"live": True, "state": mode.state, "reason": mode.reason, "meaning": meaning} | counts | forbidden


def player_told(player: Player, timeline: Timeline, share: float, lost_words: str) -> dict[str, Any]:
    """Return what the bar of the player shows."""
    marks, states = timeline.drawn()
    return {
        "t_s": player.t,
        "length_s": player.length,
        "playing": player.playing,
        "speed": player.speed,
        "looked": share,
        "marks": marks,
        "states": states,
        "lost": lost_words,
    }
