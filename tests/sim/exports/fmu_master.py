"""A co-simulation master as a program: FMPy runs units by scripts; python -m ... FOLDER NAME...

In FOLDER lies NAME.fmu, and NAME.json: a list of ["set", variable, value], ["step", seconds] and ["get"].
What "get" found, and "refused" for a step that was, is written to NAME.out.json. In a process of its own: the
library of pythonfmu 0.7 leaves something behind in a Python that ran several units, and collecting garbage
falls over it.
"""

import gc
import json
import os
import sys
from pathlib import Path
from typing import Any

import fmpy
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Slave


def run(folder: Path, name: str) -> list[Any]:
    """What a unit answers to its script."""
    unit = str(folder / f"{name}.fmu")
    description = fmpy.read_model_description(unit)
    variables = {v.name: v for v in description.modelVariables}
    slave = FMU2Slave(
        guid=description.guid,
        unzipDirectory=fmpy.extract(unit, str(folder / f"{name}_unpacked")),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName=name,
    )
    slave.instantiate()
    slave.setupExperiment(startTime=0.0)
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    t, answers = 0.0, []
    for what, *values in json.loads((folder / f"{name}.json").read_text(encoding="utf-8")):
        if what == "set":
            reference = [variables[values[0]].valueReference]
            if variables[values[0]].type == "Boolean":
                slave.setBoolean(reference, [values[1]])
            else:
                slave.setReal(reference, [values[1]])
        elif what == "step":
            try:
                slave.doStep(t, values[0])
                t += values[0]
            except FMICallException:
                answers.append("refused")
        else:
            real = [v for v in description.modelVariables if v.type == "Real" and v.causality != "input"]
            found = slave.getReal([v.valueReference for v in real])
            answers.append(dict(zip((v.name for v in real), found, strict=True)))
    slave.terminate()
    slave.freeInstance()
    return answers


if __name__ == "__main__":
    gc.disable()
    place = Path(sys.argv[1])
    for unit_name in sys.argv[2:]:
        text = json.dumps(run(place, unit_name))
        (place / f"{unit_name}.out.json").write_text(text, encoding="utf-8")
    os._exit(0)  # without the last collection
