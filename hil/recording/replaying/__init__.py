"""Recordings run again: today's cores on the inputs that a recording has of them, and what they then say."""
