"""What Foxglove shows of a run while it lasts: the recording's channels on a WebSocket that only reads.

The server is the SDK's, with threads of its own. A viewer that is slow loses messages, the oldest first; it
never makes this process wait, and nobody waits for this process. No viewer can publish, call or set anything.
"""

import threading
from types import ModuleType
from typing import Any

from hil.common.errors import LinkError
from hil.messaging.page_access import FOXGLOVE_OPTION, HOST, port_refused
from hil.recording.mcap_file import ENCODING, Channel
from hil.recording.recorder import FRAMES, POSE, SCENE, SECOND, channel_of

EXTRA = "--foxglove needs foxglove-sdk, which is not installed: `pip install 'zerog-emulator[foxglove]'`"
BACKLOG = 512  # messages for a viewer that reads slowly
# topics of the bus that are shown; what only a replay needs is not
SHOWN = (
    *("robot_state", "sim_state", "mode", "impulse", "witness", "contact", "plan"),
    *("cycles", "push", "disturbance", "wait", "truth", "port", "base_report"),
    "grasp_report",
)  # fmt: skip
DRAWN = ("grasp_inputs",)  # of which pictures are made


def foxglove_sdk() -> ModuleType:
    """Return the SDK.

    Raises:
        LinkError: it is not installed.
    """
    try:
        import foxglove
    except ImportError:
        raise LinkError(EXTRA) from None
    return foxglove


class LiveView:
    """A server of channels; it takes what a recorder writes to its file."""

    def __init__(self, port: int, offset_ns: int, topics: list[str]) -> None:
        """Serve on this machine.

        Args:
            port: to listen on.
            offset_ns: wall time less the run's time.
            topics: of the bus that will come.

        Raises:
            LinkError: the SDK is not installed, or the port is taken.
        """
        sdk = foxglove_sdk()
        self.offset_ns = offset_ns
        self._scene_due = threading.Event()  # whoever comes later has not seen it
        self._context = context = sdk.Context()  # without it the channels are nobody's, and unseen
        try:
            self._server: Any = sdk.start_server(
                name="zerog",
                host=HOST,
                port=port,
                capabilities=[],
                context=context,
                server_listener=_Listener(self._scene_due),
                message_backlog_size=BACKLOG,
            )
        except RuntimeError as error:
            raise port_refused(port, OSError(0, str(error)), "foxglove", FOXGLOVE_OPTION) from error
        self._channels: dict[str, Any] = {}
        for channel in (FRAMES, POSE, SCENE, SECOND, *(channel_of(name) for name in topics)):
            schema = sdk.Schema(name=channel.schema_name, encoding=ENCODING, data=channel.schema)
            self._channels[channel.name] = sdk.Channel(
                channel.name, schema=schema, message_encoding=ENCODING, context=context
            )

    @property
    def watched(self) -> bool:
        """Whether anybody looks at any channel."""
        return any(channel.has_sinks() for channel in self._channels.values())

    def scene_is_due(self) -> bool:
        """Return whether somebody has come who has not seen the shapes yet; once for each time."""
        due = self._scene_due.is_set()
        self._scene_due.clear()
        return due

    def write(self, channel: Channel, t_ns: int, data: bytes, sequence: int = 0) -> None:
        """Show a message to whoever looks at its channel; never waits."""
        shown = self._channels.get(channel.name)
        if shown is not None:
            shown.log(data, log_time=max(t_ns + self.offset_ns, 0))

    def metadata(self, records: dict[str, dict[str, str]]) -> None:
        """Leave out what only a file has."""

    def head_says(self, more: dict[str, str]) -> None:
        """Leave out what only a file has."""

    def abandon(self) -> None:
        """End the server; viewers see it go."""
        self.close()

    def close(self) -> None:
        """End the server; viewers see it go."""
        self._server.stop()


class _Listener:
    """Hears in the SDK's threads who begins to look at what."""

    def __init__(self, scene_due: threading.Event) -> None:
        self._scene_due = scene_due

    def on_subscribe(self, client: Any, channel: Any) -> None:
        if channel.topic == SCENE.name:
            self._scene_due.set()

    def on_unsubscribe(self, client: Any, channel: Any) -> None:
        return None
