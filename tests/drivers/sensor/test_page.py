"""The sensor's own page, in whatever unit it is set to."""

import pytest

from drivers.sensor.page import read_page
from hil.common.errors import BadMessage


def said(force: str = "N", torque: str = "Nm", cpf: str = "1000000", cpt: str = "1000000") -> str:
    return (
        f'<?xml version="1.0"?><netft><cfgcpf>{cpf}</cfgcpf><cfgcpt> {cpt} </cfgcpt>'
        f"<scfgfu>{force}</scfgfu><scfgtu>{torque}</scfgtu><comrdtrate>1750</comrdtrate></netft>"
    )


@pytest.mark.parametrize(
    ("force", "torque", "newtons", "newton_metres"),
    [
        ("N", "Nm", 1.0, 1.0),
        ("N", "N-m", 1.0, 1.0),
        ("kN", "N-mm", 1000.0, 0.001),
        ("lbf", "lbf-in", 4.4482216152605, 0.1129848290276167),  # by definition of pound, gravity and inch
        ("kgf", "kgf-cm", 9.80665, 0.0980665),
    ],
)
def test_counts_are_brought_to_newtons(force: str, torque: str, newtons: float, newton_metres: float) -> None:
    """So many counts a unit are so many a newton."""
    found = read_page(said(force, torque))
    assert found.force_counts == pytest.approx(1e6 / newtons, rel=1e-12)
    assert found.torque_counts == pytest.approx(1e6 / newton_metres, rel=1e-12)
    assert found.rate == 1750.0


@pytest.mark.parametrize("text", ["", said("stone"), said(cpf="many"), said(cpt="0"), said(cpf="nan")])
def test_a_page_that_cannot_be_is_refused(text: str) -> None:
    """Without a setting, with an unknown unit or no number: one line that names it."""
    with pytest.raises(BadMessage, match=r"the sensor's page /netftapi2\.xml says"):
        read_page(text)
