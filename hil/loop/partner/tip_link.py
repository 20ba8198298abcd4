"""The session of whoever leads the second arm, and where its controller's packets arrive."""

import numpy as np

from drivers.fri.tip_session import TipSession
from hil.configuration import Configuration
from hil.configuration.schema import Fri


def tip_fri(configuration: Configuration) -> Fri:
    """Return the interface of the second arm's controller: the first one's, on another port."""
    partner = configuration.partner
    assert partner is not None
    return configuration.fri.model_copy(update={"port": partner.port})


def tip_session(configuration: Configuration) -> TipSession:
    """Return a session with it, under the stiffness that the grasp is judged by."""
    partner = configuration.partner
    assert partner is not None
    stiffness = np.repeat([partner.stiffness, partner.stiffness_turning], 3)
    return TipSession(tip_fri(configuration), stiffness)
