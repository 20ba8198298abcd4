"""Contacts as complementarity: pivots, cones, sweeps, time steps, problem files."""

from tests.mutants.mutant import Change, Target

HERE = "tests/sim/complementarity"
LCP = (f"{HERE}/test_lcp.py",)
ONE = (f"{HERE}/test_contacts.py::test_one_contact_is_the_best_of_all_directions",)
FILES = (f"{HERE}/test_problem_file.py",)
MOTIONS = (f"{HERE}/test_motions.py",)
CONTACTS = (f"{HERE}/test_contacts.py",)

LEMKE = Target(
    "sim/complementarity/lemke.py",
    LCP,
    (
        Change("the complement of what left does not enter", "left + n if left < n else left - n", "left"),
        Change("any ray proves that there is none", "most <= CERTAIN * size and gain", "gain"),
        Change("the first row leaves", "if _before(T, i, leaving, 2 * n):", "if False:"),
        Change("the artificial variable pulls the wrong way", "T[i, 2 * n] = -1.0", "T[i, 2 * n] = 1.0"),
    ),
)
ENUMERATION = Target(
    "sim/complementarity/enumeration.py",
    LCP,
    (Change("singular bases are passed over", "if distance <= enough * size:", "if False:"),),
)
LCP_CHAIN = Target(
    "sim/complementarity/lcp.py",
    LCP,
    (
        Change(
            "feasibility is not looked at", "outcome == RAY and none_certified(M, q, work.ray[n:])", "False"
        ),
        Change("what is not finite is taken", "if not np.isfinite(values).all():", "if False:"),
    ),
)
ONE_CONTACT = Target(
    "sim/complementarity/one_contact.py",
    ONE,
    (
        Change("a planar contact slides with friction", "if sign * slip <= 0.0:", "if sign * slip >= 0.0:"),
        Change("friction turns by the other coupling", "S11 * c0 - S01 * c1", "S11 * c0 + S01 * c1"),
        Change("slip is never looked for", "    if mu == 0.0:", "    if mu >= 0.0:"),
    ),
)
PLANAR = Target(
    "sim/complementarity/planar.py",
    (f"{HERE}/test_contacts.py::test_planar_contacts_are_those_of_enumeration",),
    (
        Change(
            "friction does not press",
            "G[2 * i, 2 * j] - G[2 * i, 2 * j + 1] * mu[j]",
            "G[2 * i, 2 * j]",
        ),
    ),
)
CONE = Target(
    "sim/complementarity/cone.py",
    CONTACTS,
    (Change("the residual does not see slip", "moved[at] -= rho * mu[i] * slip", "pass"),),
)
CHAIN = Target(
    "sim/complementarity/contact_chain.py",
    CONTACTS,
    (
        Change(
            "bodies that cannot part are tried for long", "if _cannot_part(G, b, mu, dim, work):", "if False:"
        ),
    ),
)
STEP = Target(
    "sim/complementarity/moreau_step.py",
    MOTIONS,
    (
        Change("stiffness acts once", "h * theta * (P[i, j] + h * theta * Q[i, j])", "h * theta * P[i, j]"),
        Change("gaps are met at once", "gaps[i] / h * (1.0", "0.0 * (1.0"),
        Change("far contacts bounce", "gaps[i] + 0.5 * h * before <= 0.0", "gaps[i] + h * before <= 0.0"),
        Change("energy may come from friction", "return bool(gain > GAIN * size)", "return False"),
        Change("all of a penetration is taken back", "else recovery)", "else 1.0)"),
    ),
)
FILE = Target(
    "sim/complementarity/problem_file.py",
    FILES,
    (
        Change("matrices stand row by row", "reshape(size, size).T)", "reshape(size, size))"),
        Change(
            "blocks stand row by row",
            "reshape(right - left, low - high).T",
            "reshape(low - high, right - left)",
        ),
        Change("friction may be negative", "if (mu < 0.0).any():", "if False:"),
        Change("entries are not counted", "int(announced[1]) != entries", "False"),
    ),
)
TOKENS = Target(
    "sim/complementarity/problem_tokens.py",
    FILES,
    (Change("what is left over does not count", "if numbers > 1 or", "if"),),
)

TARGETS = (LEMKE, ENUMERATION, LCP_CHAIN, ONE_CONTACT, PLANAR, CONE, CHAIN, STEP, FILE, TOKENS)
