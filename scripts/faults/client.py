"""Sessions in threads until a time is over; prints each wrong answer at once, and counts at the end.

    python3 client.py ORACLE SOCKET URL SEED SECONDS
"""

import json
import random
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients" / "python"))
import elbowroom  # noqa: E402

THREADS = 8
ENDLESS = {"planner": "rrt-star", "iterations": 10**9, "time_limit": 29}
LATE = (elbowroom.TooLarge, elbowroom.TimeLimitReached, elbowroom.DeadlineExceeded)


def report(value):
    sys.stdout.write(json.dumps(value) + "\n")  # one write: threads share the pipe
    sys.stdout.flush()


class Client:
    def __init__(self, oracle, session, generator):
        self.oracle, self.session, self.generator = oracle, session, generator
        self.scene = 0
        self.answers = 0

    @property
    def expected(self):
        return self.oracle["scenes"][self.scene]

    def expect(self, is_right, what):
        self.answers += 1
        if not is_right:
            report({"wrong": f"python, scene {self.scene}: {what}"})

    def states(self):
        found = list(self.session.validate(self.oracle["states"]))
        self.expect(found == self.expected["valid"], "validity of states")

    def motions(self):
        found = list(self.session.validate_motions(self.oracle["motions"][:10]))
        self.expect(found == self.expected["motionsValid"][:10], "validity of motions")

    def plan(self):
        k = self.generator.randrange(len(self.oracle["seeds"]))
        plan = self.session.plan(seed=self.oracle["seeds"][k])
        if plan and not plan.trajectory.to_dict().get("cut_short"):
            self.expect(plan.trajectory.to_dict()["hash"] == self.expected["hashes"][k], f"plan {k}")

    def check(self):
        i = self.generator.randrange(len(self.oracle["trajectories"]))
        valid = self.session.check(self.oracle["trajectories"][i]).valid
        self.expect(valid == self.expected["passes"][i], f"check of {i}")

    def cancel(self):
        cancellation = elbowroom.Cancellation()
        timer = threading.Timer(self.generator.uniform(0, 0.1), cancellation.cancel)
        timer.start()
        try:
            self.session.plan(**ENDLESS, cancellation=cancellation)
            self.expect(False, "an endless plan ended")
        except elbowroom.Cancelled:
            self.expect(True, "")
        timer.join()

    def deadline(self):
        try:
            self.session.plan(**ENDLESS, deadline=0.05)
            self.expect(False, "an endless plan ended")
        except elbowroom.DeadlineExceeded:
            self.expect(True, "")

    def change(self):
        following = self.generator.randrange(len(self.oracle["scenes"]))
        scene = self.oracle["scenes"][following]
        xyz, points = scene.get("xyz"), scene.get("points")
        if xyz is None:
            self.session.scene.reset()
        elif points:
            self.session.scene.add_cloud("ball", points, self.oracle["point_radius"], xyz=xyz, replace=True)
        elif self.expected.get("points") or self.scene == 0:
            self.session.scene.add("ball", "sphere", radius=self.oracle["radius"], xyz=xyz, replace=True)
        else:
            self.session.scene.move("ball", xyz=xyz)
        self.scene = following


def run(oracle, addresses, seed, until, counts):
    generator = random.Random(seed)
    operations = ["states", "motions", "plan", "check", "cancel", "deadline", "change"]
    while time.monotonic() < until:
        try:
            with elbowroom.connect(generator.choice(addresses)) as session:
                client = Client(oracle, session, generator)
                counts["python sessions"] = counts.get("python sessions", 0) + 1
                for _ in range(generator.randrange(15)):
                    if time.monotonic() < until:
                        getattr(client, generator.choice(operations))()
                counts["answers"] = counts.get("answers", 0) + client.answers
        except LATE:
            counts["late or refused"] = counts.get("late or refused", 0) + 1
        except elbowroom.ElbowroomError as error:
            report({"wrong": f"python: {error!r}"})


def main():
    path, socket, url, seed, seconds = sys.argv[1:]
    oracle = json.loads(Path(path).read_text())
    until = time.monotonic() + float(seconds)
    counts = {}
    jobs = [
        threading.Thread(target=run, args=(oracle, [socket, url], f"{seed}/{i}", until, counts)) for i in range(THREADS)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    report({"counts": counts})


if __name__ == "__main__":
    main()
