"""The topics of a ROS bag that hold what is looked for, as tables; read by `rosbags`, an optional extra."""

from collections.abc import Callable
from pathlib import Path

from hil.common.errors import RecordingError
from hil.common.formats.decoders import EXTRA
from hil.common.formats.table import Table
from hil.common.formats.topics import TopicTable

MARK_ROS1, MARK_SQLITE = b"#ROSBAG V", b"SQLite format 3\x00"
FOLDER_FILE = "metadata.yaml"


def is_bag(path: Path, begin: bytes) -> bool:
    """Return whether a path is a ROS bag; `begin` are its first bytes, none of a folder."""
    return path.is_dir() or begin.startswith((MARK_ROS1, MARK_SQLITE))


def tables_of_bag(path: Path, wanted: Callable[[list[str]], bool]) -> tuple[list[Table], list[str]]:
    """Return the wanted topics, and notes of what was left out; arguments as of `tables_of_mcap`.

    Raises:
        RecordingError: the library is not there, or it refuses the bag.
    """
    folder = path if path.is_dir() or path.suffix != ".db3" else path.parent
    if folder.is_dir() and not (folder / FOLDER_FILE).is_file():
        raise RecordingError(f"{path}: cannot be read: a folder with a ROS bag has its {FOLDER_FILE}")
    try:
        from rosbags.highlevel import AnyReader
        from rosbags.typesys import Stores, get_typestore
    except ImportError as error:
        raise RecordingError(f"{path}: is a ROS bag: {EXTRA}") from error
    found: dict[int, TopicTable | None] = {}
    broken = 0
    try:
        bag = folder if folder.is_dir() or folder.suffix == ".bag" else path
        with AnyReader([bag], default_typestore=get_typestore(Stores.ROS2_HUMBLE)) as reader:
            for connection, log_ns, data in reader.messages():
                gathered = found.setdefault(connection.id, TopicTable(connection.topic))
                if gathered is None:
                    continue
                try:
                    gathered.add(reader.deserialize(data, connection.msgtype), log_ns)
                except Exception:  # whatever the library makes of bytes that are no such message
                    broken += 1
                    continue
                if not wanted(gathered.names):
                    found[connection.id] = None
    except RecordingError:
        raise
    except Exception as error:  # whatever the library says of a bag that is none, or broken
        raise RecordingError(f"{path}: cannot be read as a ROS bag: {error}") from error
    tables = [gathered.table() for gathered in found.values() if gathered is not None and gathered.names]
    return tables, [f"{broken} messages cannot be decoded and are left out"] if broken else []
