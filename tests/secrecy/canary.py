from __future__ import annotations
class Canary:
    def __init__(self, house): pass
    def look(self, said, table): pass
