import { describe, expect, test } from 'vitest';
import type { BodyWorld } from '../../../src/core/dynamics/bodyWorld.ts';
import { checkRest } from '../../../src/core/dynamics/restCheck.ts';
import { aboutY, bodyOf, fixed, G, slope, worldOf } from './helpers.ts';

const box = { type: 'box', size: [0.1, 0.1, 0.04] };
const cube = (half: number) => ({ type: 'box', size: [2 * half, 2 * half, 2 * half] });
/** No losses but those of the contacts. */
const ideal = { rollingResistance: 0, contactDamping: 0 };
const tolerance = { overlap: 6e-5, gap: 5e-5, acceleration: 2e-3 };

function run(world: BodyWorld, seconds: number, each: () => void = () => {}): void {
  for (const end = world.steps + Math.round(seconds / world.timeStep); world.steps < end; ) {
    world.step();
    each();
  }
}

test('a body falls by g t² / 2', () => {
  const body = bodyOf(box, [0, 0, 10]);
  run(worldOf([], [body], ideal), 1);
  // Semi-implicit Euler is ahead by g h t / 2 with substeps of h = 1/480 s.
  expect(body.z).toBeCloseTo(10 - G / 2 - (G / 480) * 0.5, 6);
  expect(body.vz).toBeCloseTo(-G, 9);
});

describe.each([0.2, 0.577, 1])('on a slope with friction %f', (friction) => {
  const limit = Math.atan(friction);
  const degree = Math.PI / 180;
  const start = (angle: number) =>
    bodyOf(box, [0.02 * Math.sin(angle), 0, 0.02 * Math.cos(angle)], { friction }, aboutY(angle));

  test('a box stays one degree below the friction angle', () => {
    const angle = limit - degree;
    const body = start(angle);
    const world = worldOf([slope(angle)], [body], ideal);
    expect(checkRest(world, tolerance, 3000, 'cold').isAtRest).toBe(true);
    run(world, 2);
    expect(Math.hypot(body.vx, body.vy, body.vz)).toBeLessThan(1e-6);
    expect(Math.hypot(body.x - 0.02 * Math.sin(angle), body.z - 0.02 * Math.cos(angle))).toBeLessThan(2e-4);
  });

  test('a box slides one degree above the friction angle with g (sin − μ cos)', () => {
    const angle = limit + degree;
    const body = start(angle);
    const world = worldOf([slope(angle)], [body], ideal);
    expect(checkRest(world, tolerance, 3000, 'cold').isAtRest).toBe(false);
    run(world, 1);
    const acceleration = G * (Math.sin(angle) - friction * Math.cos(angle));
    expect(Math.hypot(body.vx, body.vz) / acceleration).toBeCloseTo(1, 2);
    expect(Math.hypot(body.wx, body.wy, body.wz)).toBeLessThan(1e-3);
  });
});

test.each([
  ['sphere', { type: 'sphere', radius: 0.05 }, 2 / 5],
  ['cylinder', { type: 'capsule', radius: 0.05, length: 10 }, 0.5],
])('a %s rolls down a slope with g sin / (1 + I / m r²)', (_, shape, ratio) => {
  const angle = 0.2;
  // The axis of the capsule is horizontal, along y.
  const body = bodyOf(shape, [0.05 * Math.sin(angle), 0, 0.05 * Math.cos(angle)], { friction: 0.8 }, [
    Math.SQRT1_2,
    Math.SQRT1_2,
    0,
    0,
  ]);
  run(worldOf([slope(angle)], [body], ideal), 1);
  const speed = Math.hypot(body.vx, body.vz);
  expect(speed / ((G * Math.sin(angle)) / (1 + ratio))).toBeCloseTo(1, 2);
  expect((body.wy * 0.05) / speed).toBeCloseTo(1, 2);
});

test.each([0.3, 0.6, 0.9])('a ball with restitution %f rises to e² of the height', (restitution) => {
  const body = bodyOf({ type: 'sphere', radius: 0.05 }, [0, 0, 1.05], { restitution });
  const world = worldOf([slope(0)], [body], ideal);
  let [top, hasBounced] = [0, false];
  run(world, 1.2, () => {
    hasBounced ||= body.vz > 0;
    if (hasBounced && body.vz > 0) top = Math.max(top, body.z - 0.05);
  });
  expect(top / restitution ** 2).toBeGreaterThan(0.9);
  expect(top / restitution ** 2).toBeLessThan(1.03);
});

test('collisions without gravity conserve momentum, angular momentum, and never add energy', () => {
  const shapes = [
    { type: 'box', size: [0.1, 0.14, 0.2] },
    { type: 'sphere', radius: 0.08 },
    { type: 'cylinder', radius: 0.06, length: 0.2 },
    { type: 'cone', radius: 0.08, length: 0.15 },
    { type: 'ellipsoid', radii: [0.1, 0.06, 0.05] },
  ];
  const bodies = shapes.map((shape, i) => {
    const angle = (2 * Math.PI * i) / shapes.length;
    const at = [0.4 * Math.cos(angle), 0.4 * Math.sin(angle), 0.03 * i] as const;
    const body = bodyOf(shape, at, { restitution: 0.7, friction: 0.4, density: 500 + 300 * i }, aboutY(i));
    [body.vx, body.vy, body.vz] = [-2 * Math.cos(angle), -2 * Math.sin(angle), 0.1 * i - 0.2];
    [body.wx, body.wy, body.wz] = [i, 2 - i, 3];
    return body;
  });
  const world = worldOf([], bodies, { ...ideal, gravity: [0, 0, 0] });
  const total = () => {
    const L = new Float64Array(3);
    const sum = [0, 0, 0, 0, 0, 0];
    for (const body of bodies) {
      const { mass: m, x, y, z, vx, vy, vz } = body;
      body.angularMomentum(L);
      const parts = [m * vx, m * vy, m * vz];
      const arms = [y * vz - z * vy, z * vx - x * vz, x * vy - y * vx];
      for (let k = 0; k < 3; k++) {
        sum[k] += parts[k];
        sum[k + 3] += L[k] + m * arms[k];
      }
    }
    return sum;
  };
  const before = total();
  let energy = world.energy;
  const first = energy;
  let hits = 0;
  run(world, 1, () => {
    hits += world.contacts;
    expect(world.energy).toBeLessThan(energy * (1 + 1e-6) + 1e-9);
    energy = world.energy;
  });
  expect(hits).toBeGreaterThan(5);
  expect(world.energy).toBeLessThan(0.9 * first);
  const after = total();
  for (let k = 0; k < 3; k++) expect(after[k]).toBeCloseTo(before[k], 9);
  // Overlaps are pushed apart without momentum: that moves the mass centers by micrometres, and the total with them.
  for (let k = 3; k < 6; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(0.01);
});

test('a body that spins freely keeps its angular momentum exactly and its energy nearly', () => {
  const body = bodyOf({ type: 'box', size: [0.1, 0.2, 0.3] });
  [body.wx, body.wy, body.wz] = [0.1, 6, 0.2]; // about the middle axis: it tumbles
  const L0 = new Float64Array(3);
  const L = new Float64Array(3);
  body.angularMomentum(L0);
  const energy = body.kineticEnergy;
  let least = Number.POSITIVE_INFINITY;
  run(worldOf([], [body], { ...ideal, gravity: [0, 0, 0] }), 10, () => {
    body.angularMomentum(L);
    for (let k = 0; k < 3; k++) expect(L[k]).toBeCloseTo(L0[k], 12);
    expect(Math.abs(body.kineticEnergy / energy - 1)).toBeLessThan(0.01);
    least = Math.min(least, body.T_world_body[5]);
  });
  expect(least).toBeLessThan(-0.9); // it did turn over (Dzhanibekov)
});

test('a heap that falls and collides never gains energy', () => {
  const bodies = Array.from({ length: 12 }, (_, i) =>
    bodyOf(
      i % 2 === 0 ? cube(0.03) : { type: 'cylinder', radius: 0.03, length: 0.07 },
      [0.05 * Math.cos(2.4 * i), 0.05 * Math.sin(2.4 * i), 0.1 + 0.09 * i],
      {},
      aboutY(i),
    ),
  );
  const world = worldOf([slope(0)], bodies, { rollingResistance: 0 });
  let energy = world.energy;
  const first = energy;
  run(world, 3, () => {
    expect(world.energy).toBeLessThan(energy + 1e-3 * first);
    energy = Math.min(energy, world.energy);
  });
});

test('a stack of ten boxes is stable for five seconds', () => {
  const bodies = Array.from({ length: 10 }, (_, i) =>
    bodyOf(cube(0.03), [0.002 * Math.sin(7 * i), 0.002 * Math.cos(5 * i), 0.0305 + 0.061 * i]),
  );
  const world = worldOf([slope(0)], bodies);
  run(world, 5);
  for (const [i, body] of bodies.entries()) {
    expect(body.z).toBeGreaterThan(0.03 + 0.06 * i - 1e-4 * (i + 1));
    expect(body.z).toBeLessThan(0.03 + 0.06 * i + 1e-4);
    expect(body.maxSpeed).toBeLessThan(1e-3);
  }
  expect(checkRest(world, tolerance, 3000, 'cold').isAtRest).toBe(true);
});

test('a box topples over an edge exactly if its center of mass is beyond it', () => {
  const table = fixed({ type: 'box', size: [1, 1, 0.1] }, { xyz: [-0.5, 0, -0.05], quat_wxyz: [1, 0, 0, 0] });
  for (const [x, stays] of [
    [-0.001, true],
    [0.001, false],
  ] as const) {
    const world = worldOf([table], [bodyOf({ type: 'box', size: [0.3, 0.1, 0.04] }, [x, 0, 0.02])]);
    expect(checkRest(world, tolerance, 3000, 'cold').isAtRest).toBe(stays);
  }
});

test('bodies jam between walls only if friction holds them', () => {
  // A ball between two walls that open upwards by 2 · 30°: contact normals at 30° above the horizontal.
  const walls = [1, -1].map((side) => {
    const normal = [(-side * Math.sqrt(3)) / 2, 0, 0.5];
    return fixed({ type: 'halfspace', normal }, { xyz: [side * 0.05, 0, 0], quat_wxyz: [1, 0, 0, 0] });
  });
  // The ball touches both walls where its height is 2 (r − 0.05 √3 / 2).
  const body = bodyOf({ type: 'sphere', radius: 0.06 }, [0, 0, 2 * (0.06 - (0.05 * Math.sqrt(3)) / 2)], {
    friction: 0,
  });
  expect(checkRest(worldOf(walls, [body], ideal), tolerance, 3000, 'cold').isAtRest).toBe(true);
  const lone = worldOf([walls[0]], [bodyOf({ type: 'sphere', radius: 0.06 }, [0, 0, body.z], { friction: 0 })], ideal);
  expect(checkRest(lone, tolerance, 3000, 'cold').moving).toEqual([0]);
});
