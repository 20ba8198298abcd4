"""The recorder process: reads every message of the run and writes it down; nothing ever waits for it."""

import sys

import zmq

from hil.messaging.codec import Message
from hil.processes.context import ProcessContext, run_process
from hil.recording.mcap_file import McapFile
from hil.recording.recorder import Recorder, head_of, recorded_topics

TURN_MS = 100


def body(context: ProcessContext) -> None:
    """Wire the recorder to the bus and to its file."""
    c, path = context.configuration, context.record
    assert path is not None
    names = recorded_topics(c.robot.kind)
    readers = {name: context.bus.subscriber(name, Message, every=True) for name in names}
    offset_ns = context.wall_offset_ns()
    file = McapFile(
        path,
        offset_ns,
        head_of(
            c,
            context.text,
            context.settings,
            offset_ns,
            site=context.site,
            wrench="" if context.replay is None else context.replay.name,
        ),
    )
    try:
        recorder = Recorder(file, c)
        recorder.begin(context.clock.now_ns())
        poller = zmq.Poller()
        for reader in readers.values():
            reader.watch_with(poller)
        context.ready()
        ending = False
        while not ending:
            ending = context.stopping  # what came until then is written
            poller.poll(TURN_MS)
            for name, reader in readers.items():
                for msg, sequence in reader.numbered():
                    recorder.take(name, msg, sequence)
            now_ns = context.clock.now_ns()
            recorder.lost(now_ns, {name: reader.lost for name, reader in readers.items() if reader.lost})
            file.turn(now_ns)
            context.beat()
        recorder.end({name: reader.lost for name, reader in readers.items() if reader.lost})
    finally:
        file.abandon()


if __name__ == "__main__":
    sys.exit(run_process("recorder", body))
