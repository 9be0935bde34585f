/** Random arms of Universal Robots among random obstacles and limits, with distances of its own: no project code. */
import type { RobotDescription } from '../../../../src/core/kinematics/robotModel.ts';
import type { Random } from '../../../../src/core/math/random.ts';
import type { PathConstraint } from '../../../../src/core/scene/constraints.ts';
import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import {
  type ArmLengths,
  add,
  apply,
  dist,
  OracleArm,
  type Pose,
  placed,
  rotation,
  rotationVector,
} from './movesOracle.ts';

/** Lengths that the maker publishes, metres. */
const FAMILY: Readonly<Record<string, ArmLengths>> = {
  ur3e: { d1: 0.15185, a2: -0.24355, a3: -0.2132, d4: 0.13105, d5: 0.08535, d6: 0.0921 },
  ur5e: { d1: 0.1625, a2: -0.425, a3: -0.3922, d4: 0.1333, d5: 0.0997, d6: 0.0996 },
  ur10e: { d1: 0.1807, a2: -0.6127, a3: -0.57155, d4: 0.17415, d5: 0.11985, d6: 0.11655 },
  ur16e: { d1: 0.1807, a2: -0.4784, a3: -0.36, d4: 0.17415, d5: 0.11985, d6: 0.11655 },
  ur3: { d1: 0.1519, a2: -0.24365, a3: -0.21325, d4: 0.11235, d5: 0.08535, d6: 0.0819 },
  ur5: { d1: 0.089159, a2: -0.425, a3: -0.39225, d4: 0.10915, d5: 0.09465, d6: 0.0823 },
  ur10: { d1: 0.1273, a2: -0.612, a3: -0.5723, d4: 0.163941, d5: 0.1157, d6: 0.0922 },
  ur20: { d1: 0.2363, a2: -0.862, a3: -0.7287, d4: 0.201, d5: 0.1593, d6: 0.1543 },
  ur30: { d1: 0.2363, a2: -0.637, a3: -0.5037, d4: 0.201, d5: 0.1593, d6: 0.1543 },
};

/** A ball on a link: `frame` counts the axes before the frame of the oracle that it is fixed to. */
export interface ArmBall {
  readonly name: string;
  readonly link: string;
  readonly frame: number;
  readonly at: readonly number[];
  readonly radius: number;
}

/** An obstacle in the base of the controller, and its signed distance from a point. */
export interface Body {
  readonly shape: ShapeSpec;
  readonly pose: Pose;
  readonly distance: (point: readonly number[]) => number;
}

/** An arm on its mount, with its tool center point. */
export interface RandomArm {
  readonly name: string;
  readonly description: RobotDescription;
  readonly arm: OracleArm;
  readonly tcp: readonly number[];
  /** Size relative to the UR5e. */
  readonly size: number;
  readonly mount: Pose;
  /** The base of the controller in the world: the mount turned by half a turn. */
  readonly base: Pose;
  readonly start: readonly number[];
  readonly balls: readonly ArmBall[];
}

const vector = (random: Random, size: number) => [0, 1, 2].map(() => random.between(-size, size));

/** Loads the bundled robots of the family, without collision geometry. */
export async function loadFamily(): Promise<ReadonlyMap<string, RobotDescription>> {
  const names = Object.keys(FAMILY);
  const robots = await Promise.all(names.map((name) => loadRobot(name)));
  const bare = robots.map((one) => ({ ...one, links: one.links.map((link) => ({ ...link, collisions: [] })) }));
  return new Map(names.map((name, i) => [name, bare[i]]));
}

/** Returns an arm of the family, or one with random lengths, on a random mount, in a random state. */
export function randomArm(family: ReadonlyMap<string, RobotDescription>, random: Random): RandomArm {
  const names = [...family.keys()];
  const name = names[random.below(names.length)];
  const isOwn = random.below(2) === 0;
  const lengths = isOwn ? randomLengths(random) : FAMILY[name];
  const description = isOwn ? withLengths(family.get(name)!, lengths) : family.get(name)!;
  const { a2, a3 } = lengths;
  const size = -(a2 + a3) / 0.8172;
  const tilt = random.below(2) === 0 ? vector(random, 3) : [0, 0, random.between(-3, 3)];
  const mount = { p: vector(random, 1), R: rotation(tilt) };
  const tcp = [...vector(random, 0.05 * size), ...(random.below(2) === 0 ? vector(random, 1.5) : [0, 0, 0])];
  tcp[2] += 0.1 * size;
  const sign = () => (random.below(2) === 0 ? -1 : 1);
  const start = [
    random.between(-3, 3),
    random.between(-2.4, -0.7),
    sign() * random.between(0.6, 2.2),
    random.between(-3, 3),
    sign() * random.between(0.7, 2.4),
    random.between(-3, 3),
  ];
  const ball = (label: string, link: string, frame: number, at: number[], radius: number): ArmBall => ({
    name: label,
    link,
    frame,
    at,
    radius: radius * size * random.between(0.6, 1.2),
  });
  const balls = [
    ball('tool', 'tool0', 6, [...vector(random, 0.03 * size).slice(0, 2), random.between(0.03, 0.1) * size], 0.04),
    ball('forearm', 'forearm_link', 2, [a3 * random.between(0.2, 0.9), 0, 0], 0.05),
    ball('upper arm', 'upper_arm_link', 1, [a2 * random.between(0.3, 0.9), 0, 0], 0.06),
  ];
  const base = placed(mount, { p: [0, 0, 0], R: rotation([0, 0, Math.PI]) });
  return {
    name: isOwn ? 'random' : name,
    description,
    arm: new OracleArm(lengths),
    tcp,
    size,
    mount,
    base,
    start,
    balls,
  };
}

function randomLengths(random: Random): ArmLengths {
  const size = random.between(0.5, 1.8);
  const length = (low: number, high: number) => Number((size * random.between(low, high)).toFixed(4));
  return {
    d1: length(0.05, 0.2),
    a2: -length(0.25, 0.6),
    a3: -length(0.25, 0.6),
    d4: length(0.05, 0.2),
    d5: length(0.05, 0.15),
    d6: length(0.05, 0.15),
  };
}

/** The description of a robot of the family with other lengths. */
function withLengths(robot: RobotDescription, { d1, a2, a3, d4, d5, d6 }: ArmLengths): RobotDescription {
  const origins: Readonly<Record<string, readonly [number, number, number]>> = {
    shoulder_pan_joint: [0, 0, d1],
    elbow_joint: [a2, 0, 0],
    wrist_1_joint: [a3, 0, d4],
    wrist_2_joint: [0, -d5, 0],
    wrist_3_joint: [0, d6, 0],
  };
  const joints = robot.joints.map((joint) => {
    const xyz = origins[joint.name];
    return xyz ? { ...joint, origin: { ...joint.origin, xyz } } : joint;
  });
  return { ...robot, joints };
}

/** Signed distances of a point in the frame of a body. */
const inner: Readonly<Record<string, (size: readonly number[], p: readonly number[]) => number>> = {
  sphere: ([radius], p) => Math.hypot(...p) - radius,
  box: (half, p) => outside(p.map((x, k) => Math.abs(x) - half[k])),
  capsule: ([radius, half], [x, y, z]) => Math.hypot(x, y, z - Math.max(-half, Math.min(half, z))) - radius,
  cylinder: ([radius, half], [x, y, z]) => outside([Math.hypot(x, y) - radius, Math.abs(z) - half]),
  halfspace: (normal, p) => normal.reduce((sum, x, k) => sum + x * p[k], 0),
};

/** Signed distance from a product of intervals, from the signed distances from each. */
const outside = (d: readonly number[]) =>
  Math.max(...d) <= 0 ? Math.max(...d) : Math.hypot(...d.map((x) => Math.max(0, x)));

function randomShape(random: Random, size: number): readonly [ShapeSpec, readonly number[]] {
  const [a, b, c] = [0, 1, 2].map(() => size * random.between(0.005, 0.08));
  const shapes: (readonly [unknown, readonly number[]])[] = [
    [{ type: 'sphere', radius: a }, [a]],
    [{ type: 'box', size: [2 * a, 2 * b, 2 * c] }, [a, b, c]],
    [{ type: 'capsule', radius: a, length: 2 * b }, [a, b]],
    [{ type: 'cylinder', radius: a, length: 2 * b }, [a, b]],
    [{ type: 'halfspace', normal: [0, 0, 1] }, [0, 0, 1]],
  ];
  return shapes[random.below(shapes.length)] as readonly [ShapeSpec, readonly number[]];
}

function bodyOf(shape: ShapeSpec, size: readonly number[], pose: Pose): Body {
  const columns = pose.R[0].map((_, j) => pose.R.map((row) => row[j]));
  const own = inner[shape.type];
  return { shape, pose, distance: (p) => own(size, apply(columns, add(p, pose.p, -1))) };
}

/** Returns a body of random kind and orientation at a distance from a point, in a direction. */
function bodyBeside(random: Random, scale: number, point: readonly number[], distance: number): Body {
  const [shape, size] = randomShape(random, scale);
  const R = rotation(vector(random, 3));
  const raw = shape.type === 'halfspace' ? R.map((row) => -row[2]) : vector(random, 1);
  const away = raw.map((x) => x / Math.hypot(...raw));
  let [low, high] = [0, 10];
  const at = (far: number) => bodyOf(shape, size, { p: add(point, away, far), R });
  for (let k = 0; k < 50; k++) {
    const far = 0.5 * (low + high);
    if (at(far).distance(point) < distance) low = far;
    else high = far;
  }
  return at(high);
}

export const ballsAt = ({ arm, balls }: RandomArm, q: readonly number[]) =>
  balls.map(({ frame, at }) => arm.point(q, frame, at));

/** Metres: greatest gap of the first body. */
const NEAR = 0.02;

/** Returns bodies whose gaps to the balls at some states are within bounds; the first one's gap is small. */
export function randomBodies(random: Random, own: RandomArm, states: readonly (readonly number[])[]): Body[] {
  const places = states.map((q) => ballsAt(own, q));
  const gapOf = ({ distance }: Body) =>
    places.reduce(
      (least, at) => at.reduce((most, p, i) => Math.min(most, distance(p) - own.balls[i].radius), least),
      1e9,
    );
  const count = 1 + random.below(4);
  return Array.from({ length: count }, (_, i) => {
    const reach = i === 0 ? NEAR : 0.15;
    for (let trial = 0; trial < 40; trial++) {
      const ball = random.below(own.balls.length);
      const point = places[random.below(places.length)][ball];
      const body = bodyBeside(random, own.size, point, own.balls[ball].radius + random.between(-2e-3, reach));
      const gap = gapOf(body);
      if (gap > -3e-3 && gap < (i === 0 ? NEAR : 0.3)) return body;
    }
    return undefined;
  }).filter((body) => body !== undefined);
}

/** A limit of the scene, and how far a state keeps it. */
export interface RandomLimit {
  readonly joint?: { readonly name: string; readonly side: 'lower' | 'upper'; readonly limit: number };
  readonly constraint?: PathConstraint;
  readonly room: (q: readonly number[]) => number;
}

const JOINTS = ['shoulder_pan', 'shoulder_lift', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3'].map((x) => `${x}_joint`);
const NO_TURN = [1, 0, 0, 0] as const;

/** Returns a limit that some states keep, or break by a little; undefined: none. */
export function randomLimit(
  random: Random,
  own: RandomArm,
  states: readonly (readonly number[])[],
): RandomLimit | undefined {
  const kind = random.below(12);
  const slack = 10 ** random.between(-4, -1.5) * (random.below(4) === 0 ? -1 : 1);
  const most = (sizeOf: (q: readonly number[]) => number) =>
    states.reduce((m, q) => Math.max(m, sizeOf(q)), -1e9) + slack;
  const j = random.below(6);
  const { arm, base, tcp } = own;
  if (kind === 0) {
    const sign = random.below(2) === 0 ? -1 : 1;
    const limit = most((q) => sign * q[j]);
    const room = (q: readonly number[]) => limit - sign * q[j];
    return { joint: { name: JOINTS[j], side: sign < 0 ? 'lower' : 'upper', limit: sign * limit }, room };
  }
  if (kind === 1) {
    const limit = most((q) => q[j]);
    return { constraint: { type: 'joint', joint: JOINTS[j], range: [-9, limit] }, room: (q) => limit - q[j] };
  }
  const tool = (q: readonly number[]) => placed(base, arm.toolPose(q, tcp));
  if (kind < 4) {
    const raw = vector(random, 1);
    const normal = raw.map((x) => x / Math.hypot(...raw)) as [number, number, number];
    const place = (q: readonly number[]) => (kind === 2 ? tool(q).p : add(base.p, apply(base.R, arm.elbow(q))));
    const along = (q: readonly number[]) => place(q).reduce((sum, x, k) => sum + x * normal[k], 0);
    const height = most(along);
    const xyz = normal.map((x) => height * x) as [number, number, number];
    const frame = kind === 3 && { frame: { isElbow: true, pose: { xyz: [0, 0, 0], quat_wxyz: NO_TURN } } as const };
    const region = { type: 'region', shape: { type: 'halfspace', normal } as const, pose: { xyz, quat_wxyz: NO_TURN } };
    return { constraint: { ...region, ...frame } as PathConstraint, room: (q) => height - along(q) };
  }
  if (kind > 4) return undefined;
  const axis = (q: readonly number[]) => tool(q).R.map((row) => row[2]);
  const towards = axis(states[0]) as [number, number, number];
  const angle = (q: readonly number[]) => 2 * Math.asin(Math.min(1, dist(axis(q), towards) / 2));
  const within = most(angle);
  if (!(within > 0 && within < 1.5)) return undefined;
  return { constraint: { type: 'tilt', axis: [0, 0, 1], towards, within }, room: (q) => within - angle(q) };
}

/** Returns a pose as the project states it. */
export function statedPose({ p, R }: Pose) {
  const v = rotationVector(R);
  const angle = Math.hypot(...v);
  const s = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
  return {
    xyz: [p[0], p[1], p[2]] as [number, number, number],
    quat_wxyz: [Math.cos(angle / 2), s * v[0], s * v[1], s * v[2]] as [number, number, number, number],
  };
}
