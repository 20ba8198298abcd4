"""What is told of a tool's sensor beside its readings: how its clock lies to the arm's, what was lost."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class SensorTold:
    """Of one stream of records.

    Attributes:
        records: that came in order.
        lost: that never came.
        restarts: times that their numbers began anew.
        offset_s: by which the sensor's first record lies behind the arm's first row; what was added to the
            sensor's own times.
        offset_error_s: standard error of it where it was found from the courses; None where stamps tell it.
        drift_ppm: by how many millionths the sensor's second is longer than the arm's.
        jitter_ms: greatest time by which a record came after its instant.
    """

    records: int
    lost: int
    restarts: int
    offset_s: float
    offset_error_s: float | None = None
    drift_ppm: float = 0.0
    jitter_ms: float = 0.0

    @property
    def share_lost(self) -> float:
        """Of all records that were sent."""
        sent = self.records + self.lost
        return self.lost / sent if sent else 0.0

    def in_words(self) -> str:
        """Return a line for people."""
        error = "" if self.offset_error_s is None else f" +- {1e3 * self.offset_error_s:.1f}"
        again = f", numbers began anew {self.restarts} times" if self.restarts else ""
        return (
            f"tool's sensor: {self.records} records, {self.lost} lost ({100.0 * self.share_lost:.2g} %)"
            f"{again}; its clock begins {1e3 * self.offset_s:.1f}{error} ms after the arm's, drift "
            f"{self.drift_ppm:.0f} ppm, jitter {self.jitter_ms:.2f} ms"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as keys of a JSON file."""
        return {**asdict(self), "share_lost": self.share_lost}
