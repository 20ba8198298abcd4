"""The catalogue: small realistic wrong changes, by file."""

from tests.mutants.catalogue import driver, following, loop, patience, planning, robot, told, world, wrench
from tests.mutants.mutant import Target

TARGETS: tuple[Target, ...] = (
    *(*robot.TARGETS, *driver.TARGETS, *following.TARGETS, *loop.TARGETS),
    *(*wrench.TARGETS, *world.TARGETS, *planning.TARGETS, *told.TARGETS, *patience.TARGETS),
)
