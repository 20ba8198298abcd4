"""The first start with these sources: all kernels are compiled, on two cores, before a process needs them.

A process that compiled for itself would compile what others compile at the same time, and keep the compiler's
memory for as long as it lives. So short-lived parts compile for all processes, and these load.
"""
