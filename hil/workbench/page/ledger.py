"""What an arm comes to, for the page: figures, torque margins, findings and the parts that they are about."""

from multiprocessing.connection import Connection
from typing import Any

from hil.common.errors import ZeroGError
from sim.assembly.chain import Chain
from sim.assembly.checks import check, figures


def ledger(chain: Chain) -> dict[str, Any]:
    """Return `figures` (see `sim.assembly.checks.figures`) and `findings` with `text`, `grave` and `part`.

    An arm with a grave finding, or without a joint, has no figures; `part` is its place in the chain, or None.
    """
    if not chain.parts:
        return {"figures": {}, "findings": []}
    found = check(chain)
    sound = not any(finding.level == "error" for finding in found)
    return {
        "figures": figures(chain) if sound else {},
        "findings": [
            {
                "text": f"{finding.text}: {finding.remedy}",
                "grave": finding.level == "error",
                "part": place_of(chain, finding.part),
            }
            for finding in found
        ],
    }


def place_of(chain: Chain, name: str) -> int | None:
    """Return the place of the part that a part's or a joint's name belongs to; None: of none."""
    for at, part in enumerate(chain):
        joints = [f"{part.name}_{k + 1}" for k in range(len(part.component.joints))]
        if name == part.name or name in joints:
            return at
    return None


def reckon(line: Connection) -> None:
    """Answer with ledgers, as `hil.workbench.page.worker` says, until the line ends."""
    while True:
        _, (chain,) = line.recv()
        try:
            line.send((True, ledger(chain)))
        except ZeroGError as error:
            line.send((False, str(error)))
