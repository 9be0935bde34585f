"""A second checker of certificates: exact arithmetic, readers of its own, the standard library alone.

Written from docs/proof.md. Modules in the order of the proof: `arithmetic` (numbers with proved errors), `poses`
(rigid motions), `robot`, `scene`, `meshes` and `shapes` (what the motion is about), `motion` (joint values over time),
`moving` (obstacles that move), `relative` (how a moves relative to b), `planes` (one span), `pairs` (which pairs need spans), `program` (worlds of a
program), `constraints` (path constraints), `checker` (all of it).
"""

from .checker import Report, verify
from .outcome import BadInput, NotProved, OutsideScope

__all__ = ["BadInput", "NotProved", "OutsideScope", "Report", "verify"]
