import { expect, test } from 'vitest';
import { readPair } from '../../src/formats/streams/pairs.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { createConstraintCheck } from '../../src/tasks/checking/constraintFaults.ts';
import { StopSearch } from '../../src/tasks/forces/stopSearch.ts';
import { PoseRows } from '../../src/tasks/queries/poseRows.ts';
import { stoppingGaps } from '../../src/tasks/queries/queryOptions.ts';
import { createPairQuery, createPairSolver } from '../../src/tasks/queries/queryPairs.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { stopScene } from '../tasks/forces/stopAttack.ts';
import { stoppable } from '../tasks/forces/stopOracle.ts';

test('rows of poses state no lower bound that exceeds a depth, whatever the gap at which the solver stops', () => {
  // With a gap of 0.5, the stated depth of these boxes exceeds that of a converged query by up to 0.37 m, without a
  // warning: rows stated it as the lower bound, too.
  const quaternion = [0.8, 0.36, 0.48, 0] as const;
  const a = { shape: { type: 'box', size: [1, 2, 0.6] } };
  const b = { shape: { type: 'box', size: [1, 0.3, 2] } };
  const places = Array.from({ length: 40 }, (_, i) => [0.02 * i, 0.006 * i, 0.1] as const);
  const converged = createPairQuery({ solver: 'epa', what: 'depth', gap: undefined, warm: false });
  const depths = places.map(
    (xyz) => converged(readPair({ a: { ...a, pose: { xyz, quat_wxyz: quaternion } }, b })).depth!,
  );
  const numbers = places.flatMap((xyz) => [...xyz, ...quaternion, 0, 0, 0, 1, 0, 0, 0]);
  for (const gaps of [{ gap: 0.5 }, { gap: undefined, absoluteGap: 0.3 }, { gap: undefined }]) {
    const options = { solver: 'epa', what: 'depth', warm: false, ...gaps } as const;
    for (const stated of [stoppingGaps(options), undefined]) {
      const rows = new PoseRows(readPair({ a, b }), createPairSolver(options), stated);
      const found = new Float64Array(rows.process(new Uint8Array(Float64Array.from(numbers).buffer)).buffer);
      for (const [i, depth] of depths.entries()) {
        const [lower, upper] = found.subarray(13 * i + 1, 13 * i + 3);
        expect(lower, `${JSON.stringify(gaps)} at ${places[i]}`).toBeLessThanOrEqual(depth);
        expect(upper).toBeGreaterThanOrEqual(depth * (1 - 1e-9));
        if (stated && gaps.gap === undefined && !('absoluteGap' in gaps)) expect(lower).toBeCloseTo(depth, 9);
      }
    }
  }
});

test('a measure of a stop that is no number is no bound: as a value, NaN was not above the worst one, and was kept', () => {
  const { robot, motion, link } = stoppable(1, 1.2);
  const search = new StopSearch(robot, stopScene(link, false), motion, () => false);
  expect(search.worst(() => Number.NaN).value).toBe(Number.POSITIVE_INFINITY);
  expect(search.worst(() => Number.NaN, 1).value).toBe(Number.POSITIVE_INFINITY);
  expect(search.worst(search.time).value).toBeLessThan(Number.POSITIVE_INFINITY);
});

test('the check of constraints refuses limits of stops, which it does not judge, instead of keeping them', async () => {
  const { scene, robot } = await loadScene('scenes/table-top.yaml');
  const model = createSceneRobot({ scene, robot });
  for (const type of ['stopping_time', 'stopping_distance'] as const)
    expect(() => createConstraintCheck(model, { ...scene, constraints: [{ type, most: 1e-3 }] })).toThrow(type);
});
