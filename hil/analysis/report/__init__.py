"""The report of a recorded run or an experiment: a page, its pictures, and the fidelity certificate."""
