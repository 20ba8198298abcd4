"""The bridge between the two hosts of a split run: keys, guard, clocks, what is carried."""
