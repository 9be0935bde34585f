import { setRotationFromQuaternion } from '../../src/core/math/quaternion.ts';
import type { Random } from '../../src/core/math/random.ts';
import { create, relative, type Transform } from '../../src/core/math/transform.ts';
import { pointsOf } from '../peers/peer.ts';
import { loadRapier, type RapierBody } from '../peers/rapier.ts';
import { type BenchBody, objectHulls } from './bodies.ts';
import { randomQuaternion } from './pairs.ts';

/** One second at 120 Hz [Montaut24 §IV-E]. */
const STEPS = 120;

/** One falling pair: its poses with overlapping bounding boxes, in order of time. */
export interface Fall {
  readonly a: BenchBody;
  readonly b: BenchBody;
  readonly poses: readonly Transform[];
}

/**
 * Returns the poses of pairs of hulls dropped into a funnel, simulated by Rapier [Montaut24 Fig. 14]; undefined if
 * Rapier is not installed.
 */
export async function simulateFalls(random: Random, pairs: number): Promise<Fall[] | undefined> {
  const found = await loadRapier();
  if (found === undefined) return undefined;
  const { rapier } = found;
  const bodies = await objectHulls(random, 240, 12);
  const falls: Fall[] = [];
  for (let p = 0; p < pairs; p++) {
    const world = new rapier.World({ x: 0, y: 0, z: -9.81 });
    world.timestep = 1 / 120;
    addFunnel(rapier, world);
    const a = bodies[random.below(bodies.length)];
    const b = bodies[random.below(bodies.length)];
    const [first, second] = [a, b].map((body, i) => {
      const [w, x, y, z] = randomQuaternion(random);
      const length = Math.sqrt(w * w + x * x + y * y + z * z);
      const placed = rapier.RigidBodyDesc.dynamic()
        .setTranslation(i === 0 ? -0.6 : 0.6, random.between(-0.2, 0.2), random.between(1, 1.6))
        .setRotation({ x: x / length, y: y / length, z: z / length, w: w / length })
        .setLinvel(i === 0 ? 1 : -1, random.between(-1, 1), random.between(-1, 0))
        .setAngvel({ x: random.between(-3, 3), y: random.between(-3, 3), z: random.between(-3, 3) });
      const falling = world.createRigidBody(placed);
      world.createCollider(rapier.ColliderDesc.convexHull(pointsOf(body))!, falling);
      return falling;
    });
    const poses: Transform[] = [];
    for (let step = 0; step < STEPS; step++) {
      world.step();
      const T = relativePose(first, second);
      if (boxesMeet(a, T, b)) poses.push(T);
    }
    world.free();
    if (poses.length > 0) falls.push({ a, b, poses });
  }
  return falls;
}

/** Creates four walls that lean outwards, and a floor. */
function addFunnel(
  rapier: NonNullable<Awaited<ReturnType<typeof loadRapier>>>['rapier'],
  world: InstanceType<typeof rapier.World>,
): void {
  const half = 0.3826834323650898; // sine and cosine of 22.5 degrees: walls at 45
  const cosine = 0.9238795325112867;
  const walls: [number, number, { x: number; y: number; z: number; w: number }][] = [
    [1, 0, { x: 0, y: -half, z: 0, w: cosine }],
    [-1, 0, { x: 0, y: half, z: 0, w: cosine }],
    [0, 1, { x: half, y: 0, z: 0, w: cosine }],
    [0, -1, { x: -half, y: 0, z: 0, w: cosine }],
  ];
  for (const [x, y, q] of walls) {
    const wall = world.createRigidBody(
      rapier.RigidBodyDesc.fixed()
        .setTranslation(1.2 * x, 1.2 * y, 0)
        .setRotation(q),
    );
    world.createCollider(rapier.ColliderDesc.cuboid(2, 2, 0.05), wall);
  }
  const floor = world.createRigidBody(rapier.RigidBodyDesc.fixed().setTranslation(0, 0, -1));
  world.createCollider(rapier.ColliderDesc.cuboid(2, 2, 0.05), floor);
}

function relativePose(a: RapierBody, b: RapierBody): Transform {
  const out = create();
  relative(out, poseOf(b), poseOf(a));
  return out;
}

function poseOf(body: RapierBody): Transform {
  const T = create();
  const { x, y, z, w } = body.rotation();
  setRotationFromQuaternion(T, [w, x, y, z]);
  const t = body.translation();
  T[3] = t.x;
  T[7] = t.y;
  T[11] = t.z;
  return T;
}

/**
 * Returns true if the box of B intersects the box around the rotated box of A in the axes of B: the broad-phase test.
 */
function boxesMeet(a: BenchBody, T: Transform, b: BenchBody): boolean {
  const box = a.shape.bounds;
  for (let row = 0; row < 3; row++) {
    let middle = T[4 * row + 3];
    let half = 0;
    for (let k = 0; k < 3; k++) {
      middle += (T[4 * row + k] * (box[k] + box[k + 3])) / 2;
      half += (Math.abs(T[4 * row + k]) * (box[k + 3] - box[k])) / 2;
    }
    if (middle - half > b.shape.bounds[row + 3] || middle + half < b.shape.bounds[row]) return false;
  }
  return true;
}
