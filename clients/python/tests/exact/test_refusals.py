"""Each way in which a wrong certificate could be accepted, on a world whose proof is written by hand.

A cube of 20 cm slides along x from 0 to 1 m in 2 s beside a wall that begins at y = 0.15: y = const leaves 5 cm. A second
joint turns a flat mesh far above both.
"""

from __future__ import annotations

import base64
import contextlib
import copy
import hashlib
import io
import json
import math
import tempfile
import unittest
from pathlib import Path

from elbowroom_verify.__main__ import main
from elbowroom_verify.json_text import sha256, text_of

MESH = b"v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 2 3\nf 1 2 4\n"
DIGEST = hashlib.sha256(MESH).hexdigest()
URDF = """<robot name="slider">
  <link name="rail"/>
  <link name="slider"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="flag"><collision><origin xyz="0 0 3"/><geometry><mesh filename="flag.obj"/></geometry></collision></link>
  <joint name="slide" type="prismatic"><parent link="rail"/><child link="slider"/><axis xyz="1 0 0"/>
    <limit lower="-5" upper="5" velocity="1" effort="1"/></joint>
  <joint name="turn" type="continuous"><parent link="slider"/><child link="flag"/><axis xyz="0 0 1"/></joint>
</robot>"""
BRANCHED = URDF.replace("</robot>", '<link name="left"/><joint name="end" type="fixed"><parent link="flag"/><child link="left"/></joint><link name="right"/><joint name="other" type="fixed"><parent link="flag"/><child link="right"/></joint></robot>')
SCENE = {
    "format": "elbowroom-scene/1", "name": "hand-made",
    "robot": {"urdf": URDF, "meshes": {"flag.obj": DIGEST}},
    "start": [0, 0],
    "obstacles": [
        {"name": "wall", "type": "box", "size": [4, 0.1, 1], "pose": {"xyz": [0.5, 0.2, 0]}},
        {"name": "floor", "type": "halfspace", "normal": [0, 0, 1], "pose": {"xyz": [0, 0, -0.5]}},
    ],
    "meshes": {DIGEST: base64.b64encode(MESH).decode()},
    "hashes": {},
}  # fmt: skip
POINTS = [
    {"time_from_start": 0, "positions": [0, 0], "velocities": [0, 0]},
    {"time_from_start": 2, "positions": [1, 1], "velocities": [0, 0]},
]
MOTION = {"format": "elbowroom-trajectory/1", "joint_names": ["slide", "turn"], "interpolation": "cubic", "points": POINTS}


def pair(a, b, *spans):
    return {"a": a, "partA": 0, "b": b, "partB": 0, "spans": [list(span) for span in spans]}


CERTIFICATE = {
    "format": "elbowroom-certificate/1",
    "duration": 2,
    "pairs": [
        pair("slider", "wall", (0, 1, 0, 1, 0), (1, 2, 0, 1, 0)),
        pair("slider", "floor", (0, 2, 0, 0, -1)),
        pair("flag", "wall", (0, 2, 0, 0, -1)),
        pair("flag", "floor", (0, 2, 0, 0, -1)),
    ],
}


def doubles(data):
    return json.loads(json.dumps(data), parse_int=float)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())) if hasattr(self, "enterContext") else None
        if self.folder is None:  # before Python 3.11
            temporary = tempfile.TemporaryDirectory()
            self.addCleanup(temporary.cleanup)
            self.folder = Path(temporary.name)

    def run_on(self, certificate=None, scene=None, motion=None, reseal=True, texts=()):
        """Exit code and output. @param reseal the certificate states the hash of the motion @param texts raw file contents"""
        certificate, scene, motion = (copy.deepcopy(x) for x in (certificate or CERTIFICATE, scene or SCENE, motion or MOTION))
        if reseal:
            data = doubles([motion["joint_names"], motion["points"]])
            certificate["trajectory"] = sha256(text_of(data))
        files = {"certificate.json": certificate, "scene.json": scene, "motion.json": motion}
        for name, data in files.items():
            (self.folder / name).write_text(json.dumps(data))
        for name, text in dict(texts).items():
            (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(self.folder / name) for name in files])
        return code, out.getvalue() + err.getvalue()

    def refused(self, message, code=1, **given):
        found, output = self.run_on(**given)
        self.assertEqual((found, message in output), (code, True), output[:500])

    def certificate(self, change):
        changed = copy.deepcopy(CERTIFICATE)
        change(changed)
        return changed

    def scene(self, change):
        changed = copy.deepcopy(SCENE)
        change(changed)
        return changed

    def motion(self, change):
        changed = copy.deepcopy(MOTION)
        change(changed)
        return changed


class Accepted(Case):
    def test_the_world_itself_is_proved(self):
        code, output = self.run_on()
        self.assertEqual(code, 0, output)
        report = json.loads(output)
        self.assertEqual((report["proved"], report["pairs"], report["spans"]), (True, 4, 5))
        self.assertTrue(0 < report["least_gap"] < 0.05 + 1e-15)
        self.assertEqual(report["unchecked"], {"pairs": 1, "reasons": {"Adjacent": 1}})

    def test_a_clearance_that_equals_the_padding_to_1e_9_decides(self):
        self.assertEqual(self.run_on(scene={**SCENE, "padding": 0.05 - 1e-9})[0], 0)
        self.refused("leaves 0.05 m", scene={**SCENE, "padding": 0.05 + 1e-9})

    def test_the_hashes_of_scene_and_robot_are_compared(self):
        _, output = self.run_on()
        hashes = {key: json.loads(output)[key] for key in ("scene_hash", "robot_hash")}
        self.assertEqual(self.run_on(certificate={**CERTIFICATE, **hashes})[0], 0)
        for key in hashes:
            self.refused("the hashes differ", certificate={**CERTIFICATE, **hashes, key: "0" * 64})


class Certificates(Case):
    def test_a_missing_pair(self):
        for i in range(4):
            self.refused("the pair is missing", certificate=self.certificate(lambda c: c["pairs"].pop(i)))

    def test_turned_directions(self):
        for i in range(4):
            def turn(c, i=i):
                for span in c["pairs"][i]["spans"]:
                    span[2:] = [-x for x in span[2:]]
            self.refused("wall" if i in (0, 2) else "half-space", certificate=self.certificate(turn))

    def test_holes_and_ends(self):
        spans = {
            "a hole from 1.0 to 1.1": [[0, 1, 0, 1, 0], [1.1, 2, 0, 1, 0]],
            "a hole from 1.9 to 2.0": [[0, 1.9, 0, 1, 0]],
            "a hole from 0.0 to 1e-09": [[1e-9, 2, 0, 1, 0]],
            "it has no spans": [],
            "a span from 1.0 to 0.0": [[1, 0, 0, 1, 0], [0, 2, 0, 1, 0]],
            "a span from 0.0 to 2.5": [[0, 2.5, 0, 1, 0]],
            "a span from -1.0 to 2.0": [[-1, 2, 0, 1, 0]],
            "a direction of length 1.001": [[0, 2, 0, 1.001, 0]],
            "a direction of length 0.0": [[0, 2, 0, 0, 0]],
        }
        for message, given in spans.items():
            self.refused(message, certificate=self.certificate(lambda c: c["pairs"][0].update(spans=given)))

    def test_a_direction_that_is_valid_only_for_a_part_of_its_span(self):
        tilted = [0.6, 0.8]  # beside the end of a shorter wall only at first
        short = self.scene(lambda s: s["obstacles"][0].update(size=[0.1, 0.1, 1], pose={"xyz": [0.5, 0.2, 0]}))
        spans = [[0, 2, *tilted, 0]]
        self.refused("its plane leaves", scene=short, certificate=self.certificate(lambda c: c["pairs"][0].update(spans=spans)))

    def test_names_and_parts_that_do_not_exist(self):
        for change in ({"a": "rail"}, {"b": "nothing"}, {"partA": 1}, {"partB": 3}):
            self.refused("the scene has no such part", certificate=self.certificate(lambda c: c["pairs"][0].update(change)))
        self.refused("must be a link", certificate=self.certificate(lambda c: c["pairs"][0].update(a="wall", b="slider")))
        self.refused("whole numbers", 2, certificate=self.certificate(lambda c: c["pairs"][0].update(partA=0.5)))
        self.refused("whole numbers", 2, certificate=self.certificate(lambda c: c["pairs"][0].update(partA=-1)))

    def test_another_motion_duration_or_interpolation(self):
        self.refused("the hashes differ", certificate={**CERTIFICATE, "trajectory": "0" * 64}, reseal=False)
        self.refused("its duration is 1.9", certificate={**CERTIFICATE, "duration": 1.9})
        self.refused("its interpolation is linear", certificate={**CERTIFICATE, "interpolation": "linear"})
        self.refused("a program", certificate={"format": CERTIFICATE["format"], "duration": 2, "segments": []})

    def test_values_that_readers_understand_differently(self):
        text = json.dumps({**CERTIFICATE, "trajectory": "x"})
        for message, bad in {
            "given twice": text.replace('"duration": 2', '"duration": 1, "duration": 2'),
            "NaN": text.replace("[0, 1, 0, 1, 0]", "[0, 1, 0, NaN, 0]"),
            "not a finite number": text.replace("[0, 1, 0, 1, 0]", "[0, 1, 0, 1e999, 0]"),
            "not JSON": text[:-20],
            "5 numbers": text.replace("[0, 1, 0, 1, 0]", "[0, 1, 0, 1]"),
            "is not a number": text.replace("[0, 1, 0, 1, 0]", '[0, 1, 0, "1", 0]'),
            "finite number": text.replace("[0, 1, 0, 1, 0]", "[0, 1, 0, true, 0]"),
            "unknown key": text.replace('"duration": 2', '"duration": 2, "trusted": true'),
            "it must be an object": "[1, 2, 3]",
            "not UTF-8": b"\xff\xfe{}",
        }.items():
            self.refused(message, 2, texts={"certificate.json": bad})


class Scenes(Case):
    def test_moved_grown_and_added_obstacles(self):
        def wall(**change):
            return self.scene(lambda s: s["obstacles"][0].update(change))
        self.refused("its plane leaves", scene=wall(pose={"xyz": [0.5, 0.149, 0]}))
        self.refused("its plane leaves", scene=wall(pose={"xyz": [0.5, 0.2, 0], "rpy": [0, 0, 0.3]}))
        self.refused("its plane leaves", scene=wall(margin=0.051))
        self.refused("its plane leaves", scene=wall(size=[4, 0.21, 1]))
        self.refused("the pair is missing", scene=self.scene(lambda s: s["obstacles"].append({"name": "new", "type": "sphere", "radius": 0.1, "pose": {"xyz": [9, 9, 9]}})))
        self.refused("its plane leaves", scene=self.scene(lambda s: s["obstacles"][1]["pose"].update(xyz=[0, 0, 0])))
        self.refused("not that of the half-space", scene=self.scene(lambda s: s["obstacles"][1].update(normal=[0, 0.1, 1])))

    def test_another_robot(self):
        def urdf(old, new):
            return self.scene(lambda s: s["robot"].update(urdf=URDF.replace(old, new)))
        self.refused("its plane leaves", scene=urdf('size="0.2 0.2 0.2"', 'size="0.2 0.4 0.2"'))
        self.refused("its plane leaves", scene=urdf('<axis xyz="1 0 0"/>', '<axis xyz="1 0.1 0"/>'))
        self.refused("its plane leaves", scene=urdf('xyz="0 0 3"', 'xyz="0 0 0.3"'))
        self.refused("the scene has no such part", scene=urdf('<box size="0.2 0.2 0.2"/>', '<box size="0 0 0"/>'))
        for bad in ("<!DOCTYPE x [<!ENTITY a 'b'>]>" + URDF, URDF[:-9]):
            self.refused("URDF", 2, scene=self.scene(lambda s: s["robot"].update(urdf=bad)))
        self.refused("loop", 2, scene=urdf('<link name="rail"/>', '<link name="rail"/><link name="x"/><link name="y"/><joint name="p" type="fixed"><parent link="x"/><child link="y"/></joint><joint name="q" type="fixed"><parent link="y"/><child link="x"/></joint>'))

    def test_another_mesh(self):
        other = MESH.replace(b"f 1 2 3", b"v 0 0 -5\nf 1 2 3")
        embedded = base64.b64encode(other).decode()
        self.refused("is not the SHA-256", 2, scene={**SCENE, "meshes": {DIGEST: embedded}})
        digest = hashlib.sha256(other).hexdigest()
        scene = self.scene(lambda s: s.update(meshes={digest: embedded}, robot={"urdf": URDF, "meshes": {"flag.obj": digest}}))
        self.assertEqual(self.run_on(scene=scene)[0], 0)  # the new vertex belongs to no face
        used = other.replace(b"f 1 2 3", b"f 1 2 5")
        digest = hashlib.sha256(used).hexdigest()
        scene = self.scene(lambda s: s.update(meshes={digest: base64.b64encode(used).decode()}, robot={"urdf": URDF, "meshes": {"flag.obj": digest}}))
        self.refused("its plane leaves", scene=scene)
        self.refused("reads no other files", 2, scene=self.scene(lambda s: s["obstacles"].append({"name": "m", "type": "mesh", "file": "flag.obj"})), texts={"flag.obj": MESH})
        self.refused("is missing", 2, scene=self.scene(lambda s: s["robot"].update(meshes={})))

    def test_pairs_that_an_srdf_or_allow_may_leave_out(self):
        def srdf(line):
            return self.scene(lambda s: s["robot"].update(srdf=f'<robot name="slider">{line}</robot>'))
        self.refused("slider (part 0) and flag (part 0): the pair is missing", scene=srdf('<enable_collisions link1="flag" link2="slider"/>'))
        self.assertEqual(self.run_on(scene=srdf('<disable_collisions link1="flag" link2="slider" reason="Never"/>'))[0], 0)
        calibrated = URDF.replace("<robot ", '<robot calibration="calib_1" ', 1)
        for reason, code in (("Never", 1), (" Never ", 1), ("Adjacent", 0)):  # of a calibrated arm, Never pairs are checked
            scene = srdf(f'<disable_collisions link1="flag" link2="slider" reason="{reason}"/><enable_collisions link1="flag" link2="slider"/>')
            scene["robot"]["urdf"] = calibrated
            self.assertEqual(self.run_on(scene=scene)[0], code)
        self.refused("there is no link or object", 2, scene={**SCENE, "allow": [["slider", "wal"]]})
        self.refused("used twice", 2, scene=self.scene(lambda s: s["obstacles"][0].update(name="slider")))

    def test_what_is_outside_of_the_scope_is_never_proved(self):
        def with_object(**more):
            return self.scene(lambda s: s["obstacles"].append({"name": "other", **more}))
        outside = {
            "heightfield": with_object(type="heightfield", cell=[1, 1], heights=[[0, 0], [0, 0]]),
            "a turn by less than": with_object(type="sphere", radius=0.1, motion={"times": [0, 1], "poses": [{}, {"rpy": [1e-6, 0, 0]}]}),
            "the type force": {**SCENE, "constraints": [{"type": "force", "most": 1}]},
            "a cone with a margin": {**SCENE, "constraints": [{"type": "region", "shape": {"type": "cone", "radius": 1, "length": 1, "margin": 1}, "frame": {"link": "slider"}}]},
            "several ends": {**SCENE, "robot": {**SCENE["robot"], "urdf": BRANCHED}, "constraints": [{"type": "speed", "most": 1}]},
            "not either q or a trajectory": {**SCENE, "robots": [{"name": "left", "robot": {"urdf": URDF, "meshes": {"flag.obj": DIGEST}}}]},
            "cell limits": {**SCENE, "safety": {"tcp_speed": 1}},
            "payloads and forces": {**SCENE, "torque": {}},
            "a base that moves": self.scene(lambda s: s["robot"].update(base={})),
            "clearances of single pairs": {**SCENE, "clearance": [["slider", "wall", 0.1]]},
            "units": self.scene(lambda s: s.update(padding="5 mm")),
            "planning groups": self.scene(lambda s: s["robot"].update(group="arm")),
            "bundled robot": self.scene(lambda s: s.update(robot={"name": "ur5e"})),
            "attribute": self.scene(lambda s: s["robot"].update(urdf=URDF.replace('<origin xyz="0 0 3"/>', '<origin xyz="0 0 3" wxyz="0 1 0 0"/>'))),
            "the type 'floating'": self.scene(lambda s: s["robot"].update(urdf=URDF.replace("continuous", "floating"))),
            "xacro": self.scene(lambda s: s["robot"].update(urdf=URDF.replace("<robot ", '<robot xmlns:xacro="x" ').replace("</robot>", "<xacro:a/></robot>"))),
        }
        for message, scene in outside.items():
            self.refused(message, 3, scene=scene)
        self.refused("proofs of torques", 3, certificate={**CERTIFICATE, "torques": []})
        self.refused("proofs of stops", 3, certificate={**CERTIFICATE, "stops": []})
        self.refused("limits of a file", 3, scene=self.scene(lambda s: s["robot"].update(joint_limits="joint_limits.yaml")))
        self.refused("a calibration file", 3, scene=self.scene(lambda s: s["robot"].update(calibration="calibration.yaml")))
        self.refused("not JSON", 3, texts={"scene.json": "format: elbowroom-scene/1\n"})
        self.refused("clearances", 3, scene=self.scene(lambda s: s["robot"].update(clamping=True)))
        self.refused("unknown key", 2, scene={**SCENE, "paddings": 1})
        self.refused("is not a number", 2, scene=self.scene(lambda s: s.update(padding="far")))

    def test_parts_of_a_decomposition_are_not_trusted(self):
        scene = self.scene(lambda s: s["robot"].update(parts="decompose"))
        self.assertEqual(self.run_on(scene=scene)[0], 0)  # one part: all vertices are on its side
        several = self.certificate(lambda c: c["pairs"].append({**c["pairs"][2], "partA": 1}))
        self.refused("convex decomposition", 3, scene=scene, certificate=several)


class Mounts(Case):
    """The flag is a robot of its own, mounted on the slider; a box is mounted above both, out of reach of all."""

    FLAG = """<robot name="flag"><link name="pole"/><link name="flag"><collision><geometry><mesh filename="flag.obj"/></geometry></collision></link>
      <joint name="turn" type="continuous"><parent link="pole"/><child link="flag"/><axis xyz="0 0 1"/></joint></robot>"""
    BOX = '<robot name="box"><link name="box"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link></robot>'

    def scene_with(self, flag=None, box=None):
        flag = {"urdf": self.FLAG, "meshes": {"flag.obj": DIGEST}, "pose": {"xyz": [0, 0, 3]}, **(flag or {})}
        mounts = [{"urdf": self.BOX, "link": "slider", "pose": {"xyz": [0, 0, 2]}, **(box or {})}]
        slider = URDF[: URDF.index('  <link name="flag"')] + URDF[URDF.index("  <joint") : URDF.index("  <joint name=\"turn\"")] + "</robot>"
        return {**SCENE, "robot": {"urdf": slider, "tool": flag, "mounts": mounts}}

    def certificate_with(self, prefix=""):
        def change(c):
            for one in c["pairs"]:
                one["a"] = one["a"].replace("flag", prefix + "flag")
            c["pairs"] += [pair("box", "wall", (0, 2, 0, 0, -1)), pair("box", "floor", (0, 2, 0, 0, -1)), pair(prefix + "flag", "box", (0, 2, 0, 0, -1))]
        return self.certificate(change)

    def test_a_mounted_robot_is_a_part_of_the_robot(self):
        code, output = self.run_on(scene=self.scene_with(), certificate=self.certificate_with())
        self.assertEqual(code, 0, output)
        self.assertEqual(json.loads(output)["unchecked"]["reasons"], {"Adjacent": 2})
        prefixed = self.motion(lambda m: m.update(joint_names=["slide", "f_turn"]))
        scene = self.scene_with(flag={"prefix": "f_"})
        self.assertEqual(self.run_on(scene=scene, certificate=self.certificate_with("f_"), motion=prefixed)[0], 0)
        self.refused("joint_names", 2, scene=scene, certificate=self.certificate_with("f_"))

    def test_a_mount_elsewhere_and_pairs_that_only_its_own_srdf_allows(self):
        for low in (0.3, -0.3):
            self.refused("its plane leaves", scene=self.scene_with(flag={"pose": {"xyz": [0, 0, low]}}), certificate=self.certificate_with())
        self.refused("its plane leaves", scene=self.scene_with(box={"link": "flag"}), certificate=self.certificate_with())
        missing = self.certificate_with()
        missing["pairs"].pop()
        self.refused("box (part 0) and flag (part 0): the pair is missing", scene=self.scene_with(), certificate=missing)
        srdf = '<robot name="flag"><disable_collisions link1="flag" link2="box" reason="Never"/></robot>'  # a link of another file
        self.refused("the pair is missing", scene=self.scene_with(flag={"srdf": srdf}), certificate=missing)

    def test_links_that_only_fixed_joints_connect_are_not_checked(self):
        certificate = self.certificate(lambda c: c["pairs"].append(pair("box", "wall", (0, 2, 0, 0, -1))))
        certificate["pairs"].append(pair("box", "floor", (0, 2, 0, 0, -1)))
        two = URDF.replace('name="turn" type="continuous"', 'name="turn" type="fixed"').replace('xyz="0 0 3"', 'xyz="0 0 3" rpy="1 0 0"')
        scene = {**SCENE, "start": [0], "robot": {**SCENE["robot"], "urdf": two, "mounts": [{"urdf": self.BOX, "link": "flag"}]}}
        motion = self.motion(lambda m: m.update(joint_names=["slide"], points=[{**p, "positions": p["positions"][:1], "velocities": [0]} for p in POINTS]))
        code, output = self.run_on(scene=scene, certificate=certificate, motion=motion)
        self.assertEqual((code, json.loads(output.splitlines()[0])["unchecked"]["reasons"]), (1, {"Adjacent": 2, "Rigid": 1}), output)
        up = {**scene, "robot": {**scene["robot"], "mounts": [{"urdf": self.BOX, "link": "slider", "pose": {"xyz": [0, 0, 2]}}]}}
        code, output = self.run_on(scene=up, certificate=certificate, motion=motion)
        self.assertEqual((code, json.loads(output.splitlines()[0])["unchecked"]["reasons"]), (0, {"Adjacent": 2, "Rigid": 1}), output)

    def test_mounts_that_cannot_be_read(self):
        for message, code, more in (
            ("of the same name", 2, {"flag": {"urdf": self.BOX}}),
            ("there is no link 'sliders'", 2, {"flag": {"link": "sliders"}}),
            ("unknown key", 2, {"flag": {"prefixes": "a"}}),
            ("prefix", 2, {"flag": {"prefix": 3}}),
            ("bundled robot", 3, {"flag": {"urdf": None, "name": "ur5e"}}),
            ("arguments of xacro", 3, {"flag": {"args": {"a": 1}}}),
        ):
            scene = self.scene_with(**more)
            if more["flag"].get("name"):
                del scene["robot"]["tool"]["urdf"]
            self.refused(message, code, scene=scene, certificate=self.certificate_with())


class Movers(Case):
    """The wall moves, or turns far away, or another robot passes; what moves comes to rest after the motion."""

    GANTRY = """<robot name="gantry"><link name="base"/><link name="hand"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
      <joint name="across" type="prismatic"><parent link="base"/><child link="hand"/><axis xyz="0 2 0"/><limit lower="-9" upper="9" velocity="9" effort="1"/></joint></robot>"""

    def run_moving(self, duration, robots=(), more=(), allow=(), files=None, **motion):
        """Exit code and output with a wall that moves. @param more further pairs, their spans without times"""
        scene = self.scene(lambda s: s.update(robots=list(robots), allow=list(allow), meshes={**s["meshes"], **(files or {})}))
        if motion:
            del scene["obstacles"][0]["pose"]
            scene["obstacles"][0]["motion"] = motion
        certificate = {**copy.deepcopy(CERTIFICATE), "duration": duration}
        for one in certificate["pairs"]:
            one["spans"] = [[0, duration, *one["spans"][0][2:]]]
        certificate["pairs"] += [pair(a, b, (0, duration, *n)) for a, b, n in more]
        return self.run_on(scene=scene, certificate=certificate)

    def ends(self, code, message, *given, **more):
        found, output = self.run_moving(*given, **more)
        self.assertEqual((found, message in output), (code, True), output[:500])

    def test_a_wall_that_moves_away_or_near(self):
        def between(a, b):
            return {"times": [0, 3], "poses": [{"xyz": [0.5, a, 0]}, {"xyz": [0.5, b, 0]}]}
        for a, b in ((0.2, 1.2), (1.2, 0.151), (0.2, 0.2), (0.151, 9)):
            self.ends(0, "proved", 3, **between(a, b))
        for a, b in ((0.2, 0.149), (0.149, 5), (2, -2)):
            self.ends(1, "its plane leaves", 3, **between(a, b))
        self.ends(1, "its duration is 2", 2, **between(0.2, 1.2))
        self.ends(1, "its duration is 4", 4, **between(0.2, 1.2))
        near = {"times": [0, 1, 1.001, 2], "poses": [{"xyz": [0.5, y, 0]} for y in (0.2, 0.2, 0.1, 0.2)]}
        self.ends(1, "at t = 1.00", 2, **near)
        self.ends(0, "proved", 2, times=[-5, -1], poses=[{"xyz": [0.5, -3, 0]}, {"xyz": [0.5, 0.2, 0]}])
        self.ends(1, "its plane leaves", 2, times=[-5, -1], poses=[{"xyz": [0.5, 0.2, 0]}, {"xyz": [0.5, 0.1, 0]}])

    def test_directions_turn_with_the_obstacle(self):
        def turned(*angles, **kind):
            poses = [{"xyz": [0.5, 20, 0], "rpy": [0, 0, angle]} for angle in angles]
            return {"times": [2 * k / (len(angles) - 1) for k in range(len(angles))], "poses": poses}
        for angles, code in (((0, 1), 0), ((0, 2), 1), ((0, 2, 4, 6), 1), ((0, -1), 0), ((0, 1, 0, -1), 0), ((-7, -6.2, -5.5), 0), ((0, 2.5, 0), 1)):
            self.ends(code, "proved" if code == 0 else "its plane leaves", 2, **turned(*angles))
        quaternion = {"xyz": [0.5, 20, 0], "quat_wxyz": [-math.cos(0.5), 0, 0, -math.sin(0.5)]}  # the shorter way
        self.ends(0, "proved", 2, times=[0, 2], poses=[{"xyz": [0.5, 20, 0]}, quaternion])
        self.ends(2, "half a turn", 2, **turned(0, math.pi))
        self.ends(2, "must increase", 2, times=[0, 0], poses=[{}, {}])
        self.ends(2, "list of 2 numbers", 2, times=[0], poses=[{}, {}])
        self.ends(2, "unknown key", 2, times=[0], poses=[{}], loop=1)

    def test_a_robot_at_rest(self):
        robot = {"name": "left", "robot": {"urdf": self.GANTRY}, "pose": {"xyz": [0.5, 0.2, 0]}}
        up = [("slider", "left/hand", (0, 1, 0)), ("flag", "left/hand", (0, 0, -1))]
        self.ends(0, "proved", 2, [{**robot, "q": [0.05]}], up)
        self.ends(1, "slider (part 0) and left/hand", 2, [{**robot, "q": [-0.01]}], up)
        self.ends(1, "slider (part 0) and left/hand (part 0): the pair is missing", 2, [{**robot, "q": [0.05]}], up[1:])
        self.ends(0, '"allow": 1', 2, [{**robot, "q": [-0.2]}], up[1:], [["slider", "left/hand"]])
        self.ends(2, "no link or object", 2, [{**robot, "q": [0.05]}], up, [["slider", "hand"]])
        self.ends(2, "list of 1 numbers", 2, [{**robot, "q": []}], up)
        self.ends(2, "used twice", 2, [{**robot, "q": [1]}, {**robot, "q": [2]}], up)

    def test_a_robot_with_a_trajectory(self):
        def passes(end, **change):
            points = [{"time_from_start": 0, "positions": [3]}, {"time_from_start": 1.5, "positions": [end]}]
            content = json.dumps({"joint_names": ["across"], "points": points, **change}).encode()
            digest = hashlib.sha256(content).hexdigest()
            robot = {"name": "left", "robot": {"urdf": self.GANTRY}, "pose": {"xyz": [0.5, 0.2, 0]}, "trajectory": f"{digest}.json", "start_time": 1}
            return [robot], {digest: base64.b64encode(content).decode()}
        up = [("slider", "left/hand", (0, 1, 0)), ("flag", "left/hand", (0, 0, -1))]
        for end, code in ((0.05, 0), (0.001, 0), (-0.001, 1), (-9, 1)):
            robots, files = passes(end)
            self.ends(code, "proved" if code == 0 else "its plane leaves", 2.5, robots, up, files=files)
        robots, files = passes(0.05)
        self.ends(1, "its duration is 2.0", 2, robots, up, files=files)
        self.ends(2, "there is none of hash", 2.5, robots, up)
        robots, files = passes(0.05, events=[{"time": 1, "attach": "x"}])
        self.ends(3, "of a program", 2.5, robots, up, files=files)

    def test_a_path_without_times(self):
        scene = self.scene(lambda s: s["obstacles"][0].update(motion={"times": [0, 1], "poses": [{"xyz": [0.5, 0.2, 0]}, {"xyz": [0.5, 2, 0]}]}))
        del scene["obstacles"][0]["pose"]
        path = self.motion(lambda m: m.update(points=[{"positions": p["positions"]} for p in POINTS], interpolation="linear"))
        certificate = self.certificate(lambda c: c.update(duration=1, pairs=[{**one, "spans": [[0, 1, *one["spans"][0][2:]]]} for one in c["pairs"]]))
        self.refused("without times among what moves", scene=scene, motion=path, certificate=certificate)


class Limits(Case):
    """Path constraints at their limit, and a millionth beyond it: the slider goes from 0 to 1 m at 0.75 m/s at most, the flag
    turns from 0 to 1 rad."""

    def limit(self, is_kept, **constraint):
        scene = {**SCENE, "constraints": [{"frame": {"link": "flag"}, **constraint}]}
        if constraint["type"] == "joint":
            del scene["constraints"][0]["frame"]
        code, output = self.run_on(scene=scene)
        self.assertEqual((code, "constraint" in output), (0, False) if is_kept else (1, True), (constraint, output[:400]))

    def test_limits_that_the_motion_reaches_decide(self):
        for room, is_kept in ((0, True), (-1e-5, False)):
            self.limit(is_kept, type="speed", most=0.75 * (1 + room))
            self.limit(is_kept, type="joint", joint="slide", range=[0, 1 + room])
            self.limit(is_kept, type="joint", joint="turn", range=[-room, 1])
            self.limit(is_kept, type="tilt", axis=[2, 0, 0], towards=[3, 0, 0], within=1 + room)
            obtuse = [math.cos(1.2), -math.sin(1.2), 0]
            self.limit(is_kept, type="tilt", axis=[1, 0, 0], towards=obtuse, within=2.2 + room)
            for shape in (
                {"type": "box", "size": [1 + room, 1, 1]},
                {"type": "sphere", "radius": 0.4, "margin": 0.1 + room},
                {"type": "capsule", "radius": 0.5 + room, "length": 1},
                {"type": "cylinder", "radius": 0.5 + room, "length": 1},
            ):
                self.limit(is_kept, type="region", shape=shape, pose={"xyz": [0.5, 0, 0]})
            self.limit(is_kept, type="region", shape={"type": "halfspace", "normal": [5, 0, 0], "margin": 1 + room})

    def test_limits_without_a_tolerance_decide(self):
        for room, is_kept in ((1e-5, True), (-1e-5, False)):
            half = 0.5 + room
            points = [[half, 0, 0], [-half, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0.1, 0.1, 0]]
            for shape in (
                {"type": "ellipsoid", "radii": [half, 2, 3]},
                {"type": "cone", "radius": 2 * half, "length": 1},
                {"type": "frustum", "radiusBottom": half / 2, "radiusTop": half * 1.5, "length": 3},
                {"type": "convex", "points": points},
            ):
                self.limit(is_kept, type="region", shape=shape, pose={"xyz": [0.5, 0, 0]})
            self.limit(is_kept, type="orientation", rpy=[0, 0, 0], within=[0.1, 0.1, 1 + 100 * room])
            self.limit(is_kept, type="orientation", rpy=[0, 0, -2.5], within=[0.1, 0.1, math.pi if is_kept else 3.0])

    def test_a_joint_that_is_not_planned_ends_the_tool_center_point(self):
        # The child of such a joint is 3 m above the flag, which the default tool center point is on.
        more = """<link name="finger"/><joint name="grip" type="prismatic"><parent link="flag"/><child link="finger"/>
          <origin xyz="0 0 3"/><axis xyz="0 0 1"/><limit lower="0" upper="1" velocity="1" effort="1"/></joint>%s</robot>"""
        for beyond in ("", '<link name="tool0"/><joint name="end" type="fixed"><parent link="finger"/><child link="tool0"/></joint>'):
            robot = {**SCENE["robot"], "urdf": URDF.replace("</robot>", more % beyond), "joints": ["slide", "turn"]}
            for z, code in ((0, 0), (3, 1)):
                region = {"type": "region", "shape": {"type": "box", "size": [3, 1, 1]}, "pose": {"xyz": [0, 0, z]}}
                found, output = self.run_on(scene={**SCENE, "robot": robot, "constraints": [region]})
                self.assertEqual(found, code, output[:400])

    def test_malformed_limits_are_refused(self):
        for message, constraint in {
            "must be greater than 0": {"type": "tilt", "axis": [1, 0, 0], "towards": [1, 0, 0], "within": 0},
            "unknown key": {"type": "speed", "most": 1, "least": 0},
            "no planned joint": {"type": "joint", "joint": "other", "range": [0, 1]},
            "in a plane": {"type": "region", "shape": {"type": "convex", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}},
        }.items():
            self.refused(message, 2, scene={**SCENE, "constraints": [{**({} if constraint["type"] == "joint" else {"frame": {"link": "flag"}}), **constraint}]})
        for given in ({}, 0, False, "", {"type": "speed", "most": 1}):
            self.refused("constraints: it must be a list", 2, scene={**SCENE, "constraints": given})


class Motions(Case):
    def test_a_motion_with_other_points(self):
        nearer = self.motion(lambda m: m["points"].insert(1, {"time_from_start": 1, "positions": [0.5, 0.5], "velocities": [9, 0]}))
        self.assertEqual(self.run_on(motion=nearer)[0], 0)  # it stays on the rail
        self.refused("the hashes differ", motion=nearer, reseal=False, certificate={**CERTIFICATE, "trajectory": "0" * 64})
        leaning = self.scene(lambda s: s["robot"].update(urdf=URDF.replace('xyz="1 0 0"', 'xyz="1 0.04 0"')))
        self.assertEqual(self.run_on(scene=leaning)[0], 0)  # 4 cm of 5
        self.refused("its plane leaves", scene=leaning, motion=self.motion(lambda m: m["points"][1].update(velocities=[-9, 0])))

    def test_time_reversal_and_gaps(self):
        for bad in ([0, 0], [1, 0.5]):
            motion = self.motion(lambda m: [p.update(time_from_start=t) for p, t in zip(m["points"], bad)])
            self.refused("does not come after", 2, motion=motion)
        self.refused("before 0", motion=self.motion(lambda m: m["points"][0].update(time_from_start=-1)))

    def test_a_start_elsewhere(self):
        self.refused("does not begin at the start", scene={**SCENE, "start": [0.1, 0]})
        later = self.motion(lambda m: [p.update(time_from_start=t) for p, t in zip(m["points"], (1, 2))])
        beside = {**SCENE, "start": [0, 0]}
        self.assertEqual(self.run_on(scene=beside, motion=later)[0], 0)
        leaning = self.scene(lambda s: s.update(start=[5, 0]) or s["robot"].update(urdf=URDF.replace('xyz="1 0 0"', 'xyz="1 0.02 0"')))
        self.refused("its plane leaves", scene=leaning, motion=later)  # on the way from the start
        self.refused("depends on the controller", scene={**SCENE, "start": [0, 4]}, motion=later)

    def test_joints_and_values(self):
        self.refused("planned joints", 2, motion={**MOTION, "joint_names": ["slide", "twist"]})
        self.refused("listed twice", 2, motion={**MOTION, "joint_names": ["slide", "slide"]})
        swapped = {**MOTION, "joint_names": ["turn", "slide"]}
        self.assertEqual(self.run_on(motion=swapped)[0], 0)
        self.refused("does not list", 3, motion={**MOTION, "joint_names": ["slide"], "points": [{"time_from_start": t, "positions": [t], "velocities": [0]} for t in (0, 2)]})
        self.refused("changes its scene", motion={**MOTION, "events": [{"step": 0, "time": 0, "detach": "wall"}]})
        self.refused("changes its scene", motion={**MOTION, "events": [{"step": 0, "time": 0, "set": {"joints": {"turn": 3}, "time": 1}}]})
        self.assertEqual(self.run_on(motion={**MOTION, "events": [{"step": 0, "time": 0, "set": {"digital_out": [0, True]}}]})[0], 0)
        self.refused("2 numbers", 2, motion=self.motion(lambda m: m["points"][0].update(positions=[0])))
        self.refused("is not a number", 2, motion=self.motion(lambda m: m["points"][0].update(positions=["far", 0])))
        self.refused("velocities are missing", 2, motion=self.motion(lambda m: m["points"][0].pop("velocities")))
        unstated = {key: value for key, value in MOTION.items() if key != "interpolation"}
        self.refused("accelerations without", 2, motion={**unstated, "points": [{"time_from_start": 0, "positions": [0, 0], "accelerations": [1, 1]}, POINTS[1]]})


class Commands(unittest.TestCase):
    def test_usage_and_missing_files(self):
        for arguments, code in (([], 2), (["a", "b"], 2), (["--help"], 0), (["/absent/a", "/absent/b", "/absent/c"], 2), (["--loud", "a", "b", "c"], 2)):
            out = io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                self.assertEqual(main(arguments), code)
            self.assertNotIn("Traceback", out.getvalue())


if __name__ == "__main__":
    unittest.main()
