import { expect, test } from 'vitest';
import { certifyLines } from './certifyLines.ts';

// Short version of scripts/certify-lines.mjs.
test.each([
  ['ur5e', 'tool0', 20],
  ['ur10e', 'tool0', 15],
  ['arm7', 'flange', 15],
])(
  'random lines of %s are proved and within the tolerance at every sample, or refused and not feasible',
  async (robot, link, count) => {
    const { proved, wrong, missed, refused } = await certifyLines(robot, link, count, 5);
    expect(wrong).toEqual([]);
    expect(missed).toEqual([]);
    expect(proved).toBeGreaterThan(count / 2);
    expect(refused['not timed']).toBeUndefined();
  },
  60_000,
);
