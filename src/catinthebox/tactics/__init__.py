"""How to play, written once like the rules: integers in, integers out, for every target.

These functions see the vector of a view, or of a world imagined from one; never the round itself.
Interpreted they are a player's head; compiled (`fast`) they play a million plays a second.
"""
