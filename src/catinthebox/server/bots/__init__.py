"""Bots for live tables: a pool of child processes that choose moves, and a fair queue before it."""
