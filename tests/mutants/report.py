"""The table and the score of a run of mutants."""

from collections import Counter

from tests.mutants.workshop import Fate, Trial

COLUMNS = (Fate.KILLED, Fate.TIMEOUT, Fate.SURVIVED, Fate.EQUIVALENT, Fate.UNTRIED, Fate.ERROR)


def line(trial: Trial) -> str:
    """Return one trial in a line: fate, time, mutant, and what noticed it."""
    return f"{trial.fate:<14} {trial.seconds:6.1f} s  {trial.mutant}  [{trial.words}]"


def report(trials: list[Trial]) -> str:
    """Return the table by file, the survivors, the equivalent ones with their argument, and the score."""
    files = list(dict.fromkeys(trial.mutant.file for trial in trials))
    width = max(len(file) for file in files)
    rows = ["", " " * width + "".join(f"{column:>16}" for column in COLUMNS)]
    for file in files:
        counts = Counter(trial.fate for trial in trials if trial.mutant.file == file)
        rows.append(f"{file:<{width}}" + "".join(f"{counts[column]:>16}" for column in COLUMNS))
    for fate in (Fate.ERROR, Fate.SURVIVED):
        rows += [f"{fate}: {trial.mutant}: {trial.words}" for trial in trials if trial.fate is fate]
    for trial in trials:
        if trial.fate is Fate.EQUIVALENT:
            rows.append(f"equivalent: {trial.mutant}: {trial.mutant.change.equivalent}")
        elif trial.mutant.change.equivalent and trial.fate is not Fate.UNTRIED:
            rows.append(f"argued to be equivalent, and yet {trial.fate}: {trial.mutant}")
    return "\n".join([*rows, "", score(trials)])


def score(trials: list[Trial]) -> str:
    """Return the score in a line: killed of those tried that are not argued to be equivalent."""
    counts = Counter(trial.fate for trial in trials)
    killed = counts[Fate.KILLED] + counts[Fate.TIMEOUT]
    counted = killed + counts[Fate.SURVIVED]
    share = f"{100.0 * killed / counted:.1f} %" if counted else "none tried"
    return (
        f"killed {killed} of {counted} ({share}), survived {counts[Fate.SURVIVED]}, "
        f"equivalent {counts[Fate.EQUIVALENT]}, not tried {counts[Fate.UNTRIED]}, "
        f"error {counts[Fate.ERROR]}, {sum(trial.seconds for trial in trials):.0f} s"
    )
