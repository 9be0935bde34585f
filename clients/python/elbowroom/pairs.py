"""The narrow phase without a scene: quantities of pairs of convex shapes."""

from __future__ import annotations

import json
import subprocess
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .errors import ElbowroomError
from .link import _line
from .session import _command


def query(
    pairs: Sequence[Mapping[str, Any]],
    *,
    solver: Optional[str] = None,
    what: Optional[str] = None,
    gap: Optional[float] = None,
    absolute_gap: Optional[float] = None,
    iterations: Optional[int] = None,
    guess: Optional[str] = None,
    warm: bool = False,
    command: Optional[Sequence[str]] = None,
) -> List[Dict[str, Any]]:
    """
    Status, distance, growth distance or penetration depth of each pair {"id", "a": {"shape", "pose"}, "b": {…}}, by one run
    of ``elbowroom query`` (its help lists the keys); a pair that cannot be read has an "error". Poses may be numpy arrays.
    """
    given = {"--solver": solver, "--what": what, "--gap": gap, "--absolute-gap": absolute_gap}
    given |= {"--iterations": iterations, "--guess": guess}
    options = [text for name, value in given.items() if value is not None for text in (name, str(value))]
    options += ["--warm"] if warm else []
    lines = b"".join(_line(pair) for pair in pairs)
    run = subprocess.run([*(command or _command()), "query", *options], input=lines, capture_output=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(pairs):
        raise ElbowroomError(run.stderr.decode().strip() or f"query ended with exit code {run.returncode}")
    return answers
