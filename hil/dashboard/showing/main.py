"""`zerog show`: one process that plays a recording on the page, on its own; no daemon, nothing that acts."""

import secrets
import threading
import time
from pathlib import Path
from typing import Any

from hil.common.clock import NS, Ticker
from hil.common.errors import ConfigurationError, OperatorError, RecordingError, RobotModelError
from hil.configuration import Configuration
from hil.dashboard.drawing_proxy import DrawingProxy
from hil.dashboard.news import fixed_facts
from hil.dashboard.showing.looking_through import LookingThrough
from hil.dashboard.showing.player import Player
from hil.dashboard.showing.projector import CHANNELS, Projector
from hil.dashboard.showing.words import about, lost, player_told, told_of
from hil.dashboard.site import Site
from hil.dashboard.view import NoView, View
from hil.loop.solids import ArmPicture
from hil.messaging.page_access import TOKEN_BYTES, Access, address_of, may_listen
from hil.processes.supervisor.signals import Signals
from hil.processes.supervisor.touch_watch import acts_words
from hil.recording.head import configuration_of
from hil.recording.moments import Moments

TURN_NS = 50_000_000
# of a turn for looking the recording through: while it stands, while it plays
LOOK_S, LOOK_BUSY_S = 0.03, 0.01
# of a run of which no configuration tells
NO_FACTS = {
    "emulated": False,
    "max_speed_mm_s": 0.0,
    "max_spin_deg_s": 0.0,
    "max_push_n": 0.0,
    "mockup": [],
}


class Showing:
    """A recording, its player, and what is shown of it."""

    def __init__(self, path: Path) -> None:
        """Open a recording.

        Raises:
            RecordingError: it cannot be read, or is no recording of a run.
        """
        self._path = path
        self.moments = Moments(path, CHANNELS)
        if not self.moments.names & {"/mode", "/robot_state", "/sim_state"}:
            raise RecordingError(
                f"{path} has no states of a run in it: `zerog show` plays what `zerog run` and "
                "`zerog simulate` have recorded; `zerog info` says what it holds"
            )
        self._configuration, self._arm, self._undrawn = self._geometry()
        self._looking = LookingThrough(self.moments)
        self.player = Player(self.moments.begin_ns, self.moments.end_ns)
        self._projector = Projector(self.moments, self._configuration, self._arm)
        self._lock = threading.Lock()  # pages ask on a thread of the site's

    def view(self) -> NoView:
        """Return the drawing of this run."""
        if self._configuration is None or self._arm is None:
            return NoView()
        return View(self._configuration, self._arm)

    def facts(self) -> dict[str, Any]:
        """Return what the page is told once."""
        c, arm = self._configuration, self._arm
        facts = NO_FACTS if c is None or arm is None else fixed_facts(c, arm)
        return facts | {"recording": about(self._path, self.moments, self._undrawn)}

    def obey(self, verb: str, arguments: dict[str, Any], _: int) -> dict[str, Any]:
        """Do what a page asks the player for and return the answer in words."""
        try:
            with self._lock:
                text = self.player.obey(verb, arguments, self._looking.timeline)
        except OperatorError as error:
            return {"accepted": False, "text": str(error)}
        return {"accepted": True, "text": text}

    def turn(self, now: float, watched: bool) -> dict[str, Any]:
        """Go on and return the news; `now` is monotonic [s], `watched` whether any page is open."""
        looking = self._looking
        with self._lock:
            self.player.turn(now, watched)
            at_ns, cuts, playing = self.player.at_ns, self.player.cuts, self.player.playing
            looking.turn(LOOK_BUSY_S if playing and watched else LOOK_S)
        projector = self._projector
        projector.turn(now, at_ns, cuts)
        acts = "" if self._configuration is None else acts_words(self._configuration.force)
        told = told_of(at_ns, projector.last, projector.signals, looking.timeline, acts)
        return told | {
            "player": player_told(self.player, looking.timeline, looking.share, lost(self.moments))
        }

    def draw(self, view: NoView, axes: bool, anew: bool) -> None:
        """Draw the moment, if it is another one, or `anew` in any case."""
        projector = self._projector
        if projector.signals is not None and (projector.moved or anew):
            view.draw(self.player.at_ns / NS, projector.signals, projector.last, axes)

    def _geometry(self) -> tuple[Configuration | None, ArmPicture | None, str]:
        """Return configuration and arm of the run, or why there are none."""
        try:
            c = configuration_of(self._path, self.moments.summary)
            return c, ArmPicture(c), ""
        except (RecordingError, ConfigurationError, RobotModelError) as error:
            return None, None, str(error)


def show_recording(path: Path, port: int) -> int:
    """Play a recording on a page until a signal comes; return the exit status.

    Raises:
        RecordingError: it cannot be read, or is no recording of a run.
        LinkError: the port is taken.
    """
    showing = Showing(path)
    may_listen(port, "show")
    token = secrets.token_urlsafe(TOKEN_BYTES)
    view = showing.view()
    access = Access(port, token, "the player", "`zerog show`")
    site = Site(
        port,
        access,
        DrawingProxy(view.port),
        showing.facts(),
        showing.obey,
        time.monotonic_ns,
        beside="player",
    )
    print(f"show: {address_of(port, token)}", flush=True)
    signals, ticker, axes, watched = Signals(), Ticker(TURN_NS), False, False
    while not signals.ending:
        ticker.wait()
        site.publish(showing.turn(time.monotonic(), site.watched) | {"axes": site.axes})
        if site.watched:
            showing.draw(view, site.axes, anew=site.axes != axes or not watched)
        axes, watched = site.axes, site.watched
    site.close()
    view.close()
    showing.moments.close()
    return 0
