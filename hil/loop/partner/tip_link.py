"""The session of whoever leads the second arm, and where its controller's packets arrive."""

import numpy as np

from drivers.fri.tip_session import TipSession
from hil.configuration import Configuration
from hil.configuration.schema import Fri


def tip_fri(configuration: Configuration) -> Fri:
    """Return the interface of the second arm's controller: the first one's elsewhere."""
    partner = configuration.partner
    assert partner is not None
    fri = configuration.fri
    address = partner.controller_address or fri.controller_address
    return fri.model_copy(update={"port": partner.port, "controller_address": address})


def tip_session(configuration: Configuration) -> TipSession:
    """Return a session with it, under the stiffness that the grasp is judged by."""
    partner = configuration.partner
    assert partner is not None
    stiffness = np.repeat([partner.stiffness, partner.stiffness_turning], 3)
    return TipSession(tip_fri(configuration), stiffness)
