import { assert, test } from 'vitest';
import { decompose } from '../../../src/core/hulls/decomposition.ts';
import { Random } from '../../../src/core/math/random.ts';
import { cases } from '../../cases.ts';
import { Cover } from '../../helpers/coverage.ts';
import { bin, block, lProfile, numbersOf, type Point, turned, uProfile } from '../../helpers/solids.ts';

/** Solids with some triangles removed and loose triangles added. */
function randomMesh(random: Random): Point[] {
  const solids = [lProfile, uProfile, bin, [...block([0, 0, 0], [5, 1, 1]), ...block([2, -2, 0.2], [3, 3, 0.7])]];
  const solid = solids[Math.floor(random.between(0, solids.length))];
  const kept = random.between(0.3, 1);
  const mesh: Point[] = [];
  for (let t = 0; t < solid.length; t += 3) if (random.between(0, 1) < kept) mesh.push(...solid.slice(t, t + 3));
  const loose = Math.floor(random.between(0, 12));
  for (let i = 0; i < 3 * loose; i++) mesh.push([random.between(-1, 4), random.between(-1, 4), random.between(-1, 1)]);
  return turned(mesh, 10 ** random.between(-2, 1), [random.between(-1, 1), random.between(-1, 1), 0]);
}

test('the parts of random open meshes hold every triangle as a whole', async () => {
  const random = new Random(23);
  let several = 0;
  for (let k = 0; k < cases(32); k++) {
    const mesh = randomMesh(random);
    if (mesh.length < 12) continue;
    const { parts, hullVolume } = await decompose(numbersOf(mesh));
    if (hullVolume === 0) continue;
    if (parts.length > 1) several++;
    const size = Math.max(
      ...[0, 1, 2].map((i) => Math.max(...mesh.map((p) => p[i])) - Math.min(...mesh.map((p) => p[i]))),
    );
    const cover = new Cover(
      parts.map(({ points }) => points),
      1e-9 * size,
    );
    for (let t = 0; t < mesh.length; t += 3)
      assert.deepEqual(cover.uncovered(mesh.slice(t, t + 3)), [], `mesh ${k}, triangle ${t / 3}`);
  }
  assert.isAbove(several, cases(5));
}, 60_000);
