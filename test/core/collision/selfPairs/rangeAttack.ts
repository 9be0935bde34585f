import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { RangeProof } from '../../../../src/core/collision/selfPairs/rangeProof.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type {
  CollisionDescription,
  JointDescription,
  RobotDescription,
} from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { Separation } from '../../../../src/core/narrowphase/solver.ts';
import { sceneOf } from '../../../helpers/robots.ts';
import {
  type Body,
  leastDistance,
  type Matrix,
  type OracleJoint,
  type OracleTree,
  rotation,
  type Vec,
} from './rangeOracle.ts';

/** A tree of the oracle, and the same robot for the project. */
export interface Twin {
  readonly tree: OracleTree;
  readonly robot: RobotDescription;
}

/** Placement as the rotation by `angle` about `axis`, then a translation. */
export interface Placement {
  readonly axis: Vec;
  readonly angle: number;
  readonly xyz: Vec;
}

export interface JointSpec extends Pick<OracleJoint, 'parent' | 'axis'> {
  readonly type: JointDescription['type'];
  readonly at: Placement;
  readonly lower: number;
  readonly upper: number;
  readonly mimic?: { readonly joint: number; readonly multiplier: number; readonly offset: number };
}

/** A segment along z with all points within `radius`, or a box. */
export type BodySpec =
  | { readonly at: Placement; readonly length: number; readonly radius: number }
  | { readonly at: Placement; readonly half: Vec };

export function directionOf(random: Random): Vec {
  for (;;) {
    const v = [0, 0, 0].map(() => random.between(-1, 1));
    const norm = Math.hypot(...v);
    if (norm > 0.1 && norm <= 1) return v.map((x) => x / norm) as unknown as Vec;
  }
}

export function placementOf(random: Random, reach: number): Placement {
  const xyz = [0, 0, 0].map(() => random.between(-reach, reach)) as unknown as Vec;
  return { axis: directionOf(random), angle: random.between(-3, 3), xyz };
}

const poseOf = ({ axis, angle, xyz }: Placement) => {
  const s = Math.sin(angle / 2);
  return { xyz, quat_wxyz: [Math.cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]] as const };
};

function bodyOf(spec: BodySpec): Body {
  const R: Matrix = rotation(spec.at.axis, spec.at.angle);
  const p = spec.at.xyz;
  if ('half' in spec) return { type: 'box', R, p, half: spec.half };
  const end = (side: number) => p.map((x, i) => x + side * 0.5 * spec.length * R[3 * i + 2]) as unknown as Vec;
  return { type: 'capsule', a: end(-1), b: end(1), radius: spec.radius };
}

function collisionOf(spec: BodySpec): CollisionDescription {
  const rest = { pose: poseOf(spec.at), triangles: 0, source: 0 };
  if ('half' in spec)
    return { shape: { type: 'box', size: spec.half.map((h) => 2 * h) as [number, number, number] }, ...rest };
  const { length, radius } = spec;
  return { shape: length > 0 ? { type: 'capsule', radius, length } : { type: 'sphere', radius }, ...rest };
}

/** Returns a robot whose link i + 1 is moved by joint i, in both forms; `checked` pairs are checked if adjacent. */
export function twinOf(
  joints: readonly JointSpec[],
  bodies: readonly (BodySpec | undefined)[],
  checked: readonly (readonly [number, number])[] = [],
): Twin {
  const leaders = joints.flatMap(({ type, mimic }, i) => (type !== 'fixed' && mimic === undefined ? [i] : []));
  const link = (i: number) => `l${i}`;
  const tree: OracleTree = {
    joints: joints.map(({ parent, type, at, axis, mimic }, i) => ({
      parent,
      type: type === 'prismatic' ? 'sliding' : type === 'fixed' ? 'fixed' : 'turning',
      R: rotation(at.axis, at.angle),
      p: at.xyz,
      axis,
      variable: leaders.indexOf(mimic?.joint ?? i),
      multiplier: mimic?.multiplier ?? 1,
      offset: mimic?.offset ?? 0,
    })),
    ranges: leaders.map((i) =>
      joints[i].type === 'continuous' ? [-Math.PI, Math.PI] : [joints[i].lower, joints[i].upper],
    ),
    bodies: bodies.map((spec) => spec && bodyOf(spec)),
  };
  const robot: RobotDescription = {
    name: 'random',
    root: 'l0',
    links: bodies.map((spec, i) => ({ name: link(i), collisions: spec ? [collisionOf(spec)] : [] })),
    joints: joints.map(({ parent, type, at, axis, lower, upper, mimic }, i) => ({
      name: `j${i}`,
      type,
      parent: link(parent),
      child: link(i + 1),
      origin: poseOf(at),
      axis: [...axis] as [number, number, number],
      ...(mimic
        ? { mimic: { ...mimic, joint: `j${mimic.joint}` } }
        : type === 'continuous' || type === 'fixed'
          ? {}
          : { lower, upper }),
      velocity: 20,
    })),
    allowed: [],
    checked: checked.map(([a, b]) => [link(a), link(b)] as const),
    states: {},
    groups: {},
    warnings: [],
  };
  return { tree, robot };
}

const KINDS = ['revolute', 'revolute', 'revolute', 'prismatic', 'continuous', 'fixed'] as const;

/** Joints of a trunk, then of one or two branches; the last links of the branches are the pair. */
function jointsOf(random: Random, scale: number): { joints: JointSpec[]; pair: readonly [number, number] } {
  const joints: JointSpec[] = [];
  const span = random.between(0.1, 1.5); // many narrow ranges: proofs end
  const add = (parent: number): number => {
    const type = KINDS[random.below(KINDS.length)];
    const half = (type === 'prismatic' ? 0.2 * scale : 1.5) * span * random.between(0.1, 1);
    const middle = type === 'prismatic' ? random.between(-0.3, 0.3) * scale : random.between(-2, 2);
    const leader = joints.findIndex((one) => one.type === type && type !== 'fixed' && one.mimic === undefined);
    const sign = random.next() < 0.5 ? -1 : 1;
    const multiplier = random.next() < 0.4 ? sign : sign * random.between(0.2, 2.5);
    const offset = random.next() < 0.3 ? 0 : random.between(-0.5, 0.5) * (type === 'prismatic' ? scale : 1);
    // Some axes are those of the joint before, or parallel to them: terms of second order are then as large as bounded.
    const isParallel = joints.length > 0 && random.next() < 0.3;
    const at = placementOf(random, 0.5 * scale);
    const still: Placement = { ...at, angle: 0, ...(random.next() < 0.5 && { xyz: [0, 0, 0] }) };
    joints.push({
      parent,
      type,
      at: isParallel ? still : at,
      axis: isParallel ? joints[joints.length - 1].axis : directionOf(random),
      lower: middle - half,
      upper: middle + half,
      ...(leader >= 0 && random.next() < 0.35 && { mimic: { joint: leader, multiplier, offset } }),
    });
    return joints.length;
  };
  let common = 0;
  for (let i = random.below(3); i > 0; i--) common = add(common);
  const branch = (count: number) => {
    let last = common;
    for (let i = 0; i < count; i++) last = add(last);
    return last;
  };
  const length = 1 + random.below(6);
  const second = random.next() < 0.5 ? 0 : random.below(length);
  return { joints, pair: [branch(second), branch(length - second)] };
}

/** Returns the distance of the project in a state of the oracle, whose variables are in the order of the joints. */
function distanceAt(
  manager: CollisionManager,
  pair: number,
  { joints }: RobotDescription,
  q: readonly number[],
): number {
  const leaders = joints.flatMap(({ name, type, mimic }) => (type !== 'fixed' && mimic === undefined ? [name] : []));
  const values = manager.model.robot.variables.map(({ name }) => q[leaders.indexOf(name)]);
  manager.posed.pose(Float64Array.from(values));
  return manager.pairSeparation(new Separation(), pair);
}

/** Distances that the pair keeps over the range in the attack, metres; at most 0: in contact. */
const KEPT = [-1e-6, -1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-2, 1e-1];

/** Counts of an attack. */
export interface RangeCounts {
  readonly separated: number;
  readonly undecided: number;
  readonly unbounded: number;
  /** Cases in which the oracle found a contact. */
  readonly contacts: number;
  /** Proofs for pairs that keep at most 0.1 mm. */
  readonly near: number;
  /** What is wrong, one line each. */
  readonly trouble: readonly string[];
}

/** Attacks the proofs of one random pair, whose bodies are as large as they may be to keep the distances `KEPT`. */
export function attackRange(seed: number, maxCells: number, effort: number): RangeCounts {
  const random = new Random(seed);
  const scale = [1e-3, 1, 1, 1e3][random.below(4)];
  const { joints, pair } = jointsOf(random, scale);
  const at = () => placementOf(random, 0.3 * scale);
  const length = () => (random.next() < 0.3 ? 0 : random.between(0.05, 0.5) * scale);
  const half = [0, 0, 0].map(() => random.between(0.02, 0.2) * scale) as unknown as Vec;
  const specs: BodySpec[] = [
    { at: at(), length: length(), radius: 0 },
    random.next() < 0.3 ? { at: at(), half } : { at: at(), length: length(), radius: 0 },
  ];
  if (random.next() < 0.5) specs.reverse();
  const twinWith = (radius: number) => {
    const bodies = Array.from({ length: joints.length + 1 }, (_, i): BodySpec | undefined => {
      const spec = pair.includes(i) ? specs[pair.indexOf(i)] : undefined;
      return spec && 'length' in spec
        ? { ...spec, radius: specs.some((one) => 'half' in one) ? radius : radius / 2 }
        : spec;
    });
    return twinOf(joints, bodies, [pair]);
  };
  const counts = { separated: 0, undecided: 0, unbounded: 0, contacts: 0, near: 0, trouble: [] as string[] };
  const bare = twinWith(0).tree;
  const next = () => random.next();
  const { least, q } = leastDistance(bare, pair, next, { samples: 200 * effort, descents: 2 * effort });
  for (const kept of KEPT) {
    if (!(least - kept > 1e-3 * scale)) continue;
    const twin = twinWith(least - kept);
    const model = new CollisionModel(createRobotModel(twin.robot), sceneOf([]));
    const manager = new CollisionManager(model);
    const own = distanceAt(manager, 0, twin.robot, q);
    if (Math.abs(own - kept) > 1e-7 * scale + 1e-9) counts.trouble.push(`${own} m apart, ${kept} by the oracle`);
    const { verdict } = new RangeProof(manager).prove(0, maxCells);
    counts[verdict]++;
    if (kept <= 0) counts.contacts++;
    if (verdict !== 'separated') continue;
    if (kept <= 1e-4) counts.near++;
    const again = leastDistance(twin.tree, pair, next, { samples: 400 * effort, descents: 3 * effort });
    if (kept <= 0 || again.least <= 0)
      counts.trouble.push(
        `proved, but ${Math.min(kept, again.least)} m apart at [${(kept <= 0 ? q : again.q).join()}]`,
      );
  }
  return counts;
}
