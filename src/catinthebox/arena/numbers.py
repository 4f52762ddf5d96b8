"""How a report writes its numbers: the same everywhere, with a real minus.

>>> signed(-1.234), signed(0.001), plain(12345.6, 0), percent(1 / 3), milliseconds(0.0421)
('−1.23', '0.00', '12,346', '33.3 %', '0.042')
"""

from __future__ import annotations

from math import isfinite

MINUS = "−"


def plain(value: float, places: int = 2) -> str:
    """Write a number with a number of decimal places."""
    if not isfinite(value):
        return "–"
    return f"{round(value, places) + 0.0:,.{places}f}".replace("-", MINUS)


def signed(value: float, places: int = 2) -> str:
    """Write a difference with its sign; only zero has none."""
    text = plain(value, places)
    return f"+{text}" if value > 0 and text.strip("0.,–") else text


def tick(value: float, sign: bool) -> str:
    """Write a number of a scale without trailing zeros."""
    text = f"{value:g}".replace("-", MINUS)
    return f"+{text}" if sign and value > 0 else text


def span(low: float, high: float) -> str:
    """Write an interval."""
    return f"{signed(low)} to {signed(high)}" if isfinite(low) and isfinite(high) else "unknown"


def percent(part: float) -> str:
    """Write a fraction as a percentage."""
    return f"{plain(100 * part, 1)} %"


def milliseconds(value: float) -> str:
    """Write a time: three decimal places if it is short, none if it is long."""
    return plain(value, 3 if value < 1 else 1 if value < 100 else 0)


def count(number: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
