"""The shipped experiments, cut short where a test needs no more."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hil.trials.validation.parameters import NAMES, Parameters
from hil.trials.validation.setup import Setup

ONCE = ("sequence.repetitions=1", "sequence.wait_s=0.2")
FIRST_RIM = ("sequence.wait_s=0.2",)


def slide(*settings: str) -> Setup:
    """The slide, once."""
    return Setup.load("table-slide", [*ONCE, *settings])


def rim(*settings: str, moves: int | None = None) -> Setup:
    """The rim contacts without the waiting before them, or the first moves of them."""
    setup = Setup.load("rim-contact", [*FIRST_RIM, *settings])
    if moves is None:
        return setup
    e = setup.experiment
    shorter = e.sequence.model_copy(update={"move": e.sequence.move[:moves]})
    return replace(setup, experiment=e.model_copy(update={"sequence": shorter}))


def changed(parameters: Parameters, factor: float, names: Sequence[str]) -> Parameters:
    """Parameters some of which are `factor` times what they were."""
    factors = np.ones(len(NAMES))
    for i, name in enumerate(NAMES):
        if name.startswith(tuple(names)):
            factors[i] = factor
    return parameters.scaled(factors)
