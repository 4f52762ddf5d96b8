"""The module in two engines, wasmtime and Node, behind one interface, for tests and benchmarks.

A `Bridge` calls its functions as Python calls the rules: lists are copied into the module's memory
before a call, and back after it.
"""

from __future__ import annotations

import json
import math
import struct
import subprocess
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import wasmtime
from web.tools import NODE

from catinthebox.wasm.exports import EXPORTS, RENAMED, program
from catinthebox.wasm.kinds import Kind
from catinthebox.wasm.module import WasmModule

Number = int | float
NUMBER = 8  # bytes
PAGE = 65536
DRIVER = Path(__file__).with_name("node_engine.mjs")


class Wide(int):
    """An integer of 64 bits, as an argument; other integers have 32."""


@cache
def compiled() -> tuple[WasmModule, bytes]:
    """The module of the rules, built once."""
    module = program()
    return module, module.build()


class Engine(ABC):
    """A running module. Its memory from `heap` on is all 0 between two calls."""

    heap: int

    @abstractmethod
    def run(
        self,
        name: str,
        values: Sequence[Number],
        writes: Sequence[tuple[int, bytes]],
        reads: Sequence[tuple[int, int]],
        end: int,
    ) -> tuple[Number | None, list[bytes]]:
        """Write to memory, call a function, and read from memory; `end` is where it is used up."""


class Wasmtime(Engine):
    """The module in wasmtime."""

    def __init__(self, module: bytes) -> None:
        self.store = wasmtime.Store()
        loaded = wasmtime.Module(self.store.engine, module)
        exports: Any = wasmtime.Instance(self.store, loaded, []).exports(self.store)
        self.exports = exports  # untyped: what a name stands for is known only to the module
        self.memory: wasmtime.Memory = exports["memory"]
        self.heap = int(exports["heap"].value(self.store))

    def run(
        self,
        name: str,
        values: Sequence[Number],
        writes: Sequence[tuple[int, bytes]],
        reads: Sequence[tuple[int, int]],
        end: int,
    ) -> tuple[Number | None, list[bytes]]:
        """Call a function in this process."""
        missing = end - self.memory.data_len(self.store)
        if missing > 0:
            self.memory.grow(self.store, math.ceil(missing / PAGE))
        for at, content in writes:
            self.memory.write(self.store, content, at)
        result = self.exports[name](self.store, *values)
        found = [bytes(self.memory.read(self.store, at, at + size)) for at, size in reads]
        self.memory.write(self.store, bytes(end - self.heap), self.heap)
        return result, found


class Node(Engine):
    """The module in Node, which runs as a child process."""

    def __init__(self, path: Path) -> None:
        command = [NODE, DRIVER, path]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe)
        self.heap = int(self._line()["heap"])

    def _line(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"Node ended with status {self.process.wait()}"
        return json.loads(line)

    def run(
        self,
        name: str,
        values: Sequence[Number],
        writes: Sequence[tuple[int, bytes]],
        reads: Sequence[tuple[int, int]],
        end: int,
    ) -> tuple[Number | None, list[bytes]]:
        """Send a call and wait for its answer: a line, and the bytes that were read."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        request = {
            "name": name,
            "values": [str(int(value)) if isinstance(value, Wide) else value for value in values],
            "writes": [[at, b64encode(content).decode()] for at, content in writes],
            "reads": list(reads),
            "end": end,
        }
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        result = self._line()["result"]
        found = [self.process.stdout.read(size) for _, size in reads]
        return int(result) if isinstance(result, str) else result, found

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


@contextmanager
def started(name: str, folder: Path) -> Iterator[Engine]:
    """Run the module of the rules in an engine, `wasmtime` or `node`."""
    _, module = compiled()
    if name == "wasmtime":
        yield Wasmtime(module)
        return
    path = folder / "rules.wasm"
    path.write_bytes(module)
    node = Node(path)
    try:
        yield node
    finally:
        node.close()


# ── Rules that run in an engine ──────────────────────────────────────────────────────────────


class Bridge:
    """Calls functions of a module like rules: with numbers, rows and tables of Python."""

    def __init__(self, engine: Engine, module: WasmModule) -> None:
        self.engine = engine
        self.module = module

    def call(self, name: str, *arguments: Any) -> Number | None:
        """Call a function; rows and tables are changed as the rule changes them."""
        rule = self.module.exported[name]
        top = self.engine.heap
        values: list[Number] = []
        places: list[tuple[int, int, Kind, Any]] = []
        for given, (param, kind) in zip(arguments, rule.params.items(), strict=True):
            if kind.scalar:
                values.append(Wide(given) if kind is Kind.INT else given)
                continue
            size = NUMBER * _count(given, kind)
            values += [top, *([NUMBER * len(given[0])] if kind is Kind.TABLE else [])]
            values += [len(given)] if param in rule.measured else []
            places.append((top, size, kind, given))
            top += size
        writes = [(at, _packed(given, kind)) for at, _, kind, given in places]
        reads = [(at, size) for at, size, _, _ in places]
        filled = [(at, content) for at, content in writes if any(content)]
        result, found = self.engine.run(name, values, filled, reads, top)
        for content, (_, _, kind, given) in zip(found, places, strict=True):
            _copy_back(content, kind, given)
        return result

    def rules(self, package: str) -> SimpleNamespace:
        """`rules` or `tactics` as a package whose exported functions run in the module."""
        found = SimpleNamespace()
        for path, names in EXPORTS.items():
            folder, module = path.split(".")
            if folder == package:
                calls = {name: self._rule(f"{path}.{name}") for name in names.split()}
                setattr(found, module, SimpleNamespace(**calls))
        return found

    def _rule(self, path: str) -> Callable[..., Number | None]:
        return partial(self.call, RENAMED.get(path, path.rpartition(".")[2]))


def _count(given: Any, kind: Kind) -> int:
    return len(given) * len(given[0]) if kind is Kind.TABLE else len(given)


def _packed(given: Any, kind: Kind) -> bytes:
    flat = list(chain.from_iterable(given)) if kind is Kind.TABLE else given
    return struct.pack(f"<{len(flat)}{'d' if kind is Kind.FLOATS else 'q'}", *flat)


def _copy_back(content: bytes, kind: Kind, given: Any) -> None:
    letter = "d" if kind is Kind.FLOATS else "q"
    numbers = list(struct.unpack(f"<{len(content) // NUMBER}{letter}", content))
    if kind is Kind.TABLE:
        for place, row in enumerate(given):
            row[:] = numbers[len(row) * place : len(row) * (place + 1)]
    elif isinstance(given, list):
        given[:] = numbers
