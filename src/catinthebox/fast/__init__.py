"""The rules, compiled: by numba for the CPU, by numba-cuda for a GPU."""
