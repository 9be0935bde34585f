import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root, temporaryFolder } from './run.ts';

test('the car reaches its goal past the parked one, which it would hit on the straight way, and the picture in docs is of that drive', async () => {
  const picture = join(temporaryFolder(), 'parking.svg');
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/parking.mjs', picture], { cwd: root });
  const [, miss, gap] = /end: (\S+) off the goal; least gap: (\S+) m/.exec(stdout)!.map(Number);
  expect(miss).toBeLessThan(0.05);
  expect(gap).toBeGreaterThanOrEqual(0);
  const svg = readFileSync(picture, 'utf8');
  const way = /points="([^"]*)"/
    .exec(svg)![1]
    .split(' ')
    .map((point) => point.split(',').map(Number));
  expect(way.length).toBe(61);
  expect(way[0]).toEqual([0, 0]);
  // The goal lies straight ahead, 16 m away; half way, a parked car of 5 m by 2 m stands on that line.
  expect(Math.hypot(way[60][0] - 16, way[60][1])).toBeLessThan(0.05);
  expect(Math.max(...way.map(([, y]) => Math.abs(y)))).toBeGreaterThan(1.2);
  expect(svg.replace(/[\d.]+/g, '')).toBe(
    readFileSync(join(root, 'docs/pictures/parking.svg'), 'utf8').replace(/[\d.]+/g, ''),
  );
});
