"""The emulated arm: drives, mechanics, and the wrench that it would estimate."""
