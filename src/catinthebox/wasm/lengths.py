"""Finds out which rows have to be passed with their lengths: those whose length is asked for."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from .source import Function, Rule


def find_measured(rules: Mapping[Function, Rule]) -> None:
    """Note in every rule which of its parameters need a length."""
    for rule in rules.values():
        rule.measured |= _asked(rule) & set(rule.params)
    while sum(_passed_on(rule, rules) for rule in rules.values()):
        pass  # until nothing is new


def _asked(rule: Rule) -> set[str]:
    """The names whose length the rule itself uses: len(row), for x in row."""
    asked = {
        call.args[0].id
        for call in rule.calls
        if rule.meaning(call.func) is len and isinstance(call.args[0], ast.Name)
    }
    loops = (node.iter for node in ast.walk(rule.tree) if isinstance(node, ast.For))
    return asked | {row.id for row in loops if isinstance(row, ast.Name)}


def _passed_on(rule: Rule, rules: Mapping[Function, Rule]) -> bool:
    """Note the parameters whose length a callee needs; whether any was new."""
    before = len(rule.measured)
    for call in rule.calls:
        function = rule.meaning(call.func)
        if callable(function) and function in rules:
            callee = rules[function]
            for argument, name in zip(call.args, callee.params, strict=True):
                if name in callee.measured and isinstance(argument, ast.Name):
                    rule.measured |= {argument.id} & set(rule.params)
    return len(rule.measured) > before
