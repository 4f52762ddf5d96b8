"""The game, written once: plain integers in, plain integers out.

No I/O, no clock, no randomness, no third-party import. Read `layout` for what the integers mean,
then `round` for the game; every function marked `@rule` compiles unchanged for CPU and GPU.
"""
