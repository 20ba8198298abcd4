"""Units of forces, torques and times as the heads of tables write them."""

import re

POUND = 4.4482216152605  # [N], of force
KILOGRAM = 9.80665  # [N], of force
INCH, FOOT = 0.0254, 0.3048  # [m]
_FORCES = {
    "n": 1.0, "newton": 1.0, "newtons": 1.0, "kn": 1e3, "mn": 1e-3, "un": 1e-6, "cn": 1e-2, "dan": 10.0,
    "lbf": POUND, "lb": POUND, "lbs": POUND, "klbf": 1e3 * POUND, "ozf": POUND / 16.0, "oz": POUND / 16.0,
    "kgf": KILOGRAM, "kp": KILOGRAM, "gf": 1e-3 * KILOGRAM, "dyn": 1e-5,
}  # fmt: skip
_LEVERS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "in": INCH, "inch": INCH, "ft": FOOT}
_TIMES = {
    "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0, "sek": 1.0,
    "ms": 1e-3, "msec": 1e-3, "msecs": 1e-3, "millis": 1e-3, "millisecond": 1e-3, "milliseconds": 1e-3,
    "us": 1e-6, "usec": 1e-6, "usecs": 1e-6, "micros": 1e-6, "microsecond": 1e-6, "microseconds": 1e-6,
    "ns": 1e-9, "nsec": 1e-9, "nsecs": 1e-9, "nanos": 1e-9, "nanosec": 1e-9, "nanosecond": 1e-9,
    "nanoseconds": 1e-9, "min": 60.0, "minutes": 60.0, "h": 3600.0, "hours": 3600.0,
    "d": 86400.0, "days": 86400.0,
}  # fmt: skip
FORCE, TORQUE, TIME = "force", "torque", "time"
SI = {FORCE: "N", TORQUE: "N m", TIME: "s"}
NAMED = {
    FORCE: "N, kN, mN, lbf, kgf",
    TORQUE: "Nm, Nmm, mNm, lbf-in, lbf-ft",
    TIME: "s, ms, us, ns, min, h, days",
}


def factor(unit: str, quantity: str) -> float | None:
    """Return what a unit is worth in SI, or None if it is no unit of that quantity.

    Capitals count where they tell kilo from milli and mega from milli: MN is none.
    """
    text = unit.strip().replace("µ", "u").replace("μ", "u").strip("()[]{} ")
    if re.match(r"M[nN]", text):
        return None
    plain = re.sub(r"[\s._*·⋅∙×^-]+", " ", text.lower()).strip()
    if quantity == TIME:
        return _TIMES.get(plain)
    if quantity == FORCE:
        return _FORCES.get(plain)
    return _torque(plain)


def _torque(plain: str) -> float | None:
    words = plain.replace("newton", "n").replace("meter", "m").replace("metre", "m").split()
    text = "".join(words)
    for force, newtons in sorted(_FORCES.items(), key=lambda item: -len(item[0])):
        for lever, metres in sorted(_LEVERS.items(), key=lambda item: -len(item[0])):
            if text in (force + lever, lever + force):
                return newtons * metres
    return None
