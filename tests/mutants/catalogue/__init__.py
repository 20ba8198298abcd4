"""The catalogue: small realistic wrong changes, by file."""

from tests.mutants.catalogue import approach, driver, following, loop, planning, robot, told, world, wrench
from tests.mutants.mutant import Target

TARGETS: tuple[Target, ...] = (
    *(*robot.TARGETS, *driver.TARGETS, *following.TARGETS, *loop.TARGETS),
    *approach.TARGETS,
    *(*wrench.TARGETS, *world.TARGETS, *planning.TARGETS, *told.TARGETS),
)
