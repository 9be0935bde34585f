import { expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { IDENTITY_POSE, type Scene } from '../../../../src/core/scene/scene.ts';
import { TrajectoryCurve } from '../../../../src/core/trajectory/trajectoryCurve.ts';
import { writers } from '../../../../src/formats/trajectories/index.ts';
import { faultAsWritten, provedAsWritten } from '../../../../src/host/cli/plan/verifyOutput.ts';
import { createTrajectoryChecker } from '../../../../src/tasks/checking/checkTrajectory.ts';
import type { PlanMotionResult } from '../../../../src/tasks/planning/planMotion.ts';
import { at, body, joint, link, motionOf, robotOf } from '../../../core/certificate/worlds.ts';

const RADIUS = 1e-3;
/**
 * Metres between the ball and the post that it passes; the lines between set points cut its corner by more than twice
 * that.
 */
const GAP = 1e-4;
const fast = { lower: -1, upper: 1, velocity: 100, acceleration: 1e4 };

/**
 * A ball on two slides turns by a right angle within ten set points, with a post on the inside of its curve, between
 * two of them.
 */
function turnAroundPost() {
  const model = robotOf(
    [link('rail'), link('car'), link('ball', [{ type: 'sphere', radius: RADIUS }])],
    [joint('prismatic', ['rail', 'car'], [1, 0, 0], fast), joint('prismatic', ['car', 'ball'], [0, 1, 0], fast)],
  );
  const trajectory = motionOf(model, [
    { time_from_start: 0, positions: [-0.1, 0], velocities: [0, 0] },
    { time_from_start: 0.02, positions: [0, 0], velocities: [10, 0] },
    { time_from_start: 0.04, positions: [0.1, 0.1], velocities: [0, 10] },
    { time_from_start: 0.06, positions: [0.1, 0.2], velocities: [0, 0] },
  ]);
  const [q, v] = [new Float64Array(2), new Float64Array(2)];
  const curve = new TrajectoryCurve(trajectory);
  curve.position(q, 0.029);
  curve.velocity(v, 0.029);
  const away = (2 * RADIUS + GAP) / Math.hypot(v[0], v[1]);
  const post = body('post', at(q[0] - away * v[1], q[1] + away * v[0], 0), { type: 'sphere', radius: RADIUS });
  const scene: Scene = {
    name: 'turn',
    robot: { packages: {}, fixed: {}, limits: {}, pose: IDENTITY_POSE, parts: 'hull' },
    goals: [],
    equivalent: false,
    obstacles: [post],
    attached: [],
    allow: [],
    padding: 0,
  };
  return { model, scene, trajectory };
}

test('a motion is not written as set points whose lines cut a corner that its curve does not', async () => {
  const { model, scene, trajectory } = turnAroundPost();
  const check = createTrajectoryChecker(model, new CollisionManager(new CollisionModel(model, scene)));
  expect(check(trajectory).valid).toBe(true);
  const answer = { status: 'solved', trajectory, stats: { status: 'solved' } } as PlanMotionResult;
  for (const name of ['json', 'csv', 'ros-yaml', 'klampt'])
    expect(await provedAsWritten(answer, { model, scene }, writers[name])).toBe(answer);
  const script = await provedAsWritten(answer, { model, scene }, writers['urscript']);
  expect(script).toMatchObject({ status: 'unresolved', trajectory: undefined, stats: { status: 'unresolved' } });
  expect(script.reason).toMatch(/ball and post collide/);
  expect(await faultAsWritten(trajectory, { model, scene }, writers['urscript'])).toBe(script.reason);
  expect(await faultAsWritten(trajectory, { model, scene }, writers['ros-yaml'])).toBeUndefined();
});
