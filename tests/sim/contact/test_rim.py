"""Minima of the distance between a line and the rim, against brute force on the distance itself."""

import math

import numpy as np

from sim.contact.rim import gradient, rim_minima


def test_minima_are_those_of_the_distance() -> None:
    """Whatever slope, height and bracket: every dip of |Q|^2 - 2 R rho is found, and nothing else."""
    rng = np.random.default_rng(3)
    radius = 0.0175
    both = 0
    for case in range(4000):
        tangent = rng.choice([0.0, rng.uniform(-0.1, 0.1), rng.uniform(-3.0, 3.0)])
        height = rng.uniform(-0.005, 0.03) * rng.choice([0.0, 1.0])
        m = radius * rng.choice([0.0, rng.uniform(0.0, 0.1), rng.uniform(0.0, 1.0)])
        begin, end = np.sort(rng.uniform(-1.0, 1.0, 2)) * math.sqrt(radius**2 - m**2)
        sigma = np.linspace(begin, end, 4001)
        rho = np.hypot(m, sigma)
        d2 = (rho - radius) ** 2 + (height + tangent * sigma) ** 2
        dips = np.flatnonzero((d2[1:-1] < d2[:-2]) & (d2[1:-1] < d2[2:])) + 1
        a, k = height * tangent, 1.0 + tangent**2
        falls = gradient(begin, a, k, m * m, radius) < 0.0
        rises = gradient(end, a, k, m * m, radius) > 0.0
        found = [s for s in rim_minima(a, k, m * m, radius, begin, end, falls, rises) if math.isfinite(s)]
        step = sigma[1] - sigma[0]
        # a dip within a sample of the bracket's ends is seen by one of the two only
        inner = [s for s in found if begin + 2 * step < s < end - 2 * step]
        seen = [s for s in sigma[dips] if begin + 3 * step < s < end - 3 * step]
        assert all(any(abs(s - f) < 2 * step for f in found) for s in seen), (case, found, seen)
        assert all(any(abs(s - f) < 2 * step for s in sigma[dips]) for f in inner), (case, found, seen)
        both += len(inner) == 2
    assert both > 50
