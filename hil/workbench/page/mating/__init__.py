"""The page's view of mating: experiments are chosen, run and looked at."""
