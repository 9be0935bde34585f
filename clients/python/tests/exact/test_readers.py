"""Files that readers understand in different ways: geometry must not be lost."""

from __future__ import annotations

import base64
import hashlib
import unittest

from .test_refusals import MESH, SCENE, URDF, Case


class Readers(Case):
    def with_mesh(self, ending, content):
        digest = hashlib.sha256(content).hexdigest()
        robot = {"urdf": URDF.replace("flag.obj", f"flag.{ending}"), "meshes": {f"flag.{ending}": digest}}
        return {**SCENE, "robot": robot, "meshes": {digest: base64.b64encode(content).decode()}}

    def test_a_link_of_a_namespace(self):
        hidden = """<link xmlns="urn:x" name="arm"><collision><geometry><box size="9 9 9"/></geometry></collision></link>
          <joint xmlns="urn:x" name="j" type="fixed"><parent link="slider"/><child link="arm"/></joint></robot>"""
        scene = {**SCENE, "robot": {**SCENE["robot"], "urdf": URDF.replace("</robot>", hidden)}}
        self.refused("of a namespace", code=3, scene=scene)
        state = '<robot name="slider"><group_state name="home" group="g"><joint xmlns="urn:x" name="slide" value="1"/></group_state></robot>'
        self.refused("of a namespace", code=3, scene={**SCENE, "robot": {**SCENE["robot"], "srdf": state}})
        foreign = URDF.replace("</robot>", '<gazebo><a:sensor xmlns:a="urn:x"/></gazebo></robot>')
        self.assertEqual(self.run_on(scene={**SCENE, "robot": {**SCENE["robot"], "urdf": foreign}})[0], 0)

    def test_ply(self):
        head = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
        faces = "element face 1\nproperty list uchar int vertex_indices\n"
        points = "0 0 0\n0.1 0 0\n0 0.1 0\n0 0 0.1\n0 0 -9\n"

        def ply(header, body):
            return self.with_mesh("ply", f"{header}end_header\n{body}".encode())

        self.assertEqual(self.run_on(scene=ply(head + faces, f"{points}4 0 1 2 3\n"))[0], 0)
        low = f"{points}4 0 1 2 4 3 0 1 2\n"
        self.refused("its plane leaves", scene=ply(f"{head}{faces}property list uchar int vertex_index\n", low))
        self.refused("of PLY", code=3, scene=ply(f"{head}{faces}element polygon 1\nproperty list uchar int vertex_indices\n", f"{low}3 0 1 4\n"))
        self.refused("twice", code=2, scene=ply(f"{head}{faces}{faces}", low))
        self.refused("twice", code=2, scene=ply(f"{head}property float z\n{faces}", low))
        self.refused("a list of length -1", code=2, scene=ply(f"{head}{faces.replace('uchar', 'char')}", f"{points}-1 0 1 4\n"))
        self.refused("its plane leaves", scene=ply(f"{head}comment end_header\n{faces}", f"{points}4 0 1 2 4\n"))

    def test_null_is_no_value(self):
        """Without a start, the motion to the first point is not judged; a start that got lost is no such statement."""
        self.refused("start is null", code=2, scene={**SCENE, "start": None})
        self.refused("tool is null", code=2, scene={**SCENE, "robot": {**SCENE["robot"], "tool": None}})
        self.refused("velocities is null", code=2, motion=self.motion(lambda m: m["points"][0].update(velocities=None)))

    def test_numbers_that_only_python_reads(self):
        self.refused("is not a number", code=2, scene=self.with_mesh("obj", MESH.replace(b"f 1 2 4", b"f 1 2 0_4")))
        self.refused("is not a number", code=2, scene=self.with_mesh("obj", MESH.replace(b"0.1", "\u0660.1".encode())))

    def test_meshes_of_a_robot_that_is_a_file(self):
        scene = {"format": "elbowroom-scene/1", "robot": {"urdf": "robot.urdf", "meshes": {"flag.obj": "other.obj"}}, "start": [0, 0]}
        self.refused("embedded meshes", code=2, scene=scene, texts={"robot.urdf": URDF, "flag.obj": MESH}.items())

    def test_the_end_of_a_robot_with_tool0_and_a_tool(self):
        """The second mount is at the end of the tool, which is not tool0."""
        tool = '<robot name="t"><link name="a"/><link name="b"/><joint name="ab" type="fixed"><parent link="a"/><child link="b"/></joint></robot>'
        urdf = URDF.replace("</robot>", '<link name="tool0"/><joint name="e" type="fixed"><parent link="flag"/><child link="tool0"/></joint></robot>')
        robot = {**SCENE["robot"], "urdf": urdf, "tool": {"urdf": tool}}
        self.assertEqual(self.run_on(scene={**SCENE, "robot": robot})[0], 0)
        plate = {"urdf": '<robot name="p"><link name="plate"/></robot>'}
        self.refused("state the link", code=3, scene={**SCENE, "robot": {**robot, "mounts": [plate]}})
        self.assertEqual(self.run_on(scene={**SCENE, "robot": {**robot, "mounts": [{**plate, "link": "b"}]}})[0], 0)

    def test_numbers_beyond_the_arithmetic(self):
        tiny = {"type": "region", "shape": {"type": "ellipsoid", "radii": [1, 1, 1e-30]}}
        self.refused("numbers that are too large or too small", code=3, scene={**SCENE, "constraints": [{**tiny, "frame": {"link": "flag"}}]})

    def test_lines_of_obj_that_readers_end_in_different_places(self):
        """A line of a comment that one reader takes for a vertex shifts the indices of all faces: a vertex gets lost."""
        low = b"v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 -9\nf 1 2 3\nf 1 2 4\n"
        hidden = b"v 0 0 -9\nv 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0.1 0.1\nf 1 2 3\nf 1 2 4\n"
        for end in ("\u2028", "\u0085", "\v", "\f", "\x1c"):
            self.refused("its plane leaves", scene=self.with_mesh("obj", f"# {end}v 0 0 0\n".encode() + low))
        self.refused("its plane leaves", scene=self.with_mesh("obj", b"# \\\n" + hidden))
        self.refused("of OBJ", code=3, scene=self.with_mesh("obj", b"v\x1c 0 0 0\n" + low))
        for line in (b"# \rv 0 0 0\n", b"vn 0 0 1 \\ \n"):
            self.refused("readers differ", code=3, scene=self.with_mesh("obj", line + hidden))
        for text in (MESH.replace(b"\n", b"\r\n"), MESH.replace(b"f 1 2 3", b"f 1 \\\n 2 3 # \xc3\xa9"), MESH.replace(b"v 0 0 0.1", b"v 0 0 \\\r\n 0.1")):
            self.assertEqual(self.run_on(scene=self.with_mesh("obj", text))[0], 0)

    def test_ply_with_a_header_that_readers_understand_differently(self):
        head = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
        head += "element face 1\nproperty list uchar float vertex_indices\n"
        points = "0 0 0\n0.1 0 0\n0 0.1 0\n0 0 0.1\n0 0 -9\n"
        for message, old, new, faces in (
            ("is not finite", "", "", "4 0 1 2 3.9\n"),
            ("more values", "", "", "3 0 1 2\n3 0 1 4\n"),
            ("not one known format", "ascii 1.0\n", "ascii 1.0\nformat binary_little_endian 1.0\n", "3 0 1 2\n"),
            ("not one known format", "ascii 1.0", "ascii 9.0", "3 0 1 2\n"),
            ("no number", "vertex 5", "vertex 0_5", "3 0 1 2\n"),
            ("in the header", "property float x", "property\x1cfloat q\nproperty float x", "3 0 1 2\n"),
        ):
            content = f"{head.replace(old, new)}end_header\n{points}{faces}".encode()
            self.refused(message, code=2, scene=self.with_mesh("ply", content))

    def test_two_limits_of_a_joint(self):
        limit = '<limit lower="-5" upper="5" velocity="1" effort="1"/>'
        urdf = URDF.replace(limit, limit + limit.replace("-5", "3"))
        self.refused("2 <limit>", code=2, scene={**SCENE, "robot": {**SCENE["robot"], "urdf": urdf}})


if __name__ == "__main__":
    unittest.main()
