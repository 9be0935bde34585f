import { expect, test } from 'vitest';
import { linesPastElbow } from './elbowLines.ts';

// Short version of scripts/certify-lines.mjs --elbow. Without the search, none of these lines is planned.
test.each([
  ['arm7', [11, 54]],
  ['srs7', [6, 20]],
])(
  'lines of %s that an obstacle at the elbow blocks are planned by searching the self-motion',
  async (robot, numbers) => {
    expect(await linesPastElbow(robot, 4, numbers, 2)).toEqual({ robot, lines: 2, proved: 2, wrong: [] });
  },
);
