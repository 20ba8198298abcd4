"""`python -m hil` is `zerog`."""

import sys

from hil.commands.cli import main

sys.exit(main())
