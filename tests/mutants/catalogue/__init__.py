"""The catalogue: small realistic wrong changes, by file."""

from tests.mutants.catalogue import (
    approach,
    assembly,
    complementarity,
    driver,
    drives,
    fasteners,
    following,
    host_time,
    loop,
    mating,
    patience,
    planning,
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
    planning,
    told,
    verdict,
    patience,
    drives,
    fasteners,
    assembly,
    workbench,
    complementarity,
    mating,
)
TARGETS: tuple[Target, ...] = tuple(target for part in PARTS for target in part.TARGETS)
