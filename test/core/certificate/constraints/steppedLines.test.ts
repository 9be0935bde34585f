import { assert, expect, test } from 'vitest';
import { verifyProgram } from '../../../../src/core/certificate/verifyProgram.ts';
import type { PathConstraint } from '../../../../src/core/scene/constraints.ts';
import type { MotionStep } from '../../../../src/core/scene/program.ts';
import type { Scene } from '../../../../src/core/scene/scene.ts';
import { loadScene } from '../../../../src/host/node/files.ts';
import { checkProgram } from '../../../../src/tasks/programs/checks/checkProgram.ts';
import { planProgram } from '../../../../src/tasks/programs/planProgram.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { scratchFolder } from '../../../host/node/scratch.ts';
import { oracleExcess, poseOf } from '../../constraints/constraintOracle.ts';
import { largest, poseAt } from './plainCurves.ts';

// Lines, an arc and a blend with constraints of their own, among them a flat region and one of a round shape. Limits
// are then set a little below and above the largest value that a plain oracle finds on the segment of the step.

const { put } = scratchFolder();
const PROGRAM = `format: elbowroom-scene/1
robot: ur5e
tcp: {link: tool0, xyz: [0, 0, 30 mm]}
start: [-1.43, -1.38, 2.1, -2.29, 1.57, 0]
steps:
  - {line: {by: [0, 0, 50 mm], rpy: [0.1, 0, 0]}, constraints: [{type: tilt, axis: [0, 0, 1], towards: [0, 0, 1], within: 20 deg}]}
  - line: {by: [60 mm, 0, 0], rpy: [-0.1, 0, 0]}
    blend: 10 mm
    constraints: [{type: region, shape: {type: convex, points: [[-1, -1, 0], [1, -1, 0], [0, 1, 0]], margin: 20 mm}, pose: {xyz: [0.1, -0.4, 0.5]}}]
  - line: {by: [0, 0, -30 mm]}
    constraints: [{type: orientation, quat_wxyz: [1, 0, 0, 0], within: [20 deg, 20 deg, 20 deg]}]
  - arc: {via: {xyz: [0.3, -0.43, 0.47]}, to: {xyz: [0.33, -0.4, 0.48]}}
    constraints: [{type: region, shape: {type: sphere, radius: 0.2}, pose: {xyz: [0.28, -0.4, 0.4]}}]
`;

/** The constraint as the oracle measures it, and with another limit; that of the flat region is its height. */
function limited(given: PathConstraint): { plain: PathConstraint; at: (limit: number) => PathConstraint } {
  if (given.type === 'tilt') return { plain: { ...given, within: 0 }, at: (within) => ({ ...given, within }) };
  if (given.type === 'orientation')
    return {
      plain: { ...given, within: [0, 0, 0] },
      at: (limit) => ({ ...given, within: [limit, limit, limit] }),
    };
  assert(given.type === 'region');
  if (given.shape.type === 'sphere')
    return {
      plain: { ...given, shape: { type: 'sphere', radius: 0 } as never },
      at: (radius) => ({ ...given, shape: { type: 'sphere', radius } as never }),
    };
  return {
    plain: { ...given, shape: { type: 'box', size: [9, 9, 0] } as never },
    at: (margin) => ({ ...given, shape: { ...given.shape, margin } }),
  };
}

test('constraints of lines and arcs are proved up to their largest value, and refused below it', async () => {
  const { scene, robot } = await loadScene(put('lines.yaml', PROGRAM));
  const model = createSceneRobot({ scene, robot });
  const { trajectory, certificate, reason } = planProgram({ scene, robot, model }, { certificate: true });
  assert(trajectory && certificate, reason);
  const judge = (changed: Scene) => ({
    proved: verifyProgram(certificate, model, changed, trajectory).proved,
    valid: checkProgram(model, changed, trajectory, { checker: 'growth-distance' }).valid,
  });
  expect(judge(scene)).toEqual({ proved: true, valid: true });

  const tool = poseOf({ xyz: [0, 0, 0.03], quat_wxyz: [1, 0, 0, 0] });
  for (const [k, { from, to }] of trajectory.segments!.entries()) {
    const { plain, at } = limited((scene.steps![k] as MotionStep).constraints[0]);
    const value = (t: number) => oracleExcess(plain, poseAt(robot, trajectory, 'tool0', tool, t));
    const { best } = largest(value, from, to, 400);
    expect(best).toBeGreaterThan(1e-3);
    const withLimit = (limit: number): Scene => ({
      ...scene,
      steps: scene.steps!.map((step, i) => (i === k ? ({ ...step, constraints: [at(limit)] } as typeof step) : step)),
    });
    expect(judge(withLimit(best - 1e-6)), `step ${k}: ${best}`).toEqual({ proved: false, valid: false });
    expect(judge(withLimit(best + 1e-4)), `step ${k}: ${best}`).toEqual({ proved: true, valid: true });
  }
});
