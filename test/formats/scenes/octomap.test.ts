import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { octreeBoxes } from '../../../src/formats/scenes/moveit/octomap.ts';
import { readPlanningScene } from '../../../src/formats/scenes/moveit/planningScene.ts';

const MIDDLE = 2 ** 15;

/** A node as the test builds it: undefined is unknown, a boolean is a leaf. */
type Tree = undefined | boolean | Tree[];

/** Octree of the voxels of `at`, from the root; subtrees of equal leaves are pruned if `prunes` returns true. */
function treeOf(at: ReadonlyMap<string, boolean>, prunes: () => boolean, x = 0, y = 0, z = 0, side = 2 ** 16): Tree {
  if (
    ![...at.keys()].some((key) =>
      key
        .split(' ')
        .map(Number)
        .every((k, i) => k >= [x, y, z][i] && k < [x, y, z][i] + side),
    )
  )
    return undefined;
  if (side === 1) return at.get(`${x} ${y} ${z}`);
  const half = side / 2;
  const children = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
    treeOf(at, prunes, x + (i % 2) * half, y + ((i >> 1) % 2) * half, z + (i >> 2) * half, half),
  );
  const isUniform = typeof children[0] === 'boolean' && children.every((child) => child === children[0]);
  return isUniform && prunes() ? children[0] : children;
}

/** The binary form: two bits a child, from the lowest. */
function binary(tree: Tree[]): number[] {
  const states: number[] = tree.map((child) =>
    child === undefined ? 0 : child === false ? 1 : child === true ? 2 : 3,
  );
  const bytes = [0, 4].map((from) => states.slice(from, from + 4).reduce((sum, state, i) => sum + state * 4 ** i, 0));
  return [...bytes, ...tree.flatMap((child) => (Array.isArray(child) ? binary(child) : []))];
}

/** The full form: log-odds as a float, a byte of children. Signed bytes, as ROS prints them. */
function full(tree: Exclude<Tree, undefined>): number[] {
  const value = Array.isArray(tree) ? 3 : tree ? 0 : -0.25; // of inner nodes: any
  const bytes = [...new Uint8Array(Float32Array.of(value).buffer)];
  const children = Array.isArray(tree) ? tree : [];
  const mask = children.reduce((sum: number, child, i) => sum + (child === undefined ? 0 : 2 ** i), 0);
  const own = [...bytes, mask].map((byte) => (byte > 127 ? byte - 256 : byte));
  return [...own, ...children.flatMap((child) => (child === undefined ? [] : full(child)))];
}

describe('octreeBoxes', () => {
  test.each([1, 2, 3, 4, 5, 6])(
    'covers exactly the occupied voxels, binary and full, pruned or not (seed %i)',
    (seed) => {
      const random = new Random(seed);
      const at = new Map<string, boolean>();
      const low = seed === 1 ? 0 : MIDDLE - 3; // seed 1: the least corner of the tree
      for (let x = 0; x < 6; x++)
        for (let y = 0; y < 6; y++)
          for (let z = 0; z < 6; z++)
            if (random.next() < 0.9) at.set(`${low + x} ${low + y} ${low + z}`, random.next() < 0.15 * seed);
      const tree = treeOf(at, () => random.next() < 0.7) as Tree[];
      const resolution = 0.25; // exact
      for (const [isBinary, data] of [
        [true, binary(tree)],
        [false, full(tree)],
      ] as const) {
        const boxes = octreeBoxes({ binary: isBinary, id: 'OcTree', resolution, data });
        let volume = 0;
        for (const { size } of boxes) volume += (size[0] * size[1] * size[2]) / resolution ** 3;
        expect(volume).toBe([...at.values()].filter((occupied) => occupied).length);
        for (const [key, occupied] of at) {
          const center = key.split(' ').map((k) => (Number(k) - MIDDLE + 0.5) * resolution);
          const holding = boxes.filter(({ size, pose }) =>
            center.every((c, i) => Math.abs(c - pose.xyz[i]) < size[i] / 2),
          );
          expect(holding).toHaveLength(occupied ? 1 : 0);
        }
      }
    },
  );

  test.each([
    [{ data: [0, 0] }, /no children/],
    [{ data: [3] }, /cut off/],
    [{ data: [3, 0] }, /cut off/],
    [{ data: [2, 0, 0] }, /ends after 2 of 3/],
    [{ data: Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 3 : 0)) }, /deeper than 16 levels/],
    [{ data: [300] }, /data\[0\]: it is 300, must be a byte/],
    [{ data: [0, 0, 192, 127, 0], binary: false }, /NaN/],
    [{ data: [0, 0, 128, 63, 0], binary: false }, /the root of the octree has no children/],
    [{ data: [0, 0, 128, 191, 0], binary: false }, /the root of the octree has no children/],
    [{ resolution: 0 }, /resolution: it is 0/],
    [{ id: 'ColorOcTree' }, /id: it is "ColorOcTree"/],
    [{ binary: 1 }, /binary: it is 1/],
  ])('%j is refused', (fields, message) => {
    const given = { binary: true, id: 'OcTree', resolution: 0.1, data: [2, 0], ...fields };
    expect(() => octreeBoxes(given)).toThrow(message);
  });
});

test('the octomap of a planning scene becomes boxes at its origin, with its allowed pairs', async () => {
  const octomap = { binary: true, id: 'OcTree', resolution: 2 ** -15, data: [2, 0x80 - 256] };
  const origin = { position: { x: 10, y: 0, z: 0 }, orientation: { x: 0, y: 0, z: 1, w: 0 } };
  const matrix = {
    entry_names: ['hand', '<octomap>'],
    entry_values: [{ enabled: [false, true] }, { enabled: [true, false] }],
  };
  const text = JSON.stringify({ world: { octomap: { origin, octomap } }, allowed_collision_matrix: matrix });
  const { obstacles, allow, notes } = await readPlanningScene(text, 's.yaml');
  expect(obstacles.map(({ name, shape, pose }) => [name, shape.size, pose.xyz])).toEqual([
    ['<octomap>', [1, 1, 1], [10.5, 0.5, -0.5]],
    ['<octomap>-2', [1, 1, 1], [9.5, -0.5, 0.5]],
  ]);
  expect(allow).toEqual([
    ['hand', '<octomap>'],
    ['hand', '<octomap>-2'],
  ]);
  expect(notes).toEqual([]);
});

test.each([
  [{ id: 'OcTree', binary: true, resolution: 0.1, data: [2, 0] }, 'world.octomap.id: unknown key'],
  ['tree', 'world.octomap: it is "tree", must be a mapping'],
  [{ octomap: [2, 0] }, 'world.octomap.octomap: it is [2,0], must be a mapping'],
])('an octomap in another form is refused, not left out: %j', async (octomap, message) => {
  await expect(readPlanningScene(JSON.stringify({ world: { octomap } }), 's.yaml')).rejects.toThrow(message);
});
