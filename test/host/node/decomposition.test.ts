import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, assert, beforeAll, describe, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import type { Hull } from '../../../src/core/hulls/hull.ts';
import { meshParts } from '../../../src/core/hulls/meshParts.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { loadRobot, loadScene } from '../../../src/host/node/files.ts';
import { cacheFolder, limitCacheFolder } from '../../../src/host/node/partsCache.ts';
import { preparedData } from '../../../src/host/node/prepared/preparedData.ts';
import { describeRobot } from '../../../src/tasks/robots/describeRobot.ts';
import { partsCover } from '../../helpers/partsCover.ts';
import { lProfile, numbersOf, type Point } from '../../helpers/solids.ts';

const root = mkdtempSync(join(tmpdir(), 'elbowroom-parts-'));
const cache = join(root, 'cache');
const before = process.env.ELBOWROOM_CACHE;
beforeAll(() => {
  process.env.ELBOWROOM_CACHE = cache;
});
afterAll(() => {
  if (before === undefined) delete process.env.ELBOWROOM_CACHE;
  else process.env.ELBOWROOM_CACHE = before;
  rmSync(root, { recursive: true });
});

function put(name: string, text: string): string {
  writeFileSync(join(root, name), text);
  return join(root, name);
}

const objOf = (mesh: readonly Point[]): string =>
  [
    ...mesh.map((p) => `v ${p.join(' ')}`),
    ...Array.from({ length: mesh.length / 3 }, (_, t) => `f ${3 * t + 1} ${3 * t + 2} ${3 * t + 3}`),
  ].join('\n');

put('l.obj', objOf(lProfile));
const collision = '<collision><geometry><mesh filename="l.obj"/></geometry></collision>';
const box = '<collision><geometry><box size="1 1 1"/></geometry></collision>';
const urdf = put('l.urdf', `<robot name="l"><link name="part">${collision}${box}${collision}</link></robot>`);

describe('parts: decompose', () => {
  test('makes several parts of each mesh of a robot, which remember the collision shape they come from', async () => {
    const whole = await loadRobot(urdf);
    const cut = await loadRobot(urdf, { parts: 'decompose' });
    assert.deepEqual(
      whole.links[0].collisions.map(({ source }) => source),
      [0, 1, 2],
    );
    assert.deepEqual(
      cut.links[0].collisions.map(({ source }) => source),
      [0, 0, 1, 2, 2],
    );
  });

  test('is summarized as what the file holds: shapes and triangles once, corners and volumes of all parts', async () => {
    const [link] = (await describeRobot(await loadRobot(urdf, { parts: 'decompose' }))).links;
    assert.equal(link.collisions, 3);
    assert.equal(link.triangles, (2 * lProfile.length) / 3);
    assert.equal(link.hull_vertices, 2 * 2 * 8);
    assert.approximately(link.volume, 6 + 1 + 6, 1e-9);
  });

  test('is selected by a scene for its robot and for each mesh, and leaves the notch of an L free', async () => {
    const scene = (parts: string) =>
      put(
        `${parts}.yaml`,
        [
          'format: elbowroom-scene/1',
          `robot: {urdf: l.urdf, parts: ${parts}}`,
          'obstacles:',
          `  - {name: shelf, type: mesh, file: l.obj, scale: 2, margin: 1 mm, parts: ${parts}, pose: {xyz: [10, 0, 0]}}`,
          '  - {name: ball, type: sphere, radius: 0.1, pose: {xyz: [2, 1.5, 0.5]}}',
        ].join('\n'),
      );
    const [whole, cut] = [await loadScene(scene('hull')), await loadScene(scene('decompose'))];
    assert.lengthOf(whole.scene.obstacles[0].parts, 1);
    assert.lengthOf(cut.scene.obstacles[0].parts, 2);
    for (const { shape } of cut.scene.obstacles[0].parts) assert.equal((shape as { margin?: number }).margin, 1e-3);
    assert.lengthOf(cut.robot.links[0].collisions, 5);
    const collides = ({ robot, scene: { obstacles, attached, allow, padding } }: typeof cut) => {
      const model = new CollisionModel(createRobotModel(robot), { obstacles, attached, allow, padding });
      return !new CollisionManager(model).isCollisionFree(new Float64Array(0));
    };
    assert.isTrue(collides(whole));
    assert.isFalse(collides(cut));
  });
});

const shrunk = (part: Hull): Hull => ({ ...part, points: part.points.map(([x, y, z]) => [x, y, 0.99 * z] as const) });

/** Each triangle of the profile as a film of its own: covers the surface, and nothing of what it encloses. */
function walls(): Hull[] {
  const mesh = numbersOf(lProfile);
  return Array.from({ length: mesh.length / 9 }, (_, t) => {
    const corners = [0, 3, 6].map((k) => [...mesh.subarray(9 * t + k, 9 * t + k + 3)] as [number, number, number]);
    const moved = corners.map(([x, y, z]) => [x + 1e-4, y + 1e-4, z + 1e-4] as [number, number, number]);
    return { points: [...corners, ...moved], edges: [], volume: 0 };
  });
}

describe('the cache of decompositions', () => {
  const mesh = numbersOf(lProfile);
  let parts: readonly Hull[] = [];
  beforeAll(async () => {
    parts = await meshParts.decompose(mesh);
    assert.isAbove(parts.length, 1);
  });

  test('gives back what it was given, to the last bit, and computes the parts of another mesh', async () => {
    const folder = join(root, 'bits');
    const prepare = preparedData({ folder, sources: 'a', keyFile: join(root, 'cache.key'), limit: async () => {} });
    const never = async () => assert.fail('it was made although it was kept');
    const bytes = (points: Float64Array) => new Uint8Array(points.buffer);
    await prepare('parts', [bytes(mesh)], async () => parts);
    assert.deepEqual(await prepare('parts', [bytes(mesh)], never), parts);
    assert.match(readdirSync(folder).join(), /^[0-9a-f]{64}\.parts$/);
    const half = Float64Array.from(mesh, (x) => 0.5 * x);
    assert.deepEqual(await prepare('parts', [bytes(half)], async () => []), []);
  });

  test('parts that cover the surface alone do not cover the solid', () => {
    const points = (hulls: readonly Hull[]) => hulls.map((hull) => hull.points);
    assert.isTrue(partsCover(mesh, points(parts)));
    assert.isFalse(partsCover(mesh, points(walls())));
    assert.isFalse(partsCover(mesh, points(parts.slice(1))));
    assert.isFalse(partsCover(mesh, points(parts.map(shrunk))));
  });

  test('removes the oldest files beyond its size, and no other files', async () => {
    const folder = join(root, 'full');
    mkdirSync(folder);
    const names = ['a', 'b', 'c'].map((letter) => `${letter.repeat(64)}.parts`);
    for (const [i, name] of [...names, 'notes.json'].entries()) {
      writeFileSync(join(folder, name), 'x'.repeat(100));
      utimesSync(join(folder, name), 1000 + i, 1000 + i);
    }
    utimesSync(join(folder, names[2]), 1, 1);
    await limitCacheFolder(folder, 300);
    assert.deepEqual(readdirSync(folder), [...names, 'notes.json']);
    await limitCacheFolder(folder, 150);
    assert.deepEqual(readdirSync(folder), [names[1], 'notes.json']);
    await limitCacheFolder(join(folder, 'missing'), 0);
  });

  test('is in the folder that the environment names', () => {
    assert.equal(cacheFolder({ XDG_CACHE_HOME: '/x' }), '/x/elbowroom');
    assert.match(cacheFolder({}) ?? '', /\.cache.elbowroom$/);
    assert.equal(cacheFolder({ ELBOWROOM_CACHE: '/y', XDG_CACHE_HOME: '/x' }), '/y');
    assert.isUndefined(cacheFolder({ ELBOWROOM_CACHE: 'off', XDG_CACHE_HOME: '/x' }));
  });
});

const published = '../shared/data';
describe.skipIf(!existsSync(published))('the UR5 of the MotionBenchMaker', () => {
  const suites = existsSync(published)
    ? readdirSync(join(published, 'problems/mbm-ur5')).filter((file) => file !== 'reference.json')
    : [];

  test('no longer hits itself at the ends of the published problems', async () => {
    const folder = join(published, 'robots/mbm_ur5');
    const files = { srdf: join(folder, 'ur5.srdf'), parts: 'decompose' } as const;
    const description = await loadRobot(join(folder, 'ur5.urdf'), files);
    const joints = ['shoulder_pan', 'shoulder_lift', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3'].map(
      (name) => `${name}_joint`,
    );
    const empty = { obstacles: [], attached: [], allow: [], padding: 0 };
    const manager = new CollisionManager(new CollisionModel(createRobotModel(description, { joints }), empty));
    let ends = 0;
    for (const suite of suites) {
      const { problems } = JSON.parse(readFileSync(join(published, 'problems/mbm-ur5', suite), 'utf8'));
      for (const { name, start, goal } of problems as { name: string; start: number[]; goal: number[] }[]) {
        for (const q of [start, goal]) {
          ends++;
          assert.deepEqual(manager.collidingPairs(Float64Array.from(q)), [], `${suite} ${name}`);
        }
      }
    }
    assert.equal(ends, 476);
  });
});
