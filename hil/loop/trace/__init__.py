"""A run row by row: its fields, how they are gathered, and an ideal body to compare with."""
