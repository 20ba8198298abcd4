"""The candidates of a search: all arms of a space, or as many by lot. The same seed gives the same list."""

import random
from dataclasses import dataclass

from hil.workbench.design.grammar import Arm, Grammar


@dataclass(frozen=True)
class Candidate:
    """An arm to be judged, and its number in the list, from 1 on."""

    number: int
    arm: Arm


def candidates_of(grammar: Grammar, joints: range, most: int, seed: int) -> list[Candidate]:
    """Return the candidates in the order in which they are judged.

    Args:
        grammar: of the arms.
        joints: how many an arm may have.
        most: candidates at most; of a larger space each number of joints gets an equal share, as far as it
            has so many arms.
        seed: of the lot.
    """
    totals = {n: grammar.count(n) for n in joints}
    drawn = [
        (n, number)
        for n, share in _shares(totals, most).items()
        for number in _drawn(totals[n], share, random.Random(f"{seed} {n}"))
    ]
    random.Random(seed).shuffle(drawn)  # so that a search broken off has seen a bit of everything
    return [Candidate(k + 1, grammar.arm(n, number)) for k, (n, number) in enumerate(drawn)]


def _shares(totals: dict[int, int], most: int) -> dict[int, int]:
    """Return how many of each kind are drawn: equal shares, what a small kind leaves goes to the others."""
    shares = dict[int, int]()
    for left, (kind, total) in zip(
        range(len(totals), 0, -1), sorted(totals.items(), key=lambda i: i[1]), strict=True
    ):
        shares[kind] = min(total, most // left)
        most -= shares[kind]
    return dict(sorted(shares.items()))


def _drawn(total: int, share: int, lot: random.Random) -> list[int]:
    """Return `share` different numbers below `total`, each set of them as likely (Floyd)."""
    found = set[int]()
    for last in range(total - share, total):
        number = lot.randrange(last + 1)
        found.add(last if number in found else number)
    return sorted(found)
