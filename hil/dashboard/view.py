"""viser as a drawing: it shows, and has no control; nobody reaches the world through it."""

import io
from collections.abc import Sequence
from contextlib import redirect_stdout

import numpy as np
import viser

from hil.configuration import Configuration
from hil.dashboard.charts import Charts
from hil.dashboard.hearing import Last
from hil.dashboard.pushes import Shown
from hil.dashboard.signals import Signals
from hil.dashboard.stage import DETECTED, TRUE, Stage
from hil.loop.judging.state_machine import MOVING
from hil.loop.solids import ArmPicture
from hil.messaging.page_access import HOST

NO_PATH = np.zeros((0, 3))


class Drawing(viser.ViserServer):
    """viser's server on loopback, on a port that the system chooses; it opens no tunnel to anywhere."""

    def __init__(self) -> None:
        with redirect_stdout(io.StringIO()):  # its greeting is nothing for the operator of a daemon
            super().__init__(host=HOST, port=0, label="zero-g emulator", verbose=False)
        self.gui.configure_theme(show_logo=False, show_share_button=False)

    def request_share_url(self, verbose: bool = True) -> str | None:
        """Open nothing, whoever asks."""
        return None


class NoView:
    """Nothing is drawn: nothing tells what."""

    def __init__(self) -> None:
        self._server = Drawing()

    @property
    def port(self) -> int:
        """On which viser listens."""
        return self._server.get_port()

    def draw(self, now: float, signals: Signals, last: Last, axes: bool) -> None:
        """Draw what is so at `now` [s]; `axes`: with the frames' axes."""

    def close(self) -> None:
        """End viser's server."""
        with redirect_stdout(io.StringIO()):
            self._server.stop()


class View(NoView):
    """What is drawn, and from what."""

    def __init__(self, configuration: Configuration, arm: ArmPicture) -> None:
        super().__init__()
        self._stage = Stage(self._server, configuration, arm)
        self._charts = Charts(self._server)

    def draw(self, now: float, signals: Signals, last: Last, axes: bool) -> None:
        """Draw what is so at `now` [s]; `axes`: with the frames' axes."""
        stage = self._stage
        with self._server.atomic():
            stage.show_axes(axes)
            if last.robot is not None:
                stage.place_arm(last.robot.q_measured, None if last.base is None else last.base.pose)
            if last.sim is None:
                stage.hide_object()
            else:
                stage.place_object(
                    last.sim.p_world_object, last.sim.quat_world_object, last.sim.contact_points
                )
                stage.place_others(last.sim.other_poses)
            if last.port is not None:
                stage.place_port(last.port)
            if last.partner is not None:
                stage.place_second(last.partner)
            moving = last.mode is not None and last.mode.state in MOVING
            stage.draw_path(last.path.p_world_object if last.path is not None and moving else NO_PATH)
            stage.draw_push(_last(signals.detected.shown()), DETECTED)
            stage.draw_push(_last(signals.true.shown()), TRUE)
            self._charts.draw(signals, now)


def _last(pushes: Sequence[Shown]) -> Shown | None:
    return pushes[-1] if pushes else None
