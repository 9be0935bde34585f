import { assert, describe, test } from 'vitest';
import { transformOfPose } from '../../../src/core/kinematics/pose.ts';
import { Random } from '../../../src/core/math/random.ts';
import { createShape, shapes } from '../../../src/core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../../src/core/shapes/shape.ts';
import { View } from '../../../src/formats/picture/camera.ts';
import { type Facets, facetsOf } from '../../../src/formats/picture/facets.ts';
import { type Patch, paintOrder } from '../../../src/formats/picture/paintOrder.ts';
import { facePatches } from '../../../src/formats/picture/patches.ts';
import { pathOf } from '../../../src/formats/picture/pathData.ts';
import type { Picture } from '../../../src/formats/picture/picture.ts';
import { boundingSphere, solidsOf } from '../../../src/formats/picture/solids.ts';
import { svgPicture } from '../../../src/formats/picture/svgPicture.ts';
import { parseXml } from '../../../src/formats/text/xmlDocument.ts';

const drawable = Object.values(shapes)
  .flatMap(({ samples }) => samples)
  .filter(({ type }) => type !== 'halfspace');

describe.each(drawable.map((spec): [string, ShapeSpec] => [JSON.stringify(spec), spec]))('faces of %s', (_, spec) => {
  test('close a body that is convex, lies in the shape and nearly fills it', async () => {
    const shape = createShape(spec);
    const facets = await facetsOf(shape, 32);
    const { points, faces } = facets;
    const size = 2 * shape.outerRadius;
    const edges = faces.reduce((sum, { vertices }) => sum + vertices.length, 0) / 2;
    const used = new Set(faces.flatMap(({ vertices }) => vertices)).size;
    assert.equal(used - edges + faces.length, 2, 'Euler');
    for (const { vertices, normal } of faces) {
      const offset = dotAt(points, vertices[0], normal);
      let farthest = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < points.length / 3; i++) farthest = Math.max(farthest, dotAt(points, i, normal));
      assert.isAtMost(farthest - offset, 2e-5 * size, 'the body is not convex');
      const reach = supportOf(shape, normal);
      assert.isAtMost(offset - reach, 3e-3 * size, 'a face lies outside the shape');
      assert.isAtMost(reach - offset, 0.02 * size, 'the shape is cut short');
    }
  });
});

describe('the order of painting', () => {
  test('what is painted last at a point of the screen is what lies nearest there, for boxes that run into each other', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const random = new Random(seed);
      const picture = { title: 'boxes', bodies: Array.from({ length: 9 }, (_, i) => randomBox(random, i)) };
      const solids = await solidsOf(picture);
      const view = new View(boundingSphere(solids.map(({ points }) => points)), {
        azimuth: random.between(-3, 3),
        elevation: random.between(0.1, 1),
        distance: seed % 2 === 0 ? 4 : Number.POSITIVE_INFINITY,
      });
      view.fit(300, [0, 0]);
      const patches = solids.flatMap((solid, i) => facePatches(solid, i, view));
      const ordered = paintOrder(patches);
      let [judged, wrong] = [0, 0];
      for (let i = 0; i < 3000; i++) {
        const [x, y] = [random.between(-450, 450), random.between(-450, 450)];
        const nearest = Math.max(...patches.map((patch) => depthAt(patch, x, y)));
        const painted = ordered.findLast((patch) => depthAt(patch, x, y, 0.05) > Number.NEGATIVE_INFINITY);
        if (nearest === Number.NEGATIVE_INFINITY || painted === undefined) continue;
        judged++;
        if (nearest - depthAt(painted, x, y, 0.05) > 1) wrong++;
      }
      assert.isAbove(judged, 300, `seed ${seed}`);
      assert.isAtMost(wrong, 0.002 * judged, `seed ${seed}: ${wrong} of ${judged} points show what lies behind`);
    }
  });

  test('a line through a box shows only outside of it', () => {
    const square = { points: [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0].map((x) => 10 * x), sides: ['', '', '', ''] };
    const face: Patch = { ...square, fill: 'face', body: 0, opaque: true };
    const line: Patch = { points: [0, 0, -30, 0, 0, 50], sides: ['p', ''], fill: '', body: 1, opaque: false };
    const [before, middle, after] = paintOrder([face, line]);
    assert.deepEqual(
      [before.points, before.sides],
      [
        [0, 0, -30, 0, 0, 0],
        ['p', ''],
      ],
    );
    assert.equal(middle.fill, 'face');
    assert.deepEqual(
      [...after.points.slice(0, 3), ...after.points.slice(3)].sort((a, b) => a - b),
      [0, 0, 0, 0, 0, 50],
    );
  });
});

describe('svgPicture', () => {
  const random = new Random(11);
  const picture: Picture = {
    title: 'two <boxes> & a way',
    caption: 'made by a "test"',
    bodies: [randomBox(random, 0), { ...randomBox(random, 1), kind: 'obstacle', name: 'board_1' }],
    ghosts: [{ when: 0.5, parts: randomBox(random, 2).parts }],
    paths: [[0, 0, 0, 0.5, 0, 0.5, 1, 1, 1]],
  };

  test('is XML without NaN, with both themes, and the same bytes each time', async () => {
    const text = await svgPicture(picture, { names: true });
    const root = await parseXml(text, 'picture.svg', 'svg');
    assert.equal(root.getElementsByTagName('title')[0].textContent, picture.title);
    assert.equal(root.getElementsByTagName('text').length, 3); // caption, link0, board_1
    assert.notMatch(text, /NaN|Infinity|undefined/);
    assert.include(text, 'prefers-color-scheme:dark');
    assert.equal(await svgPicture(picture, { names: true }), text);
  });

  test('keeps all that is drawn inside its frame', async () => {
    const text = await svgPicture(picture, { width: 400, distance: Number.POSITIVE_INFINITY });
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(text)!.map(Number);
    const faces = [...text.matchAll(/class="(?:link|solid)[^"]*" d="([^"]*)"/g)].flatMap(([, data]) => pointsOf(data));
    assert.isAbove(faces.length, 12);
    for (const [x, y] of faces) assert.isTrue(x >= 0 && x <= width && y >= 0 && y <= height, `${x} ${y}`);
  });

  test('a picture of nothing is a picture', async () => {
    assert.match(await svgPicture({ title: 'nothing', bodies: [] }), /^<svg .*<\/svg>\n$/s);
  });
});

test('of a cloud each part is one outline, before the robot where it is nearer and behind it where it is not', async () => {
  const random = new Random(9);
  const place = (x: number) => transformOfPose({ xyz: [x, 0, 0], quat_wxyz: [1, 0, 0, 0] });
  const pair = (at: number) => {
    const points = [0, 1].map(() => [at, random.between(-1, 1), random.between(-1, 1)]);
    return { shape: createShape({ type: 'convex', points, margin: 0.05 }), T_world_shape: place(0) };
  };
  const parts = Array.from({ length: 400 }, (_, i) => pair(i % 2 === 0 ? 1 : -1));
  const box = { shape: createShape({ type: 'box', size: [0.1, 3, 3] }), T_world_shape: place(0) };
  const bodies = [
    { name: 'scan', kind: 'obstacle' as const, parts },
    { name: 'arm', kind: 'link' as const, parts: [box] },
  ];
  const solids = await solidsOf({ title: 'cloud', bodies });
  const view = new View(boundingSphere(solids.map(({ points }) => points)), { azimuth: 0, elevation: 0, distance: 4 });
  const patches = solids.flatMap((solid, i) => facePatches(solid, i, view));
  assert.equal(patches.filter(({ body }) => body < 400).length, 400);
  const order = paintOrder(patches).map(({ body }) => (body === 400 ? 'box' : body % 2 === 0 ? 'near' : 'far'));
  assert.isBelow(order.lastIndexOf('far'), order.indexOf('box'));
  assert.isAbove(order.indexOf('near'), order.lastIndexOf('box'));
});

test('path data leads back to its points, to a tenth of a pixel', () => {
  const random = new Random(5);
  const points = Array.from({ length: 300 }, () => random.between(-50, 50));
  for (let k = 30; k < 60; k++) points[k] = points[k % 3]; // the same point again and again
  const found = pointsOf(pathOf(points, true));
  let at = 0;
  for (let k = 0; k < points.length; k += 3) {
    while (Math.hypot(found[at][0] - points[k], found[at][1] - points[k + 1]) > 0.08)
      assert.isBelow(++at, found.length);
  }
});

/** Returns the absolute points of path data with the commands M, l and z. */
function pointsOf(data: string): number[][] {
  return data.split(/(?=M)/).flatMap((piece) => {
    const [x0, y0, ...steps] = [...piece.matchAll(/-?(?:\d+\.?\d*|\.\d+)/g)].map(([word]) => Number(word));
    const points = [[x0, y0]];
    for (let k = 0; k < steps.length; k += 2) {
      const [x, y] = points[points.length - 1];
      points.push([x + steps[k], y + steps[k + 1]]);
    }
    return points;
  });
}

function randomBox(random: Random, i: number): Picture['bodies'][number] {
  const quaternion = [1, 2, 3, 4].map(() => random.between(-1, 1));
  const length = Math.hypot(...quaternion);
  const [w, x, y, z] = quaternion.map((part) => part / length);
  const xyz: [number, number, number] = [random.between(-0.6, 0.6), random.between(-0.6, 0.6), random.between(0, 1)];
  const shape = createShape({ type: 'box', size: [0.2, 0.5, 0.9].map((edge) => edge * random.between(0.5, 1)) });
  return {
    name: `link${i}`,
    kind: 'link',
    parts: [{ shape, T_world_shape: transformOfPose({ xyz, quat_wxyz: [w, x, y, z] }) }],
  };
}

/**
 * Computes the depth of a convex patch at a point of the screen; −∞ outside it. `slack`: tolerance at its sides, px.
 */
function depthAt({ points }: Patch, x: number, y: number, slack = 0): number {
  const count = points.length / 3;
  if (count < 3) return Number.NEGATIVE_INFINITY;
  const area = [...points.keys()]
    .filter((k) => k % 3 === 0)
    .reduce((sum, k) => {
      const next = (k + 3) % points.length;
      return sum + points[k] * points[next + 1] - points[next] * points[k + 1];
    }, 0);
  const sign = Math.sign(area);
  for (let i = 0; i < count; i++) {
    const [a, b] = [3 * i, 3 * ((i + 1) % count)];
    const [dx, dy] = [points[b] - points[a], points[b + 1] - points[a + 1]];
    const side = sign * (dx * (y - points[a + 1]) - dy * (x - points[a]));
    if (side < -slack * Math.hypot(dx, dy)) return Number.NEGATIVE_INFINITY;
  }
  return planeDepth(points, x, y);
}

/** Computes the height of the plane through the widest triangle of the vertices. */
function planeDepth(p: readonly number[], x: number, y: number): number {
  let [best, value] = [0, Number.NEGATIVE_INFINITY];
  for (let k = 3; k + 3 < p.length; k += 3) {
    const u = [p[k] - p[0], p[k + 1] - p[1], p[k + 2] - p[2]];
    const v = [p[k + 3] - p[0], p[k + 4] - p[1], p[k + 5] - p[2]];
    const area = u[0] * v[1] - u[1] * v[0];
    if (Math.abs(area) <= best) continue;
    best = Math.abs(area);
    const s = ((x - p[0]) * v[1] - (y - p[1]) * v[0]) / area;
    const t = ((y - p[1]) * u[0] - (x - p[0]) * u[1]) / area;
    value = p[2] + s * u[2] + t * v[2];
  }
  return value;
}

const dotAt = (points: Facets['points'], i: number, n: readonly number[]): number =>
  points[3 * i] * n[0] + points[3 * i + 1] * n[1] + points[3 * i + 2] * n[2];

function supportOf(shape: ConvexShape, n: readonly number[]): number {
  const direction = Float64Array.from(n);
  const point = new Float64Array(3);
  shape.support(point, shape, direction, -1);
  return point[0] * n[0] + point[1] * n[1] + point[2] * n[2] + shape.margin;
}
