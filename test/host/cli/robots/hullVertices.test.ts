import { expect, test } from 'vitest';
import { elbowroom } from '../runHere.ts';

test('robot --hull-vertices: hulls of so many corners, none smaller than the true ones, and what that adds', async () => {
  const [whole, few] = await Promise.all(
    [[], ['--hull-vertices', '12']].map(async (more) => {
      const { code, stdout, stderr } = await elbowroom(['robot', 'ur5e', '--json', ...more]);
      expect(code).toBe(0);
      return { links: JSON.parse(stdout).links, stderr };
    }),
  );
  expect(few.stderr).toMatch(
    /warning: hulls of at most 12 vertices: \d+ vertices became \d+, volume grew by \d+\.\d %, \d+\.\d mm maximum excess/,
  );
  for (const [i, link] of few.links.entries()) {
    expect(link.hull_vertices).toBeLessThanOrEqual(12 * Math.max(1, link.collisions));
    expect(link.volume).toBeGreaterThanOrEqual(whole.links[i].volume);
    for (const k of [0, 1, 2]) {
      if (link.bounds === null) continue;
      expect(link.bounds.min[k]).toBeLessThanOrEqual(whole.links[i].bounds.min[k]);
      expect(link.bounds.max[k]).toBeGreaterThanOrEqual(whole.links[i].bounds.max[k]);
    }
  }
});
