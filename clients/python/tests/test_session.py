import json
import math
import random
import socket
import threading
import time
import unittest

import elbowroom
from elbowroom import arrays

from .helpers import ROOT, TABLE, OnTransports, Service, SHELF

ENDLESS = {"planner": "rrt-star", "iterations": 1_000_000_000, "time_limit": 25}


def plain(values):
    """Nested lists of an array."""
    return values.tolist() if hasattr(values, "tolist") else values


class States(OnTransports):
    def setUp(self):
        generator = random.Random(4)
        bounds = list(zip(self.session.lower, self.session.upper))
        self.states = [self.session.start] + [[generator.uniform(*b) for b in bounds] for _ in range(40)]

    def raw(self, session, method, **params):
        """The result of a JSON message, which is independent of frames."""
        return session.call(method, params)

    def test_validity_of_many_states_is_that_of_json_messages(self):
        for session in self.each():
            found = plain(session.validate(self.states))
            self.assertEqual(found, self.raw(session, "validate", states=self.states)["valid"])
            self.assertEqual({True, False}, set(found))
            self.assertIs(session.validate(self.states[0]), True)
            self.assertEqual(plain(session.validate([])), [])

    def test_motions_with_and_without_details(self):
        pairs = [[self.states[0], [x + step for x in self.states[0]]] for step in (0.0, 0.01, 2.0)]
        for session in self.each():
            found = plain(session.validate_motions(pairs))
            self.assertEqual(found, self.raw(session, "validate_motion", motions=pairs)["valid"])
            last = session.validate_motion(*pairs[2])
            self.assertFalse(last)
            self.assertEqual(last.verdict, "collision")
            self.assertTrue(0 <= last.free_until <= last.time <= 1 and last.pair)
            self.assertTrue(session.validate_motion(*pairs[0]))

    def test_dynamics_of_one_state_and_of_many(self):
        zeros = [[0.0] * 6 for _ in self.states]
        for session in self.each():
            many = session.dynamics(self.states, zeros, mass_matrix=True)
            one = session.dynamics(self.states[3], mass_matrix=True)
            self.assertEqual(one.torques, plain(many.torques[3]))
            self.assertEqual(one.mass_matrix, plain(many.mass_matrix[3]))
            self.assertEqual(plain(many.torques), plain(many.gravity))
            self.assertIsNone(session.dynamics(self.states[3], zeros[3]).mass_matrix)

    def test_pairs_of_shapes(self):
        ball = {"shape": {"type": "sphere", "radius": 0.1}}
        pairs = [{"a": ball, "b": {**ball, "pose": {"xyz": [x, 0, 0]}}} for x in (0.15, 0.5)] + [{"id": "bad"}]
        found = elbowroom.query(pairs, solver="gjk")
        self.assertEqual([one.get("status") for one in found], ["colliding", "separated", None])
        self.assertAlmostEqual(found[1]["distance"]["lower"], 0.3)
        self.assertIn("error", found[2])
        self.assertEqual(self.session.query(pairs[:2], solver="gjk"), found[:2])
        with self.assertRaises(elbowroom.ElbowroomError):
            elbowroom.query(pairs, solver="none")

    def test_one_pair_at_many_poses(self):
        box = {"shape": {"type": "box", "size": [1, 2, 3]}}
        poses = [[x, 0.1 * x, 0, 0.8, 0, 0.6, 0] for x in (0.0, 2.0, -4.0)]
        for what in ("distance", "growth"):
            found = elbowroom.query({"a": box, "b": {**box, "pose": poses}}, what=what)
            pairs = [{"a": box, "b": {**box, "pose": {"xyz": p[:3], "quat_wxyz": p[3:]}}} for p in poses]
            for i, one in enumerate(elbowroom.query(pairs, what=what)):
                self.assertEqual(elbowroom.pairs.STATUSES[found.status[i]], one["status"])
                self.assertEqual(list(found.bounds[i]), [one[what]["lower"], one[what]["upper"]])
                self.assertEqual(list(found.witnesses_a[i]), one["witnessA"])
                self.assertEqual(list(found.witnesses_b[i]), one["witnessB"])
                self.assertEqual(found.iterations[i], one["iterations"])
        turned = elbowroom.query({"a": {**box, "pose": poses}, "b": {**box, "pose": poses[1]}}, what="distance", iterations=2, solver="gjk-plain")
        self.assertEqual(turned.status[1], 2)
        bad = elbowroom.query({"a": box, "b": {**box, "pose": [[0, 0, 0, 2, 0, 0, 0], [5, 0, 0, 1, 0, 0, 0], [float("nan"), 0, 0, 1, 0, 0, 0]]}})
        self.assertEqual([elbowroom.pairs.STATUSES[one] for one in bad.status], ["unreadable", "separated", "unreadable"])
        with self.assertRaises(elbowroom.ElbowroomError):
            elbowroom.query({"a": {"shape": {"type": "disc", "radius": 1}}, "b": {**box, "pose": poses}})
        with self.assertRaises(ValueError):
            elbowroom.query({"a": {**box, "pose": poses}, "b": {**box, "pose": poses[:2]}})

    def test_clearances_and_gradients(self):
        some = self.states[:6]
        expected = self.raw(self.session, "clearance", states=some, gradient=True)["answers"]
        found = self.session.clearances(some, gradient=True)
        self.assertEqual(plain(found.distances), [one["distance"] for one in expected])
        self.assertEqual([list(pair) for pair in found.pairs], [one["pair"] for one in expected])
        self.assertEqual(plain(found.gradients), [one["gradient"] for one in expected])
        one = self.session.clearance(some[1], gradient=True)
        self.assertEqual((one.distance, one.gradient), (expected[1]["distance"], expected[1]["gradient"]))

    def test_forward_and_inverse_kinematics_agree(self):
        tool = self.session.fk(self.states[0], links=["tool0"])["tool0"]
        many = self.session.fk_many(self.states[:3], links=["tool0"])
        self.assertEqual(many.links, ["tool0"])
        self.assertEqual(plain(many.poses)[0][0], [*tool.xyz, *tool.quat_wxyz])
        found = self.session.ik(tool.xyz, quat_wxyz=tool.quat_wxyz, link="tool0", collision_free=True)
        self.assertLess(min(math.dist(q, self.states[0]) for q in found.states), 1e-4)

    def test_large_batches_are_split_at_the_limits_of_the_service(self):
        service = Service(SHELF, "--body", "1")
        with elbowroom.connect(service.socket) as session:
            states = self.states * 600  # 1.2 MB
            self.assertEqual(plain(session.validate(states)), plain(session.validate(self.states)) * 600)
            self.assertEqual(len(session.clearances(self.states * 2).pairs), 82)
        service.close()

    @unittest.skipIf(arrays.numpy is None, "numpy is not installed")
    def test_numpy_arrays_in_and_out(self):
        numpy = arrays.numpy
        states = numpy.asarray(self.states)
        found = self.session.validate(states)
        self.assertEqual(found.dtype, bool)
        self.assertEqual(found.tolist(), plain(self.session.validate(self.states)))
        wide = numpy.zeros((len(states), 12))
        wide[:, ::2] = states  # a view that is not contiguous
        self.assertEqual(self.session.validate(wide[:, ::2]).tolist(), found.tolist())
        self.assertEqual(self.session.validate(states.astype("float32")).shape, found.shape)
        self.assertIs(self.session.validate(states[0]), True)
        self.assertTrue(self.session.plan(start=states[0], goal=states[0], time_limit=5))

    def test_errors_carry_place_and_hint(self):
        with self.assertRaises(elbowroom.InvalidParameters) as caught:
            self.session.validate([0.0])
        self.assertEqual(caught.exception.place, "params.q")
        self.assertIn("shoulder_pan_joint", caught.exception.hint)
        with self.assertRaises(elbowroom.InvalidFrame) as caught:
            self.session.validate([self.states[0], [*self.states[0][:5], math.nan]])
        self.assertEqual(caught.exception.place, "states[1][5]")
        with self.assertRaises(elbowroom.InvalidParameters) as caught:
            self.session.plan(sede=3)
        self.assertIn('"seed"', str(caught.exception))
        with self.assertRaises(ValueError):
            self.session.validate([[0.0, 1.0]])
        with self.assertRaises(elbowroom.ElbowroomError) as caught:
            elbowroom.start(SHELF.with_name("shelff.yaml"))
        self.assertIn("shelf.yaml", caught.exception.hint)
        self.assertIn("shelff.yaml", caught.exception.place)
        with self.assertRaises(elbowroom.ConnectionLost):
            elbowroom.connect("/nowhere/service.sock")


class StatesAtTimes(OnTransports):
    scene = ROOT / "scenes" / "revolving-door.yaml"

    def test_states_of_a_scene_that_moves_are_those_of_their_times(self):
        q = [0, -1.3, 1.9, -2.2, -1.57, 0]
        for session in self.sessions.values():
            self.assertFalse(session.validate(q, t=0))
            self.assertTrue(session.validate(q, t=1))
            self.assertEqual([bool(valid) for valid in session.validate([q, q, q], t=[0, 1, 2.3])], [False, True, False])
            self.assertEqual([bool(valid) for valid in session.validate([q, q], t=3)], [True, True])
            self.assertEqual(session.validate_details(q, t=1.2).collisions, [("gripper", "wings-2")])
            self.assertLess(session.clearance(q, t=1.2).distance, 0)
            for states in (q, [q]):
                with self.assertRaises(elbowroom.InvalidParameters):
                    session.validate(states)


class Planning(OnTransports):
    scene = TABLE

    def test_plans_checks_verifies_and_repairs(self):
        for session in self.each():
            plan = session.plan(seed=3, certificate=True)
            self.assertTrue(plan)
            stopping = session.check(plan.trajectory, stopping=True).report["stopping"]
            self.assertGreater(stopping["time"], 0)
            self.assertGreater(stopping["tcp_distance"], stopping["elbow_distance"])
            self.assertTrue(session.verify(plan.trajectory, plan.certificate))
            self.assertEqual(session.recertify(plan.trajectory, plan.certificate)["status"], "proved")
            names = plan.trajectory.joint_names
            ends = [plan.trajectory.positions[0], plan.trajectory.positions[-1]]
            straight = elbowroom.Trajectory.from_arrays(names, ends)
            refused = session.check(straight)
            self.assertFalse(refused)
            self.assertTrue(refused.faults)
            repaired = session.repair(straight, seed=2)
            self.assertEqual(repaired.status, "repaired")
            self.assertTrue(session.check(repaired.trajectory))

    def test_a_failure_to_plan_is_a_result(self):
        plan = self.session.plan(goal=self.session.start[:5] + [1e3])
        self.assertFalse(plan)
        self.assertIsNone(plan.trajectory)
        self.assertNotEqual(plan.reason, "")

    def test_programs(self):
        goal = dict(zip([joint.name for joint in self.session.joints], self.session.goal_states()[0]))
        steps = [{"move": goal, "name": "there"}, {"wait": 0.2}, {"line": {"by": [0, 0, 0.02], "frame": "world"}}]
        plan = self.session.plan(steps=steps, seed=2)
        self.assertEqual(plan.status, "solved", plan.reason)
        segments = plan.trajectory.to_dict()["segments"]
        self.assertEqual(len(segments), 3)
        low, high = (self.session.fk(q, ["tool0"])["tool0"].xyz[2] for q in (list(goal.values()), plan.trajectory.positions[-1]))
        self.assertAlmostEqual(high - low, 0.02, 3)
        with self.assertRaises(elbowroom.InvalidParameters) as caught:
            self.session.plan(steps=[{"mov": goal}])
        self.assertTrue(caught.exception.place.startswith("params.steps[0]"), caught.exception)

    def test_cancellation_deadline_and_progress(self):
        for session in self.each():
            reports = []
            cancellation = elbowroom.Cancellation()

            def on_progress(report):
                reports.append(report)
                if len(reports) == 1:  # a callback may call again, after the plan: responses are in order
                    cancellation.cancel()

            with self.assertRaises(elbowroom.Cancelled):
                session.plan(**ENDLESS, on_progress=on_progress, cancellation=cancellation)
            self.assertIn("phase", reports[0])
            began = time.monotonic()
            with self.assertRaises(elbowroom.DeadlineExceeded):
                session.plan(**ENDLESS, deadline=0.3)
            self.assertLess(time.monotonic() - began, 10)
            with self.assertRaises(elbowroom.Cancelled):
                session.plan(cancellation=cancellation)  # cancelled before it starts
            self.assertTrue(session.validate(session.start))

    def test_threads_share_a_session(self):
        for session in self.each():
            found = {}

            def work(i):
                for k in range(10):
                    q = [session.start[0] + 1e-4 * (i + 10 * k), *session.start[1:]]
                    found[i, k] = session.fk(q, links=["tool0"])["tool0"] == session.fk(q, links=["tool0"])["tool0"]

            threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(30)
            self.assertEqual(set(found.values()), {True})
            self.assertEqual(len(found), 80)

    def test_a_service_that_ends_is_an_exception_for_every_thread(self):
        session = elbowroom.start(self.scene)
        caught = []

        def plan():
            try:
                session.plan(**ENDLESS)
            except elbowroom.ConnectionLost as error:
                caught.append(error)

        threads = [threading.Thread(target=plan) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        session._link._transport.process.kill()
        for thread in threads:
            thread.join(10)
        self.assertEqual(len(caught), 3)
        with self.assertRaises(elbowroom.ConnectionLost):
            session.validate(session.start)
        session.close()

    def test_a_message_that_is_too_long_is_an_exception_of_its_call(self):
        service = Service(TABLE, "--body", "1")
        with elbowroom.connect(service.socket) as session:
            with self.assertRaises(elbowroom.TooLarge):
                session.call("validate", {"states": [session.start] * 40_000})
            self.assertTrue(session.validate(session.start))
        service.close()


class Told(elbowroom.transports.Transport):
    """A service that tells what a test states: lists of messages, one list per request."""

    def __init__(self, *told):
        self.told, self.waiting, self.fault = list(told), [], None

    def send(self, parts):
        if self.fault:
            raise self.fault
        self.waiting += self.told.pop(0)

    def receive(self, timeout):
        if not self.waiting:
            raise TimeoutError
        return bytearray(json.dumps(self.waiting.pop(0)).encode())

    def close(self):
        pass


def _report(until):
    return {"jsonrpc": "2.0", "method": "$/watch", "params": {"watch": 1, "certified_until": until}}


def _result(number, **result):
    return {"jsonrpc": "2.0", "id": number, "result": result}


class Answers(unittest.TestCase):
    def test_a_report_that_follows_a_response_is_not_overwritten_by_it(self):
        transport = Told([_result(1, watch=1, certified_until=None)], [_result(2, certified_until=None), _report(0.5)])
        link = elbowroom.link.Link(transport)
        watch = elbowroom.watch.Watches(link).start({}, None)
        call = link.call

        def late(*given):  # another thread receives the report before this one continues
            found = call(*given)
            link.pump(0)
            return found

        link.call = late
        self.assertEqual(watch.advance(0.1), 0.5)
        self.assertEqual(watch.certified_until, 0.5)

    def test_reports_before_the_response_to_watch_are_kept_in_order(self):
        transport = Told([_report(None), _report(0.3), _result(1, watch=1, certified_until=None)])
        seen = []
        watches = elbowroom.watch.Watches(elbowroom.link.Link(transport))
        watch = watches.start({}, lambda watch, report: seen.append(report.certified_until))
        self.assertEqual((watch.certified_until, seen), (0.3, [None, 0.3]))

    def test_a_message_that_is_sent_in_part_ends_the_session(self):
        transport = Told([_result(1, valid=True)])
        link = elbowroom.link.Link(transport)
        transport.fault = KeyboardInterrupt()
        with self.assertRaises(KeyboardInterrupt):
            link.call("validate", {})
        transport.fault = None
        with self.assertRaises(elbowroom.ConnectionLost):
            link.call("validate", {})


class Handshake(unittest.TestCase):
    def test_a_server_that_does_not_respond_is_an_exception_with_its_address(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            address = f"ws://127.0.0.1:{server.getsockname()[1]}"
            with self.assertRaises(elbowroom.DeadlineExceeded) as caught:
                elbowroom.transports.WebSocketTransport(address, timeout=0.05)
        self.assertIn(f"{address}: no response to the WebSocket handshake in 0.05 s", str(caught.exception))
        self.assertIsInstance(caught.exception, elbowroom.ElbowroomError)


class SceneAndWatch(OnTransports):
    scene = TABLE

    def test_changes_belong_to_the_session(self):
        for session in self.each():
            tool = session.fk(session.start, links=["tool0"])["tool0"]
            self.assertIn("ball", session.scene.add("ball", "sphere", radius=0.05, xyz=tool.xyz).obstacles)
            self.assertFalse(session.validate(session.start))
            self.assertFalse(session.validate([session.start])[0])
            with elbowroom.connect(self.service.socket) as other:
                self.assertTrue(other.validate(session.start))
            session.scene.move("ball", xyz=[2, 0, 0.5], rpy=[0, 0, 1])
            self.assertTrue(session.validate(session.start))
            self.assertTrue(session.scene.move("ball", xyz=[2, 0, 0.5], rpy=[0, 0, 90]).warnings)
            self.assertIn("ball", session.scene.attach("ball", "tool0", xyz=[0, 0, 0.2]).attached)
            self.assertIn("ball", session.scene.detach("ball", q=session.start).obstacles)
            self.assertNotIn("ball", session.scene.remove("ball").obstacles)
            cloud = [[tool.xyz[0], tool.xyz[1], tool.xyz[2] + 0.002 * i] for i in range(20)]
            self.assertIn("scan", session.scene.add_cloud("scan", cloud, 0.01).obstacles)
            self.assertFalse(session.validate(session.start))
            far = [[x, y, z + 3] for x, y, z in cloud] + [[math.nan, 0, 0]]
            found = session.scene.add_cloud("scan", far, 0.01, replace=True)
            self.assertEqual(len(found.warnings), 1)
            self.assertTrue(session.validate(session.start))
            with self.assertRaises(elbowroom.InvalidParameters):
                session.scene.add_cloud("scan", far, 0.01)
            with self.assertRaises(ValueError):
                session.scene.add_cloud("other", [[1, 2]], 0.01)
            session.scene.reset()

    def test_a_gate_judges_arrays_as_json_messages(self):
        for session in self.each():
            start = session.start
            times = [0.1 + 0.05 * i for i in range(5)]
            positions = [[start[0] + 0.004 * i * i, *start[1:]] for i in range(5)]
            velocities = [[0.16 * i, 0, 0, 0, 0, 0] for i in range(5)]
            with session.gate() as gate, session.gate() as other:
                answer = gate.propose(times, positions, velocities, now=0.01)
                self.assertTrue(answer)
                self.assertIn(answer.verdict, ("accepted", "slowed"))
                points = [{"time": t, "positions": q, "velocities": v} for t, q, v in zip(times, positions, velocities)]
                raw = session.call("gate.propose", {"gate": other.id, "now": 0.01, "points": points})
                self.assertEqual((answer.until, answer.committed.start), (raw["until"], raw["committed"]["from"]))
                rows = [[p["time"], *p["positions"], *p["velocities"]] for p in raw["committed"]["points"]]
                found = zip(*(plain(c) for c in (answer.committed.times, answer.committed.positions, answer.committed.velocities)))
                self.assertEqual([[t, *q, *v] for t, q, v in found], rows)
                tool = session.fk(positions[-1], links=["tool0"])["tool0"]
                objects = session.scene.add("ball", "sphere", radius=0.05, xyz=tool.xyz, now=0.02)
                self.assertEqual({gate.id, other.id}, set(objects.gates))
                self.assertIn(objects.gates[gate.id].verdict, ("stopping", "unavoidable"))
                self.assertEqual(plain(gate.state().velocities)[-1], [0] * 6)
                self.assertTrue(session.scene.remove("ball", now=0.03).gates[gate.id])
                self.assertFalse(gate.propose(times[:1], positions[:1], now=5))
                with self.assertRaises(elbowroom.InvalidParameters):
                    gate.tick(now=4)
                with self.assertRaises(ValueError):
                    gate.propose(times, positions[:2])
            with session.gate() as gate:
                self.assertTrue(gate.propose([1, 1.1], [start, start]))
                self.assertEqual(gate.tick().verdict, "held")
                self.assertTrue(session.scene.reset().gates[gate.id])

    def test_reports_of_a_watched_motion(self):
        for session in self.each():
            plan = session.plan(seed=3, certificate=True)
            seen = []
            with session.watch(plan.trajectory, plan.certificate) as watch:
                self.assertIsNone(watch.certified_until)
                end = session.fk(plan.trajectory.positions[-1], links=["tool0"])["tool0"]
                session.scene.add("ball", "sphere", radius=0.05, xyz=end.xyz)
                self.assertTrue(watch.wait(1))
                report = watch.reports[0]
                self.assertTrue(0 < report.certified_until < plan.trajectory.duration)
                self.assertIn("ball", report.pair)
                session.scene.remove("ball")
                self.assertTrue(watch.wait(2))
                self.assertIsNone(watch.advance(0.1))
            with session.watch(plan.trajectory, on_report=lambda watch, report: seen.append(report)) as watch:
                session.scene.add("far", "sphere", radius=0.05, xyz=[3, 0, 0.5])
                until = time.monotonic() + 10
                while not seen and time.monotonic() < until:
                    time.sleep(0.01)
                self.assertIsNone(seen[0].certified_until)
            session.scene.reset()


if __name__ == "__main__":
    unittest.main()
