"""A trace put together from the columns of a recording."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from hil.analysis.latency.motion import Motion
from hil.analysis.latency.recording import COUNT, FLAGS, SAMPLE, LatencyRecording
from hil.analysis.recorded.motion import paired_motion, robot_clock
from hil.analysis.recorded.push import RecordedPushes
from hil.analysis.recorded.states import ObjectStates, machine_states, object_states
from hil.common.arrays import Array, BoolArray, IntArray
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.judging.state_machine import MOVING
from hil.loop.trace.recorder import Trace, TraceRecorder
from hil.messaging.messages import CYCLE_COMMANDING, ImpulseSlice, Plan, SimState
from hil.recording.columns import Columns
from sim.world.flight.free import NO_DOCKING, NOBODY, NOWHERE

NO_SLICES, NO_TWISTS = np.zeros((0, 3), np.int64), np.zeros((0, 6))
NO_PATH = np.zeros((0, 7))
PORT = ("wrench_world", "penetration", "p_world_port", "v_world_port", "deflection_world", "measured_world")
HOLE = 0.1  # [s] without cycles, where chunks are missing


class TraceAssembly:
    """What becomes a trace."""

    def __init__(
        self,
        c: Configuration,
        channels: Mapping[str, Columns],
        latency: LatencyRecording,
        missing: dict[str, str],
        replayed: bool = False,
        holed: bool = False,
    ) -> None:
        """Take the parts of a recording.

        Args:
            c: the run's configuration.
            channels: columns of the recording, by channel.
            latency: the same recording's stamps.
            missing: what it cannot tell, by key; grows with what is found missing.
            replayed: a recorded wrench acted in the run.
            holed: chunks are missing, and the trace is of the longest stretch without a hole.
        """
        self._c, self._channels, self._latency, self._missing = c, channels, latency, missing
        self._replayed, self._holed = replayed, holed
        self._recorder = TraceRecorder(c, Frames.from_configuration(c), len(latency.cycles.stamps))
        self._t_ns: IntArray = latency.cycles.stamps[:, SAMPLE]
        self._robot_ns = robot_clock(self._t_ns, latency.cycles.counts[:, COUNT], c.fri.sample_time)
        self._t: Array = self._robot_ns * np.float64(1e-9)

    def trace(self) -> Trace:
        """Return the trace; without rows where the recording has no cycles or no simulation."""
        if "cycles" in self._missing or "simulation" in self._missing:
            return self._recorder.finish()
        known, motion, rows = paired_motion(self._latency, self._t)
        objects = object_states(self._c, self._channels["/sim_state"], self._t_ns)
        states = machine_states(self._channels.get("/mode"), objects, self._t_ns)
        kept = self._kept(known & (objects.source >= 0), states)
        if len(kept):
            self._add_rows(kept, objects, states, motion, rows[kept])
            self._add_port(motion.stamp_ns[rows[kept]])
            self._add_slices(self._t_ns[kept], motion.quat[rows[kept]])
            self._add_plans(int(self._t_ns[kept[0]]))
            self._add_inside(int(self._t_ns[kept[0]]))
        trace = self._recorder.finish()
        return replace(trace, contact_sim=trace.contact_sim | objects.touching[kept])

    def _kept(self, known: BoolArray, states: list[str]) -> IntArray:
        """Return the cycles that become rows: all of which enough is known, from the first afloat on."""
        afloat = known & np.isin(states, MOVING)
        if not afloat.any():
            self._missing["rows"] = "the object never floated"
            return np.empty(0, np.int64)
        begin = int(np.argmax(afloat))
        kept: IntArray = begin + np.flatnonzero(known[begin:])
        if self._holed:
            kept = self._longest_stretch(kept)
            begin = int(kept[0])
        # channels never end at the same cycle; a hole before their end is something else
        if left_out := int(kept[-1]) + 1 - begin - len(kept):
            self._missing["rows"] = f"{left_out} cycles without a state of simulation or arm are left out"
        return kept

    def _longest_stretch(self, kept: IntArray) -> IntArray:
        """Return the cycles of the longest stretch without a hole; figures across one would be wrong."""
        holes = np.flatnonzero(np.diff(self._t_ns[kept]) > round(1e9 * HOLE)) + 1
        stretches: list[IntArray] = np.split(kept, holes)
        longest = max(stretches, key=len)
        if len(stretches) > 1:
            seconds = 1e-9 * float(self._t_ns[longest[-1]] - self._t_ns[longest[0]])
            self._missing["holes"] = (
                f"chunks are missing in {len(holes)} places: all is judged by the longest stretch without a "
                f"hole, {seconds:.1f} s"
            )
        return longest

    def _add_rows(
        self, kept: IntArray, objects: ObjectStates, states: list[str], motion: Motion, rows: IntArray
    ) -> None:
        """Add a row for each cycle that is kept, and the true pushes.

        Args:
            kept: the cycles, shape (n,).
            objects: what the simulation believed at all cycles.
            states: of the machine, at all cycles.
            motion: of the arm.
            rows: of the arm's motion, for each of the cycles kept, shape (n,).
        """
        cycles = self._latency.cycles
        wrench = self._pushed(motion, self._t[kept])
        commanding = cycles.counts[:, FLAGS] & CYCLE_COMMANDING != 0
        for i, k in enumerate(kept.tolist()):
            self._recorder.row(
                int(self._robot_ns[k]),
                wrench[i],
                cycles.wrench_object[k],
                cycles.q_command[k],
                cycles.q_measured[k],
                SimState(
                    int(self._t_ns[k]), objects.epoch[k], 0.0, objects.rate[k], objects.p[k],
                    objects.quat[k], objects.twist[k], False, 0.0, NO_SLICES, NO_TWISTS, 0.0, NOBODY,
                    NOWHERE, bool(objects.pressed[k]), *NO_DOCKING,
                ),
                motion.p[rows[i]],
                motion.quat[rows[i]],
                states[k],
                objects.rate[k],
                commanding[k],
            )  # fmt: skip

    def _add_port(self, sent_ns: IntArray) -> None:
        """Add what an emulated port was like when the rows' packets were sent, if there was one."""
        columns = self._channels.get("/port")
        if columns is None:
            return
        none = np.zeros((len(columns["t_ns"]), 6))  # recorded before ports had sensors
        told = np.column_stack([np.asarray(columns.get(name, none), np.float64) for name in PORT])
        newest = np.searchsorted(columns["t_ns"], sent_ns, side="right") - 1
        for row in told[np.maximum(newest, 0)]:
            self._recorder.port(row)

    def _pushed(self, motion: Motion, t: Array) -> Array:
        """Add the true pushes; return the true wrench at the ends of the parts of cycles (n, parts, 6)."""
        if "force" in self._missing:
            return np.zeros((len(t), 1, 6))
        pushes = RecordedPushes(motion, self._replayed)
        if pushes.endless:
            self._missing["force"] = "a recorded wrench was replayed: where its pushes begin is not known"
        self._recorder.under_way(pushes.under_way)
        for push, impulse in zip(pushes.times, pushes.impulses, strict=True):
            if push.start >= t[0]:
                self._recorder.push(round(1e9 * push.start), round(1e9 * push.end), impulse)
        return pushes.at_parts(t)

    def _add_slices(self, t_ns: IntArray, quat: Array) -> None:
        """Add the impulse slices, each with the arm's attitude (n, 4) at the row nearest to its centroid."""
        columns = self._channels.get("/impulse")
        if columns is None:
            return
        nearest = np.clip(np.searchsorted(t_ns, columns["t_centroid_ns"]), 1, len(t_ns) - 1)
        nearest -= columns["t_centroid_ns"] - t_ns[nearest - 1] < t_ns[nearest] - columns["t_centroid_ns"]
        fields = [
            self._by_robot(columns[name]) if name.startswith("t_") else columns[name]
            for name in ImpulseSlice.__match_args__
        ]
        within = columns["t_ns"] >= t_ns[0]
        if self._holed:
            whole = set(columns["impulse_id"][within & (columns["slice_index"] == 0)].tolist())
            within &= np.isin(columns["impulse_id"], list(whole)) & (columns["t_ns"] <= t_ns[-1])
        for k in np.flatnonzero(within).tolist():
            item = ImpulseSlice(*(column[k] for column in fields))
            self._recorder.slice(item, matrix_from_quat(quat[nearest[k]]))

    def _add_plans(self, first_ns: int) -> None:
        """Add what is told of every plan from an instant on."""
        columns = self._channels.get("/plan")
        if columns is None:
            return
        ends = {name: np.cumsum(columns[f"{name}_rows"]) for name in ("arm_angle", "slices")}
        t_ns = self._by_robot(columns["t_ns"])
        for k in np.flatnonzero(columns["t_ns"] >= first_ns).tolist():
            cut = {
                name: columns[name][end[k] - columns[f"{name}_rows"][k] : end[k]]
                for name, end in ends.items()
            }
            names = (
                "epoch", "number", "object_time_0", "step", "time_map", "branch", "policy", "reason",
                "time_rate", "depth",
            )  # fmt: skip
            told = {name: columns[name][k] for name in names} | {"t_ns": t_ns[k]}
            self._recorder.plan(Plan(**told, **cut, q=NO_PATH, dq=NO_PATH, ddq=NO_PATH))

    def _add_inside(self, first_ns: int) -> None:
        """Add what all bodies of an object with some inside had together, from an instant on."""
        columns = self._channels.get("/inside_state")
        if columns is None:
            return
        t_ns = self._by_robot(columns["t_ns"])
        for k in np.flatnonzero(columns["t_ns"] >= first_ns).tolist():
            self._recorder.inside(
                int(t_ns[k]), columns["momentum_world"][k], columns["energy"][k], columns["work"][k]
            )

    def _by_robot(self, t_ns: IntArray) -> IntArray:
        """Return instants by the robot's clock [ns]."""
        ahead = self._robot_ns - self._t_ns
        moved: IntArray = t_ns + np.rint(np.interp(t_ns, self._t_ns, ahead)).astype(np.int64)
        return moved
