"""The foxglove process: shows the run to viewers as recordings show it; nothing ever waits for it."""

import sys

import zmq

from hil.messaging.codec import Message
from hil.processes.context import ProcessContext, run_process
from hil.recording.live_view import DRAWN, SHOWN, LiveView
from hil.recording.recorder import Recorder, recorded_topics

TURN_MS = 20


def body(context: ProcessContext) -> None:
    """Wire the bus to the server."""
    c, port = context.configuration, context.foxglove_port
    assert port is not None
    heard = recorded_topics(c.robot.kind)
    names, drawn = ([name for name in heard if name in among] for among in (SHOWN, DRAWN))
    readers = {name: context.bus.subscriber(name, Message, every=True) for name in (*names, *drawn)}
    view = LiveView(port, context.wall_offset_ns(), names)
    recorder = Recorder(view, c)
    poller = zmq.Poller()
    for reader in readers.values():
        reader.watch_with(poller)
    context.ready()
    while not context.stopping:
        poller.poll(TURN_MS)
        watched = view.watched
        if view.scene_is_due():
            recorder.begin(context.clock.now_ns())
        for name, reader in readers.items():
            for msg, sequence in reader.numbered():  # what nobody sees is heard all the same
                if watched:
                    recorder.take(name, msg, sequence)
        context.beat()
    view.close()


if __name__ == "__main__":
    sys.exit(run_process("foxglove", body))
