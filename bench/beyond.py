"""Acceptance figures beyond one arm and a rigid body: a base (A), a second arm (B), bodies inside (C).

A thin table of row makers; each value is the worst over its trials, beside their median.

python -m bench.beyond [--only N …] [--quick] [--seeds N] [--jobs N] [--json OUT]
"""

from bench.acceptance import inside_rows
from bench.acceptance.base_rows import base_rows
from bench.acceptance.command import Makers, measured
from bench.acceptance.partner_rows import partner_rows

ROWS: Makers = (
    base_rows,
    partner_rows,
    inside_rows.conserved,
    inside_rows.judged,
    inside_rows.rewound,
    inside_rows.timed,
)


if __name__ == "__main__":
    raise SystemExit(measured(__doc__, ROWS))
