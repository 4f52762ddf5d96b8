"""Bots for live tables: child processes that think, and a fair queue of the moves they owe."""
