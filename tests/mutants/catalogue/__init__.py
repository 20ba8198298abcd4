"""The catalogue: small realistic wrong changes, by file."""

from tests.mutants.catalogue import driver, following, loop, planning, robot, told, verdict, world, wrench
from tests.mutants.mutant import Target

TARGETS: tuple[Target, ...] = (
    *(*robot.TARGETS, *driver.TARGETS, *following.TARGETS, *loop.TARGETS),
    *(*wrench.TARGETS, *world.TARGETS, *planning.TARGETS, *told.TARGETS),
    *verdict.TARGETS,
)
