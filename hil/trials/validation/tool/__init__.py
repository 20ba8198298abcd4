"""The force sensor between flange and peg: what it reads, its clock, its columns in a log."""
