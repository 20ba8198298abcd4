"""What a second arm did to a recorded run's mock-up, by the driver's reports of its grasp."""

from dataclasses import dataclass

from hil.recording.columns import Columns

MOST = 8  # changes of state that are told one by one


@dataclass(frozen=True, eq=False)
class GraspStory:
    """The course of a grasp.

    Attributes:
        changes: when each state began, since the first report [s], and which; the first one at 0.
        law: by which a late force acted last; empty before the first grasp.
        opened: why the gripper was opened first; empty if it was not.
        peak: greatest force beyond the baseline [N].
        torque: greatest torque about the bar that a report showed [N m].
        gain: greatest energy that the grasp created [J].
    """

    changes: tuple[tuple[float, str], ...]
    law: str
    opened: str
    peak: float
    torque: float
    gain: float

    def words(self) -> str:
        """Return the states with their times, the law, and what was felt at most."""
        shown = [f"{state} from {t:.2f} s" for t, state in self.changes[:MOST]]
        more = len(self.changes) - len(shown)
        shown += [f"{more} more changes"] if more else []
        told = [", ".join(shown) + " of the recording", f"law {self.law or 'none yet'}"]
        told.append(
            f"at most {self.peak:.1f} N and {self.torque:.2f} N m felt, {1e3 * self.gain:.1f} mJ created"
        )
        told += [f"gripper opened: {self.opened}"] if self.opened else []
        return "; ".join(told)


def story_of(columns: Columns | None) -> GraspStory | None:
    """Return the course by the columns of `/grasp_report`; None where there are none."""
    if columns is None or not len(columns["t_ns"]):
        return None
    t = 1e-9 * (columns["t_ns"] - columns["t_ns"][0])
    states, opened = columns["state"].tolist(), columns["why"][columns["open"]].tolist()
    begins = [k for k, state in enumerate(states) if not k or state != states[k - 1]]
    laws = [law for law in columns["law"].tolist() if law]
    return GraspStory(
        tuple((float(t[k]), states[k]) for k in begins),
        laws[-1] if laws else "",
        opened[0] if opened else "",
        float(columns["peak"].max()),
        float(columns["torque"].max()),
        float(columns["gain"].max()),
    )
