import { expect, test } from 'vitest';
import { motionPieces } from '../../../../src/core/certificate/motionPieces.ts';
import { certifiedBodies } from '../../../../src/core/certificate/torques/certifiedBodies.ts';
import { torqueRanges } from '../../../../src/core/certificate/torques/torqueBounds.ts';
import { torqueProblems } from '../../../../src/core/certificate/torques/verifyTorques.ts';
import { createArmModel } from '../../../../src/core/dynamics/arm/armModel.ts';
import { InverseDynamics } from '../../../../src/core/dynamics/arm/inverseDynamics.ts';
import { loadsOf } from '../../../../src/core/scene/loads.ts';
import type { CheckedScene } from '../../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { certifiedTorques } from '../../../../src/tasks/forces/torqueCheck.ts';
import { cases } from '../../../cases.ts';
import { randomArm, uniform } from '../../dynamics/arm/randomArm.ts';
import { randomMotion, rates } from '../../dynamics/arm/randomMotion.ts';

const payload = { mass: 1.5, center: [0.05, 0.1, -0.1] as const, inertia: [0.02, 0.01, 0.015, 0.001, 0.002, -0.001] };
const sceneOf = (link: string): CheckedScene => ({
  obstacles: [],
  attached: [],
  allow: [],
  padding: 0,
  torque: { scale: 1 },
  payload,
  gravity: [1, 2, -9],
  tcp: { link, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } },
});

test('the ranges of the verifier contain the torques of random arms, motions and loads', () => {
  for (let seed = 1; seed <= cases(60); seed++) {
    const robot = randomArm(seed);
    const random = uniform(seed);
    const motion = randomMotion(robot, random);
    const scene = sceneOf(robot.links[robot.links.length - 1].name);
    const bodies = certifiedBodies(robot, scene);
    const dynamics = new InverseDynamics(
      createArmModel(robot, { gravity: scene.gravity, loads: loadsOf(robot, scene) }),
    );
    const out = new Float64Array(robot.dof);
    for (const piece of motionPieces(motion))
      for (const length of [0.2, 0.01, 1e-4]) {
        const from = piece.start + random() * (piece.end - piece.start - length);
        const to = from + length;
        const ranges = torqueRanges(robot, bodies, scene.gravity!, piece, from, to);
        for (const share of [0, 0.1, 0.5, 0.77, 1]) {
          const { q, v, a } = rates(motion, from + share * (to - from), (from + to) / 2);
          dynamics.torques(out, q, v, a);
          for (const [k, { lower, upper }] of ranges.entries()) {
            const slack = 1e-9 * (1 + Math.abs(out[k]));
            if (out[k] < lower - slack || out[k] > upper + slack)
              expect.fail(`seed ${seed}, joint ${k}: ${out[k]} is not within ${lower} … ${upper} (${length} s)`);
          }
        }
        if (length > 1e-3) continue;
        for (const [k, { lower, upper }] of ranges.entries())
          expect(upper - lower, `seed ${seed}, joint ${k}`).toBeLessThan(8 + 0.1 * Math.abs(out[k]));
      }
  }
});

test('torques that the planner certifies are proved, and changed ones are refused', () => {
  let count = 0;
  for (let seed = 1; seed <= cases(12); seed++) {
    const robot = { ...randomArm(seed) };
    const motion = randomMotion(robot, uniform(seed));
    const variables = robot.variables.map((one) => ({ ...one, effort: 3000 }));
    const strong = { ...robot, variables };
    const scene = sceneOf(robot.links[robot.links.length - 1].name);
    const end = motion.points.at(-1)!.time_from_start!;
    const found = certifiedTorques(strong, scene, motion, 0, end, () => false)?.torques;
    if (found === undefined) continue;
    const problems = (torques: typeof found | undefined, one = scene, arm = strong) =>
      torqueProblems(torques, arm, one, motionPieces(motion), 0, end, true);
    expect(problems(found)).toEqual([]);
    count++;
    const mutated = (change: (copy: { joint: string; spans: number[][] }[]) => void) => {
      const copy = structuredClone(found) as unknown as { joint: string; spans: number[][] }[];
      change(copy);
      return problems(copy as unknown as typeof found);
    };
    const span = (change: (values: number[]) => void) => mutated(([one]) => change(one.spans[0]));
    const wrong = [
      problems(undefined),
      mutated((all) => {
        all.pop();
      }),
      mutated((all) => {
        all[0].spans.pop();
      }),
      mutated((all) => {
        all.push(all[0]);
      }),
      span((values) => {
        values[1] -= 1e-3;
      }),
      span((values) => {
        values[3] = values[2];
      }),
      span((values) => {
        values[2] = values[3] - 1e-3;
      }),
      span((values) => {
        values[3] = 3001;
      }),
      problems(found, { ...scene, payload: { ...payload, mass: 100 } }),
      problems(found, { ...scene, gravity: [400, -500, 900] }),
      problems(found, { ...scene, torque: undefined as never }),
      problems(found, scene, { ...strong, variables: variables.map((one) => ({ ...one, effort: 1 })) }),
    ];
    for (const [i, one] of wrong.entries()) expect(one.length, `seed ${seed}, change ${i}`).toBeGreaterThan(0);
  }
  expect(count).toBeGreaterThan(cases(5) - 1);
});

test('torques of a motion whose velocity jumps are not proved, inside and at its ends', () => {
  const robot = randomArm(3);
  const scene = sceneOf(robot.links[robot.links.length - 1].name);
  const strong = { ...robot, variables: robot.variables.map((one) => ({ ...one, effort: 1e6 })) };
  const row = (value: number) => strong.variables.map(() => value);
  const jointNames = strong.variables.map(({ name }) => name);
  const problemsOf = (points: Trajectory['points'], from = 0) => {
    const end = points.at(-1)!.time_from_start!;
    const own = jointNames.map((joint) => ({ joint, spans: [[from, end, -1e6, 1e6] as const] }));
    return torqueProblems(own, strong, scene, motionPieces({ jointNames, points }), from, end, true);
  };
  const at = (time: number, value: number, velocity?: number) => ({
    time_from_start: time,
    positions: row(value),
    ...(velocity !== undefined && { velocities: row(velocity) }),
  });
  const smooth = [at(0, 0, 0), at(1, 0.5, 0.4), at(2, 0.6, 0)];
  expect(problemsOf(smooth)).toEqual([]);
  expect(problemsOf([at(0.5, 0, 0), ...smooth.slice(1)])).toEqual([]);
  expect(problemsOf([at(0, 0), at(1, 0.5), at(2, 0.6)]).join()).toMatch(/jumps from 0 to 0.5 at t = 0/);
  expect(problemsOf([at(0, 0, 0.1), ...smooth.slice(1)]).join()).toMatch(/jumps from 0 to 0.1 at t = 0/);
  expect(problemsOf([...smooth.slice(0, 2), at(2, 0.6, 0.2)]).join()).toMatch(/jumps from 0.2\d* to 0 at t = 2/);
  const corner = [at(0, 0, 0), at(1, 0.5, 0), at(2, 1), at(3, 1.2)];
  expect(problemsOf(corner, 1.5).join()).toMatch(/jumps from 0.5\d* to 0.19\d* at t = 2/);
});
