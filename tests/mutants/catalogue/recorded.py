"""Recordings as they come: damaged ones, wrenches of others, and what a replay does with them."""

from tests.mutants.mutant import Change, Target

FRAMES = Target(
    "hil/common/formats/mcap_frames.py",
    ("tests/hil/recording/test_damaged.py",),
    (
        Change("nothing is looked for behind damage", "        following = _next_sound(data, at + 1)\n",
               "        following = None\n"),
        Change("a length is believed", "(_goes_on(data, frame.end) or _is_exact(data, frame))", "True"),
        Change("a chunk's inner length is not looked at",
               '    return at + 8 + int.from_bytes(data[at : at + 8], "little") == frame.end', "    return True"),
    ),
)  # fmt: skip

RECORDS = Target(
    "hil/common/formats/mcap_records.py",
    ("tests/hil/recording/test_damaged.py",),
    (
        Change("check sums are not looked at", "validate_crc=True", "validate_crc=False"),
        Change("a spoiled head is believed", "return record.metadata.get(CHECK) in (None, _check_sum(record.name, values))",
               "return True"),
        Change("channels are not looked for elsewhere", "        self._look_ahead(found)\n", ""),
        Change("a damaged chunk ends the reading", "                    spoiled = []\n                    continue\n",
               "                    return\n"),
        Change("messages that are lost are not counted", "return len(record.records) if", "return 0 if"),
        Change("any file is a recording",
               "if data[: len(MAGIC)] != MAGIC and not _has_a_chunk(data, found):", "if False:",
               tests=("tests/hil/recording/test_recording.py",)),
        Change("a file without its magic is none",
               "if data[: len(MAGIC)] != MAGIC and not _has_a_chunk(data, found):", "if data[: len(MAGIC)] != MAGIC:"),
    ),
)  # fmt: skip

KINDS = ("tests/hil/wrench/test_import_kinds.py",)
NUMBERS = Target(
    "hil/common/formats/numbers.py",
    KINDS,
    (
        Change("the mark that fits less is taken", "if lost[mark] == min(lost.values())}", "if lost[mark] == max(lost.values())}"),
        Change("one spoilt number turns all", "sum(math.isnan", "any(math.isnan"),
        Change("underscores are skipped", 'if mark == "." and not any("_" in cell for cell in cells):', 'if mark == ".":'),
        Change("an open comma is a point", "            if commas:\n                return None\n", ""),
        Change("groups are not looked at", "        if not groups.fullmatch(cell):\n", "        if False:\n"),
        Change("points are never groups", 'all(cell.count(".") == 1 for cell in marked)', "True"),
    ),
)  # fmt: skip

STAMPS = Target(
    "hil/wrench/recorded/stamps.py",
    KINDS,
    (
        Change("steps tell nothing of the unit", 'if not SHORTEST_STEP <= step < LONGEST_STEP:', 'if False:'),
        Change("midnight is a step back", "                days += 1\n", "                days += 0\n"),
        Change("times count from 1970", "float((v - first) * worth)", "float(v * worth)"),
        Change("summer time makes a gap", "days * DAY - row.ahead +", "days * DAY +"),
        Change("any exponent is a stamp", " and value.adjusted() < LONGEST_EXPONENT", ""),
    ),
)  # fmt: skip

ORDER = Target(
    "hil/wrench/recorded/order.py",
    KINDS,
    (
        Change("any step back is a counter's", "if 0.0 < along <= MOST_ALONG * usual:", "if 0.0 < along:"),
        Change("a counter's span is in seconds", "span * worth\n            if", "span\n            if"),
        Change("one late row is a recording", "> 2 * MOST_LATE:", "> 0:"),
        Change("two recordings are mixed", "> 2 * MOST_LATE:", "> 9**9:"),
    ),
)  # fmt: skip

TAKING = Target(
    "hil/wrench/recorded/taking.py",
    KINDS,
    (
        Change("units are not applied", "            found[axis] = worth\n", ""),
        Change("large forces are newtons", "        if largest > LARGEST:\n", "        if False:\n"),
        Change("time may go back", "        if not self._asked.sort:\n", "        if False:\n"),
        Change("rows without a number are kept", "kept = np.isfinite(stamps.t) & np.isfinite(wrench).all(axis=1)",
               "kept = np.ones(len(stamps.t), bool)"),
        Change("coarse stamps are believed", "            self._refuse_coarse(name, values)\n", ""),
        Change("the torques' unit is assumed", "        if quantity == TORQUE and any(", "        if False and any("),
    ),
)  # fmt: skip

CHOOSING = Target(
    "hil/wrench/recorded/choosing.py",
    KINDS,
    (
        Change("the first of several sensors is taken", "        if len(groups) > 1:\n", "        if False:\n"),
        Change("the first of several times is taken", "        if len(mine) <= 1:\n            return tuple(mine)\n",
               "        if mine:\n            return tuple(mine[:1])\n        return ()\n"),
        Change("a sensor that is said is not heard",
               "        return _letters(self._asked.sensor) in _letters(self._table.names[column])\n",
               "        return True\n"),
    ),
)  # fmt: skip

RATE = Target(
    "hil/wrench/recorded/rate.py",
    KINDS,
    (
        Change("a rate that shows nothing is taken", "    if period * SAMPLES_SEEN > LONGEST:\n", "    if False:\n"),
        Change("a low rate is not told", "    if period * SAMPLES_MEASURED > SHORTEST:\n", "    if False:\n"),
    ),
)  # fmt: skip

REPLAY = Target(
    "drivers/emulation/operator/virtual_operator.py",
    ("tests/drivers/emulation/test_virtual_operator.py",),
    (
        Change("configured pushes act beside a replay",
               "(operator.push, operator.random) if replay is None else ((), None)",
               "(operator.push, operator.random)"),
        Change("a replayed push is not counted", "            records += self._replayed_ended(self._replay)\n",
               "            pass\n"),
        Change("a replayed push under way is not told",
               "            begun += [self._t_0 + start] if start < self._replayed_until else []\n", ""),
    ),
)  # fmt: skip

IN_WRENCH = Target(
    "drivers/emulation/operator/pushes_in_wrench.py",
    ("tests/drivers/emulation/test_virtual_operator.py",),
    (
        Change("the quietest stretch is taken, not the first", "AS_QUIET * deviation.min() + rounding", "deviation.min()",
               equivalent="of a recording with one offset every quiet stretch tells the same"),
        Change("a push ends at half its height", "FOOT = 0.03", "FOOT = 0.5"),
        Change("what rises a little is a push", "PROMINENCE = 1.0", "PROMINENCE = 0.01"),
    ),
)  # fmt: skip

TARGETS = (FRAMES, RECORDS, NUMBERS, STAMPS, ORDER, TAKING, CHOOSING, RATE, REPLAY, IN_WRENCH)
