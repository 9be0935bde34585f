import { describe, expect, test } from 'vitest';
import type { Scene } from '../../src/core/scene/scene.ts';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { InputError } from '../../src/errors.ts';
import { binaryFormats, contentOf, writers } from '../../src/formats/trajectories/index.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { Gate } from '../../src/tasks/gate/gate.ts';
import { checkReport } from '../../src/tasks/reports/checkReport.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';

// Motions may take 68 years. What divides them into equal intervals of time ran out of memory: the proof of torques
// (also of a gate, within its budget), the samples of margins, and formats that sample the motion.
const { scene: table, robot } = await loadScene('scenes/table-top.yaml');
const model = createSceneRobot({ scene: table, robot });
const [from, to] = [
  [0, -1.5, 1.5, -1.5, -1.5, 0],
  [0.1, -1.4, 1.5, -1.5, -1.5, 0],
];
const empty: Scene = { ...table, obstacles: [], allow: [], start: from, goals: [] };
const still = from.map(() => 0);
const points = (end: number) => [
  { positions: from, velocities: still, time_from_start: 0 },
  { positions: to, velocities: still, time_from_start: end },
];
const long: Trajectory = { jointNames: model.variables.map(({ name }) => name), points: points(2147483647) };

describe('a motion of 68 years', () => {
  const check = (scene: Scene) =>
    checkReport(model, scene, long, { checker: 'growth-distance', place: 'motion' }).report;

  test('is checked against limits of torque', () => {
    const { valid, limit_ratios: ratios } = check({ ...empty, torque: { scale: 1 } });
    expect(valid).toBe(true);
    expect(ratios!.torque).toBeGreaterThan(0.05);
  });

  test('has margins of its constraints', () => {
    const { valid, margins } = check({
      ...empty,
      constraints: [{ type: 'joint', name: 'lift', joint: model.variables[1].name, range: [-1.6, -1.3] }],
    });
    expect(valid).toBe(true);
    expect(margins!.lift).toBeCloseTo(0.1, 6);
  });

  test('is not written in formats that sample it', async () => {
    const setting = { robot: model, scene: empty };
    expect(() => writers.urscript.write(long, setting)).toThrow(InputError);
    await expect(binaryFormats.mcap.encode(long, setting)).rejects.toThrow(/107374182\d+ samples of 0.02 s/);
  });
});

test('a motion that is longer than readers accept is not written', async () => {
  const motion = { ...long, points: points(1e11) };
  const written = contentOf(writers.json, motion, { robot: model, scene: empty });
  await expect(written).rejects.toThrow('the motion takes 100000000000 s, which exceeds the bound of 2147483647 s');
});

test('a gate judges the torques of a proposal of ten days, within its budget', () => {
  const proposed = (budget: number) =>
    new Gate({ scene: { ...empty, torque: { scale: 1 } }, robot }, { budget }).propose(
      0,
      points(9e5).map(({ time_from_start: time, ...one }) => ({ ...one, time: time + 0.1 })),
    );
  expect(proposed(1e6).verdict).toBe('accepted');
  expect(proposed(20)).toMatchObject({ verdict: 'refused', reason: expect.stringContaining('budget') });
});
