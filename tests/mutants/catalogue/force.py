"""Continuous force: observer, gate, bias, identification, re-integration, lead, cap."""

from tests.mutants.mutant import Change, Target

LOOP = ("tests/hil/force/test_contact_loop.py",)
HYBRID = ("tests/hil/loop/test_hybrid.py",)
PARTS = ("tests/hil/force/test_force_parts.py",)
BEYOND = ("tests/hil/force/test_beyond_one_line.py",)

TARGETS = (
    Target(
        "hil/force/observer.py",
        PARTS,
        (
            Change(
                "a command acts one cycle late",
                "    later = s.n - 1 - c.dead_cells\n",
                "    later = s.n - 2 - c.dead_cells\n",
            ),
            Change(
                "the velocity is not put right",
                "    gain = c.observer_gain / c.step\n",
                "    gain = 0.0\n",
            ),
        ),
    ),
    Target(
        "hil/force/bias.py",
        LOOP,
        (
            Change(
                "the bias does not follow",
                "        s.bias_read[i] += c.bias_gain * (row.raw[i] - s.bias_read[i])\n",
                "        pass\n",
            ),
            Change(
                "the bias follows as fast as it likes",
                "share = 1.0 if length <= most else most / length",
                "share = 1.0",
            ),
            Change("a bias knows no time", "MOST_DRIFT = 0.2", "MOST_DRIFT = 0.0"),
            Change("a bias knows no pose", "MOST_SLOPE = 25.0", "MOST_SLOPE = 0.0"),
            Change(
                "a bias may change at once behind a contact",
                "read_last(s, ring, 3), most)\n",
                "read_last(s, ring, 3), 1e9)\n",
            ),
        ),
    ),
    Target(
        "hil/force/gate.py",
        (*LOOP, "tests/hil/loop/test_soft_contact.py"),
        (
            Change("a damper has a place", "< SPRUNG * s.most", "< -1e9"),
            Change("one sample opens a contact", "TWICE, AT_ONCE = 2, 3.0", "TWICE, AT_ONCE = 1, 3.0"),
            Change("the onset is where the gate opens", "BACK = 6", "BACK = 0"),
        ),
    ),
    Target(
        "hil/force/cycle.py",
        LOOP,
        (
            Change(
                "the energy of a touch is counted from where the body is believed to be",
                "    s.revise = min(s.revise, s.start)  #",
                "    #",
                tests=("tests/hil/loop/test_contact_pace.py", "-k", "first_moment"),
            ),
            Change(
                "a slow touch stays a hand's for ever",
                "            s.driven, moved = 0, True",
                "            s.driven, moved = 1, True",
            ),
            Change(
                "a contact that is not felt stays open",
                "    if inside and not opposed(c, row) and not (refuted(c, row) and went_through(s, row)):\n",
                "    if inside and not opposed(c, row):\n",
            ),
            Change(
                "another side keeps a contact open",
                "    if inside and not opposed(c, row) and not (refuted(c, row) and went_through(s, row)):\n",
                "    if inside and not (refuted(c, row) and went_through(s, row)):\n",
            ),
            Change(
                "what is not finite is believed",
                "        sound = sound and math.isfinite(wrench[i])\n",
                "",
            ),
            Change(
                "the body does not fly anew",
                "        first = min(first, s.start)\n",
                "        pass\n",
            ),
            Change(
                "a late push acts now",
                "    s.revise = min(s.revise, at)\n",
                "",
            ),
            Change(
                "a push acts twice",
                "        following.other[i] = 0.0\n",
                "        pass\n",
            ),
        ),
    ),
    Target(
        "hil/force/contact_law.py",
        LOOP,
        (
            Change(
                "a law acts where nothing is felt",
                "row.pulls == 1 or refuted(c, row)):",
                "row.pulls == 1):",
            ),
            Change(
                "the force is not carried to the body's pose",
                "        g = row.carried + row.k * deeper + row.d * faster\n",
                "        g = row.force\n",
            ),
            Change(
                "nothing acts where nothing is felt yet",
                "        g = (row.k + kv) * (depth - zero) + (row.d + dv) * rate\n",
                "        g = 0.0\n",
            ),
            Change(
                "a port pulls",
                "    return g if row.pulls == 1 else max(0.0, g)\n",
                "    return g\n",
            ),
            Change(
                "no virtual stiffness",
                "            g += kv * (depth - row.zero) + dv * rate\n",
                "            pass\n",
            ),
        ),
    ),
    Target(
        "hil/force/contact_fit.py",
        (*LOOP, *PARTS, *LOOP),
        (
            Change(
                "a bias behind a strong contact teaches",
                "s.most > STRONG * c.gate:",
                "s.most > 1e9 * c.gate:",
            ),
            Change("damping is not bounded", "+ damping_row,\n", "+ 0.0 * damping_row,\n"),
            Change("the touch is not bounded", "        G[2, 2] + touch_row,\n", "        G[2, 2],\n"),
        ),
    ),
    Target(
        "hil/force/identification.py",
        (*LOOP, *PARTS, *LOOP),
        (
            Change(
                "any port may move",
                "explains(c, s, fixed, best, FREE_RATIO) else 0.0",
                "True else 0.0",
            ),
            Change(
                "no port moves",
                "explains(c, s, fixed, best, FREE_RATIO) else 0.0",
                "False else 0.0",
            ),
        ),
    ),
    Target(
        "hil/force/overshoot.py",
        ("tests/hil/loop/test_overshoot.py", *LOOP, *PARTS),
        (
            Change(
                "one spring explains all",
                "PUZZLED = 0.2",
                "PUZZLED = 9.0",
                tests=("tests/hil/loop/test_docking_real.py", "-k", "gives_energy"),
            ),
            Change("nothing is explained by one spring", "PUZZLED = 0.2", "PUZZLED = 0.02"),
            Change("what the arm meets beyond the body counts", "MARGIN = 0.05", "MARGIN = 50.0"),
            Change(
                "beyond the body's depth what is felt acts",
                "row.over = 1 if row.c > limit else 0",
                "row.over = 0",
            ),
        ),
    ),
    Target(
        "hil/force/hybrid.py",
        HYBRID,
        (
            Change("nothing is virtual", "max(0.0, c.target_stiffness - row.k)", "0.0"),
            Change("the target is added to the device", "c.target_stiffness - row.k)", "c.target_stiffness)"),
            Change("the device's damper counts twice", "* critical - row.d", "* critical"),
            Change("damping by the real spring", "math.sqrt((row.k + stiffness) /", "math.sqrt(row.k /"),
        ),
    ),
    Target(
        "hil/loop/driver/contact_set_up.py",
        HYBRID,
        (
            Change(
                "restitution counts for nothing", "None if wanted is None else damping_ratio(wanted)", "None"
            ),
        ),
    ),
    Target(
        "hil/configuration/force.py",
        HYBRID,
        (
            Change(
                "softer targets pass",
                "force.target_stiffness <= force.device_stiffness",
                "force.target_stiffness <= 0.0 * force.device_stiffness",
            ),
            Change("unknown devices pass", "    if force.device_stiffness is None:\n", "    if False:\n"),
        ),
    ),
    Target(
        "hil/force/reintegration.py",
        LOOP,
        (
            Change(
                "noise is carried into a contact that holds",
                "    row.carried -= noise",
                "    row.carried -= 0.0 * noise",
            ),
            Change("the port stands", "        pace += h * row.mobility * g\n", "        pass\n"),
            Change(
                "the force acts at the end of its part",
                "        second += h * g * (dt - (i + 0.5) * h)\n",
                "        second += h * g * (dt - (i + 1.0) * h)\n",
            ),
            Change(
                "the attitude does not go by the midpoint",
                "    mean = along(along(body.L, second / dt, lever), 0.5 * dt, turning)\n",
                "    mean = body.L\n",
            ),
            Change(
                "the work of others is not granted",
                "    work = tally.work + dot(force, minus(p, body.p)) + dt * dot(torque, omega)\n",
                "    work = tally.work\n",
            ),
        ),
    ),
    Target(
        "hil/force/line.py",
        (*LOOP, *BEYOND),
        (
            Change(
                "rotation does not compress",
                "        row.c -= 0.5 * (row.line[3 + i] + before.line[3 + i]) * dr[i]\n",
                "",
            ),
            Change(
                "a second face goes on where the first one ended",
                "        row.c = s.zero + s.mobility * before.second + s.drift * row.since + 0.5 * h * row.rate\n",
                "        pass\n",
            ),
            Change("no contact ever holds", "            s.pulls = 1\n", "            s.pulls = 0\n"),
            Change(
                "a torque opens nothing",
                "    return bool(dot(torque, torque) > LONGEST_LEVER * LONGEST_LEVER * dot(force, force))\n",
                "    return False\n",
            ),
            Change("any lever is a twist", "LONGEST_LEVER = 0.5", "LONGEST_LEVER = 0.05"),
            Change(
                "a force that comes round little by little does not hold",
                "about = dot(",
                "about = False and dot(",
            ),
        ),
    ),
    Target(
        "hil/force/lead.py",
        LOOP,
        (
            Change(
                "the lead ends a step early",
                "        for _ in range(steps):\n",
                "        for _ in range(steps - 1):\n",
            ),
        ),
    ),
    Target(
        "hil/force/energy.py",
        (*PARTS, *LOOP),
        (
            Change("the cap grants twice", "GRANTED = 1.005", "GRANTED = 2.0"),
            Change("a hand's short push is seen in part", "SHORT = 0.15", "SHORT = 0.0"),
            Change("a hand is believed without end", "SHORT = 0.15", "SHORT = 1e9"),
            Change(
                "the other root",
                "    share = (-linear + math.sqrt(max(0.0, under))) / (2.0 * square)\n",
                "    share = (-linear - math.sqrt(max(0.0, under))) / (2.0 * square)\n",
            ),
            Change(
                "what the cap takes is not booked",
                "        row.impulse[i] += share * push[i]\n",
                "        pass\n",
            ),
        ),
    ),
    Target(
        "hil/force/drift.py",
        BEYOND,
        (
            Change(
                "the damper does not feel the port's speed",
                "        out[RATE, j] -= speed * out[ONE, j]\n",
                "        pass\n",
            ),
            Change(
                "time stays in the sums",
                "            out[i, j] -= share * out[TIME, j]\n",
                "            pass\n",
            ),
            Change(
                "a port that comes on gives nothing",
                "    return max(0.0, -s.drift * along_line)\n",
                "    return 0.0 * along_line\n",
            ),
        ),
    ),
    Target(
        "hil/force/memory.py",
        BEYOND,
        (
            Change(
                "nothing is ever forgotten",
                "        elif not_there(c, row, m, depth, rate):\n",
                "        elif False:\n",
            ),
            Change(
                "nothing is remembered",
                "    if new[KEPT] == 0.0:\n",
                "    if True:\n",
            ),
        ),
    ),
    Target(
        "hil/force/sticking.py",
        BEYOND,
        (
            Change(
                "nothing is carried across the line",
                "    return force, cross(here, force)\n",
                "    return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)\n",
            ),
            Change("no line ever turns", "TURNED = 0.03", "TURNED = 30.0"),
        ),
    ),
)
