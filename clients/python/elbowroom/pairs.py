"""The narrow phase without a scene: quantities of pairs of convex shapes."""

from __future__ import annotations

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union, overload

from . import arrays
from .errors import ElbowroomError
from .link import _line
from .session import _command

STATUSES = ("separated", "touching", "colliding", "undecided", "unreadable")
"""Statuses by the numbers in `PairResults.status`."""


@dataclass(frozen=True, repr=False)
class PairResults:
    """
    One pair of shapes at n poses: arrays with a row for each pose, NaN if not computed. `status` holds indices of
    `STATUSES`, `bounds` the lower and upper bound of the quantity; vectors are in the world frame.
    """

    status: Any
    bounds: Any
    normals: Any
    witnesses_a: Any
    witnesses_b: Any
    iterations: Any

    def __repr__(self) -> str:
        return f"<PairResults {len(self.status)} poses>"


@overload
def query(pairs: Sequence[Mapping[str, Any]], **options: Any) -> List[Dict[str, Any]]: ...


@overload
def query(pairs: Mapping[str, Any], **options: Any) -> PairResults: ...


def query(
    pairs: Union[Sequence[Mapping[str, Any]], Mapping[str, Any]],
    *,
    solver: Optional[str] = None,
    what: Optional[str] = None,
    gap: Optional[float] = None,
    absolute_gap: Optional[float] = None,
    iterations: Optional[int] = None,
    guess: Optional[str] = None,
    warm: bool = False,
    command: Optional[Sequence[str]] = None,
) -> Union[List[Dict[str, Any]], PairResults]:
    """
    Status, distance, growth distance or penetration depth of each pair {"id", "a": {"shape", "pose"}, "b": {…}}, by one run
    of ``elbowroom query`` (its help lists the keys); a pair that cannot be read has an "error". Poses may be numpy arrays.

    One pair instead of a list, with an array [n, 7] of poses (x, y, z, w, x, y, z) of "a", "b" or both: its results at
    all of them, as arrays.
    """
    given: Dict[str, Any] = {"--solver": solver, "--what": what, "--gap": gap, "--absolute-gap": absolute_gap}
    given |= {"--iterations": iterations, "--guess": guess}
    options = [text for name, value in given.items() if value is not None for text in (name, str(value))]
    options += ["--warm"] if warm else []
    program = [*(command or _command()), "query", *options]
    if isinstance(pairs, Mapping):
        return _query_poses(program, pairs)
    run = subprocess.run(program, input=b"".join(_line(pair) for pair in pairs), capture_output=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(pairs):
        raise ElbowroomError(run.stderr.decode().strip() or f"query ended with exit code {run.returncode}")
    return answers


def _query_poses(program: List[str], pair: Mapping[str, Any]) -> PairResults:
    shapes, rows = _rows(pair)
    count, data = arrays.pack(rows, (14,), "poses")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "pair.json")
        file.write_bytes(_line(shapes))
        run = subprocess.run([*program, str(file), "--poses", "-"], input=data, capture_output=True)
    if len(run.stdout) != 8 * 13 * count:
        raise ElbowroomError(run.stderr.decode().strip() or f"query ended with exit code {run.returncode}")
    found = arrays.unpack(run.stdout, (count, 13))
    parts = [_columns(found, first, last) for first, last in ((1, 3), (3, 6), (6, 9), (9, 12))]
    return PairResults(_column(found, 0), *parts, _column(found, 12))


def _rows(pair: Mapping[str, Any]) -> Tuple[Dict[str, Any], Any]:
    """Returns the pair without its poses, and a row of 14 numbers for each pose; a single pose is repeated."""
    bodies = {name: dict(pair[name]) for name in ("a", "b")}
    a, b = (body.pop("pose", [0, 0, 0, 1, 0, 0, 0]) for body in bodies.values())
    a, b = (pose if arrays.is_batch(pose) else [pose] for pose in (a, b))
    count = len(b) if len(a) == 1 else len(a)
    if len(b) not in (1, count):
        raise ValueError(f"a has {len(a)} poses, b has {len(b)}")
    if arrays.numpy is not None:
        whole = [arrays.numpy.broadcast_to(arrays.numpy.asarray(one, dtype="<f8"), (count, 7)) for one in (a, b)]
        return {**pair, **bodies}, arrays.numpy.concatenate(whole, axis=1)
    return {**pair, **bodies}, [[*a[i % len(a)], *b[i % len(b)]] for i in range(count)]


def _column(rows: Any, index: int) -> Any:
    """Returns a column as whole numbers, -1 for NaN."""
    if arrays.numpy is not None:
        return arrays.numpy.nan_to_num(rows[:, index], nan=-1).astype(int)
    return [-1 if row[index] != row[index] else int(row[index]) for row in rows]


def _columns(rows: Any, first: int, last: int) -> Any:
    return rows[:, first:last] if arrays.numpy is not None else [row[first:last] for row in rows]
