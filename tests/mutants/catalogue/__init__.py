"""The catalogue: small realistic wrong changes, by file."""

from tests.mutants.catalogue import (
    approach,
    assembly,
    branches,
    driver,
    drives,
    following,
    host_time,
    loop,
    patience,
    reach,
    real_arm,
    robot,
    robot_watch,
    told,
    verdict,
    workbench,
    world,
    wrench,
)
from tests.mutants.mutant import Target

PARTS = (
    robot,
    host_time,
    robot_watch,
    driver,
    following,
    loop,
    approach,
    real_arm,
    wrench,
    world,
    branches,
    reach,
    told,
    verdict,
    patience,
    drives,
    assembly,
    workbench,
)
TARGETS: tuple[Target, ...] = tuple(target for part in PARTS for target in part.TARGETS)
