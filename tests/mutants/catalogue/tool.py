"""The sensor at the tool in validations, unattended campaigns, and a Bota sensor."""

from tests.mutants.mutant import Change, Target

TOOL = "tests/hil/trials/validation/tool/"
RACK = "tests/hil/trials/validation/rack/"

FELT = Target(
    "hil/trials/validation/tool/felt.py",
    (f"{TOOL}test_felt.py",),
    (
        Change("the peg has no weight", "held = -model.body_mass[body] * proper[3:]", "held = 0.0 * proper[3:]"),
        Change("contacts act at the flange", "contact[\"point\"] - sensor, f)", "sensor - sensor, f)"),
        Change("it reads in world axes", "R_world_sensor.T @ force,", "force,"),
    ),
)  # fmt: skip

KEEPER = Target(
    "hil/trials/validation/tool/keeper.py",
    (f"{TOOL}test_clock.py",),
    (
        Change("its clock is the host's", "own * (1.0 + drift) + offset", "own + offset"),
        Change("the latest record tells the clock", "np.argmin(lateness[window == k])", "np.argmax(lateness[window == k])"),
        Change("losses are not counted", "lost=self.stream.lost", "lost=0"),
    ),
)  # fmt: skip

SENSOR_LOG = Target(
    "hil/trials/validation/tool/sensor_log.py",
    (f"{TOOL}test_clock.py",),
    (
        Change("a gap is read across", "if len(x) < FEWEST or x[0] > 0.0 or x[-1] < 0.0:", "if len(x) < FEWEST:"),
        Change("a reading is a mean", "(x.mean() * centred / spread if spread > 0.0 else 0.0)", "0.0"),
    ),
)  # fmt: skip

OFFSET = Target(
    "hil/trials/validation/tool/offset.py",
    (f"{TOOL}test_clock.py",),
    (
        Change("friction is not taken out", "np.column_stack([ones, ramp, sign[:, joint], speed[:, joint]])", "np.column_stack([ones, ramp])"),
        Change("the offset has the other sign", "np.interp(t - offset, fine, column)", "np.interp(t + offset, fine, column)"),
        Change("a wrong sign is believed", "< TOLD * least:", "< 0.0:"),
    ),
)  # fmt: skip

FIT = Target(
    "hil/trials/validation/fit_problem.py",
    (f"{TOOL}test_tool_fit.py",),
    (
        Change("bias and drift stay in", "parts.append(without_line(self._log.t, apart) / self._tool_noise)",
               "parts.append(np.nan_to_num(apart) / self._tool_noise)"),
        Change("jumps count", "self.trusted = ~near & np.all", "self.trusted = np.all"),
    ),
)  # fmt: skip

WEIGHING = Target(
    "hil/trials/validation/rack/weighing.py",
    (f"{RACK}test_weighing.py",),
    (
        Change("the centre is not looked at", "<= changer.mass_tolerance and near", "<= changer.mass_tolerance"),
        Change("the bias is weighed too", "loaded - empty, strict=True", "loaded, strict=True"),
        Change("nothing is a wrong load", "if load.mass < NOTHING * peg.mass:", "if False:"),
    ),
)  # fmt: skip

CELL = Target(
    "hil/trials/validation/rack/cell.py",
    (f"{RACK}test_weighing.py",),
    (Change("what was there before is averaged in", "        self._listen(attitude, SWING)\n", ""),),
)

UNATTENDED = Target(
    "hil/trials/validation/rack/unattended.py",
    (f"{RACK}test_unattended.py",),
    (
        Change("a lost tool is passed over", "if failure.outcome in ALWAYS_STOP:", "if False:"),
        Change("the weight is not looked at again", "            self._still_there(peg, number)\n", ""),
        Change("a tool is picked beside another", "            self._recover()\n", ""),
        Change("the flange is told behind the pick", "        self._journal.add(FLANGE, peg=peg.name)  # before: who is cut off meanwhile finds it there\n", ""),
        Change("trials are done twice", "range(len(result.trials), len(trials.shifts))", "range(len(trials.shifts))"),
        Change("it never stops where wanted", 'if self._plan.rack.changer.on_failure == "stop":', "if False:"),
    ),
)  # fmt: skip

JOURNAL = Target(
    "hil/trials/validation/rack/journal.py",
    (f"{RACK}test_unattended.py",),
    (
        Change("a line cut off counts", 'whole = text[: text.rfind("\\n") + 1]', "whole = text"),
        Change("any journal is gone on with", 'if not begun or begun[0].get("stamp") != stamp:', "if False:"),
    ),
)  # fmt: skip

BOTA = Target(
    "drivers/sensor/bota.py",
    ("tests/drivers/sensor/test_bota.py",),
    (
        Change("the same frame counts again", "if frame.timestamp == self._timestamp:", "if False:"),
        Change("frames left out are not lost", "max(1, round(passed / self._step_us))", "1"),
        Change("raw values are believed", ", (flags.raw, RAW))", ")"),
        Change("a driver's error leaves the client", "except Exception:  # the silence that follows is told", "except KeyError:"),
        Change("any rate will do", "> RATE_TOLERANCE:", "> 1e9:"),
    ),
)  # fmt: skip

TARGETS = (FELT, KEEPER, SENSOR_LOG, OFFSET, FIT, WEIGHING, CELL, UNATTENDED, JOURNAL, BOTA)
