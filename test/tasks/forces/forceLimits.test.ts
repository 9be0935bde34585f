import { assert, expect, test } from 'vitest';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { verifyProgram } from '../../../src/core/certificate/verifyProgram.ts';
import type { ForceConstraint } from '../../../src/core/scene/constraints.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { rateExcessOf } from '../../../src/tasks/checking/rateLimits.ts';
import { refuseForces } from '../../../src/tasks/forces/torqueCheck.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { checkReport } from '../../../src/tasks/reports/checkReport.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { check } from '../programs/plannedProgram.ts';
import { attackForceLimit } from './forceLimitAttack.ts';

test('no motion is accepted that exceeds a limit of momentum or power at a sample, and those 2 % below are', () => {
  const cases = Number(process.env.FORCE_CASES ?? 5);
  const first = Number(process.env.FORCE_SEED ?? 1);
  const wrong: string[] = [];
  let [proved, changes] = [0, 0];
  for (let seed = first; seed < first + cases; seed++)
    for (const type of ['momentum', 'power'] as const) {
      const { factor, isProved, isVerified, ...all } = attackForceLimit(seed, type, cases > 100 ? 2000 : 200);
      const place = `seed ${seed}, ${type} limited to ${factor}`;
      if ((isProved || isVerified) && factor < (cases > 100 ? 1 : 0.995)) wrong.push(`${place}: accepted`);
      if (!(isProved && isVerified) && factor >= 1.02) wrong.push(`${place}: ${isProved}, ${isVerified}`);
      if (all.accepted > 0) wrong.push(`${place}: a change was accepted`);
      // A margin is a lower bound, 0 for a value that exceeds a proved limit within its tolerance of 1e-6.
      if (all.surplus > 2e-6) wrong.push(`${place}: the margin is too large by ${all.surplus} of the limit`);
      if (all.surplus < (cases > 100 ? -3e-3 : -2e-2)) wrong.push(`${place}: the margin is loose: ${all.surplus}`);
      if (isProved && isVerified) proved++;
      changes += all.changes;
    }
  if (cases > 100) console.log({ proved, changes });
  expect(wrong).toEqual([]);
  expect(proved).toBeGreaterThan(cases / 3);
  expect(changes).toBeGreaterThan(cases);
});

test('a program keeps a limit of momentum, and breaks it with a heavier part only while that is carried', async () => {
  const { scene, robot } = await loadScene('test/tasks/programs/pickAndPlace.yaml');
  const model = createSceneRobot({ scene, robot });
  const limited = (mass: number): Scene => ({
    ...scene,
    constraints: [...(scene.constraints ?? []), { type: 'momentum', most: 6 }],
    obstacles: scene.obstacles.map((one) =>
      one.name === 'block'
        ? { ...one, inertial: { mass, center: [0, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }
        : one,
    ),
  });
  const light = limited(1);
  const { trajectory, certificate, reason } = planProgram({ scene: light, robot, model }, { certificate: true });
  assert(trajectory && certificate, reason);
  expect(verifyProgram(certificate, model, light, trajectory).problems).toEqual([]);
  const heavy = limited(30);
  const [attach, detach] = ['attach', 'detach'].map((kind) => scene.steps!.find((step) => step.kind === kind)!.index);
  const { stepFaults } = check({ model, scene: heavy }, trajectory);
  const broken = stepFaults.filter(({ what }) => what.includes('"momentum" is violated')).map(({ step }) => step);
  expect(broken.length).toBeGreaterThan(1);
  for (const index of broken) expect(attach < index && index < detach, `step ${index}`).toBe(true);
  const problems = verifyProgram(certificate, model, heavy, trajectory).problems.filter((one) => /momentum/.test(one));
  expect(problems.length).toBeGreaterThan(0);
});

test('a plan takes longer within limits of momentum and power, and verify proves both', async () => {
  const { scene, robot } = await loadScene('scenes/table-top.yaml');
  const constraints: ForceConstraint[] = [
    { type: 'momentum', most: 5 },
    { type: 'power', most: 40 },
  ];
  const limited = { ...scene, constraints };
  const model = createSceneRobot({ scene, robot });
  const [free, slow] = [scene, limited].map((one) => planScene({ scene: one, robot }, { certificate: true }));
  expect(slow.stats.duration!).toBeGreaterThan(free.stats.duration!);
  expect(verifyCertificate(slow.certificate!, model, limited, slow.trajectory!).problems).toEqual([]);
  const own = verifyCertificate(free.certificate!, model, limited, free.trajectory!).problems;
  expect(own.filter((one) => /"(momentum|power)" is violated/.test(one)).length).toBe(2);
  const { margins } = checkReport(model, limited, slow.trajectory!, { checker: 'growth-distance', place: 't' }).report;
  expect(Math.min(margins!.momentum / 5, margins!.power / 40)).toBeGreaterThanOrEqual(-1e-6);
  expect(Math.min(margins!.momentum / 5, margins!.power / 40)).toBeLessThan(5e-3);
});

test('watches, coordinate and recertify refuse limits of momentum and power', () => {
  const constraints: ForceConstraint[] = [{ type: 'power', most: 40 }];
  expect(() => refuseForces({ constraints }, 'watch')).toThrow('limits power, which watch does not judge');
});

test('a limit of power is not proved where the velocity jumps, as between set points', async () => {
  const { scene, robot } = await loadScene('scenes/table-top.yaml');
  const model = createSceneRobot({ scene, robot });
  const q = [0, -1.5, 1.5, -1.5, -1.5, 0];
  const points = [0, 1, 2].map((time) => ({ time_from_start: time, positions: q.map((x) => x + 0.01 * time * time) }));
  const curve = new TrajectoryCurve({ jointNames: model.variables.map(({ name }) => name), points });
  const worst = rateExcessOf(model, { type: 'power', most: 1e6 }, scene)(curve);
  expect(worst).toEqual({ value: Number.POSITIVE_INFINITY, time: 0 });
  expect(rateExcessOf(model, { type: 'momentum', most: 1e6 }, scene)(curve)).toBe(undefined);
  // No margin of power is stated either, since none bounds it.
  const constraints: ForceConstraint[] = [
    { type: 'power', most: 1e6 },
    { type: 'momentum', most: 1e6 },
  ];
  const jointNames = model.variables.map(({ name }) => name);
  const options = { checker: 'growth-distance', place: 't' } as const;
  for (const setPoints of [false, true]) {
    const motion = { jointNames, points, ...(setPoints && { setPoints }) };
    const { report } = checkReport(model, { ...scene, constraints }, motion, options);
    expect(report).toMatchObject({ valid: false, constraints: ['power'] });
    expect(Object.keys(report.margins!)).toEqual(['momentum']);
  }
});
