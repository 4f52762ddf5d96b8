"""The same rules at machine speed: compiled by numba for the CPU, by numba-cuda for a GPU."""
