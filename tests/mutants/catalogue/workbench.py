"""The workbench: its page's hand and desk, driving, and design by the task."""

from tests.mutants.mutant import Change, Target

RUNNING = "tests/hil/workbench/test_running.py"
SITE_TESTS = "tests/hil/workbench/test_workbench_site.py"
SESSION = "tests/hil/workbench/driving/test_session.py"
COMMAND = "tests/hil/workbench/driving/test_drive_command.py"
DRIVEN = (f"{COMMAND}::test_the_table_has_a_row_a_command_and_units", f"{COMMAND}::test_the_figures_are_those_of_the_table")  # fmt: skip

EDITOR = Target(
    "hil/workbench/editor.py",
    ("tests/hil/workbench/test_editor.py",),
    (
        Change("a new deed keeps what was undone", "(*self.steps[: self.cursor + 1], Step(chain, deed, arm))", "(*self.steps, Step(chain, deed, arm))"),
        Change("redo goes on two steps", "replace(self, cursor=self.cursor + 1)", "replace(self, cursor=self.cursor + 2)"),
        Change("a turn is taken as radians", "turn=math.radians(edit.turn)", "turn=edit.turn"),
        Change("a part put in another's place is not turned", "Part(name, component, old.turn)", "Part(name, component, 0.0)"),
    ),
)  # fmt: skip

DRAFT = Target(
    "hil/workbench/draft.py",
    ("tests/hil/workbench/test_desk.py",),
    (
        Change("the last draft is not offered", "if self.draft.exists():", "if False:"),
        Change("an empty arm leaves the old draft", "self.draft.unlink(missing_ok=True)\n                return", "return"),
        Change("half a file is left beside", "beside.unlink(missing_ok=True)", "pass"),
        Change("a draft that is not kept is not told", '            raise WorkbenchError(\n                f"{self.draft}: the draft cannot be kept ({error.strerror}): save the arm elsewhere"\n            ) from error', "            return"),
    ),
)  # fmt: skip

DESK = Target(
    "hil/workbench/page/desk.py",
    ("tests/hil/workbench/test_desk.py",),
    (
        Change("deeds leave no draft", "        self._keep_draft()\n", ""),
        Change("saved counts as not saved", "ArmFile(name, text.encode(), text)", "ArmFile(name, text.encode())"),
        Change("what is saved stays a draft", 'self._drafts.done()\n        return f"saved', 'return f"saved'),
        Change("another's file is replaced unasked", "        if not overwrite:\n            file.may_replace(path, text)\n", ""),
        Change("what a page opened is not known as ours", "same = content_of(path) == content", "same = False"),
        Change("what is opened takes the old arm's file along", "        if file is not None:\n            self._files[editor.arm] = file\n", "        self._files[editor.arm] = self._files[0]\n"),
        Change("a draft taken up is offered again", 'if deed == "resume":\n            self._answered()', "if False:\n            self._answered()"),
        Change("a draft names files where it does not lie", "self._drafts.keep(self._anchored(self.chain))", "self._drafts.keep(self.chain)"),
        Change("pages are told of turns in radians", "round(math.degrees(part.turn), 9)", "round(part.turn, 9)"),
        Change("the revision stands still", "        self.revision += 1\n", ""),
    ),
)  # fmt: skip

JOG = Target(
    "hil/workbench/page/jog.py",
    ("tests/hil/workbench/test_jog_and_watch.py",),
    (
        Change("a page that is silent still moves the tip", "if t <= self._until else np.zeros(6)", "if True else np.zeros(6)"),
        Change("deflections above one are faster than allowed", 'np.clip(numbers(axes, 6, "a jog"), -1.0, 1.0)', 'numbers(axes, 6, "a jog")'),
        Change("the tip turns at the linear speed", "np.repeat([linear, angular], 3)", "np.repeat([linear, linear], 3)"),
    ),
)  # fmt: skip

NUMBERS = Target(
    "hil/workbench/page/numbers.py",
    (RUNNING, "tests/hil/workbench/test_jog_and_watch.py", "tests/hil/workbench/test_preview.py"),
    (
        Change("what is no number ends the simulation", "except (TypeError, ValueError, OverflowError):", "except ValueError:"),
        Change("no number counts as one", "or not np.isfinite(found).all()", ""),
    ),
)  # fmt: skip

SITE = Target(
    "hil/workbench/page/site.py",
    ("tests/hil/workbench/test_workbench_site.py", "-k", "two_pages"),
    (
        Change("a question about another arm has no answer", '                await page.send_json({"posture": shown})', '                if shown is not None:\n                    await page.send_json({"posture": shown})'),
        Change("a fault that nobody foresaw has no answer", "            finally:  # whatever else goes wrong, which our terminal tells\n                await", "            if True:\n                await", tests=(f"{SITE_TESTS}::test_a_posture_that_fails_in_a_way_nobody_foresaw_is_answered",)),
        Change("an answer belongs to another revision", 'asked.get("revision") == self._desk.revision', "True"),
        Change("positions that do not fit are passed over", '                await page.send_json({"said": {"accepted": False, "text": str(error), "spot": ""}})', "                pass"),
        Change("nested noise ends the page's line", "KeyError, RecursionError, ZeroGError) as error:", "KeyError, ZeroGError) as error:"),
        Change("only who has done something sees it", 'await self._hall.tell({"state": self._desk.state()})', 'await page.send_json({"state": self._desk.state()})'),
        Change("the first arm's figures stay", "if self._reckoned[0] != revision:", "if self._reckoned[0] < 0:", tests=(f"{SITE_TESTS}::test_figures_that_come_late_are_not_told",)),
        Change("no token is asked for", "middlewares=[self._door.guard]", "middlewares=[]", tests=(f"{SITE_TESTS}::test_strangers_get_and_move_nothing",)),
        Change("a path leaves the folder", '"/web/{name:[a-z_]+\\\\.(?:css|js|svg)}"', '"/web/{name:.+}"', tests=(f"{SITE_TESTS}::test_files_are_those_of_the_page_alone",)),
        Change("a component that is none ends in an error", "if name not in database:", "if False:", tests=(f"{SITE_TESTS}::test_files_are_those_of_the_page_alone",)),
        Change("a ledger of another revision is told", "            if self._desk.revision != revision:\n                return\n", "", tests=(f"{SITE_TESTS}::test_figures_that_come_late_are_not_told",)),
        Change("an export stops the pages", "archive = await asyncio.to_thread(packer.hear)", "archive = packer.hear()", tests=(f"{SITE_TESTS}::test_pages_go_on_while_an_export_is_made",)),
        Change("an export's process is left behind", "            await asyncio.to_thread(packer.end)", "            pass", tests=(f"{SITE_TESTS}::test_pages_go_on_while_an_export_is_made",)),
        Change("an export that fails is an error of the server", "        except WorkbenchError as error:\n            return web.Response(status=422, text=str(error))\n        finally:", "        finally:", tests=(f"{SITE_TESTS}::test_exports_come_as_an_archive_or_as_a_sentence",)),
        Change("an empty arm is exported", "if not desk.chain.parts:", "if False:", tests=(f"{SITE_TESTS}::test_exports_come_as_an_archive_or_as_a_sentence",)),
        Change("a page may say anything, however long", "LONGEST = 1 << 20", "LONGEST = 1 << 40", tests=(f"{SITE_TESTS}::test_a_page_that_says_too_much_is_closed_alone",)),
        Change("the old arm's simulation goes on", '            await self._theatre.end("The arm has changed: simulate it anew.")\n', "", tests=(f"{SITE_TESTS}::test_a_change_of_the_arm_ends_its_simulation",)),
        Change("a look ends the simulation", "        if self._desk.revision != before:\n", "        if True:\n", tests=(f"{SITE_TESTS}::test_a_change_of_the_arm_ends_its_simulation",)),
    ),
)  # fmt: skip

PAGE_RUNNING = Target(
    "hil/workbench/page/running.py",
    (RUNNING,),
    (
        Change("an input that has gone stays the page's", "            self._input = PAGE\n            self._jog.release()\n", "            self._jog.release()\n"),
        Change("nobody moves the tip after a lost input", "            self._jog.release()\n            s.take(self._jog)\n", "            self._jog.release()\n"),
        Change("the jog keeps the old speed", "        self._jog.speeds(*self.session.limits.speeds)\n", ""),
        Change("an input counts though it is not there", "        s = self.session\n        self._jog.release()\n", "        s, self._input = self.session, name\n        self._jog.release()\n"),
        Change("a page may name files of the machine", "if name not in INPUTS:", "if False:"),
        Change("sentences are told again and again", "events, self._events = self._events, []", "events = self._events"),
        Change("a base never floats", 'kind="free" if terms.free else "fixed"', 'kind="fixed"'),
        Change("weight stays", "weightless=terms.weightless", "weightless=False"),
        Change("lateness is told in seconds", '"late_ms": 1e3 * pace.late_s', '"late_ms": pace.late_s'),
        Change("what is refused ends the simulation", "except (ValueError, TypeError, KeyError, OverflowError) as error:", "except OverflowError as error:"),
        Change("the arm begins somewhere else than the sliders stand", "np.array(terms.q) if terms.q else None", "None"),
    ),
)  # fmt: skip

THEATRE = Target(
    "hil/workbench/page/theatre.py",
    ("tests/hil/workbench/test_theatre.py", RUNNING),
    (
        Change("two simulations are prepared at once", "if self._preparing is not None:\n            raise", "if False:\n            raise"),
        Change("after one that broke none can begin", "        finally:\n            self._preparing = None\n", "        else:\n            self._preparing = None\n"),
        Change("one that is prepared goes on when the arm has changed", "await asyncio.to_thread(self._preparing.end)", "pass"),
        Change("the process of one that broke is left", "self._worker = None\n                await asyncio.to_thread(worker.end)", "self._worker = None"),
        Change("one that broke counts as running", "self._worker = None\n                await asyncio.to_thread(worker.end)", "await asyncio.to_thread(worker.end)"),
        Change("other pages keep the old parameter", 'if told["do"] != "input":', "if False:"),
        Change("a second one leaves the first", '        await self.end("")\n        worker = Worker', "        worker = Worker"),
        Change("unknown keys are no fault", 'if key != "do"})', 'if key in kind.model_fields})'),
    ),
)  # fmt: skip

WATCH = Target(
    "hil/workbench/page/watch.py",
    ("tests/hil/workbench/test_jog_and_watch.py",),
    (
        Change("samples nobody takes are kept for ever", "            del self._samples[:-KEPT]\n", ""),
        Change("the oldest samples are kept", "del self._samples[:-KEPT]", "del self._samples[KEPT:]"),
        Change("values are told twice", "values, self._values = self._values, None", "values = self._values"),
    ),
)  # fmt: skip

LEDGER = Target(
    "hil/workbench/page/ledger.py",
    ("tests/hil/workbench/test_preview.py",),
    (Change("joints are counted from nought", 'f"{part.name}_{k + 1}"', 'f"{part.name}_{k}"'),),
)  # fmt: skip

FOLLOWER = Target(
    "hil/workbench/driving/follower.py",
    ("tests/hil/workbench/driving/test_follower.py",),
    (
        Change("the tip is as fast as it is asked to be", "fast = capped(wish, self.limits.speeds)", "fast = wish"),
        Change("the speed jumps", "change = capped(fast - self.twist, (self.limits.linear_rate * dt, self.limits.angular_rate * dt))", "change = fast - self.twist"),
        Change("a path is met half a step late", "ahead = source.pose(t + dt)", "ahead = source.pose(t)"),
        Change("the path's own speed is left out", "way(here, ahead) / dt + towards(", "towards("),
        Change("another source's path is gone on with", "self._asked = None\n\n    def step", "pass\n\n    def step"),
    ),
)  # fmt: skip

JOINTS = Target(
    "hil/workbench/driving/joint_follower.py",
    ("tests/hil/workbench/driving/test_follower.py",),
    (
        Change("joints are as fast as they are asked to be", "/ dt + back, -speed), speed)", "/ dt + back, -1e9), 1e9)"),
        Change("joints jump in speed", "min(max(wish - dq, -rate * dt), rate * dt)", "wish - dq"),
        Change("what is late is not told", "self.late = bool(np.abs(self.q - wanted).max() > SAME)", "self.late = False"),
    ),
)  # fmt: skip

DRIVE_SESSION = Target(
    "hil/workbench/driving/session.py",
    (SESSION,),
    (
        Change("a path began with the session", "self.follower.step(self.source, self.source_t, self.period)", "self.follower.step(self.source, self.t, self.period)", tests=(RUNNING,)),
        Change("a lost source is asked again and again", "self.lost, self.source = str(error), None", "self.lost = str(error)", tests=(f"{SESSION}::test_a_pulled_out_mouse_brings_the_arm_to_rest",)),
        Change("a lost source is not told", '            self._events.append(f"{error}; the arm comes to rest")\n', "", tests=(f"{SESSION}::test_a_pulled_out_mouse_brings_the_arm_to_rest",)),
        Change("a new source is still lost", 'self.source, self.lost, self._taken = source, "", self._commands', "self.source, self._taken = source, self._commands", tests=(f"{SESSION}::test_a_pulled_out_mouse_brings_the_arm_to_rest",)),
        Change("a hand's command runs away", "if self._by_hand and (", "if False and (", tests=(f"{SESSION}::test_a_hand_that_pushes_beyond_the_reach_is_answered_at_once",)),
        Change("a speed of nothing is allowed", "and value <= 0.0:", "and value < 0.0:", tests=(f"{SESSION}::test_variables_have_units_and_parameters_act",)),
        Change("no number is a speed", "if not math.isfinite(value):", "if False:", tests=(f"{SESSION}::test_variables_have_units_and_parameters_act",)),
        Change("the surroundings keep what the arm gave them", "impulse = -self.arm.dt *", "impulse = self.arm.dt *", tests=(f"{SESSION}::test_what_pushes_the_tip_is_pushed_back",)),
        Change("a hand feels nothing", "            self._feel(self.wrench)\n", "            pass\n", tests=(f"{SESSION}::test_a_hand_feels_the_surface",)),
        Change("the tip is told to be turned as it is commanded", '**_pose_in_words("tip", self.arm.T_base_tip)', '**_pose_in_words("tip", self.follower.T)', tests=(f"{COMMAND}::test_what_is_behind_is_the_way_between_the_columns",)),
        Change("the base does not carry the tip", "carried = base[:3] + np.cross(base[3:], lever)", "carried = base[:3]", tests=(f"{SESSION}::test_a_base_that_turns_carries_the_tip",)),
    ),
)  # fmt: skip

INPUTS = Target(
    "hil/workbench/driving/inputs.py",
    (RUNNING,),
    (
        Change("a hand is led by the next leg's time", "least_jerk(t / leg - k)", "least_jerk(t / leg)", tests=("tests/hil/workbench/driving/test_sources.py",)),
    ),
)  # fmt: skip

SPACEMOUSE = Target(
    "hil/workbench/driving/sources/spacemouse.py",
    ("tests/hil/workbench/driving/test_sources.py",),
    (
        Change("a mouse pulled out at full deflection goes on", "elif live.any() and t - self._heard > SILENT_S:", "elif False:"),
        Change("the hand's tremor moves the tip", "np.maximum(0.0, np.abs(axes) - DEAD) / (1.0 - DEAD)", "np.abs(axes)"),
        Change("full deflection is not full speed", "- DEAD) / (1.0 - DEAD)", "- DEAD)"),
        Change("a file's deflections may be no numbers", "if not np.isfinite(table).all() or (np.diff", "if (np.diff"),
        Change("a library's own error comes through", "raise OSError(str(error) or type(error).__name__) from error", "raise"),
    ),
)  # fmt: skip

GAMEPAD = Target(
    "hil/workbench/driving/sources/gamepad.py",
    ("tests/hil/workbench/driving/test_sources.py",),
    (
        Change("the stick ahead leads back", "np.array([-stick[LEFT_Y], -stick[LEFT_X]", "np.array([stick[LEFT_Y], -stick[LEFT_X]"),
        Change("triggers are pulled at the beginning", "= -1.0  # a trigger that is not pulled", "= 1.0  # a trigger that is not pulled"),
        Change("the kernel's first events are no events", "kind & ~INITIAL", "kind"),
    ),
)  # fmt: skip

KEYBOARD = Target(
    "hil/workbench/driving/sources/keyboard.py",
    ("tests/hil/workbench/driving/test_sources.py::test_keys_move_for_as_long_as_they_repeat",),
    (
        Change("space does not halt", "            self._until[:] = 0.0\n", "            pass\n"),
        Change("a key moves for ever", "np.where(self._until > t, self._signs, 0.0)", "self._signs"),
    ),
)  # fmt: skip

BUS = Target(
    "hil/workbench/driving/sources/bus.py",
    ("tests/hil/workbench/driving/test_sources.py::test_a_program_that_falls_silent_is_a_wish_for_rest",),
    (
        Change("a program that has died still moves the tip", "if self._command is None or t - self._heard > FRESH_S:", "if self._command is None:"),
        Change("nonsense is a command", "if command is not None and np.isfinite(command.twist).all() and np.isfinite(command.pose).all():", "if command is not None:"),
    ),
)  # fmt: skip

POSES = Target(
    "hil/workbench/driving/sources/poses_file.py",
    ("tests/hil/workbench/driving/test_sources.py",),
    (
        Change("millimetres are metres", '"m": 1.0, "mm": 1e-3, "rad"', '"m": 1.0, "mm": 1.0, "rad"'),
        Change("the last twist goes on for ever", "if k < 0 or t >= self._t[-1] else", "if k < 0 else"),
        Change("times may stand still", "table[k, 0] <= table[k - 1, 0]", "table[k, 0] < table[k - 1, 0]"),
    ),
)  # fmt: skip

CSV_OUT = Target(
    "hil/workbench/driving/csv_out.py",
    (*DRIVEN, f"{COMMAND}::test_a_table_on_a_disk_that_is_full_is_told", f"{COMMAND}::test_a_table_that_is_there_is_not_written_over"),
    (
        Change("the beginning has no row", "        self.take([])\n", ""),
        Change("a table loses digits", "{values[name]:.9g}", "{values[name]:.3g}"),
        Change("another's table is written over", 'open(path, "x",', 'open(path, "w",'),
        Change("rows are lost in silence", 'except OSError as error:\n            raise RecordingError(f"{self._path} cannot be written: {error.strerror}") from error\n\n    def end', 'except OSError:\n            pass\n\n    def end'),
        Change("the last rows are lost in silence", 'self._file.close()\n        except OSError as error:\n            raise RecordingError(f"{self._path} cannot be written: {error.strerror}") from error', "self._file.close()\n        except OSError:\n            pass"),
        Change("a row has other values than its columns", "values = self._session.variables()", "values = dict(zip(self._names, sorted(self._session.variables().values()), strict=True))"),
    ),
)  # fmt: skip

PACE = Target(
    "hil/workbench/driving/pace.py",
    (f"{COMMAND}::test_pace_keeps_absolute_deadlines_and_skips_what_it_missed",),
    (
        Change("what was missed comes in a burst", "            self._deadline += -left // self._period * self._period\n", ""),
        Change("the schedule drifts", "self._deadline += self._period\n", "self._deadline = self._now() + self._period\n"),
        Change("the best lateness is told as the worst", "self.worst_s = max(", "self.worst_s = min("),
    ),
)  # fmt: skip

TALLY = Target(
    "hil/workbench/driving/tally.py",
    DRIVEN,
    (
        Change("the mean square is told", "rms = np.sqrt(np.array(self._squares) / max(1, self._commands))", "rms = np.array(self._squares) / max(1, self._commands)"),
        Change("momentum is looked at where none is kept", "        if arm.floats:  #", "        if not arm.floats:  #", tests=(f"{COMMAND}::test_a_drift_of_what_floats_is_told",)),
        Change("energy by the simulation's step", "self._energy + power * s.period", "self._energy + power * arm.dt"),
    ),
)  # fmt: skip

MISSION = Target(
    "hil/workbench/driving/mission.py",
    (f"{COMMAND}::test_what_is_refused_is_one_line",),
    (
        Change("a free base falls", 'if file.base.kind == "free" and not file.weightless:', "if False:"),
        Change("the tip's limits are the usual ones", "return DriveSession(arm, inverse_of(file.inverse, manipulator, arm.q), limits, around)", "return DriveSession(arm, inverse_of(file.inverse, manipulator, arm.q), None, around)", tests=(f"{SESSION}::test_limits_are_those_of_the_mission",)),
    ),
)  # fmt: skip

JUDGING = Target(
    "hil/workbench/design/judging.py",
    ("tests/hil/workbench/design/test_judging.py",),
    (
        Change("gravity is not turned with the base", "T_base_task[:3, :3] @ task.gravity", "T_base_task[:3, :3].T @ task.gravity"),
        Change("an arm without torque is good", "return TOO_WEAK if too_weak else GOOD", "return GOOD"),
        Change("heat by the torque itself", "motor.resistance / by_current**2", "motor.resistance / by_current"),
        Change("the best joint tells the margin", "(np.abs(static) / subject.held).max()", "(np.abs(static) / subject.held).min()"),
        Change("a heavy arm is good", 'return "too heavy"', 'return ""'),
    ),
)  # fmt: skip

MOTION = Target(
    "hil/workbench/design/motion.py",
    ("tests/hil/workbench/design/test_judging.py",),
    (
        Change("a joint is as fast as the leg asks", "T = max(T, FASTEST * abs(end[i] - begin[i]) / speeds[i])", "T = max(T, 0.0)"),
        Change("braking gives power back", "abs(tau[i] * dq[i])", "tau[i] * dq[i]"),
    ),
)  # fmt: skip

RANKING = Target(
    "hil/workbench/design/ranking.py",
    ("tests/hil/workbench/design/test_ranking.py",),
    (
        Change("more margin costs more", '1.0 - f["torque_margin"]', 'f["torque_margin"]'),
        Change("costs are shares of the mean", "middle = np.median(values, axis=0)", "middle = values.mean(axis=0)"),
        Change("equals throw one another off the front", "np.any(np.all(best <= row, axis=1) & np.any(best < row, axis=1))", "np.any(np.all(best <= row, axis=1))"),
    ),
)  # fmt: skip

ROWS = Target(
    "hil/workbench/design/judgement.py",
    ("tests/hil/workbench/design/test_ranking.py",),
    (Change("figures lose their last bits", "else repr(value)", 'else f"{value:.9g}"'),),
)  # fmt: skip

OUTPUT = Target(
    "hil/workbench/design/output.py",
    (
        "tests/hil/workbench/design/test_design_command.py::test_other_crews_and_an_interruption_change_nothing",
        "tests/hil/workbench/design/test_design_command.py::test_folders_of_others_are_left_alone",
    ),
    (
        Change("a line broken off stays", "        if whole != text:\n            write_whole(path, whole)\n", ""),
        Change("what is judged is judged again", "if c.number not in self.judgements]", "]"),
        Change("a folder of something else is used", "if folder.exists() and any(folder.iterdir()) and not run.is_file():", "if False:"),
        Change("another task's results are taken up", "        if then != now:", "        if False:"),
    ),
)  # fmt: skip

MATING = "tests/hil/workbench/test_mating_bench.py"

MATING_FORM = Target(
    "hil/workbench/page/mating/form.py",
    (MATING,),
    (
        Change("any file of the machine may be named", '        if one["name"] == name:', "        if True:"),
        Change("values stand in SI", "value / UNITS[unit]", "value"),
        Change("unchanged values are said", '        if text != fields[key]["value"]:', "        if True:"),
        Change("what is no number is one", "    if not math.isfinite(value):", "    if False:"),
    ),
)  # fmt: skip

MATING_TOLD = Target(
    "hil/workbench/page/mating/told.py",
    (MATING,),
    (
        Change("the greatest force is thinned away", "[*even, *extremes(force)]", "[*even]"),
        Change("a band ends a row early", 'found[-1]["end"] = k + 1', 'found[-1]["end"] = k'),
        Change("the first of the strip is shown", "key=lambda k: abs(drawn[k] - row)", "key=lambda k: k"),
        Change("what is not finite is said", "if np.isfinite(v) else None", "if True else None"),
    ),
)  # fmt: skip

MATING_WORKER = Target(
    "hil/workbench/page/mating/worker.py",
    (MATING,),
    (
        Change("runs are kept for ever", "while len(self._kept) > KEPT:", "while False:"),
        Change("runs of two workers have one number", "self._count = APART * worker", "self._count = 0"),
    ),
)  # fmt: skip

MATING_RIG = Target(
    "hil/workbench/page/mating/rig.py",
    (MATING,),
    (
        Change("a stopped worker is asked again", "worker, self._worker = self._worker, None\n", "worker = self._worker\n"),
        Change("progress is not told", "*arguments, heard=heard", "*arguments"),
    ),
)  # fmt: skip

SECTIONS = Target(
    "hil/trials/mating/sections.py",
    ("tests/hil/trials/mating/test_sections.py",),
    (
        Change("a half ring is a whole one", "_replace(arcs=_facing(ring.arcs, middle))", "_replace(arcs=ring.arcs)"),
        Change("the ring touches behind the chamfer", "-T[2, 3] + k * ring.section * sine", "-T[2, 3] - k * ring.section * sine"),
        Change("each hook bears all of the load", "load[0] / len(state.deformations)", "load[0]"),
        Change("both hooks lie on one side", "2.0 * DEEP * half", "0.0 * half"),
    ),
)  # fmt: skip

TARGETS = (
    *(EDITOR, DRAFT, DESK, SITE, JOG, NUMBERS, PAGE_RUNNING, THEATRE, WATCH, LEDGER),
    *(FOLLOWER, JOINTS, DRIVE_SESSION, INPUTS, SPACEMOUSE, GAMEPAD, KEYBOARD, BUS, POSES),
    *(CSV_OUT, PACE, TALLY, MISSION, JUDGING, MOTION, RANKING, ROWS, OUTPUT),
    *(MATING_FORM, MATING_TOLD, MATING_WORKER, MATING_RIG, SECTIONS),
)  # fmt: skip
