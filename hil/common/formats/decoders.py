"""What turns messages into numbers, by the schemas that their file has: JSON, protobuf, ROS 1 and 2."""

import json
from collections.abc import Callable
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.descriptor import FieldDescriptor
from mcap.records import Channel, Schema

from hil.common.errors import RecordingError

Decoder = Callable[[bytes], Any]
EXTRA = "reading it needs the extra `rosbags`: pip install 'zerog-emulator[rosbags]'"


def decoder_of(channel: Channel, schema: Schema) -> Decoder | None:
    """Return the decoder of a channel's messages, or None if their encoding is none that is known here.

    Raises:
        RecordingError: they are ROS messages, and the library that reads them is not there; or the schema
            cannot be used.
    """
    encoding = channel.message_encoding
    if encoding == "json":
        return json.loads
    if encoding == "protobuf" and schema.encoding == "protobuf":
        return _protobuf(schema)
    if encoding in ("cdr", "ros1"):
        return _ros(encoding, schema)
    return None


def _protobuf(schema: Schema) -> Decoder:
    pool = descriptor_pool.DescriptorPool()
    try:
        for file in descriptor_pb2.FileDescriptorSet.FromString(schema.data).file:
            pool.Add(file)
        kind = message_factory.GetMessageClass(pool.FindMessageTypeByName(schema.name))
    except Exception as error:  # whatever the library says of a schema that is none
        raise RecordingError(f"the schema of {schema.name} cannot be used: {error}") from error
    return lambda data: _fields(kind.FromString(data))


def _fields(message: Any) -> dict[str, Any]:
    """Return a protobuf message's fields by name, those at their defaults too."""
    found: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.type != FieldDescriptor.TYPE_MESSAGE:
            found[field.name] = list(value) if field.is_repeated else value
        elif not field.is_repeated:
            found[field.name] = _fields(value)
    return found


def _ros(encoding: str, schema: Schema) -> Decoder:
    try:
        from rosbags.typesys import Stores, get_types_from_idl, get_types_from_msg, get_typestore
    except ImportError as error:
        raise RecordingError(f"its messages are those of ROS: {EXTRA}") from error
    name = schema.name if schema.name.count("/") == 2 else schema.name.replace("/", "/msg/")
    try:
        text = schema.data.decode()
        types = get_types_from_idl(text) if "idl" in schema.encoding else get_types_from_msg(text, name)
        store = get_typestore(Stores.EMPTY)
        store.register(types)
    except Exception as error:  # whatever the library says of a definition that is none
        raise RecordingError(f"the definition of {schema.name} cannot be used: {error}") from error
    if encoding == "cdr":
        return lambda data: store.deserialize_cdr(data, name)
    return lambda data: store.deserialize_ros1(data, name)
