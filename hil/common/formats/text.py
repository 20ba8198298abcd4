"""A file's bytes as text, whatever wrote them: packed or not, with or without a byte order mark."""

import bz2
import codecs
import gzip
import lzma
import zlib
from pathlib import Path

from hil.common.errors import RecordingError
from hil.common.input_file import content_of

_PACKED = {b"\x1f\x8b": gzip.decompress, b"BZh": bz2.decompress, b"\xfd7zXZ\x00": lzma.decompress}
_FOREIGN = {
    b"PK\x03\x04": "a ZIP archive, as workbooks and .npz are",
    b"\xd0\xcf\x11\xe0": "an old workbook",
    b"\x93NUMPY": "an array of NumPy",
    b"\x89HDF": "an HDF5 file",
    b"MATLAB": "a file of MATLAB",
    b"TDSm": "a TDMS file",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF document",
}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LOOKED_AT = 4096  # bytes that tell whether a text has two bytes a character
_MOST_STRANGE = 0.02  # share of characters that no text has


def text_of(path: Path) -> str:
    """Return the text of a file.

    Raises:
        RecordingError: it cannot be read, or is no text.
    """
    try:
        data = content_of(path)
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read: {error.strerror}") from error
    for mark, unpack in _PACKED.items():
        if data.startswith(mark):
            try:
                data = unpack(data)
            except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as error:
                raise RecordingError(f"{path}: cannot be unpacked: {error}") from error
    for mark, what in _FOREIGN.items():
        if data.startswith(mark):
            raise RecordingError(f"{path}: cannot be read: it is {what}; save it as CSV")
    text = _decoded(data).removeprefix("\ufeff").rstrip("\x00\x1a")
    strange = sum(1 for c in text[:_LOOKED_AT] if c < " " and c not in "\t\r\n\f\v")
    if strange > _MOST_STRANGE * len(text[:_LOOKED_AT]):
        raise RecordingError(f"{path}: cannot be read: it is no text; save it as CSV")
    return text


def _decoded(data: bytes) -> str:
    """Return the characters: by the mark, by where zeros stand, as UTF-8, or as Windows writes them."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    even, odd = data[:_LOOKED_AT:2], data[1:_LOOKED_AT:2]
    if odd.count(0) > len(odd) // 2 and even.count(0) == 0:
        return data.decode("utf-16-le", errors="replace")
    if even.count(0) > len(even) // 2 and odd.count(0) == 0:
        return data.decode("utf-16-be", errors="replace")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
