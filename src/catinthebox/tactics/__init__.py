"""How to play, written once like the rules: integers in, integers out, for every target.

These functions see the vector of a view, or of a world sampled from one; never the round itself.
Players run them interpreted, or compiled (`fast`) at a million plays a second.
"""
