import { expect, test } from 'vitest';
import { linesPastElbow } from './elbowLines.ts';

// Short version of scripts/certify-lines.mjs --elbow. Without the search, none of these lines is planned.
test.each([
  ['arm7', [11, 54]],
  ['srs7', [6, 20]],
])('self-motion of %s carries lines past obstacles that the elbow meets otherwise', async (robot, numbers) => {
  expect(await linesPastElbow(robot, 4, numbers, 2)).toEqual({ robot, lines: 2, proved: 2, wrong: [] });
});
