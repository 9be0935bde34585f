import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadScene } from '../../../src/host/node/files.ts';
import { randomPlan } from './randomPlans.ts';

const load = (name: string) => loadScene(fileURLToPath(new URL(`../../../scenes/${name}.yaml`, import.meta.url)));
const worlds = await Promise.all(['waiter', 'arm7-alcove'].map(load));

/** `node scripts/attack-constraints.mjs --count N` plans more. */
const PLANS = 60;

test('no sample of plans under random constraints violates them, whatever the planner', () => {
  const plans = Array.from({ length: PLANS }, (_, i) => randomPlan(worlds, i + 1));
  const solved = plans.filter(({ status }) => status === 'solved');
  expect(solved.length).toBeGreaterThan(PLANS / 8);
  for (const { worst, problem, options } of solved)
    expect(worst, JSON.stringify([problem.scene, options])).toBeLessThanOrEqual(2e-9);
});
