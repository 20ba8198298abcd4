"""What the driver consumed of a second arm, row by row in blocks: a recording lets its core run again."""

import json
from collections.abc import Iterator

import numpy as np

from hil.common.arrays import Array
from hil.messaging.grasp_messages import GraspInputs, PartnerWords

WORDS, JUDGED = 0, 1  # kinds of rows
FLOATS, REPORTED = 1, 2  # flags of a judgement
BLOCK_NS = 100_000_000  # of inputs in a block
MOST_ROWS = 400


class GraspInputLog:
    """Rows of the present block."""

    def __init__(self, process: int) -> None:
        """Begin, for a process's core."""
        self._process, self._start = process, 0
        self._rows: list[tuple[int, int, int, int, int]] = []
        self._words: list[Array] = []
        self._said: list[tuple[int, str, str]] = []

    def words(self, place: int, now_ns: int, words: PartnerWords) -> None:
        """Take words, heard at `now_ns`; `place`: samples that the driver had taken."""
        self._rows.append((place, WORDS, now_ns, 0, int(words.closed)))
        if not self._said or self._said[-1][1:] != (words.phase, words.trouble):
            self._said.append((len(self._words), words.phase, words.trouble))
        told = words.p_world_tip, words.quat_world_tip, words.q, [words.opening], words.pads
        self._words.append(np.concatenate(told))

    def judged(self, place: int, now_ns: int, sampled_ns: int, floats: bool, reported: bool) -> None:
        """Take what a judgement at `now_ns` was made by: the newest sample's instant, whether it floats."""
        self._rows.append((place, JUDGED, now_ns, sampled_ns, FLOATS * floats + REPORTED * reported))

    def block(self, t_ns: int) -> GraspInputs | None:
        """Return the block that is complete at `t_ns`, if one is."""
        if not self._rows:
            return None
        over = t_ns - self._rows[0][2] >= BLOCK_NS or len(self._rows) >= MOST_ROWS
        return self.rest(t_ns) if over else None

    def rest(self, t_ns: int) -> GraspInputs | None:
        """Return what has not been told yet, if anything."""
        if not self._rows:
            return None
        rows, words = np.array(self._rows, np.int64), np.array(self._words).reshape(-1, 17)
        told = GraspInputs(t_ns, self._process, self._start, rows, words, json.dumps(self._said))
        self._start += len(rows)
        self._rows, self._words, self._said = [], [], []
        return told


def rows_of(block: GraspInputs) -> Iterator[tuple[list[int], PartnerWords | None]]:
    """Yield each row of a block; with words as the driver heard them, at that instant, None else."""
    said, values = {k: texts for k, *texts in json.loads(block.said)}, iter(block.words)
    texts, n = ["", ""], 0
    for row in block.rows.tolist():
        if row[1] != WORDS:
            yield row, None
            continue
        texts, n, v = said.get(n, texts), n + 1, next(values)
        told = row[2], v[:3], v[3:7], v[7:14], float(v[14]), v[15:], bool(row[4])
        yield row, PartnerWords(*told, *texts)
