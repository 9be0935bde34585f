import { describe, expect, test } from 'vitest';
import { contactFinders } from '../../../src/core/dynamics/contactFinder.ts';
import { settle } from '../../../src/core/dynamics/settle.ts';
import type { Obstacle, Scene } from '../../../src/core/scene/scene.ts';
import type { ShapeSpec } from '../../../src/core/shapes/shape.ts';
import { settleScene } from '../../../src/tasks/settling/settleScene.ts';
import { few } from '../../cases.ts';
import { keysOf } from '../../helpers/keysOf.ts';
import { bodyOf, slope, worldOf } from './helpers.ts';

const free = { density: 800, friction: 0.5, restitution: 0 };
const at = (xyz: [number, number, number]) => ({ xyz, quat_wxyz: [1, 0, 0, 0] as [number, number, number, number] });
const fixedBox = (name: string, size: number[], xyz: [number, number, number]): Obstacle => ({
  name,
  pose: at(xyz),
  parts: [{ shape: { type: 'box', size } }],
});
const bin = [
  fixedBox('bottom', [0.3, 0.3, 0.02], [0, 0, -0.01]),
  fixedBox('left', [0.02, 0.3, 0.4], [-0.15, 0, 0.2]),
  fixedBox('right', [0.02, 0.3, 0.4], [0.15, 0, 0.2]),
  fixedBox('front', [0.3, 0.02, 0.4], [0, -0.15, 0.2]),
  fixedBox('back', [0.3, 0.02, 0.4], [0, 0.15, 0.2]),
];
const boxes: ShapeSpec[] = [
  { type: 'box', size: [0.05, 0.04, 0.06] },
  { type: 'box', size: [0.07, 0.02, 0.03] },
];
const all: ShapeSpec[] = [
  ...boxes,
  { type: 'cylinder', radius: 0.02, length: 0.05 },
  { type: 'sphere', radius: 0.02 },
  { type: 'capsule', radius: 0.015, length: 0.05 },
  { type: 'cone', radius: 0.03, length: 0.05 },
  { type: 'ellipsoid', radii: [0.03, 0.025, 0.02] },
  { type: 'box', size: [0.05, 0.03, 0.02], margin: 0.004 },
];

function sceneOf(obstacles: readonly Obstacle[], more: Partial<Scene> = {}): Scene {
  return {
    name: 'bin',
    robot: { name: 'ur5e', packages: {}, fixed: {}, limits: {}, pose: at([0, 0, 0]), parts: 'hull' },
    goals: [],
    equivalent: false,
    obstacles,
    attached: [],
    allow: [],
    padding: 0,
    ...more,
  };
}

const dropOf = (shapes: readonly ShapeSpec[], count: number) => ({
  from: { shape: { type: 'box', size: [0.18, 0.18, 0.3] }, pose: at([0, 0, 0.25]) },
  count,
  shapes: shapes.map((shape) => ({ parts: [{ shape }], free })),
});

/** Rotation matrix by rows. */
function matrixOf([w, x, y, z]: readonly number[]): number[][] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

interface PosedBox {
  readonly half: readonly number[];
  readonly R: number[][];
  readonly t: readonly number[];
}

/** Gap of two boxes along the best of the 15 separating axes; negative: penetration depth. */
function gapOfBoxes(a: PosedBox, b: PosedBox): number {
  const column = ({ R }: PosedBox, k: number) => [R[0][k], R[1][k], R[2][k]];
  const axes = [0, 1, 2].flatMap((k) => [column(a, k), column(b, k)]);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const [p, q] = [column(a, i), column(b, j)];
      const n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
      const length = Math.hypot(...n);
      if (length > 1e-6) axes.push(n.map((x) => x / length));
    }
  }
  const dot = (u: readonly number[], v: readonly number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const reach = (box: PosedBox, n: readonly number[]) =>
    [0, 1, 2].reduce((sum, k) => sum + box.half[k] * Math.abs(dot(column(box, k), n)), 0);
  const d = [0, 1, 2].map((k) => b.t[k] - a.t[k]);
  return Math.max(...axes.map((n) => Math.abs(dot(d, n)) - reach(a, n) - reach(b, n)));
}

describe.each(few([1, 2, 3, 4], [1]))('a bin of 12 boxes with seed %i', (seed) => {
  const result = settleScene(sceneOf(bin, { drop: dropOf(boxes, 12) }), { seed });

  test('rests without overlaps above 0.1 mm, each box near another, by the separating axis test', () => {
    expect(result.status).toBe('rest');
    const posed = result.dropped.map(({ xyz, quat_wxyz }, i) => ({
      half: (boxes[i % 2].size as number[]).map((x) => x / 2),
      R: matrixOf(quat_wxyz),
      t: xyz,
    }));
    const walls = bin.map(({ parts, pose }) => ({
      half: (parts[0].shape.size as number[]).map((x) => x / 2),
      R: matrixOf(pose.quat_wxyz),
      t: pose.xyz,
    }));
    for (const [i, box] of posed.entries()) {
      const gaps = [...posed.filter((_, k) => k !== i), ...walls].map((other) => gapOfBoxes(box, other));
      expect(Math.min(...gaps)).toBeGreaterThan(-1e-4);
      // The best axis bounds the distance from below; at contact it is the distance.
      expect(Math.min(...gaps)).toBeLessThan(1e-4);
      for (const k of [0, 1]) expect(Math.abs(box.t[k])).toBeLessThan(0.14);
    }
    expect(result.stats.max_penetration).toBeLessThanOrEqual(1e-4);
    expect(result.stats.energy[1]).toBeLessThan(result.stats.energy[0]);
  });

  test('gives the same bytes again, and other poses with another seed', () => {
    const again = settleScene(sceneOf(bin, { drop: dropOf(boxes, 12) }), { seed });
    expect(JSON.stringify(again.dropped)).toBe(JSON.stringify(result.dropped));
    const other = settleScene(sceneOf(bin, { drop: dropOf(boxes, 12) }), { seed: seed + 50 });
    expect(other.dropped[0]).not.toEqual(result.dropped[0]);
  });

  test('stays as it is when it is settled again', () => {
    const obstacles = result.dropped.map((pose, i) => ({
      name: `d${i}`,
      pose,
      free,
      parts: [{ shape: boxes[i % 2] }],
    }));
    const again = settleScene(sceneOf([...bin, ...obstacles]));
    expect(again.status).toBe('rest');
    expect(again.stats.steps).toBe(0);
    expect(again.moved.size).toBe(0);
  });
});

test.each(keysOf(contactFinders))('all shapes come to rest with the contacts of %s', (checker) => {
  const { status, dropped } = settleScene(sceneOf(bin, { drop: dropOf(all, 8) }), { seed: 5, checker });
  expect(status).toBe('rest');
  for (const { xyz } of dropped) expect(xyz[2]).toBeGreaterThan(0.005);
});

test('overlapping bodies are pushed apart before they fall', () => {
  const cube = { type: 'box', size: [0.1, 0.1, 0.1] };
  const bodies = [bodyOf(cube, [0, 0, 0.05]), bodyOf(cube, [0.08, 0.01, 0.06]), bodyOf(cube, [0.3, 0, 0.04])];
  const result = settle(worldOf([slope(0)], bodies), { maxSteps: 3000 });
  expect(result.status).toBe('rest');
  expect(bodies[1].x - bodies[0].x).toBeGreaterThan(0.0999);
  for (const body of bodies) expect(Math.abs(body.z - 0.05)).toBeLessThan(1e-4);
});

test('bodies that cannot be pushed apart are named', () => {
  const tight = [-1, 1].map((side) => fixedBox(`wall ${side}`, [0.1, 1, 1], [side * 0.09, 0, 0.5]));
  const box = { ...fixedBox('wide', [0.1, 0.1, 0.1], [0, 0, 0.5]), free };
  const result = settleScene(sceneOf([...tight, box]));
  expect(result.status).toBe('overlap');
  expect(result.overlapping.map(([i]) => i)).toContain(2);
});

test('what never rests is named, and limits end the run', () => {
  const ball: Obstacle = {
    name: 'ball',
    pose: at([0, 0, 0.5]),
    free,
    parts: [{ shape: { type: 'sphere', radius: 0.05 } }],
  };
  const nothing = settleScene(sceneOf([ball]), { steps: 100 });
  expect([nothing.status, nothing.moving, nothing.stats.steps]).toEqual(['moving', [0], 100]);
  let polls = 0;
  const interrupted = settleScene(sceneOf([ball]), { isInterrupted: () => ++polls > 7 });
  expect([interrupted.status, interrupted.stats.steps]).toEqual(['moving', 7]);
});

test('objects that find no room in the region wait until others have fallen', () => {
  const drop = { ...dropOf([{ type: 'box', size: [0.06, 0.06, 0.06] }], 8) };
  const narrow = { ...drop, from: { shape: { type: 'box', size: [0.01, 0.01, 0.02] }, pose: at([0, 0, 0.35]) } };
  const result = settleScene(sceneOf(bin, { drop: narrow }), { seed: 2 });
  expect(result.dropped).toHaveLength(8);
  expect(result.status).toBe('rest');
  const blocked = settleScene(sceneOf([...bin, fixedBox('lid', [1, 1, 1], [0, 0, 0.5])], { drop: narrow }), {
    steps: 60,
  });
  expect(blocked.status).toBe('no-room');
});

test('sphere clouds, height fields and half-spaces carry', () => {
  const cloud: Obstacle = {
    name: 'cloud',
    pose: at([0, 0, 0]),
    parts: [
      {
        balls: true,
        shape: {
          type: 'convex',
          margin: 0.02,
          points: Array.from({ length: 100 }, (_, i) => [0.03 * (i % 10), 0.03 * Math.floor(i / 10), 0]),
        },
      },
    ],
  };
  const plate = { ...fixedBox('plate', [0.1, 0.1, 0.02], [0.135, 0.135, 0.08]), free };
  const { status, moved } = settleScene(sceneOf([cloud, plate]));
  expect(status).toBe('rest');
  expect(moved.get(1)!.xyz[2]).toBeCloseTo(0.03, 3); // on the spheres, not between them
});

test('a scene with an obstacle that moves is refused', () => {
  const moving = { ...bin[1], motion: { times: [0, 1], poses: [at([0, 0, 0]), at([1, 0, 0])] } };
  expect(() => settleScene(sceneOf([bin[0], moving]))).toThrow('obstacle "left" has a motion');
});

test('a box stays on one of a thousandth of its mass', () => {
  const box = (name: string, mass: number, z: number): Obstacle => ({
    ...fixedBox(name, [0.1, 0.1, 0.1], [0, 0, z]),
    free: { mass, friction: 0.5, restitution: 0 },
  });
  const floor = fixedBox('floor', [1, 1, 0.1], [0, 0, -0.05]);
  const { status, moved } = settleScene(sceneOf([floor, box('light', 0.01, 0.051), box('heavy', 10, 0.153)]));
  expect(status).toBe('rest');

  expect(moved.get(2)?.xyz[2]).toBeCloseTo(0.15, 3);
});
