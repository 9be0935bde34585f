"""A client of `elbowroom serve`, with nothing but Python's standard library, in the shape of OMPL's validity checkers.

    elbowroom serve scenes/shelf.yaml --socket /tmp/shelf.sock     # in another shell
    python3 examples/clients/elbowroom.py /tmp/shelf.sock          # plans with the small RRT below

In your own planner:

    service = Service("/tmp/shelf.sock")
    checker = StateValidityChecker(service)    # isValid(q), clearance(q)
    motions = MotionValidator(service)         # checkMotion(a, b), and with the last valid state

The service also plans and judges: `service.plan(seed=3, certificate=True)`, `service.check(trajectory)`,
`service.verify(trajectory, certificate)`, `service.repair(trajectory)`, `service.recertify(...)`, and `service.watch(trajectory)` for a motion that is
being executed while the scene changes: `service.reports` then has what the service says after each change.

A state is any sequence of numbers, one for each planned joint (rad, m), or an OMPL state that can be indexed.
"""

import json
import math
import random
import socket
import sys


class ServiceError(Exception):
    """Error response of the service; `note` states how to fix the problem."""

    def __init__(self, code, message, note=""):
        super().__init__(message + (f" ({note})" if note else ""))
        self.code = code
        self.note = note


class Service:
    """One session of the service on a Unix socket: questions and answers, a line each."""

    def __init__(self, path, timeout=30.0):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(timeout)
        self._socket.connect(path)
        self._lines = self._socket.makefile("rb")
        self._id = 0
        self.reports = []  # what `$/watch` reports, in the order of arrival
        self.on_progress = None  # is called with what `$/progress` reports about the current request
        about = self.call("describe")
        self.joints = [joint["name"] for joint in about["joints"]]
        self.lower = [-math.pi if joint["lower"] is None else joint["lower"] for joint in about["joints"]]
        self.upper = [math.pi if joint["upper"] is None else joint["upper"] for joint in about["joints"]]
        self.dof = len(self.joints)
        self.start = about["start"]
        self.goal = about["goal"]  # the first goal in joint values; None if all goals are poses
        self._goals = about["goals"]

    def goalStates(self, most=8):
        """The collision-free goal states of the scene, at most `most` for each pose; raises ValueError if there is none."""
        states, reasons = [], []
        for goal in self._goals:
            if "q" in goal:
                states.append(goal["q"])
                continue
            found = self.call("ik", collision_free=True, most=most, **goal)
            states += found["solutions"]
            reasons.append(found.get("reason"))
        if not states:
            raise ValueError("; ".join(reasons) or "the scene has no goal")
        valid = StateValidityChecker(self).areValid(states)
        if not any(valid):
            raise ValueError("every goal state is in collision or out of limits")
        return [q for q, is_valid in zip(states, valid) if is_valid]

    def plan(self, **params):
        """Plans a motion or a program. A failure is a result: `status` is "solved", or why there is no `trajectory`."""
        return self.call("plan", **params)

    def check(self, trajectory, certificate=False):
        """Is a trajectory collision-free over continuous time, and within its limits?"""
        return self.call("check", trajectory=trajectory, certificate=certificate)

    def verify(self, trajectory, certificate):
        """Does a certificate prove a trajectory?"""
        return self.call("verify", trajectory=trajectory, certificate=certificate)

    def repair(self, trajectory, **params):
        """Changes a trajectory that `check` refuses as little as possible; `keep_times`, `limits_only`, `seed`."""
        return self.call("repair", trajectory=trajectory, **params)

    def recertify(self, trajectory, certificate):
        """Is a trajectory still proved in the scene of the session?"""
        return self.call("recertify", trajectory=trajectory, certificate=certificate)

    def watch(self, trajectory, certificate=None, replan=False):
        """Watches a trajectory; each change of the scene adds a report to `reports`."""
        params = {"trajectory": trajectory, "replan": replan}
        return self.call("watch", **params, **({} if certificate is None else {"certificate": certificate}))

    def advanceWatch(self, watch, time):
        """The trajectory has been executed up to `time`."""
        return self.call("watch.advance", watch=watch, time=time)

    def endWatch(self, watch):
        self.call("watch.end", watch=watch)

    def cancel(self):
        """Cancels the current request, from another thread or from `on_progress`: `call` then raises code -32800."""
        self._send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": self._id}})

    def call(self, method, **params):
        """The result of one method; raises ServiceError."""
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        answer = self._receive()
        while "method" in answer:
            if answer["method"] == "$/watch":
                self.reports.append(answer["params"])
            elif answer["method"] == "$/progress" and self.on_progress:
                self.on_progress(answer["params"])
            answer = self._receive()
        if "error" in answer:
            error = answer["error"]
            raise ServiceError(error["code"], error["message"], error.get("data", {}).get("note", ""))
        return answer["result"]

    def _send(self, message):
        self._socket.sendall(json.dumps(message).encode() + b"\n")

    def _receive(self):
        line = self._lines.readline()
        if not line:
            raise ConnectionError("the service has closed the connection")
        return json.loads(line)

    def close(self):
        self._lines.close()
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class StateValidityChecker:
    """As ompl.base.StateValidityChecker: validity and clearance of states."""

    def __init__(self, service):
        self.service = service

    def isValid(self, state):
        return self.service.call("validate", q=self._values(state))["valid"]

    def areValid(self, states):
        """Validity of several states: one request, much faster than one request per state."""
        return self.service.call("validate", states=[self._values(state) for state in states])["valid"]

    def clearance(self, state):
        """Minimum distance over all checked pairs, metres; negative in collision; infinite if no pair is checked."""
        distance = self.service.call("clearance", q=self._values(state))["distance"]
        return math.inf if distance is None else distance

    def clearanceWithGradient(self, state):
        """The clearance, its gradient with respect to q, and whether it is differentiable there."""
        answer = self.service.call("clearance", q=self._values(state), gradient=True)
        return answer["distance"], answer["gradient"], answer["differentiable"]

    def _values(self, state):
        return [float(state[i]) for i in range(self.service.dof)]


class MotionValidator:
    """As ompl.base.MotionValidator: straight motions are certified collision-free over continuous time, not sampled."""

    def __init__(self, service):
        self.service = service
        self.valid = 0
        self.invalid = 0

    def checkMotion(self, first, second, lastValid=None):
        """`lastValid`: list that receives the last state certified collision-free, and its time from 0 to 1."""
        ends = {"from": self._values(first), "to": self._values(second)}
        answer = self.service.call("validate_motion", details=lastValid is not None, **ends)
        if answer["valid"]:
            self.valid += 1
            return True
        self.invalid += 1
        if lastValid is not None:
            share = answer["contact"]["free_until"] if "contact" in answer else 0.0
            lastValid[:] = [[a + share * (b - a) for a, b in zip(ends["from"], ends["to"])], share]
        return False

    def areValid(self, motions):
        listed = [[self._values(first), self._values(second)] for first, second in motions]
        return self.service.call("validate_motion", motions=listed)["valid"]

    def getValidMotionCount(self):
        return self.valid

    def getInvalidMotionCount(self):
        return self.invalid

    _values = StateValidityChecker._values


def plan(checker, motions, start, goals, lower, upper, step=0.8, seed=1, iterations=20000):
    """A bidirectional random tree, to show the two at work: a path to any of the goal states, or None."""
    rng = random.Random(seed)
    trees = [[(list(start), None)], [(list(goal), None) for goal in goals]]

    def grow(tree, target):
        near = min(tree, key=lambda node: math.dist(node[0], target))
        way = math.dist(near[0], target)
        q = list(target) if way <= step else [a + step / way * (b - a) for a, b in zip(near[0], target)]
        if not checker.isValid(q) or not motions.checkMotion(near[0], q):
            return None
        tree.append((q, near))
        return tree[-1]

    def back(node):
        path = []
        while node is not None:
            path.append(node[0])
            node = node[1]
        return path

    for i in range(iterations):
        one, other = trees if i % 2 == 0 else trees[::-1]
        tip = grow(one, [rng.uniform(low, high) for low, high in zip(lower, upper)])
        answer = tip and grow(other, tip[0])
        while answer and answer[0] != tip[0]:
            answer = grow(other, tip[0])
        if answer:
            path = back(tip)[::-1] + back(answer)[1:]
            return path if i % 2 == 0 else path[::-1]
    return None


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 elbowroom.py SOCKET")
    with Service(sys.argv[1]) as service:
        if service.start is None:
            sys.exit("the scene has no start")
        try:
            goals = service.goalStates()
        except ValueError as error:
            sys.exit(str(error))
        path = plan(
            StateValidityChecker(service),
            MotionValidator(service),
            service.start,
            goals,
            service.lower,
            service.upper,
        )
        if path is None:
            sys.exit("no path found")
        for q in path:
            print(json.dumps(q))
