import contextlib
import os
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import elbowroom
from build_backend import backend
from elbowroom import session
from elbowroom.results import Clearances, Repair

from .helpers import ROOT

PROGRAM = str(ROOT / "bin" / "elbowroom.js")


def command(**variables):
    with mock.patch.dict(os.environ, {"NODE": "/usr/bin/node", **variables}):
        return session._command()


@contextlib.contextmanager
def installed_from(path):
    """Imports look as if pip had installed the wheel that `path` built: no clone around, a record of the program."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "a" / "b" / "c" / "elbowroom" / "session.py"
        place.parent.mkdir(parents=True)
        if path:
            place.with_name("program.txt").write_text(path, encoding="utf-8")
        with mock.patch.object(session, "__file__", str(place)), mock.patch.dict(os.environ, {"PATH": folder}):
            yield


class Command(unittest.TestCase):
    def test_the_variable_names_a_clone_its_program_or_a_command(self):
        self.assertEqual(command(ELBOWROOM=str(ROOT)), ["/usr/bin/node", PROGRAM])
        self.assertEqual(command(ELBOWROOM=PROGRAM), ["/usr/bin/node", PROGRAM])
        self.assertEqual(command(ELBOWROOM="/bin/sh"), ["/bin/sh"])
        self.assertEqual(command(ELBOWROOM="sh")[0].rpartition("/")[2], "sh")
        with self.assertRaises(elbowroom.ConnectionLost) as caught:
            command(ELBOWROOM="/nowhere")
        self.assertIn("/nowhere", caught.exception.message)

    def test_an_installed_package_starts_the_program_beside_which_it_was_built(self):
        with installed_from(PROGRAM):
            self.assertEqual(command(), ["/usr/bin/node", PROGRAM])

    def test_a_missing_program_is_stated_with_the_variable(self):
        for path, words in ((None, "PATH"), ("/gone/bin/elbowroom.js", "/gone/bin")):
            with installed_from(path), self.assertRaises(elbowroom.ConnectionLost) as caught:
                command()
            self.assertIn(words, caught.exception.message)
            self.assertIn("ELBOWROOM", caught.exception.hint)


class Build(unittest.TestCase):
    def test_wheels_of_a_clone_record_its_program_and_those_of_an_sdist_do_not(self):
        with tempfile.TemporaryDirectory() as folder:
            wheel = zipfile.ZipFile(Path(folder) / backend.build_wheel(folder))
            self.assertEqual(wheel.read("elbowroom/program.txt").decode(), PROGRAM)
            self.assertIn(f"{backend.INFO}/licenses/LICENSE", wheel.namelist())
            wheel.close()
            with tarfile.open(Path(folder) / backend.build_sdist(folder)) as archive:
                archive.extractall(folder)
            unpacked = Path(folder) / f"elbowroom-{backend.VERSION}"
            code = compile((unpacked / "build_backend" / "backend.py").read_text(encoding="utf-8"), "backend", "exec")
            builder = {"__file__": str(unpacked / "build_backend" / "backend.py")}
            exec(code, builder)
            with zipfile.ZipFile(Path(folder) / builder["build_wheel"](folder)) as wheel:
                self.assertNotIn("elbowroom/program.txt", wheel.namelist())
                self.assertIn("elbowroom/session.py", wheel.namelist())

    def test_the_metadata_are_those_of_the_project(self):
        settings = (ROOT / "clients" / "python" / "pyproject.toml").read_text(encoding="utf-8")
        fields = dict(line.split(": ", 1) for line in backend.METADATA.strip().splitlines())
        for key, field in (("version", "Version"), ("description", "Summary"), ("requires-python", "Requires-Python")):
            self.assertIn(f'{key} = "{fields[field]}"', settings)


class Texts(unittest.TestCase):
    def test_results_have_short_texts(self):
        path = elbowroom.Trajectory({"joint_names": ["a"], "points": [{"positions": [0.0]}, {"positions": [1.0]}]})
        plan = elbowroom.Plan("solved", "", {"states_checked": 10**6}, path, {"pairs": []})
        self.assertEqual(repr(plan), "<Plan solved, <Trajectory path, 2 points, 1 joints>, with certificate>")
        failed = elbowroom.Plan("no-path", "x" * 500, {})
        self.assertRegex(repr(failed), r"^<Plan no-path: x{119}…>$")
        self.assertEqual(repr(elbowroom.Check(True, [], {})), "<Check valid>")
        self.assertEqual(repr(elbowroom.Check(False, ["one", "two"], {})), "<Check not valid: one; two>")
        self.assertEqual(repr(elbowroom.Verification(True, [], {})), "<Verification proved>")
        self.assertEqual(repr(Repair("failed", "no way", [])), "<Repair failed: no way>")
        self.assertEqual(repr(Clearances([1.0] * 3, [None] * 3)), "<Clearances 3 states>")
        self.assertEqual(repr(elbowroom.Solutions([[0.0]])), "<Solutions 1>")
