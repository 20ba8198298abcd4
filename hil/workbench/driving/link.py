"""The sockets of a driven arm: commands and requests come in, states go out; see docs/use/drive.md."""

import time
from pathlib import Path

import zmq

from hil.common.errors import BadMessage
from hil.messaging.bus import Bus
from hil.messaging.codec import decode, encode
from hil.messaging.drive_messages import DriveCommand
from hil.messaging.messages import Reply, Request
from hil.messaging.runtime_directory import runtime_directory
from hil.workbench.driving.desk import answer, state_of
from hil.workbench.driving.session import DriveSession
from hil.workbench.driving.sources.bus import BusCommands

FOLDER = "drive"  # beside the sockets of a running emulator, which may run at the same time


def drive_directory(configured: str) -> Path:
    """Return the folder of a drive's sockets."""
    return runtime_directory(configured) / FOLDER


class Link:
    """The sockets of one drive."""

    def __init__(self, directory: Path, session: DriveSession) -> None:
        """Bind them in a folder, which is made if it is not there."""
        self._bus, self._session = Bus(directory), session
        self._states = self._bus.publisher("drive_state")
        self._commands = self._bus.subscriber("drive_command", DriveCommand)
        self._requests = self._bus.request_server()

    def source(self) -> BusCommands:
        """Return the source of the commands that come in."""
        s = self._session
        return BusCommands(self._commands.newest, lambda: s.follower.T, s.limits, s.period)

    def turn(self) -> None:
        """Answer what was asked, and send the state."""
        while self._requests.poll(0, zmq.POLLIN):
            data = self._requests.recv()
            try:
                request, _ = decode(data)
                if not isinstance(request, Request):
                    raise BadMessage(f"bus: {type(request).__name__} is no request")
                reply = answer(self._session, request)
            except BadMessage as error:
                reply = Reply(time.monotonic_ns(), False, str(error), "{}")
            self._requests.send(encode(reply))
        self._states.send(state_of(self._session, time.monotonic_ns()))

    def close(self) -> None:
        """Close all sockets."""
        self._bus.close()
