import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, test } from 'vitest';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import { refuseUnsupported } from '../../src/host/cli/plan/planProblems.ts';
import { planMotion } from '../../src/tasks/planning/planMotion.ts';
import { linkGeometries } from '../../src/tasks/robots/linkGeometry.ts';
import { at, body, joint, link, robotOf } from '../core/certificate/worlds.ts';
import { elbowroom, posts, temporaryFolder } from '../host/cli/run.ts';
import { sceneOf } from '../tasks/planning/infeasibility/planarScenes.ts';

test('that capsules around the links are enclosed is no proof for the links: refused, since a bar passes the ball', () => {
  const model = robotOf(
    [link('base'), link('bar', [{ type: 'box', size: [0.1, 0.1, 0.5] }])],
    [joint('prismatic', ['base', 'bar'], [0, 1, 0], { lower: -1, upper: 1, velocity: 1, acceleration: 1 })],
  );
  const scene = sceneOf([-0.9], [0.9], [body('ball', at(0.062, 0, 0), { type: 'sphere', radius: 0.011 })]);
  const robot = linkGeometries.pills.of(model.description);
  const enclosing = { robot, model: createRobotModel(robot), scene };
  assert.equal(planMotion({ robot: model.description, model, scene }).status, 'solved');
  assert.equal(planMotion(enclosing, { infeasible: true }).status, 'infeasible');
  const given = { model: 'pills', infeasible: true };
  assert.throws(() => refuseUnsupported(given, undefined, [enclosing]), /--infeasible: --model pills encloses/);
  refuseUnsupported({ ...given, infeasible: false }, undefined, [enclosing]);
  refuseUnsupported({ ...given, model: 'hulls' }, undefined, [enclosing]);
});

test('verify --any-start refuses a proof that no motion exists from the start of the scene', async () => {
  const file = join(temporaryFolder(), 'no.json');
  writeFileSync(file, JSON.stringify({ format: 'elbowroom-infeasibility/1', reason: '', goals: [], walls: [] }));
  const { code, stderr } = await elbowroom(['verify', file, posts, '--any-start']);
  assert.equal(code, 2);
  assert.match(stderr, /unexpected option --any-start/);
});
