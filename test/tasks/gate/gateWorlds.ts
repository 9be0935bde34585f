import type { Random } from '../../../src/core/math/random.ts';
import type { ObstacleMotion } from '../../../src/core/scene/movingScene.ts';
import type { Obstacle } from '../../../src/core/scene/scene.ts';
import { sphereClusters } from '../../../src/formats/clouds/sphereClusters.ts';
import type { SceneChange } from '../../../src/formats/streams/gateMessages.ts';
import { boxDistance } from '../../core/world/oracle.ts';
import type { Vec } from './gateArms.ts';
import { carriedCentre, inLastFrame, type OracleWorld, type Record, type SeenObject } from './gateOracle.ts';

/** Random objects, and changes of random worlds, for the attacks on the gate: for the gate and for the oracle. */

/** An object for both. */
export interface RandomObject {
  readonly seen: SeenObject;
  readonly obstacle: Obstacle;
}

/** A change for both; the oracle takes the object with the name of the change from `object`. */
export interface RandomChange {
  readonly kind: SceneChange['kind'];
  readonly name: string;
  readonly object?: RandomObject;
  readonly xyz?: Vec;
}

const identity = [1, 0, 0, 0] as const;
const still = (xyz: Vec, quat_wxyz: SeenObject['motion']['poses'][0]['quat_wxyz'] = identity): ObstacleMotion => ({
  times: [0],
  poses: [{ xyz, quat_wxyz }],
});
const vector = (random: Random, size: number): Vec => [0, 1, 2].map(() => random.between(-size, size)) as Vec;

/**
 * Returns an object about a point, or anywhere.
 * @param speed the unknown speed; undefined: it is drawn
 * @param more chooses half-spaces, clouds and turned boxes; undefined: boxes with the axes of the world
 */
export function randomObject(
  random: Random,
  name: string,
  near: Vec | undefined,
  now: number,
  more?: Random,
  speed?: number,
): RandomObject {
  const size = [0, 1, 2].map(() => random.between(0.02, 0.3));
  const unknownSpeed = speed ?? (random.below(4) === 0 ? random.between(0.01, 0.4) : 0);
  const own = vector(random, 1);
  const place = near ? (near.map((x, i) => x + 0.5 * own[i]) as Vec) : own;
  const kind = more?.below(5);
  if (kind === 0) return halfspace(more!, name, unknownSpeed, now);
  if (kind === 1 || kind === 2) return cloud(more!, name, place, unknownSpeed, now);
  const quat = more ? ([more.between(0.2, 1), ...vector(more, 1)] as const) : identity;
  return objectOf(
    { name, distance: (p) => boxDistance(p, size), motion: still(place, quat), seen: now, unknownSpeed },
    [{ shape: { type: 'box', size } }],
  );
}

function objectOf(seen: SeenObject, parts: Obstacle['parts']): RandomObject {
  const { name, motion, unknownSpeed } = seen;
  const moves = motion.times.length > 1;
  return { seen, obstacle: { name, parts, pose: motion.poses[0], unknownSpeed, ...(moves && { motion }) } };
}

/** A half-space whose plane is 0.2 to 1.2 m from the origin, which is outside. */
function halfspace(random: Random, name: string, unknownSpeed: number, now: number): RandomObject {
  const normal = vector(random, 1);
  const length = Math.hypot(...normal);
  const unit = normal.map((x) => x / length) as Vec;
  const away = random.between(0.2, 1.2);
  const distance = (p: Vec) => unit[0] * p[0] + unit[1] * p[1] + unit[2] * p[2];
  const motion = still(unit.map((x) => -away * x) as Vec);
  return objectOf({ name, distance, motion, seen: now, unknownSpeed }, [{ shape: { type: 'halfspace', normal } }]);
}

/** A sheet or a clump of 20 to 150 points. */
function cloud(random: Random, name: string, at: Vec, unknownSpeed: number, now: number): RandomObject {
  const radius = random.between(0.002, 0.03);
  const [wide, high] = [random.between(0.02, 0.3), random.below(2) === 0 ? 0.002 : random.between(0.02, 0.2)];
  const points = Array.from({ length: 20 + random.below(131) }, (): Vec => {
    const [x, y, z] = vector(random, 1);
    return [wide * x, wide * y, high * z];
  });
  const distance = (p: Vec) => {
    let least = Number.POSITIVE_INFINITY;
    for (const [x, y, z] of points) least = Math.min(least, (p[0] - x) ** 2 + (p[1] - y) ** 2 + (p[2] - z) ** 2);
    return Math.sqrt(least) - radius;
  };
  const motion = still(at, [random.between(0.2, 1), ...vector(random, 1)] as const);
  return objectOf({ name, distance, motion, seen: now, unknownSpeed }, sphereClusters(points.flat(), radius));
}

/** An object that moves slowly, once. */
export function movingObject(random: Random, name: string, more?: Random): RandomObject {
  const { seen, obstacle } = randomObject(random, name, undefined, 0, more);
  const { xyz: from, quat_wxyz } = seen.motion.poses[0];
  const time = random.between(0, 2);
  const duration = random.between(2.5, 4);
  const to = from.map((x) => x + random.between(-1, 1)) as Vec;
  const motion = { times: [time, time + duration], poses: [from, to].map((xyz) => ({ xyz, quat_wxyz })) };
  return objectOf({ ...seen, motion }, obstacle.parts);
}

/** A change of the world; undefined if none is possible. */
export function randomChange(
  random: Random,
  { world, record, except }: { readonly world: OracleWorld; readonly record: Record; readonly except: Set<string> },
  now: number,
  more?: Random,
): RandomChange | undefined {
  const names = [...world.objects.keys()];
  const kind = random.below(5);
  const tip = carriedCentre(world.arm, record.at(now + random.between(0, 1)).q, [world.arm.lengths.at(-1)!, 0, 0]);
  const near = random.below(2) === 0 ? tip : undefined;
  if (kind === 0 && names.length < 6) {
    const name = `object${names.length + 10 * random.below(50)}`;
    if (world.objects.has(name)) return undefined;
    return { kind: 'add', name, object: randomObject(random, name, near, now, more) };
  }
  if (kind === 1 && [...except].some((name) => name === 'ball' || name.startsWith('link'))) return undefined;
  if (kind === 1) return { kind: world.carried ? 'detach' : 'attach', name: 'ball' };
  const name = names[random.below(names.length)];
  const old = name === undefined ? undefined : world.objects.get(name);
  if (old === undefined || old.motion.times.length > 1) return undefined;
  // in its place another one, in the same message
  if (more && more.below(3) === 0) return { kind: 'add', name, object: randomObject(random, name, near, now, more) };
  if (kind === 2) return { kind: 'remove', name };
  const about = random.below(3) === 0 ? tip : old.motion.poses[0].xyz;
  return { kind: 'move', name, xyz: about.map((x) => x + random.between(-0.15, 0.15)) as Vec };
}

const ball = ({ arm }: OracleWorld, q: readonly number[]): Vec =>
  carriedCentre(arm, q, [arm.lengths.at(-1)! + 0.06, 0, 0.05]);

/** The world of the oracle after a change. */
export function worldAfter(world: OracleWorld, change: RandomChange, q: readonly number[], now: number): OracleWorld {
  const objects = new Map(world.objects);
  const { kind, name, object, xyz } = change;
  if (kind === 'add') objects.set(name, object!.seen);
  if (kind === 'remove') objects.delete(name);
  if (kind === 'move') {
    const old = objects.get(name)!;
    objects.set(name, { ...old, motion: still(xyz!, old.motion.poses[0].quat_wxyz), seen: now });
  }
  if (kind === 'detach') return { ...world, carried: undefined };
  if (kind !== 'attach') return { ...world, objects };
  return { ...world, carried: { name, radius: 0.03, at: inLastFrame(world.arm, q, ball(world, q)) } };
}

/** The changes that are sent to the gate: the ball comes into being where it is grasped, and is taken away. */
export function messageOf(world: OracleWorld, change: RandomChange, q: readonly number[]): SceneChange[] {
  const { kind, name, object, xyz } = change;
  if (kind === 'move') {
    const { quat_wxyz } = world.objects.get(name)!.motion.poses[0];
    return [{ kind, name, pose: { xyz: xyz!, quat_wxyz } }];
  }
  if (kind === 'add') {
    const add = { kind, name, obstacle: object!.obstacle } as const;
    return world.objects.has(name) ? [{ kind: 'remove', name }, add] : [add];
  }
  if (kind === 'remove') return [{ kind, name }];
  if (kind === 'detach')
    return [
      { kind, name },
      { kind: 'remove', name },
    ];
  const pose = { xyz: ball(world, q), quat_wxyz: identity };
  const parts = [{ shape: { type: 'sphere', radius: 0.03 } as const }];
  const link = `link${world.arm.lengths.length - 1}`;
  return [
    { kind: 'add', name, obstacle: { name, pose, parts } },
    { kind: 'attach', name, link, touches: [] },
  ];
}
