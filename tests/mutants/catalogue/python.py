"""What Python and other programs read: flat columns, runs, requests to the daemon, live topics."""

from tests.mutants.mutant import Change, Target

FLAT = Target(
    "hil/common/flat_columns.py",
    ("tests/hil/common/test_flat_columns.py",),
    (
        Change("torques have the unit of forces", " for base, unit in zip(bases, units, strict=True)", " for base, unit in zip(bases, units[:1] * 2, strict=True)"),
        Change("N/s is called as N s is", '    return re.sub(r"^(n|n_m|n_s)/", r"\\1_per_", small).replace("/", "_")', '    return small.replace("/", "_")'),
        Change("counts are called by axes", "if size == 3 and len(units) == 1 and suffix(unit) in DIRECTED", "if size == 3 and len(units) == 1"),
        Change("a quaternion's scalar stands last", 'QUATERNION = ("w", "x", "y", "z")', 'QUATERNION = ("x", "y", "z", "w")'),
        Change("joints are counted from 0", "for joint in range(1, 8)]", "for joint in range(7)]"),
        Change("nanoseconds are rounded away", "DIGITS = 9", "DIGITS = 6"),
        Change("an origin is subtracted too late", "(np.asarray(values) - origin_ns).astype(np.float64)", "(np.asarray(values).astype(np.float64) - origin_ns)"),
        Change("columns are rows", "    return [flat[:, k] for k in range(flat.shape[1])]", "    return [flat[:, -1 - k] for k in range(flat.shape[1])]"),
    ),
)  # fmt: skip
TABLES = Target(
    "hil/recording/tables.py",
    ("tests/hil/recording/test_tables.py",),
    (
        Change("durations count from the origin", 'lasts = kind in DURATIONS and name != "t_ns"', "lasts = False"),
        Change("every channel has its own zero", "origin_ns = classes(), origin_of(summary, channels)", "origin_ns = classes(), 0"),
        Change("what never was is at zero", "np.where(values >= FIRST_NS, found, np.nan)", "found"),
        Change("no answer is one that came before", "np.where(values >= 0, seconds(values), np.nan)", "seconds(values)"),
        Change("virtual time begins with its first message", "    if not is_live(summary):\n        return 0\n", ""),
    ),
)  # fmt: skip
EXPORT = Target(
    "hil/recording/export.py",
    ("tests/hil/recording/test_recording.py",),
    (Change("lists are left out of the arrays", "(table.columns | table.ragged)", "table.columns"),),
)
MEASURES = Target(
    "hil/trials/experiment/measures.py",
    ("tests/hil/trials/experiment/test_measures.py",),
    (
        Change("a missed push has no row", "for k, one in enumerate(zip(*columns.values(), strict=True), 1)", "for k, one in enumerate(zip(*columns.values(), strict=True), 1)\n        if np.isfinite(one).all()"),
        Change("what is not finite is written", "float(v) if math.isfinite(v) else None", "float(v)"),
        Change("of a real arm missed pushes are told", 'columns = _impulses_by_axes("detected", trace.impulse_value)', "pass"),
    ),
)  # fmt: skip
RUN = Target(
    "hil/api/run.py",
    ("tests/hil/api/test_run.py",),
    (
        Change("damage is not warned of", "            if key in self.missing:", "            if False:"),
        Change("a frame says no units", '{"units": dict(table.units), "frames": dict(table.frames)}', '{"units": {}, "frames": {}}'),
        Change("pushes of a real arm are made up", '() if "force" in self.missing else pushes_of(self._trace)', "pushes_of(self._trace)"),
        Change("its arrays as well", 'arrays_of(self._trace, "force" in self.missing)', "arrays_of(self._trace, False)"),
    ),
)  # fmt: skip
TRACE_TABLES = Target(
    "hil/api/trace_tables.py",
    ("tests/hil/api/test_run.py",),
    (
        Change("arrays can be written", "        array.setflags(write=False)\n", ""),
        Change("what was simulated is called so", "removesuffix(SIMULATED)", 'removesuffix("")'),
        Change("measured forces are said to be in the world", "return COLUMNS[name].frame or frame_of(name)", 'return "world"'),
    ),
)  # fmt: skip
IMPULSES = Target(
    "hil/api/impulses.py",
    ("tests/hil/api/test_run.py",),
    (
        Change("impulses have their own number for an owner", "owner = {row: pushes[k] for k, row in enumerate(of_push) if row >= 0}", "owner = {row: pushes[-1] for row in of_push if row >= 0}"),
        Change("force and moment change places", "float(end), value[:3], value[3:])", "float(end), value[3:], value[:3])"),
    ),
)  # fmt: skip
LOADING = Target(
    "hil/api/loading.py",
    ("tests/hil/api/test_run.py",),
    (
        Change("each channel without a head has its own zero", "None if headless else", "None if False else", tests=("tests/hil/api/test_run.py::test_without_a_head_the_channels_are_left",)),
        Change("without a head nothing is read", "    except RecordingError as error:", "    except KeyError as error:"),
    ),
)  # fmt: skip
CHANGES = Target(
    "hil/api/changes.py",
    ("tests/hil/api/test_simulating.py",),
    (
        Change("keys of tables lose the table's", '            yield from _leaves(value, f"{key}.")', '            yield from _leaves(value, "")'),
        Change("any key is one", "not isinstance(name, str) or not KEY.fullmatch(name)", "not isinstance(name, str)"),
        Change("nothing is a value", "    if isinstance(value, bool | int | float | str):", "    if value is None or isinstance(value, bool | int | float | str):"),
    ),
)  # fmt: skip
CONFIGURATION = Target(
    "hil/api/configuration.py",
    ("tests/hil/api/test_simulating.py",),
    (
        Change("a second change forgets the first", "settings=(*self.settings, *asked, *settings_of(more))", "settings=(*asked, *settings_of(more))"),
        Change("keywords are forgotten", ", *settings_of(more))", ")"),
    ),
)  # fmt: skip
DAEMON = Target(
    "hil/api/daemon.py",
    ("tests/hil/api/test_daemon.py",),
    (
        Change("a refusal is an answer", "        if not reply.accepted:", "        if False:"),
        Change("silence is waited for as long as the bus likes", "self._bus.ask(request, self._timeout_s)", "self._bus.ask(request)"),
        Change("what is not said is sent as nothing", "for name, value in values.items() if value is not None}", "for name, value in values.items() if True}"),
        Change("a text of digits is a force", "isinstance(value, str) or ", ""),
        Change("two numbers are a vector", "(vector and len(value) != 3)", "(vector and len(value) > 3)"),
        Change("a slip of the pen is waited for", "if not states or not set(states) <= set(known):", "if False:"),
        Change("hold floats", 'return self._ask("hold")[1]', 'return self._ask("float")[1]'),
        Change("stop holds", 'return self._ask("stop")[1]', 'return self._ask("hold")[1]'),
        Change("waiting takes any state", "while (status := self.status()).state not in states:", "while not (status := self.status()).state:"),
        Change("a point of a push is lost", "duration_ms=duration_ms, at_mm=at_mm)", "duration_ms=duration_ms)"),
    ),
)  # fmt: skip
# without a run of its own
ALONE = tuple(
    f"tests/hil/processes/test_foxglove.py::test_{name}"
    for name in (
        "shapes_are_due_whenever_somebody_new_looks",
        "it_listens_on_this_machine_alone",
        "a_taken_port_and_a_missing_package_are_one_line",
    )
)
LIVE_VIEW = Target(
    "hil/recording/live_view.py",
    ALONE,
    (
        Change("channels are nobody's", "self._context = context = sdk.Context()", "context = sdk.Context()"),
        Change("who comes later sees no shapes", "            self._scene_due.set()", "            pass"),
        Change("shapes are due for ever", "        self._scene_due.clear()\n", ""),
        Change("a taken port is a traceback", "        except RuntimeError as error:", "        except KeyError as error:"),
        Change("it listens to all the world", "                host=HOST,", '                host="0.0.0.0",'),
        Change("viewers may publish", "                capabilities=[],", "                capabilities=[sdk.Capability.ClientPublish],\n                supported_encodings=['json'],"),
    ),
)  # fmt: skip
COMMAND = Target(
    "hil/commands/foxglove.py",
    ("tests/hil/processes/test_foxglove.py::test_a_taken_port_and_a_missing_package_are_one_line",),
    (
        Change("a port without a view is taken", "    if port is not None and not options.foxglove:", "    if False:"),
        Change("a taken port is found when it is too late", '    may_listen(port, "foxglove", FOXGLOVE_OPTION)\n', ""),
    ),
)  # fmt: skip

TARGETS = (
    FLAT, TABLES, EXPORT, MEASURES, RUN, TRACE_TABLES, IMPULSES, LOADING, CHANGES, CONFIGURATION, DAEMON, LIVE_VIEW,
    COMMAND,
)  # fmt: skip
