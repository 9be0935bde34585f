"""Proofs of path constraints against states sampled in floating point by code of the tests."""

from __future__ import annotations

import json
import math
import os
import tempfile
import unittest
from pathlib import Path

from elbowroom_verify import constraints
from elbowroom_verify.arithmetic import ONE
from elbowroom_verify.constraints import prove_constraints
from elbowroom_verify.motion import in_order, pieces_of, read_trajectory
from elbowroom_verify.outcome import NotProved
from elbowroom_verify.relative import Arm, Instant, sizes_of
from elbowroom_verify.scene import read_scene

from .limits import angle_between, limited, most_needed, needed, random_constraint
from .worlds import independent, random_motion, random_robot, rng, write_scene

WORLDS = int(os.environ.get("WORLDS", "20"))
SEED = int(os.environ.get("SEED", "1"))


class Constraints(unittest.TestCase):
    def test_a_proved_constraint_holds_at_samples_and_one_with_room_is_proved(self):
        proved, refused = {}, {}
        for world in range(WORLDS):
            with tempfile.TemporaryDirectory() as name:
                self.attack(rng(SEED * 100_000 + world), Path(name), proved, refused)
        if os.environ.get("WORLDS"):
            print(f"proved {proved}\nrefused {refused}")
        self.assertGreater(sum(proved.values()), WORLDS)
        self.assertGreater(sum(refused.values()), WORLDS)

    def test_the_bound_of_a_wide_tilt_is_no_more_than_its_margin_if_the_axis_is_along_the_direction(self):
        """Rounding alone determines the direction of the axis across the other one."""
        r = rng("wide tilts")
        with tempfile.TemporaryDirectory() as name:
            urdf, (links, joints), meshes = random_robot(r)
            (Path(name) / "motion.json").write_text(json.dumps(random_motion(r, independent(joints), 0.1)))
            scene = read_scene(str(write_scene(Path(name), urdf, meshes, {})))
            piece, arm = pieces_of(in_order(read_trajectory(str(Path(name) / "motion.json")), scene.planned))[0], Arm(scene)
        root = {"link": links[0][0]}
        frame = constraints._frame(root, scene, arm, "frame")
        instant = Instant(arm, piece, 0, ONE, sizes_of(arm, [frame]))
        for _ in range(200):
            axis = [r.uniform(-1, 1) for _ in range(3)]
            towards = [x + r.choice([0.0, 1e-17, 1e-12, 1e-5]) * r.uniform(-1, 1) for x in axis]
            within = r.uniform(1.6, 3.1)
            tilt = {"type": "tilt", "axis": axis, "towards": towards, "within": within, "frame": root}
            bounds, _ = constraints._tilt(tilt, "tilt", scene, arm, frame)
            margin = math.sin(within - angle_between(axis, towards))
            self.assertLessEqual(bounds(instant)[0] / ONE, margin + 2e-9, tilt)

    def attack(self, r, folder, proved, refused):
        urdf, (links, joints), meshes = random_robot(r)
        names = independent(joints)
        base = {"xyz": [r.uniform(-1, 1) for _ in range(3)], "rpy": [r.uniform(-3, 3) for _ in range(3)]}
        motion = random_motion(r, names, r.choice([0.1, 0.5, 2.0]))
        (folder / "motion.json").write_text(json.dumps(motion))
        scene = read_scene(str(write_scene(folder, urdf, meshes, {"robot": {"pose": base}})))
        trajectory = in_order(read_trajectory(str(folder / "motion.json")), scene.planned)
        pieces, arm = pieces_of(trajectory), Arm(scene)
        for _ in range(4):
            open_constraint, sampler = random_constraint(r, links, joints, base, names, motion)
            low, high = sorted(r.uniform(0, trajectory.end) for _ in range(2))
            times = [low + (high - low) * i / 40 for i in range(41)]
            rows = [needed(open_constraint, sampler, t) for t in times]
            most, size = most_needed(open_constraint, times, sampler)
            for share in (-1e-6, -0.01, 1e-3, 0.05):
                limits = [x + share * size for x in most]
                constraint = limited(open_constraint, limits)
                kind = constraint.get("shape", constraint)["type"]
                key = f"{kind} {share}"
                try:
                    given = json.loads(json.dumps([constraint]), parse_int=float)
                    prove_constraints(given, "constraints", scene, arm, pieces, trajectory.is_timed, (low, high))
                except NotProved as problem:
                    # Between the samples it may need more; near a limit bounds of first order may not decide.
                    refused[key] = refused.get(key, 0) + 1
                    if share == 0.05 and size > 1e-6 and kind != "speed":
                        self.assertIn("it leaves", str(problem))
                    continue
                proved[key] = proved.get(key, 0) + 1
                allowed = limits_of(constraint, limits)
                for row in rows:
                    for value, limit in zip(row, allowed):
                        self.assertLessEqual(value, limit + 3e-8 + (1e-4 * limit if kind == "speed" else 0), constraint)


def limits_of(constraint, limits):
    """The limits as stated: those of angles of half a turn do not limit."""
    if constraint["type"] in ("tilt", "orientation"):
        stated = constraint["within"]
        return [10.0 if x >= 3.14159265 else x for x in (stated if isinstance(stated, list) else [stated])]
    if constraint["type"] == "joint":
        return limits
    least = 10.0 if constraint.get("shape", {}).get("type") == "halfspace" else 1e-6  # `shape_of` states no less
    return [max(x, least) for x in limits]


if __name__ == "__main__":
    unittest.main()
