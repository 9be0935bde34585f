import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { createStateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';
import { createMotionValidator } from '../../../src/tasks/validation/validateMotions.ts';
import { createStateValidator } from '../../../src/tasks/validation/validateStates.ts';
import { root } from '../../host/cli/run.ts';

const { scene, robot } = await loadScene('scenes/shelf.yaml');
const model = createSceneRobot({ scene, robot });
const checker = createStateValidityChecker(robot, scene);

function drawn(random: Random): number[] {
  return Array.from(checker.lower, (low, i) => random.between(low, checker.upper[i]));
}

describe('createStateValidityChecker', () => {
  test('returns the verdicts of validate for states and motions, given as lists or typed arrays', () => {
    const random = new Random(3);
    const judgeState = createStateValidator(model, scene);
    const judgeMotion = createMotionValidator(model, scene);
    let free = 0;
    for (let i = 0; i < 400; i++) {
      const q = drawn(random);
      const { valid } = judgeState(Float64Array.from(q));
      if (valid) free++;
      expect(checker.isValid(q)).toBe(valid);
      expect(checker.isValid(Float32Array.from(q))).toBe(judgeState(Float64Array.from(Float32Array.from(q))).valid);
      const to = q.map((x) => x + random.between(-0.2, 0.2));
      const motion = judgeMotion(Float64Array.from(q), Float64Array.from(to));
      expect(checker.isValidMotion(q, to)).toBe(motion.valid);
      expect(checker.judgeMotion(q, to).contact).toEqual(motion.contact);
    }
    expect(free).toBeGreaterThan(20);
    expect(free).toBeLessThan(380);
  });

  test('limits count, a value that is no number is out of them, and a wrong length is refused', () => {
    const q = [-0.558, -0.925, 1.257, -0.314, 1.012, 1.571];
    const beyond = [...q.slice(0, 5), 7];
    expect(checker.isValid(q)).toBe(true);
    expect(checker.isValid(beyond)).toBe(false);
    expect(checker.isValid([...q.slice(0, 5), Number.NaN])).toBe(false);
    expect(checker.isValidMotion(q, beyond)).toBe(false);
    expect(checker.isValidMotion(beyond, q)).toBe(false);
    expect(() => checker.isValid(q.slice(1))).toThrow(/5 values, the robot has 6 planned joints/);
    expect(() => checker.isValidMotion(q, [])).toThrow(/0 values/);
  });

  test('where the clearance has a gradient, small steps change it by that much', () => {
    const random = new Random(8);
    const step = 1e-6;
    let compared = 0;
    for (let i = 0; i < 60; i++) {
      const q = drawn(random);
      const { distance, pair, gradient, differentiable } = checker.clearance(q, { gradient: true });
      expect(distance).toBeCloseTo(checker.clearance(q).distance, 9);
      expect(pair).toEqual(checker.clearance(q).pair);
      if (!differentiable) continue;
      compared++;
      const at = (t: number, k: number) => checker.clearance(q.map((x, j) => (j === k ? x + t : x))).distance;
      for (const [k, slope] of gradient.entries()) {
        expect(Math.abs((at(step, k) - at(-step, k)) / (2 * step) - slope)).toBeLessThan(1e-4);
      }
    }
    expect(compared).toBeGreaterThan(40);
  });

  test('an obstacle put somewhere else is there, for this checker alone', () => {
    const q = [-0.558, -0.925, 1.257, -0.314, 1.012, 1.571];
    const own = createStateValidityChecker(robot, scene);
    const { distance } = own.clearance(q);
    own.moveObstacle('board_1', { xyz: [0.3, 0, 0.4], quat_wxyz: [1, 0, 0, 0] });
    expect(own.isValid(q)).toBe(false);
    expect(own.clearance(q).distance).toBeLessThan(0);
    expect(checker.clearance(q).distance).toBe(distance);
    expect(() => own.moveObstacle('bord_1', { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] })).toThrow(/no obstacle/);
  });

  test('half a million states make no garbage', () => {
    // With a nursery of 1 MB, as little as 16 bytes a state would be collected eight times.
    const program = join(root, `node_modules/.cache/elbowroom-garbage-${process.pid}.mjs`); // finds packages and robots from here
    buildSync({
      stdin: { contents: askHalfAMillion, resolveDir: root, loader: 'ts' },
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile: program,
      packages: 'external',
    });
    const text = execFileSync(process.execPath, ['--trace-gc', '--max-semi-space-size=1', program], {
      cwd: root,
      encoding: 'utf8',
    });
    rmSync(program);
    const [, between] = /begin\n([\s\S]*)end /.exec(text) ?? [];
    expect(between?.match(/Scavenge|Mark-Compact/g) ?? []).toHaveLength(0);
    expect(text).toMatch(/Scavenge/); // the trace was on
  });
});

const askHalfAMillion = `
import { loadScene } from './src/host/node/files.ts';
import { createStateValidityChecker } from './src/tasks/validation/stateValidityChecker.ts';
const { scene, robot } = await loadScene('scenes/shelf.yaml');
const checker = createStateValidityChecker(robot, scene);
const states = Array.from({ length: 1000 }, (_, i) =>
  Float64Array.from(checker.lower, (low, k) => low + ((i * (k + 7) * 0.6180339887) % 1) * (checker.upper[k] - low)));
let free = 0;
const ask = (count: number) => { for (let i = 0; i < count; i++) if (checker.isValid(states[i % 1000])) free++; };
ask(100_000);
await new Promise((resolve) => setTimeout(resolve, 300));
console.log('begin');
ask(500_000);
console.log('end', free);
`;
