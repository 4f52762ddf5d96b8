"""Training of neural players by self-play, on a GPU or, something small, on the CPU.

Start with `plan` (what is trained, and how long), then `train` (the loop) and `trainer` (one
iteration). The players that come out of it need no part of this: `players.net`.
"""
