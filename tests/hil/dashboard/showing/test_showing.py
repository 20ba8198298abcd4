"""What is shown of a recording: after a jump the same as after playing up to there, and all that is said."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import RecordingError
from hil.common.formats.mcap_chunks import McapChunks
from hil.dashboard.showing.main import Showing
from hil.dashboard.showing.projector import SETTLED_S
from hil.dashboard.signals import Signals
from hil.dashboard.window import POINTS
from hil.recording.mcap_file import McapFile
from hil.recording.reading import messages
from tests.hil.dashboard.showing.recorded import AGAIN_S, FAULT_S, HOLD_S, ON_S, PUSH_S

TICK_S = 0.05


def shown_at(recording: Path, t: float) -> Showing:
    """A page's view of an instant [s], sought at once."""
    showing = Showing(recording)
    showing.obey("pause", {}, 0)
    showing.obey("seek", {"t_s": t}, 0)
    showing.turn(0.0, watched=True)
    showing.turn(1.0, watched=True)
    return showing


def told(showing: Showing) -> dict[str, object]:
    """The news, as a page gets it."""
    news: dict[str, object] = json.loads(json.dumps(showing.turn(2.0, watched=True), allow_nan=False))
    return news


def curves(signals: Signals | None, now: float) -> list[np.ndarray]:
    """All curves of the charts."""
    assert signals is not None
    return [w.curves(now) for w in (signals.wrench, signals.rate, signals.joints, signals.gap)]


def test_a_jump_shows_what_playing_shows(recording: Path) -> None:
    """Curves, pushes and the newest of each at 3.5 s: played in steps of a twentieth, or sought at once."""
    played, now = Showing(recording), 0.0
    while played.player.t < 3.5 - 1e-6:
        played.turn(now, watched=True)
        now += TICK_S
    sought = shown_at(recording, played.player.t)
    t_ns = played.player.at_ns
    assert sought.player.at_ns == pytest.approx(t_ns, abs=1)
    a, b = played._projector, sought._projector
    assert a.last.sim is not None and b.last.sim is not None and a.last.sim.t_ns == b.last.sim.t_ns
    for one, other in zip(curves(a.signals, t_ns / 1e9), curves(b.signals, t_ns / 1e9), strict=True):
        assert one.shape == other.shape and one.shape[1] > POINTS // 8
        np.testing.assert_allclose(one, other, atol=1e-9)
    assert a.signals is not None and b.signals is not None
    (found,), (true,) = b.signals.detected.shown(), b.signals.true.shown()
    assert found.size == pytest.approx(true.size, rel=0.05), "the last push, detected and true"
    assert a.signals.detected.shown()[0].size == pytest.approx(found.size, rel=1e-9)


def test_the_moment_is_what_was_recorded(recording: Path) -> None:
    """State, counts, speed and pose at some instants beside what the messages say."""
    orders = [msg for _, _, msg in messages(recording, "/mode")]
    states = [msg for _, _, msg in messages(recording, "/sim_state")]
    for t in (0.3, PUSH_S + 0.5, 0.5 * (HOLD_S + ON_S), FAULT_S + 0.5, AGAIN_S + 1.0):
        showing = shown_at(recording, t)
        while not showing._looking.timeline.complete:
            showing._looking.turn(1.0)
        news, at_ns = told(showing), showing.player.at_ns
        order = [m for m in orders if m.t_ns <= at_ns][-1]
        state = [m for m in states if m.t_ns <= at_ns][-1]
        assert (news["state"], news["reason"]) == (order.state, order.reason)
        speed = 1e3 * float(np.linalg.norm(state.twist_world_object[:3]))
        assert news["speed_mm_s"] == pytest.approx(speed)
        counted = [t > PUSH_S, t > HOLD_S, t > FAULT_S]
        assert [news[k] for k in ("pushes", "holds", "faults")] == [int(x) for x in counted]
        last = showing._projector.last
        assert last.sim is not None and last.sim.p_world_object.tolist() == state.p_world_object.tolist()


def test_the_way_ahead_is_the_one_that_was_taken(recording: Path) -> None:
    """It begins at the object and ends where it was two seconds later, at most where it stopped."""
    showing = shown_at(recording, PUSH_S + 0.2)
    states = [msg for _, _, msg in messages(recording, "/sim_state")]
    path = showing._projector.last.path
    assert path is not None
    at_ns = showing.player.at_ns
    after = [m for m in states if at_ns < m.t_ns <= at_ns + 2_000_000_000]
    np.testing.assert_allclose(path.p_world_object[[0, -1]], [after[k].p_world_object for k in (0, -1)])


def test_dragging_draws_the_curves_when_the_hand_rests(recording: Path) -> None:
    """While seeks come, the moment follows at once; the curves come when none has for a while."""
    showing = shown_at(recording, 1.0)
    before = showing._projector.signals
    for k in range(10):
        showing.obey("seek", {"t_s": 1.5 + 0.1 * k}, 0)
        showing.turn(3.0 + 0.05 * k, watched=True)
        last = showing._projector.last.sim
        assert last is not None and last.t_ns == pytest.approx(showing.player.at_ns, abs=3e6)
        assert showing._projector.signals is before
    showing.turn(3.45 + SETTLED_S + 0.01, watched=True)
    assert showing._projector.signals is not before


def test_nothing_here_acts(recording: Path) -> None:
    """Every verb of the live page is refused in words, and every control is forbidden with the reason."""
    showing = shown_at(recording, 1.0)
    for verb in ("stop", "float", "hold", "reset", "push", "approach", "beat", "thresholds"):
        answer = showing.obey(verb, {}, 0)
        assert not answer["accepted"] and "this is a recording" in answer["text"]
    forbidden = told(showing)["forbidden"]
    assert isinstance(forbidden, dict)
    live = {"float", "approach", "hold", "reset", "motion", "push", "thresholds", "stop"}
    assert live <= set(forbidden) and set(forbidden.values()) == {"this is a recording"}


def test_a_hole_is_shown_as_one(recording: Path, tmp_path: Path) -> None:
    """In a damaged stretch nothing is claimed; the line has a hole there, and what is lost is said."""
    path, file = tmp_path / "damaged.mcap", McapChunks(recording)
    shutil.copy(recording, path)
    data = bytearray(path.read_bytes())
    for number in (5, 6, 7):
        frame = file.chunks[number].frame
        data[(frame.begin + frame.end) // 2] ^= 0x40
    path.write_bytes(data)
    middle_s = (file.chunks[6].begin_ns + file.chunks[6].end_ns) / 2e9 - file.chunks[0].begin_ns / 1e9
    showing = shown_at(path, middle_s + 0.2)
    while not showing._looking.timeline.complete:
        showing._looking.turn(1.0)
    news = told(showing)
    assert news["state"] == "NOT RECORDED" and "Nothing is recorded" in str(news["meaning"])
    player = news["player"]
    assert isinstance(player, dict) and "3 damaged chunks left out" in player["lost"]
    assert "D" in player["states"]


def test_what_is_not_in_it_is_told(recording: Path, tmp_path: Path) -> None:
    """No truth, no states of the simulation, no geometry: each in words, and the rest is shown."""
    about = Showing(recording).facts()["recording"]
    assert about["how"] == "recorded in lock-step" and about["undrawn"] == ""
    assert about["lacks"] == ["times of the stages: in lock-step nothing takes time"]
    path = tmp_path / "less.mcap"
    rewritten(recording, path, without=("/truth", "/sim_state"), model="robots/nowhere.toml")
    showing = shown_at(path, PUSH_S + 0.5)
    about = showing.facts()["recording"]
    assert "nowhere.toml" in about["undrawn"]
    assert [words.split(":")[0] for words in about["lacks"][:2]] == [
        "the simulated object, its way and its contacts",
        "true pushes",
    ]
    news = told(showing)
    assert news["state"] == "FLOATING" and news["pushes"] == 1


def rewritten(recording: Path, path: Path, without: tuple[str, ...], model: str) -> None:
    """Copy a recording without some channels, as of an arm whose model is elsewhere."""
    from hil.recording.recorder import channel, classes

    file = McapChunks(recording)
    head = {
        name: dict(values) for name, values in file.metadata.items() if name in ("zerog", "configuration")
    }
    text = head["zerog"]["configuration"]
    head["zerog"]["configuration"] = text.replace('model = "robots/', f'model = "{model}" # "')
    out, kinds = McapFile(path, 0, head), classes()
    for number in range(len(file.chunks)):
        for raw in file.messages(number, file.channels):
            name = file.channels[raw.channel].topic
            if name in kinds and name not in without:
                out.write(channel(name, kinds[name]), raw.log_ns, raw.data, raw.sequence)
    out.close()


def test_a_recording_without_states_is_refused(recording: Path, tmp_path: Path) -> None:
    """What is no run, as a driven arm's recording, is refused with what to do instead."""
    path = tmp_path / "driven.mcap"
    rewritten(recording, path, ("/mode", "/robot_state", "/sim_state"), "robots/nowhere.toml")
    with pytest.raises(RecordingError, match=r"has no states of a run in it.*zerog info"):
        Showing(path)
