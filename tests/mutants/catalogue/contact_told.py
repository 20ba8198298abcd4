"""What is told of contacts under continuous force: report, certificate, status, page."""

from tests.mutants.mutant import Change, Target

REPORT = ("tests/hil/analysis/report/test_recorded_contacts.py",)
PLANS = ("tests/hil/trials/experiment/test_contacts.py",)

TARGETS = (
    Target(
        "hil/force/map/ideal_touch.py",
        ("tests/hil/force/map/test_ideal_touch.py",),
        (
            Change("a port that moves takes nothing", "contact.port_share * (1.0 +", "(1.0 +"),
            Change("the damper is not felt", "(k * depth + d * rate).real", "(k * depth).real"),
            Change("all of the force is real", "if real is None else real\n", "\n"),
        ),
    ),
    Target(
        "hil/analysis/judged_contact.py",
        (*REPORT, "tests/hil/loop/test_hybrid.py"),
        (
            Change("errors have no sign", "self.restitution - self.ideal.restitution\n", "0.0\n"),
            Change("intervals of 68 %", "COVERS = 1.96", "COVERS = 1.0"),
            Change("ports are held against themselves", "self._port is not None", "False"),
            Change(
                "a target is held against the device",
                "self._target(found), speed",
                "found, speed",
            ),
        ),
    ),
    Target(
        "hil/analysis/diverging.py",
        (*PLANS, "tests/hil/commands/test_contact_map.py"),
        (Change("nothing diverges", 'return f"{path}: {text}" if text else ""', 'return ""'),),
    ),
    Target(
        "hil/trials/experiment/fast_trial.py",
        PLANS,
        (Change("what diverges is run", "must_diverge(c, base.path)", '""'),),
    ),
    Target(
        "hil/trials/experiment/contact_cells.py",
        PLANS,
        (
            Change("percents in a table of shares", "None if percent is None else 0.01 * percent", "percent"),
            Change("pushes are contacts", '    if c.force.mode == "pushes":\n        return None\n', ""),
        ),
    ),
    Target(
        "hil/loop/told_contact.py",
        REPORT,
        (
            Change(
                "restitution upside down",
                "contact.departure / contact.approach",
                "contact.approach / contact.departure",
            ),
            Change(
                "created over what is left",
                "contact.energy_created / contact.energy_before",
                "contact.energy_created / contact.energy_after",
            ),
            Change(
                "what was not identified is judged",
                "    if not is_identified(contact):\n        return None\n",
                "",
            ),
            Change("a fit by chance identifies", "SURE = 5.0", "SURE = 0.0"),
            Change(
                "open contacts are judged",
                "if not contact.ended or contact.approach <= SLOWEST or contact.energy_before <= 0.0:",
                "if contact.approach <= SLOWEST or contact.energy_before <= 0.0:",
            ),
        ),
    ),
    Target(
        "hil/analysis/recorded/contacts.py",
        REPORT,
        (
            Change(
                "a driver that began anew overwrites",
                "last[told.number, told.t_start_ns]",
                "last[told.number, 0]",
            ),
        ),
    ),
    Target(
        "hil/analysis/report/contact_lines.py",
        REPORT,
        (
            Change(
                "the mean contact is judged",
                "float(values.max()) if len(values)",
                "float(values.mean()) if len(values)",
            ),
            Change(
                "pushes have the row",
                '    if run.configuration.force.mode == "pushes":\n        return None\n',
                "",
            ),
            Change(
                "lost messages are no matter",
                'run.summary.lost.get("contact")',
                'run.summary.lost.get("impulse")',
            ),
        ),
    ),
    Target(
        "hil/analysis/report/contact_table.py",
        REPORT,
        (
            Change("depth in metres", "value_text(1e3 * contact.depth if", "value_text(contact.depth if"),
            Change(
                "energies change places",
                "value_text(1e3 * contact.energy_before)",
                "value_text(1e3 * contact.energy_after)",
            ),
            Change(
                "open contacts have rows",
                "for one in judged if one.contact.ended][:MOST_ROWS]",
                "for one in judged][:MOST_ROWS]",
            ),
            Change(
                "a port that moves stands",
                "value_text(contact.port_mass) if contact.port_mass > 0.0",
                "value_text(contact.port_mass) if contact.port_mass < 0.0",
            ),
        ),
    ),
    Target(
        "hil/processes/supervisor/touch_watch.py",
        ("tests/hil/processes/test_touch_watch.py",),
        (
            Change("an open contact stays open for ever", "now_ns - contact.t_ns > SILENT_NS", "False"),
            Change("the oldest contact is told", "self._newest = found[-1]", "self._newest = None"),
            Change("pushes are told of contacts", 'if self._acts else ""', 'if True else ""'),
        ),
    ),
)
