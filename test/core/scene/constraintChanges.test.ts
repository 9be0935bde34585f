import { expect, test } from 'vitest';
import { type ConstraintChanges, withChangedConstraints } from '../../../src/core/scene/constraintChanges.ts';
import type { PathConstraint } from '../../../src/core/scene/constraints.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';

const tilt: PathConstraint = { type: 'tilt', name: 'cup', axis: [0, 0, 1], towards: [0, 0, 1], within: 1 };
const level: PathConstraint = { type: 'orientation', quat_wxyz: [1, 0, 0, 0], within: [1, 1, 1] };
const slow: PathConstraint = { type: 'speed', most: 1 };
const elbow: PathConstraint = { type: 'joint', joint: 'elbow', range: [0, 1] };
const wait = { kind: 'wait', index: 1, duration: 1 };
const move = { kind: 'move', index: 0, goals: [], constraints: [tilt, slow] };
const scene = { name: 's', constraints: [tilt, level, elbow], steps: [move, wait] } as unknown as Scene;

test('changes and removals apply to the scene and its steps, and to nothing else', () => {
  expect(withChangedConstraints(scene, { cup: { within: 0.5 }, speed: null })).toEqual({
    name: 's',
    constraints: [{ ...tilt, within: 0.5 }, level, elbow],
    steps: [{ ...move, constraints: [{ ...tilt, within: 0.5 }] }, wait],
  });
  expect(withChangedConstraints(scene, 'none')).toEqual({
    name: 's',
    constraints: [],
    steps: [{ ...move, constraints: [] }, wait],
  });
  const changes: ConstraintChanges = { orientation: { within: [0.1, 0.2, 0.3] }, joint: { range: [0, 0.5] } };
  expect(withChangedConstraints(scene, changes).constraints).toEqual([
    tilt,
    { ...level, within: [0.1, 0.2, 0.3] },
    { ...elbow, range: [0, 0.5] },
  ]);
});

test.each<[ConstraintChanges, string]>([
  [{ cap: null }, 'scene "s" has no constraint "cap"'],
  [{ tilt: null }, 'scene "s" has no constraint "tilt"'], // it is called "cup"
  [{ constructor: null }, 'scene "s" has no constraint "constructor"'],
  [{ cup: { most: 1 } }, 'constraint "cup" is of type tilt, which has no limit "most"'],
  [{ cup: { within: [1, 1, 1] } }, 'constraint "cup" is of type tilt: within must be one angle'],
  [{ orientation: { within: 1 } }, 'constraint "orientation" is of type orientation: within must be three angles'],
  [{ speed: { most: Number.NaN } }, 'constraint "speed": most must be at least 0'],
  [{ joint: { range: [1, 0] } }, 'constraint "joint": range must be two numbers'],
])('%j is refused', (changes, message) => {
  expect(() => withChangedConstraints(scene, changes)).toThrow(message);
});
