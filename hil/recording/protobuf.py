"""The bus's messages as Protocol Buffers: the schema follows from the message class and goes into the file.

Scalars keep their names; an array becomes a repeated field, row by row, whose shape the class knows. Units
stand in no protobuf schema: a recording carries them in its metadata (`units`).
"""

import dataclasses
from typing import Any

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError
from google.protobuf.message import Message as ProtobufMessage

from hil.common.errors import BadMessage
from hil.messaging.codec import DTYPES, Message

PACKAGE = "zerog"
_FIELD = descriptor_pb2.FieldDescriptorProto
TYPES = {
    "int": _FIELD.TYPE_INT64,
    "float": _FIELD.TYPE_DOUBLE,
    "bool": _FIELD.TYPE_BOOL,
    "str": _FIELD.TYPE_STRING,
    "f8": _FIELD.TYPE_DOUBLE,
    "f4": _FIELD.TYPE_FLOAT,
    "i8": _FIELD.TYPE_INT64,
}


class MessageCoder:
    """Turns messages of one class into protobuf and back.

    Attributes:
        name: the protobuf type's full name.
        schema: the serialized `FileDescriptorSet` that describes it.
    """

    def __init__(self, cls: type[Message]) -> None:
        """Describe `cls` to protobuf."""
        self._cls = cls
        self._fields = dataclasses.fields(cls)
        self.name = f"{PACKAGE}.{cls.__name__}"
        file = _file_of(cls)
        self.schema = descriptor_pb2.FileDescriptorSet(file=[file]).SerializeToString()
        pool = descriptor_pool.DescriptorPool()
        pool.Add(file)
        self._made: type[ProtobufMessage] = message_factory.GetMessageClass(
            pool.FindMessageTypeByName(self.name)
        )

    def encode(self, msg: Message) -> bytes:
        """Return a message's bytes."""
        made: Any = self._made()
        for field in self._fields:
            value = getattr(msg, field.name)
            if field.metadata["kind"] in DTYPES:
                getattr(made, field.name).extend(value.ravel().tolist())
            else:
                setattr(made, field.name, value)
        data: bytes = made.SerializeToString()
        return data

    def parsed(self, data: bytes) -> Any:
        """Return protobuf's own object of the message in `data`: arrays are flat, nothing is checked.

        Raises:
            BadMessage: the bytes are none of this class.
        """
        made: Any = self._made()
        try:
            made.ParseFromString(data)
        except DecodeError as error:
            raise self._bad(data, error) from error
        return made

    def decode(self, data: bytes) -> Message:
        """Return the message in `data`.

        Raises:
            BadMessage: the bytes are none of this class.
        """
        made = self.parsed(data)
        try:
            return self._cls(*(_value(made, field) for field in self._fields))
        except ValueError as error:
            raise self._bad(data, error) from error

    def _bad(self, data: bytes, error: Exception) -> BadMessage:
        return BadMessage(f"recording: {len(data)} bytes are no {self.name}: {error}")


_CODERS: dict[str, MessageCoder] = {}


def coder_of(cls: type[Message]) -> MessageCoder:
    """Return the coder of a message class."""
    coder = _CODERS.get(cls.__name__)
    if coder is None:
        coder = _CODERS[cls.__name__] = MessageCoder(cls)
    return coder


def units(cls: type[Message]) -> dict[str, str]:
    """Return the unit of each field that has one."""
    return {f.name: f.metadata["unit"] for f in dataclasses.fields(cls) if f.metadata["unit"] != "1"}


def _file_of(cls: type[Message]) -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{PACKAGE}/{cls.__name__}.proto", package=PACKAGE, syntax="proto3"
    )
    described = file.message_type.add(name=cls.__name__)
    for number, field in enumerate(dataclasses.fields(cls), 1):
        kind = field.metadata["kind"]
        label = _FIELD.LABEL_REPEATED if kind in DTYPES else _FIELD.LABEL_OPTIONAL
        described.field.add(name=field.name, number=number, type=TYPES[kind], label=label)
    return file


def _value(made: Any, field: Any) -> Any:
    value, kind = getattr(made, field.name), field.metadata["kind"]
    if kind not in DTYPES:
        return value
    array = np.array(value, DTYPES[kind]).reshape(field.metadata["shape"])
    array.setflags(write=False)
    return array
