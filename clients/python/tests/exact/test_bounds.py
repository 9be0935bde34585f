"""Bounds of the checker against heights in floating point, computed by code of the tests."""

from __future__ import annotations

import json
import os
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

from elbowroom_verify.arithmetic import ONE
from elbowroom_verify.motion import in_order, pieces_of, read_trajectory
from elbowroom_verify.outcome import NotProved
from elbowroom_verify.planes import Plane, Prover, gaps
from elbowroom_verify.program import World, parts_of
from elbowroom_verify.relative import Arm, Instant, sizes_of
from elbowroom_verify.scene import read_scene

from .movers import pose_at, random_motion_of_obstacle
from .worlds import apply, chain, independent, link_poses, position, random_motion, random_robot, random_shape, rng, rotation, surface, write_scene

WORLDS = int(os.environ.get("WORLDS", "12"))
SEED = int(os.environ.get("SEED", "1"))


def unit(r):
    v = [r.gauss(0, 1) for _ in range(3)]
    size = sum(x * x for x in v) ** 0.5
    return tuple(x / size for x in v)


class Bounds(unittest.TestCase):
    def test_no_sampled_point_is_beyond_a_bound(self):
        checked = proved = 0
        for world in range(WORLDS):
            with tempfile.TemporaryDirectory() as name:
                a, b = self.attack(rng(SEED * 100_000 + world), Path(name))
                checked += a
                proved += b
        self.assertGreater(checked, 15 * WORLDS)
        self.assertGreater(proved, WORLDS)
        if os.environ.get("WORLDS"):
            print(f"{checked} intervals, {proved} spans proved")

    def attack(self, r, folder):
        urdf, (links, joints), meshes = random_robot(r)
        names = independent(joints)
        base = ([r.uniform(-1, 1) for _ in range(3)], [r.uniform(-3, 3) for _ in range(3)])
        obstacles = [
            {"name": f"o{i}", **random_shape(r), "pose": {"xyz": [r.uniform(-1, 1) for _ in range(3)], "rpy": [r.uniform(-3, 3) for _ in range(3)]}}
            for i in range(2)
        ]
        if r.random() < 0.6:
            moving = obstacles[0]
            moving["motion"] = random_motion_of_obstacle(r, moving.pop("pose")["xyz"], 0.5)
        carried = {"name": "carried", **random_shape(r), "link": r.choice(links)[0], "pose": {"xyz": [0.1, 0.2, 0.0], "rpy": [r.uniform(-3, 3) for _ in range(3)]}}
        path = write_scene(folder, urdf, meshes, {"robot": {"pose": {"xyz": base[0], "rpy": base[1]}}, "obstacles": obstacles, "attached": [carried]})
        motion = random_motion(r, names)
        (folder / "motion.json").write_text(json.dumps(motion))
        scene = read_scene(str(path))
        trajectory = in_order(read_trajectory(str(folder / "motion.json")), scene.planned)
        courses = [body.motion.course for body in scene.obstacles if body.motion]
        pieces, arm = pieces_of(trajectory, courses, scene.rests_from), Arm(scene)
        parts = parts_of(arm, scene, World(0.0, trajectory.end, scene.obstacles, scene.attached, []))
        sizes = sizes_of(arm, parts)
        prover = Prover(arm, pieces, sizes, 0.0)
        # The oracle: points of each part, the frame of its link, and the frame of its directions.
        shapes = {(name, i): (shape, (rotation(rpy), xyz), name, None) for name, ps in links for i, (shape, xyz, rpy) in enumerate(ps)}
        at = (rotation(carried["pose"]["rpy"]), carried["pose"]["xyz"])
        shapes["carried", 0] = (carried, at, carried["link"], at)
        for one in obstacles:
            shapes[one["name"], 0] = (one, None if "motion" in one else (rotation(one["pose"]["rpy"]), one["pose"]["xyz"]), None, None)
        world = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0])
        cloud = {key: surface(value[0], r, 60) for key, value in shapes.items()}

        end = motion["points"][-1].get("time_from_start", len(motion["points"]) - 1)

        def posed(key, poses, t):
            shape, at, link, _ = shapes[key]
            at = at or pose_at(shape["motion"], t)
            R, p = chain(world if link is None else poses[link], at)
            return [[a + b for a, b in zip(p, apply(R, v))] for v in cloud[key]], shape.get("margin", 0.0)

        def height_gap(a, b, n, t):
            poses = link_poses(joints, (rotation(base[1]), base[0]), dict(zip(names, position(motion["points"], min(t, end)))))
            shape, _, link, frame = shapes[b.name, b.index]
            R = (world if link is None else poses[link])[0]
            n = apply(R, apply(frame[0], n) if frame else n)
            if "motion" in shape:
                n = apply(pose_at(shape["motion"], t)[0], n)
            (xs, ma), (ys, mb) = posed((a.name, a.index), poses, t), posed((b.name, b.index), poses, t)
            low = min(sum(c * y for c, y in zip(n, v)) for v in ys) - mb
            return low - max(sum(c * x for c, x in zip(n, v)) for v in xs) - ma

        checked = proved = 0
        robot_parts = [part for part in parts if part.is_link]
        for _ in range(30):
            a, b = r.choice(robot_parts), r.choice(parts)
            if a.name == b.name:
                continue
            n = unit(r)
            k = r.randrange(len(pieces))
            low = r.randrange(ONE)
            high = min(ONE, low + r.choice([0, 1, ONE >> 12, ONE >> 6, ONE >> 3, ONE]))
            throughout, now = gaps(Instant(arm, pieces[k], low, high, sizes), a, b, Plane(b, n), ONE << 40)
            longer, _ = gaps(Instant(arm, pieces[k], low, high, sizes), a, b, Plane(b, tuple(x * 1.0000009 for x in n)), ONE << 40)
            self.assertLessEqual(longer / ONE, throughout / ONE * 1.0000009 + 1e-10)
            T = float(pieces[k].end - pieces[k].start)
            for i in range(5):
                s = Fraction(low) + Fraction(high - low) * Fraction(i, 4)
                t = min(float(pieces[k].end), float(pieces[k].start) + float(s / ONE) * T)
                gap = height_gap(a, b, n, t)
                self.assertLessEqual(throughout / ONE, gap + 1e-9, (a.name, b.name, t))
                if i == 2:
                    self.assertLessEqual(now / ONE, gap + 1e-9)
            checked += 1
            t0, t1 = sorted(r.uniform(0, float(pieces[-1].end)) for _ in range(2))
            try:
                prover.prove_span(a, b, t0, t1, n)
            except NotProved:
                continue
            proved += 1
            for i in range(9):
                self.assertGreater(height_gap(a, b, n, t0 + (t1 - t0) * i / 8), 0, (a.name, b.name))
        return checked, proved


if __name__ == "__main__":
    unittest.main()
