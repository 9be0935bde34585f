import { describe, expect, test } from 'vitest';
import { decompose } from '../../../src/core/hulls/decomposition.ts';
import { hullGap } from '../../../src/core/hulls/hullGap.ts';
import { partsCover } from '../../helpers/partsCover.ts';

type Corner = readonly [number, number, number];

/** Returns two triangles of a rectangle with sides u and v from a vertex. */
function sheet([x, y, z]: Corner, u: Corner, v: Corner): number[] {
  const at = (i: number, j: number) => [x + i * u[0] + j * v[0], y + i * u[1] + j * v[1], z + i * u[2] + j * v[2]];
  return [...at(0, 0), ...at(1, 0), ...at(1, 1), ...at(0, 0), ...at(1, 1), ...at(0, 1)];
}

/** Returns the six faces of a box, closed. */
function block([x, y, z]: Corner, [a, b, c]: Corner): number[] {
  return [
    ...sheet([x, y, z], [0, b, 0], [a, 0, 0]),
    ...sheet([x, y, z + c], [a, 0, 0], [0, b, 0]),
    ...sheet([x, y, z], [a, 0, 0], [0, 0, c]),
    ...sheet([x, y + b, z], [0, 0, c], [a, 0, 0]),
    ...sheet([x, y, z], [0, 0, c], [0, b, 0]),
    ...sheet([x + a, y, z], [0, b, 0], [0, 0, c]),
  ];
}

/** Returns a channel of sheets: web and two flanges; open at the front and at both ends. */
const channel = [
  ...sheet([0, 0, 0], [0, 0.2, 0], [0, 0, 1]),
  ...sheet([0, 0, 0], [0.3, 0, 0], [0, 0, 1]),
  ...sheet([0, 0.2, 0], [0.3, 0, 0], [0, 0, 1]),
];
/** Returns a box without its lid. */
const openBox = block([0, 0, 0], [0.4, 0.3, 0.3]).filter((_, i) => i < 18 || i >= 36);
/** Returns a palm with two fingers, all of boxes; the last triangle of each is missing. */
const gripper = [
  block([0, 0, 0], [0.1, 0.2, 0.05]),
  block([0, 0, 0.05], [0.1, 0.03, 0.12]),
  block([0, 0.17, 0.05], [0.1, 0.03, 0.12]),
].flatMap((faces) => faces.slice(0, -9));
const turnedOver = (mesh: readonly number[]) =>
  mesh.map((_, i) => mesh[i - (i % 9) + ((i % 9 < 3 ? 0 : i % 9 < 6 ? 6 : 3) + (i % 3))]);

describe('open meshes are decomposed by the distance of their hull', () => {
  test.each([
    ['a channel', channel],
    ['a channel, turned over', turnedOver(channel)],
    ['a channel with every face twice', [...channel, ...channel]],
    ['a channel with every face on both sides', [...channel, ...turnedOver(channel)]],
    ['a box without a lid', openBox],
    ['a gripper with holes', gripper],
    ['a gripper, turned over', turnedOver(gripper)],
    ['a gripper with every face twice', [...gripper, ...gripper]],
  ])('%s', async (_, mesh) => {
    const triangles = Float64Array.from(mesh);
    const { parts } = await decompose(triangles);
    const whole = await decompose(triangles, { maxParts: 1 });
    const gapOf = (hulls: typeof parts) =>
      hullGap(
        triangles,
        hulls.map((hull) => hull.points),
      );
    expect(gapOf(whole.parts)).toBeGreaterThan(0.04);
    expect(parts.length).toBeGreaterThan(1);
    expect(gapOf(parts)).toBeLessThan(0.6 * gapOf(whole.parts));
    const flat = parts.some((part) => part.volume === 0); // of a sheet: covered, but not by a part with a volume
    const covers = partsCover(
      triangles,
      parts.map((part) => part.points),
    );
    expect(covers || flat).toBe(true);
  });

  test('an open mesh that its hull fits stays one part', async () => {
    const lid = sheet([0, 0, 0.2], [0.395, 0, 0], [0, 0.3, 0]); // leaves a slit of 5 mm
    const faces = block([0, 0, 0], [0.4, 0.3, 0.2]);
    const box = Float64Array.from([...faces.slice(0, 18), ...lid, ...faces.slice(36)]);
    expect((await decompose(box)).parts).toHaveLength(1);
  });

  test('the gap of a channel is half its width, that of a box is 0', () => {
    const corners = (mesh: readonly number[]) =>
      Array.from({ length: mesh.length / 3 }, (_, i): Corner => [mesh[3 * i], mesh[3 * i + 1], mesh[3 * i + 2]]);
    expect(hullGap(Float64Array.from(channel), [corners(channel)])).toBeCloseTo(0.1, 2);
    const closed = block([0, 0, 0], [0.4, 0.3, 0.2]);
    expect(hullGap(Float64Array.from(closed), [corners(closed)])).toBeLessThan(1e-7);
  });
});
