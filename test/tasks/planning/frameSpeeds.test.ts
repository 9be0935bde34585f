import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { few } from '../../cases.ts';
import { configurationAt } from '../../core/certificate/constraints/plainCurves.ts';
import { linkPose } from '../../core/constraints/constraintOracle.ts';
import { temporaryFolder } from '../../host/cli/run.ts';

// Speeds by central differences of positions from plain kinematics.

const folder = temporaryFolder();
const START = '[-1.43, -1.38, 2.1, -2.29, 1.57, 0]';
const GOAL = '[-0.05, -1.1, 1.7, -2.17, 1.57, 0]';
const POSTS = '{name: post, type: box, size: [0.1, 0.1, 0.8], pose: {xyz: [0.55, -0.35, 0.4]}}';
const lines = (blend: string) =>
  `steps: [{move: ${GOAL}${blend}}, {line: {by: [0, 0.1, 0]}${blend}}, {line: {by: [0, 0, 0.1]}, constraints: [{type: speed, most: 0.03}]}]`;

const tasks: Readonly<Record<string, string>> = {
  'a motion': `goal: ${GOAL}\nobstacles: [${POSTS}]`,
  'a program that stops': `obstacles: []\n${lines('')}`,
  'a program with blends': `obstacles: []\n${lines(', blend: 10 mm')}`,
  'a motion among moving obstacles': `goal: ${GOAL}\nobstacles: [{name: box, type: box, size: [0.1, 0.1, 0.1], motion: {times: [0, 2], poses: [{xyz: [1, 1, 1]}, {xyz: [1, 1, 1.2]}]}}]`,
};

const limits: Readonly<Record<string, number>> = { wrist_1_link: 0.08, forearm_link: 0.06, tool0: 0.11 };

async function planned(task: string) {
  const file = join(folder, 'scene.yaml');
  const constraints = Object.entries(limits).map(([link, most]) =>
    link === 'tool0' ? `{type: speed, most: ${most}}` : `{type: speed, most: ${most}, frame: {link: ${link}}}`,
  );
  const head = `format: elbowroom-scene/1\nrobot: ur5e\ntcp: {link: tool0}\nstart: ${START}\n`;
  writeFileSync(file, `${head}constraints: [${constraints.join(', ')}]\n${tasks[task]}\n`);
  const { scene, robot } = await loadScene(file);
  return { robot, result: planScene({ scene, robot }, { certificate: true }) };
}

describe('plans keep the speed limits of several frames, and reach one', () => {
  test.each(few(Object.keys(tasks), ['a motion', 'a program with blends']))('%s', async (task) => {
    const { robot, result } = await planned(task);
    expect([result.status, result.reason]).toEqual(['solved', expect.anything()]);
    expect(result.certificate).toBeDefined();
    const trajectory = result.trajectory as Trajectory;
    const end = trajectory.points.at(-1)!.time_from_start!;
    const h = 1e-4;
    const at = (link: string, t: number) => {
      const q = configurationAt(trajectory, t);
      return linkPose(robot, new Map(trajectory.jointNames.map((name, j) => [name, q[j]])), link).p;
    };
    let share = 0;
    for (const [link, limit] of Object.entries(limits))
      for (let t = h; t < end - h; t += 0.02) {
        const [a, b] = [at(link, t - h), at(link, t + h)];
        const speed = Math.hypot(...a.map((x, i) => b[i] - x)) / (2 * h);
        share = Math.max(share, speed / limit);
        expect(speed, `${link} at ${t}`).toBeLessThanOrEqual(limit * (1 + 1e-5));
      }
    expect(share).toBeGreaterThan(0.97);
    const last = trajectory.segments?.at(-1);
    for (let t = (last?.from ?? end) + 0.01; t < end - h; t += 0.02) {
      const [a, b] = [at('tool0', t - h), at('tool0', t + h)];
      expect(Math.hypot(...a.map((x, i) => b[i] - x)) / (2 * h)).toBeLessThanOrEqual(0.03 * (1 + 1e-5));
    }
  });
});
