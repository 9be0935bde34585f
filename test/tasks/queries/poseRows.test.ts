import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { readPair } from '../../../src/formats/streams/pairs.ts';
import { PoseRows } from '../../../src/tasks/queries/poseRows.ts';
import { createPairQuery, createPairSolver } from '../../../src/tasks/queries/queryPairs.ts';

const a = { shape: { type: 'ellipsoid', radii: [1, 2, 0.5] } };
const b = { shape: { type: 'box', size: [1, 0.3, 2] } };
const options = { solver: 'gjk', what: 'distance', gap: undefined, warm: false } as const;
const query = createPairQuery(options);

function randomPose(random: Random): number[] {
  const quaternion = Array.from({ length: 4 }, () => random.between(-1, 1));
  return [
    ...Array.from({ length: 3 }, () => random.between(-2, 2)),
    ...quaternion.map((part) => part / Math.hypot(...quaternion)),
  ];
}

test('rows of poses have the results of the same pairs as JSON', () => {
  const random = new Random(473);
  const poses = Array.from({ length: 200 }, () => [randomPose(random), randomPose(random)] as const);
  const rows = new PoseRows(readPair({ a, b }), createPairSolver(options));
  const found = new Float64Array(rows.process(new Uint8Array(Float64Array.from(poses.flat(2)).buffer)).buffer);
  for (const [i, [p, q]] of poses.entries()) {
    const pose = (given: readonly number[]) => ({ xyz: given.slice(0, 3), quat_wxyz: given.slice(3) });
    const { status, distance, normal, witnessA, witnessB, iterations } = query(
      readPair({ a: { ...a, pose: pose(p) }, b: { ...b, pose: pose(q) } }),
    );
    const nan = [Number.NaN, Number.NaN, Number.NaN];
    const expected = [distance!.lower, distance!.upper, ...(normal ?? nan), ...witnessA!, ...witnessB!, iterations];
    expect(Array.from(found.subarray(13 * i + 1, 13 * (i + 1)))).toEqual(expected);
    expect(['separated', 'touching', 'colliding', 'undecided'][found[13 * i]]).toBe(status);
  }
  expect([rows.read, rows.unreadable]).toEqual([200, 0]);
});

test('rows without valid poses are unreadable, and have no result', () => {
  const pose = [0, 0, 0, 1, 0, 0, 0];
  const wrong = [0, 2, 3].flatMap((index) =>
    [Number.NaN, Number.POSITIVE_INFINITY, 1e9].map((value) => pose.with(index, value)),
  );
  const numbers = wrong.flatMap((one) => [...pose, ...one, ...one, ...pose]);
  const rows = new PoseRows(readPair({ a, b }), createPairSolver(options));
  const bytes = new Uint8Array(Float64Array.from([...numbers, ...pose]).buffer); // the last row is incomplete
  const found = new Float64Array(rows.process(bytes).buffer);
  expect([rows.read, rows.unreadable]).toEqual([0, 2 * wrong.length + 1]);
  for (let i = 0; i < rows.unreadable; i++) expect(found[13 * i]).toBe(4);
  expect(found.filter((value) => !Number.isNaN(value))).toHaveLength(rows.unreadable);
});
