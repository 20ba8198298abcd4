"""A search: what is left of a study is judged by a crew; this process writes the results."""

from collections.abc import Callable, Iterator, Sequence

from hil.workbench.design.judgement import Judgement, rows_text
from hil.workbench.design.judging import Job
from hil.workbench.design.output import RESULTS, Output
from hil.workbench.design.study import Study

Crew = Callable[[Sequence[Job]], Iterator[list[Judgement]]]  # judges jobs, in whatever order
A_JOB = 25  # candidates


def run_search(study: Study, output: Output, crew: Crew, done: Callable[[list[Judgement]], None]) -> None:
    """Judge what is left, and put the results in order.

    Args:
        study: see there.
        output: its folder.
        crew: judges: processes of this machine, or a cluster.
        done: given judgements as they come.

    Raises:
        DesignError: something cannot be written.
        CampaignError: the crew has failed.
    """
    for judged in crew(jobs_of(study, output)):
        output.take(judged)
        done(judged)
    output.write(RESULTS, rows_text(output.in_order(), head=True))


def jobs_of(study: Study, output: Output) -> list[Job]:
    """Return the candidates that are left, in jobs."""
    left = output.left
    return [Job(study.task, study.components, tuple(left[k : k + A_JOB])) for k in range(0, len(left), A_JOB)]
