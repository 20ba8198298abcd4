"""What the load data of the held mock-up misses: how it shows, how it is found, how it is taken out."""
