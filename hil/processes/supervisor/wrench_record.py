"""What is kept of a passed `zerog check-wrench`: a file for each fingerprint, which outlives the run.

The daemon keeps it, for only it knows where: a service's state directory is not that of whoever asks.
"""

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.configuration.wrench_stamp import wrench_stamp
from hil.loop.judging.judge import Judge
from hil.loop.judging.real_arm import CHECKED, PASSED
from hil.loop.judging.state_machine import State


class Verdict(BaseModel):
    """What `zerog check-wrench` reports to the daemon.

    Attributes:
        stamp: of the configuration that it judged by.
        passed: all is right, without a doubt.
        findings: its lines.
    """

    model_config = ConfigDict(extra="forbid")

    stamp: str
    passed: bool
    findings: tuple[str, ...]


class WrenchRecord:
    """The record for one configuration.

    Attributes:
        stamp: fingerprint of the configuration.
        passed: its check has passed, in an earlier run or in this one.
    """

    def __init__(self, state: Path, configuration: Configuration) -> None:
        """Look for the record in the state directory; what cannot be read does not count."""
        self._emulated = configuration.robot.kind == "emulated"
        self.stamp = "" if self._emulated else wrench_stamp(configuration)
        self._file = state / f"wrench-{self.stamp}"
        self.passed = not self._emulated and self._kept()

    def tell(self, judge: Judge) -> None:
        """Tell the judge what is known."""
        judge.order(CHECKED, PASSED if self.passed else "")

    def take(self, judge: Judge, arguments: str) -> str:
        """Take a verdict, tell the judge, keep or remove the record, and return what came of it in words.

        Args:
            judge: of the run.
            arguments: a `Verdict` as JSON.

        Raises:
            OperatorError: it is none, or not of this run as it stands.
        """
        try:
            verdict = Verdict.model_validate_json(arguments)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "arguments"
            raise OperatorError(f"check-wrench: {where}: {first['msg']}") from error
        if self._emulated:
            raise OperatorError("check-wrench of an emulated robot is not kept: it needs none to float")
        state = judge.machine.state
        if state is not State.READY:
            raise OperatorError(f"check-wrench is not taken in {state}: the arm must stand and be READY")
        if verdict.stamp != self.stamp:
            raise OperatorError("check-wrench judged by another configuration than the run's: repeat it")
        self.passed = verdict.passed
        self.tell(judge)
        return self._keep(verdict.findings) if verdict.passed else self._remove()

    def _kept(self) -> bool:
        try:
            return bool(json.loads(self._file.read_text(encoding="utf-8"))["stamp"] == self.stamp)
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def _keep(self, findings: tuple[str, ...]) -> str:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            new = self._file.with_suffix(".new")
            new.write_text(json.dumps({"stamp": self.stamp, "findings": findings}), encoding="utf-8")
            new.replace(self._file)
        except OSError as error:
            return (
                f"passed, for this run only: {self._file} cannot be written ({error.strerror}); give "
                "run.state_directory a folder that can"
            )
        return f"passed, and kept in {self._file} for this load, tool, sign, frame and controller"

    def _remove(self) -> str:
        """Forget an earlier pass: what is wrong now may not move the next run either."""
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            return (
                f"not passed; but {self._file}, which says so of before, cannot be removed ({error.strerror})"
            )
        return "not passed: a real arm does not float before it is"
