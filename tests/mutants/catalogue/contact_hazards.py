"""Hazards of real contact: cut off, stuck, lost, walled in, broken away; and soaks against ports."""

from tests.mutants.mutant import Change, Target

CUT = ("tests/hil/loop/test_touching_cut.py",)
PACE = ("tests/hil/loop/test_contact_pace.py",)

TARGETS = (
    Target(
        "hil/loop/driver/cut_contact.py",
        CUT,
        (
            Change("what presses is forgotten at once", "if not (self.pressed or standing):", "if True:"),
            Change("what is no number presses not", "0.0 if force <= self._gate else force", "force if force > self._gate else 0.0"),
            Change("what comes towards it is deaf as well", "@ v) >= 0.0", "@ v) >= -1e9"),
        ),
    ),
    Target(
        "hil/loop/driver/stuck_wrench.py",
        CUT,
        (
            Change("an estimate may stand still", "self._same += 1", "self._same += 0"),
        ),
    ),
    Target(
        "hil/loop/driver/touching.py",
        (*CUT, "tests/hil/loop/test_contact_losses.py", "tests/hil/loop/test_touching_neighbours.py", *PACE),
        (
            Change("the pressing force becomes the bias", "self._cut.cut(self._loop.state.bias)", "self._cut.over()"),
            Change("a hold lets the contact go on", "self._stands = held and", "self._stands = False and"),
            Change(
                "a contact cannot begin in lost packets",
                "not was_open, self._loop.pace)",
                "not was_open and missed == 0, self._loop.pace)",
            ),
            Change("the world's stops are not felt", "self._stops.at(*body)", "0.0 * self._stops.at(*body)"),
            Change("the stops' push counts twice", "stops = self._stops.acceleration(R", "stops = 0.0 * self._stops.acceleration(R"),
            Change("a contact has the pace of its gate, not of its onset", "repace(max(LEAST_PACE, self._paces[0]))\n            self._loop.follow", "repace(max(LEAST_PACE, self._paces[-1]))\n            self._loop.follow"),
            Change("a plan may let object time run faster", "min(1.0, max(0.0, pace))", "max(0.0, pace)"),
            Change("object time always has its full pace", "self._paces.append(min(1.0, max(0.0, pace)))", "self._paces.append(1.0)"),
        ),
    ),
    Target(
        "hil/loop/driver/contact_reports.py",
        PACE,
        (
            Change("an impulse is worth the same at every pace", "impulses = self._pace *", "impulses = 1.0 *"),
        ),
    ),
    Target(
        "hil/force/contact_loop.py",
        PACE,
        (
            Change("a body that is shown slowly is as light", "heavier = pace, 1.0 / (pace * pace)", "heavier = pace, 1.0"),
        ),
    ),
    Target(
        "hil/loop/lockstep_link.py",
        ("tests/hil/loop/test_contact_losses.py",),
        (
            Change("no packet is lost", "loss, jitter, seed = c.emulator.loss,", "loss, jitter, seed = 0.0,"),
            Change("no answer is lost", "EmulatedLink(loss, jitter, seed, FROM_DRIVER,", "EmulatedLink(0.0, jitter, seed, FROM_DRIVER,"),
        ),
    ),
    Target(
        "hil/trials/soak/contacts.py",
        ("tests/hil/trials/soak/test_soak_contacts.py",),
        (
            Change("two per cent are let pass", "GAIN = 0.01 ", "GAIN = 0.03 "),
            Change("faults are not remembered", "self._spoiled = contact.number", "self._spoiled = None"),
            Change("the port comes into the mock-up", "rng.uniform(0.0, NEARER) *", "rng.uniform(0.0, 2.0) *"),
        ),
    ),
)  # fmt: skip
