// A policy with random errors, without the gate and with it: node examples/gate.mjs [SCENE] [ERROR]
import { createSceneRobot, createTrajectoryChecker, Gate, planMotion, TrajectoryCurve } from 'elbowroom';
import { CollisionManager, CollisionModel } from 'elbowroom/collision';
import { loadScene } from 'elbowroom/node';

const [file = 'scenes/shelf.yaml', error = 0.1] = process.argv.slice(2);
const { scene, robot: description } = await loadScene(file);
const problem = { scene, robot: description };
const robot = createSceneRobot(problem);
const check = createTrajectoryChecker(robot, new CollisionManager(new CollisionModel(robot, scene)));
const known = planMotion({ scene: { ...scene, padding: scene.padding + 0.01 }, robot: description }, { seed: 1 });
const path = new TrajectoryCurve(known.trajectory);
const jointNames = robot.variables.map(({ name }) => name);

const [RUNS, PERIOD, STEP, POINTS, PULL] = [12, 0.2, 0.02, 50, 40]; // seconds; 1/s²
const at = (curve, t) => {
  const [q, v] = [new Float64Array(curve.dof), new Float64Array(curve.dof)];
  curve.position(q, t);
  if (t < curve.end) curve.velocity(v, t);
  return { q: Array.from(q), v: Array.from(v) };
};
const apart = (a, b) => Math.max(...a.map((x, j) => Math.abs(x - b[j])));

/** Follows the path from wherever the arm is, in chunks of one second, each with an error of its own. */
function policy(seed) {
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (2 * seed) / 2 ** 32 - 1;
  };
  let place = path.start;
  return ({ q: from, v: speed }, time) => {
    const errors = from.map(() => Number(error) * random());
    const near = Array.from({ length: POINTS }, (_, i) => Math.min(path.end, place + i * STEP));
    place = near.reduce((best, t) => (apart(at(path, t).q, from) <= apart(at(path, best).q, from) ? t : best), place);
    const [q, v] = [[...from], [...speed]];
    const points = [{ time, positions: [...q], velocities: [...v] }];
    for (let i = 1; i < POINTS; i++) {
      const { q: goal } = at(path, Math.min(path.end, place + i * STEP));
      for (const [j, { limits }] of robot.variables.entries()) {
        const aim = goal[j] + Math.min(1, i / 20) * errors[j] - q[j];
        const most = 0.8 * limits.acceleration;
        const a = Math.max(-most, Math.min(most, PULL * aim - 2 * Math.sqrt(PULL) * v[j]));
        const next = Math.max(-0.8 * limits.velocity, Math.min(0.8 * limits.velocity, v[j] + STEP * a));
        q[j] += (STEP * (v[j] + next)) / 2;
        v[j] = next;
      }
      points.push({ time: time + i * STEP, positions: [...q], velocities: [...v] });
    }
    return points;
  };
}

/** Runs a policy; true if the arm comes to the goal without a contact. */
function run(seed, gate) {
  const propose = policy(seed);
  const knot = ({ time, ...rest }) => ({ time_from_start: time, ...rest });
  let executed = [{ time_from_start: 0, positions: at(path, 0).q, velocities: at(path, 0).v.map(() => 0) }];
  for (let now = 0; now < 30; now += PERIOD) {
    const points = gate ? gate.committed.points : executed;
    const time = gate ? now + 0.03 : now; // after the verdict
    const state = at(new TrajectoryCurve({ jointNames, points, interpolation: 'cubic' }), time);
    if (apart(state.q, at(path, path.end).q) < 0.12) {
      const motion = gate ? gate.executed : { jointNames, points: executed, interpolation: 'cubic' };
      return check(motion).collision === undefined;
    }
    const chunk = propose(state, time);
    if (gate) gate.propose(now, chunk);
    else executed = [...executed.filter((point) => point.time_from_start < time), ...chunk.map(knot)];
  }
  return false;
}

const completed = (gateOf) => Array.from({ length: RUNS }, (_, i) => run(i + 1, gateOf())).filter(Boolean).length;
console.log(`without the gate: ${completed(() => undefined)} of ${RUNS} runs reach the goal without a contact`);
console.log(`with the gate:    ${completed(() => new Gate(problem, { keepsExecuted: true }))} of ${RUNS}`);
