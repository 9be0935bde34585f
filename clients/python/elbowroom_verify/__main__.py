"""python -m elbowroom_verify CERTIFICATE SCENE TRAJECTORY"""

from __future__ import annotations

import json
import sys
from typing import Optional, Sequence

from .checker import verify
from .outcome import BadInput, OutsideScope

USAGE = """usage: python -m elbowroom_verify [--any-start] CERTIFICATE SCENE TRAJECTORY

Proves in exact arithmetic that the certificate proves the trajectory collision-free in the scene. Shares no code with
elbowroom; needs Python 3.9 and nothing else. SCENE is best written by: elbowroom scene SCENE --resolved -o FILE
Prints one line of JSON. Exit code 0: proved, 1: not proved, 2: bad input, 3: outside the scope (nothing is said).
--any-start: the robot is at the first point of the trajectory, wherever that is."""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    if "--help" in given or "-h" in given:
        print(USAGE)
        return 0
    any_start = "--any-start" in given
    files = [one for one in given if one != "--any-start"]
    if len(files) != 3 or any(one.startswith("--") for one in files):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        report = verify(files[0], files[1], files[2], any_start)
    except BadInput as problem:
        return _end(2, "bad_input", str(problem.args[0]))
    except OutsideScope as what:
        return _end(3, "outside_scope", str(what))
    except RecursionError:
        return _end(2, "bad_input", "values are nested too deep")
    except ArithmeticError as problem:
        return _end(3, "outside_scope", f"numbers that are too large or too small: {problem}")
    reasons: dict[str, int] = {}
    for _, _, reason in report.unchecked:
        reasons[reason] = reasons.get(reason, 0) + 1
    line = {**report._asdict(), "unchecked": {"pairs": len(report.unchecked), "reasons": reasons}}
    print(json.dumps(line))
    for problem in report.problems:
        print(f"{files[0]}: {problem}", file=sys.stderr)
    return 0 if report.proved else 1


def _end(code: int, key: str, what: str) -> int:
    print(json.dumps({"proved": False, key: what}))
    print(f"elbowroom_verify: {key.replace('_', ' ')}: {what}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
