"""The kernels of self-play, on CUDA's simulator."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.process
@pytest.mark.long
def test_the_simulated_device_plays_the_same_rounds() -> None:
    """Deals, inputs, hidden numbers, careful actions, scores: as on the CPU."""
    environ = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    program = Path(__file__).with_name("gpu_case.py")
    run = subprocess.run(
        [sys.executable, str(program)], env=environ, capture_output=True, check=False
    )
    assert run.stdout == b"the simulated device agrees\n", run.stderr.decode()
