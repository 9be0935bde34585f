import { describe, expect, test } from 'vitest';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { Random } from '../../../src/core/math/random.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { StateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';

const { scene: waiter, robot } = await loadScene('scenes/waiter.yaml');
const model = createSceneRobot({ scene: waiter, robot });
/** Obstacles do not matter here. */
const empty = { ...waiter, obstacles: [], allow: [] };
const within = 0.4;
const scene = {
  ...empty,
  constraints: [
    { type: 'tilt', name: 'upright', axis: [0, 0, 1], towards: [0, 0, 1], within },
    { type: 'joint', name: 'pan', joint: 'shoulder_pan_joint', range: [-1.8, 0.4] },
  ],
} as const;
const checker = new StateValidityChecker(model, scene);
const unconstrained = new StateValidityChecker(model, { ...empty, constraints: [] });
const state = new RobotState(model);
const tool = model.links.findIndex(({ name }) => name === 'tool0');

/**
 * The oracle: tilt of the z axis of tool0, the frame of the TCP but for a translation, and the range of the first
 * joint.
 */
function violation(q: readonly number[]): string[] {
  forwardKinematics(state, Float64Array.from(q));
  const tilt = Math.acos(Math.min(1, state.T_world_link[tool][10]));
  return [...(tilt > within ? ['upright'] : []), ...(q[0] < -1.8 || q[0] > 0.4 ? ['pan'] : [])];
}

const random = new Random(5);
/** A state near the start of the scene, where about half of the states satisfy the constraints. */
const drawn = () => (waiter.start as number[]).map((value) => value + random.between(-0.35, 0.35));

describe('constraints of a scene', () => {
  test('states are valid where an oracle finds no violation', () => {
    const seen = new Set<boolean>();
    for (let i = 0; i < 500; i++) {
      const q = drawn();
      const isFree = unconstrained.isValid(q);
      const violated = violation(q);
      expect(checker.isValid(q), q.join()).toBe(isFree && violated.length === 0);
      expect([...checker.constraints!.violated(Float64Array.from(q))].sort()).toEqual([...violated].sort());
      seen.add(checker.isValid(q));
    }
    expect(seen.size).toBe(2);
  });

  test('a valid motion has no sample that violates one; a refused one names those that samples violate', () => {
    const counts = { valid: 0, refused: 0, betweenGoodEnds: 0 };
    for (let i = 0; i < 300; i++) {
      const [from, to] = [drawn(), drawn()];
      const samples = Array.from({ length: 401 }, (_, k) =>
        from.map((value, j) => value + (k / 400) * (to[j] - value)),
      );
      const violated = new Set(samples.flatMap(violation));
      const { valid, constraints, verdict } = checker.judgeMotion(from, to);
      expect(checker.isValidMotion(from, to)).toBe(valid);
      for (const name of violated) expect(constraints).toContain(name);
      if (violated.size === 0 && verdict === 'certified') expect(constraints!.length === 0).toBe(valid);
      if (valid) counts.valid++;
      if (violated.size > 0) {
        expect(valid).toBe(false);
        counts.refused++;
        if (violation(from).length === 0 && violation(to).length === 0) counts.betweenGoodEnds++;
      }
    }
    expect(counts.valid).toBeGreaterThan(20);
    expect(counts.refused).toBeGreaterThan(20);
  });
});
