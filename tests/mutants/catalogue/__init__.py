"""The catalogue: small realistic wrong changes, by file."""

from tests.mutants.catalogue import (
    driver,
    following,
    host_time,
    loop,
    planning,
    robot,
    robot_watch,
    told,
    world,
    wrench,
)
from tests.mutants.mutant import Target

TARGETS: tuple[Target, ...] = (
    *(*robot.TARGETS, *host_time.TARGETS, *robot_watch.TARGETS, *driver.TARGETS, *following.TARGETS),
    *(*loop.TARGETS, *wrench.TARGETS, *world.TARGETS, *planning.TARGETS, *told.TARGETS),
)
