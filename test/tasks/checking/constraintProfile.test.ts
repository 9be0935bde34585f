import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConstraintSet } from '../../../src/core/constraints/constraintSet.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { constraintProfile } from '../../../src/tasks/checking/constraintProfile.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { toolPose } from '../../core/cartesian/legOracle.ts';
import { root } from '../../host/cli/run.ts';

const loaded = async (name: string) => {
  const { scene, robot } = await loadScene(join(root, `scenes/${name}.yaml`));
  const model = createSceneRobot({ scene, robot });
  return { scene, model, jointNames: model.variables.map((joint) => joint.name) };
};

test('margins are below 0 exactly where validate names the constraint, and are the angles that are left', async () => {
  const { scene, model, jointNames } = await loaded('waiter');
  const start = [-1.43, -1.38, 2.1, -2.29, 1.57, 0];
  const tilted = start.map((value, j) => value + (j === 3 ? 0.6 : 0));
  const motion: Trajectory = {
    jointNames,
    points: [start, tilted, start].map((positions, k) => ({ time_from_start: k, positions })),
  };
  const [upright, ...others] = constraintProfile(model, scene, motion, 101);
  expect(others).toEqual([]);
  expect(upright).toMatchObject({ label: 'upright', unit: 'rad' });
  expect(upright.points).toHaveLength(101);
  const set = new ConstraintSet(model, scene.constraints!, scene.tcp);
  const curve = new TrajectoryCurve(motion);
  const q = new Float64Array(6);
  const frame = { link: model.links.findIndex(({ name }) => name === 'tool0'), T_link_frame: identity };
  let violations = 0;
  for (const [time, margin] of upright.points) {
    curve.position(q, time);
    const isViolated = set.violated(q).length > 0;
    if (isViolated) violations++;
    expect(margin < -1e-9).toBe(isViolated);
    const tilt = Math.acos(Math.min(1, toolPose(model, frame, q)[10]));
    expect(Math.abs(margin - ((10 * Math.PI) / 180 - tilt))).toBeLessThan(1e-6);
  }
  expect(violations).toBeGreaterThan(20);
});

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

test('the margin of a speed limit is what is left to the speed of the tool by differences of poses', async () => {
  const { scene, model, jointNames } = await loaded('table-top');
  const limited = { ...scene, tcp: { link: 'tool0', pose: atOrigin }, tcpSpeed: 0.5 };
  const motion: Trajectory = {
    jointNames,
    points: [0, 1, 0.2].map((x, k) => ({ time_from_start: k, positions: [x, -1.5, 1.5, -1.5, -1.5, x] })),
  };
  const [speed] = constraintProfile(model, limited, motion, 41);
  expect(speed).toMatchObject({ label: 'tcp_speed', unit: 'm/s' });
  const curve = new TrajectoryCurve(motion);
  const frame = { link: model.links.findIndex(({ name }) => name === 'tool0'), T_link_frame: identity };
  const at = (time: number) => {
    const q = new Float64Array(6);
    curve.position(q, time);
    const T = toolPose(model, frame, q);
    return [T[3], T[7], T[11]];
  };
  const h = 1e-5;
  for (const [time, margin] of speed.points) {
    if (time < h || Math.abs(time - 1) < h || time > 2 - h) continue; // differences across a corner
    const [a, b] = [at(time - h), at(time + h)];
    const numeric = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) / (2 * h);
    expect(Math.abs(margin - (0.5 - numeric))).toBeLessThan(1e-6);
  }
  const path: Trajectory = { jointNames, points: motion.points.map(({ positions }) => ({ positions })) };
  expect(constraintProfile(model, limited, path)).toEqual([]); // a path has no speed
});

const atOrigin = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
