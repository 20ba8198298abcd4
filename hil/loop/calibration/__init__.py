"""The motion that shows what the load data of the held mock-up misses: shape and joints' part."""
