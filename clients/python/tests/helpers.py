"""Sessions for the tests: over stdio, or of a service on a Unix socket and a port."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import elbowroom
from elbowroom.session import _command

ROOT = Path(__file__).resolve().parents[3]
SHELF = ROOT / "scenes" / "shelf.yaml"
TABLE = ROOT / "scenes" / "table-top.yaml"


class Service:
    """A process that serves a scene on a Unix socket and over HTTP."""

    def __init__(self, scene, *options):
        self.folder = tempfile.TemporaryDirectory()
        self.socket = os.path.join(self.folder.name, "service.sock")
        command = [*_command(), "serve", str(scene), "--socket", self.socket, "--port", "0", *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.url = next(word for line in self.process.stderr for word in line.split() if word.startswith("http:"))

    def close(self):
        self.process.terminate()
        self.process.communicate()
        self.folder.cleanup()


class OnTransports(unittest.TestCase):
    """Runs tests on each transport: `self.sessions` are of one scene."""

    scene = SHELF

    @classmethod
    def setUpClass(cls):
        cls.service = Service(cls.scene)
        cls.sessions = {
            "stdio": elbowroom.start(cls.scene),
            "unix": elbowroom.connect(f"unix:{cls.service.socket}"),
            "websocket": elbowroom.connect(cls.service.url),
        }
        cls.session = cls.sessions["unix"]

    @classmethod
    def tearDownClass(cls):
        for session in cls.sessions.values():
            session.close()
        cls.service.close()

    def each(self):
        for name, session in self.sessions.items():
            with self.subTest(transport=name):
                yield session
