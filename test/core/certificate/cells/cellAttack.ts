import type { CellPartition } from '../../../../src/core/certificate/cells/cellPartition.ts';
import { CellSpace } from '../../../../src/core/certificate/cells/cellSpace.ts';
import { JointCellProver, type RequiredPose } from '../../../../src/core/certificate/cells/jointCells.ts';
import { PoseReach } from '../../../../src/core/certificate/cells/poseReach.ts';
import { certifiedParts } from '../../../../src/core/certificate/convexParts.ts';
import { forwardKinematics, RobotState } from '../../../../src/core/kinematics/forwardKinematics.ts';
import { transformOfPose } from '../../../../src/core/kinematics/pose.ts';
import type { JointDescription, Pose, RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import {
  compose,
  create,
  invert,
  relative,
  type Transform,
  transformPoint,
} from '../../../../src/core/math/transform.ts';
import { GjkDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import { WitnessSearch } from '../../../../src/tasks/planning/infeasibility/witnessSearch.ts';
import { body, joint, link, robotOf } from '../worlds.ts';

/** Counts of one attack: claims, the states tried against them, and descriptions of wrong ones. */
export interface CellCounts {
  overlaps: number;
  gaps: number;
  states: number;
  readonly wrong: string[];
}

/** Random shapes of every kind that scenes may have. */
export function randomShape(random: Random, planes = false): ShapeSpec {
  const r = () => random.between(0.03, 0.3);
  const margin = random.below(3) === 0 ? random.between(0, 0.05) : 0;
  const kinds: (() => ShapeSpec)[] = [
    () => ({ type: 'box', size: [r(), r(), r()], margin }),
    () => ({ type: 'sphere', radius: r(), margin }),
    () => ({ type: 'cylinder', radius: r(), length: r(), margin }),
    () => ({ type: 'capsule', radius: r(), length: r(), margin }),
    () => ({ type: 'cone', radius: r(), length: r(), margin }),
    () => ({ type: 'frustum', radiusBottom: r(), radiusTop: r(), length: r(), margin }),
    () => ({ type: 'ellipsoid', radii: [r(), r(), r()], margin }),
    () => ({ type: 'convex', points: randomPoints(random, 4 + random.below(30)), margin }),
  ];
  if (planes) kinds.push(() => ({ type: 'halfspace', normal: direction(random), margin }));
  return kinds[random.below(kinds.length)]();
}

const randomPoints = (random: Random, count: number): number[][] =>
  Array.from({ length: count }, () => [0, 1, 2].map(() => random.between(-0.2, 0.2)));

function direction(random: Random): number[] {
  for (;;) {
    const d = [0, 1, 2].map(() => random.between(-1, 1));
    const length = Math.hypot(...d);
    if (length > 0.1 && length < 1) return d.map((x) => x / length);
  }
}

function randomPose(random: Random, size: number): Pose {
  const [x, y, z] = direction(random);
  const angle = random.between(0, Math.PI);
  const s = Math.sin(angle / 2);
  const place = () => random.between(-size, size);
  return { xyz: [place(), place(), place()], quat_wxyz: [Math.cos(angle / 2), s * x, s * y, s * z] };
}

/** A chain of turning and sliding joints, some of which follow another one. */
function randomChain(random: Random, count: number): RobotModel {
  const names = Array.from({ length: count + 1 }, (_, i) => `link${i}`);
  const links = names.map((name) => link(name, [randomShape(random), randomPose(random, 0.1)]));
  const joints = names.slice(1).map((child, i): JointDescription => {
    const type = random.below(4) === 0 ? 'prismatic' : 'revolute';
    const [x, y, z] = direction(random);
    const follows = i > 0 && random.below(5) === 0;
    const limit = type === 'prismatic' ? 0.5 : 3;
    return joint(type, [names[i], child], [x, y, z], {
      origin: randomPose(random, 0.3),
      lower: -limit,
      upper: limit,
      velocity: 1,
      ...(follows ? { mimic: { joint: `to_${names[i]}`, multiplier: random.between(-2, 2), offset: 0.1 } } : {}),
    });
  });
  const firstFollower = joints.findIndex((one, i) => one.mimic && joints[i - 1].mimic);
  return firstFollower < 0 ? robotOf(links, joints) : randomChain(random, count);
}

/**
 * Claims about random cells of a random chain beside a random obstacle, and states of the cells against which they are
 * judged by GJK.
 */
export function attackCells(seed: number, counts: CellCounts): void {
  const random = new Random(seed);
  const robot = randomChain(random, 1 + random.below(4));
  const scene = {
    obstacles: [body('obstacle', randomPose(random, 0.4), randomShape(random, true))],
    attached: [],
    allow: [],
    padding: 0,
  };
  const parts = certifiedParts(robot, scene);
  const widths = 10 ** random.between(-3, -0.3);
  const middle = Float64Array.from(robot.variables, () => random.between(-1, 1));
  const half = middle.map(() => widths * random.between(0, 1));
  const prover = new JointCellProver(robot, middle.map(Math.abs));
  prover.setCell({ middle, half });
  const state = new RobotState(robot);
  for (const [i, a] of parts.entries())
    for (const b of parts.slice(i + 1)) {
      if (a.link < 0 || a.link === b.link) continue;
      forwardKinematics(state, middle);
      const poseOf = ({ link: index }: { link: number }) => (index < 0 ? create() : state.T_world_link[index].slice());
      const T_b = poseOf(b);
      let p: Float64Array | undefined;
      prover.setPair(a, b);
      const found = new WitnessSearch().search([{ a, b, index: 0, cache: new PairCache() }], poseOf, (_, point) => {
        const [T_b_world, inB] = [create(), new Float64Array(3)];
        invert(T_b_world, T_b);
        transformPoint(inB, T_b_world, point);
        p = inB;
        return prover.overlap(inB) > 0 ? inB : undefined;
      });
      const claims = found.witness !== undefined;
      // Points beside the deepest one are tried, too.
      if (p !== undefined && !claims) {
        const beside = p.map((x) => x + random.between(-0.05, 0.05));
        if (prover.overlap(beside) > 0) counts.wrong.push(`seed ${seed}: a worse point proves more`);
      }
      const n = Float64Array.from(direction(random));
      const normal = found.collides ? n : (normalOf(a, b, poseOf) ?? n);
      const gap = prover.gap(normal);
      if (claims) counts.overlaps++;
      if (gap > 0) counts.gaps++;
      if (!claims && !(gap > 0)) continue;
      for (let k = 0; k < 12; k++) {
        const q = middle.map((x, j) => x + half[j] * (k % 2 === 0 ? random.between(-1, 1) : random.below(2) * 2 - 1));
        forwardKinematics(state, q);
        const distance = distanceOf(a, poseOf(a), b, poseOf(b));
        counts.states++;
        if (claims && distance.lower > 1e-9)
          counts.wrong.push(`seed ${seed}: ${a.object} and ${b.object} are ${distance.lower} m apart at ${q}`);
        if (gap > 0 && distance.upper < gap - 1e-9)
          counts.wrong.push(`seed ${seed}: ${a.object} and ${b.object}: ${distance.upper} m at ${q}, claimed ${gap}`);
      }
    }
}

/** Claims about goal poses: states with the frame of the goal anywhere in its tolerance. */
export function attackGoals(seed: number, counts: CellCounts): void {
  const random = new Random(seed);
  const robot = randomChain(random, 2 + random.below(3));
  const last = robot.links.length - 1;
  const goal = randomPose(random, 0.4);
  const axes = random.below(2) === 0;
  const angle = 10 ** random.between(-6, -0.5);
  const required: RequiredPose = {
    frame: { link: last, T_link_frame: transformOfPose(randomPose(random, 0.1)) },
    T_world_goal: transformOfPose(goal),
    tolerance: { position: 10 ** random.between(-6, -1.5), angle: axes ? [angle, 0.3 * angle, 0.5 * angle] : angle },
  };
  const near = { ...randomPose(random, 0.1) };
  const scene = {
    obstacles: [
      body(
        'obstacle',
        { ...near, xyz: goal.xyz.map((x, k) => x + near.xyz[k]) as unknown as Pose['xyz'] },
        randomShape(random, true),
      ),
    ],
    attached: [],
    allow: [],
    padding: 0,
  };
  const parts = certifiedParts(robot, scene);
  const b = parts.at(-1)!;
  const middle = Float64Array.from(robot.variables, () => random.between(-1, 1));
  const width = 10 ** random.between(-3, -0.3);
  const half = middle.map(() => width * random.between(0, 1));
  const prover = new JointCellProver(robot, middle.map(Math.abs));
  prover.setCell({ middle, half });
  const state = new RobotState(robot);
  for (const a of parts.filter(({ link: index }) => index >= 0)) {
    prover.setPair(a, b);
    const posesAt = (q: Float64Array, T_world_frame: Transform) => {
      forwardKinematics(state, q);
      const [T_frame, T] = [create(), create()];
      compose(T_frame, state.T_world_link[last], required.frame.T_link_frame);
      relative(T, T_frame, state.T_world_link[a.link]);
      compose(T, T_world_frame, T);
      return ({ link: index }: { link: number }) => (index < 0 ? create() : T);
    };
    const found = new WitnessSearch().search(
      [{ a, b, index: 0, cache: new PairCache() }],
      posesAt(middle, required.T_world_goal),
      (_, p) => {
        prover.setPair(a, b);
        return prover.overlapAtGoal(p, required) > 0 ? p : undefined;
      },
    );
    if (found.witness === undefined) continue;
    counts.overlaps++;
    for (let k = 0; k < 12; k++) {
      const q = middle.map((x, j) => x + half[j] * (k % 2 === 0 ? random.between(-1, 1) : random.below(2) * 2 - 1));
      const poses = posesAt(q, within(random, required));
      const distance = distanceOf(a, poses(a), b, poses(b));
      counts.states++;
      if (distance.lower > 1e-9) counts.wrong.push(`seed ${seed}: ${a.object} is ${distance.lower} m away`);
    }
  }
}

/** Claims that a goal is out of reach in a cell: goals at the frame of states in the cell, up to the tolerance. */
export function attackReach(seed: number, counts: CellCounts): void {
  const random = new Random(seed);
  const robot = randomChain(random, 1 + random.below(6));
  const last = robot.links.length - 1;
  const anywhere = random.below(3);
  const middle = Float64Array.from(robot.variables, () => random.between(-1, 1));
  const width = 10 ** random.between(-3, 0.7);
  const half = middle.map((_, i) =>
    random.below(4) < anywhere && robot.joints.every(({ variable, type }) => variable !== i || type !== 'prismatic')
      ? Number.POSITIVE_INFINITY
      : width * random.between(0, 1),
  );
  const state = new RobotState(robot);
  const angle = 10 ** random.between(-6, 0.6);
  const axes = [angle, random.between(0, 1) * angle, random.between(0, 0.1)].map((x) => Math.min(x, Math.PI));
  const tolerance = {
    position: 10 ** random.between(-6, -1),
    angle:
      random.below(2) === 0
        ? Math.min(angle, Math.PI)
        : ((random.below(2) === 0 ? axes : axes.toReversed()) as unknown as [number, number, number]),
  };
  const T_link_frame = transformOfPose(randomPose(random, 0.1));
  const frameAt = (q: Float64Array) => {
    forwardKinematics(state, q);
    const T = create();
    compose(T, state.T_world_link[last], T_link_frame);
    return T;
  };
  for (let k = 0; k < 12; k++) {
    // A state of the cell, or one anywhere, against which claims are counted.
    const isInside = k < 10;
    const q = middle.map((x, j) => {
      if (!isInside || half[j] === Number.POSITIVE_INFINITY) return random.between(-4, 4);
      return x + half[j] * (k % 2 === 0 ? random.between(-1, 1) : random.below(2) * 2 - 1);
    });
    const exact = { frame: { link: last, T_link_frame }, T_world_goal: frameAt(q), tolerance };
    // A pose from which the frame differs by a rotation w in the axes of the pose: R_goal = R_frame exp(−w).
    const required = { ...exact, T_world_goal: within(random, exact) };
    counts.states++;
    if (!new PoseReach(robot, required).excludes({ middle, half })) continue;
    counts.overlaps++;
    if (isInside) counts.wrong.push(`seed ${seed}: the state ${q} has the pose`);
  }
}

/**
 * Claims that a cell of a goal is behind a wall: random states of the cell, turned by full turns within the limits,
 * must lie in no cell that is reached from the start.
 */
export function attackBehind(seed: number, counts: CellCounts): void {
  const random = new Random(seed);
  const count = 1 + random.below(4);
  const names = Array.from({ length: count + 1 }, (_, i) => `link${i}`);
  const limits = names.slice(1).map(() => randomLimits(random));
  const joints = limits.map(([lower, upper], i) =>
    joint('revolute', [names[i], names[i + 1]], [0, 0, 1], Number.isFinite(lower) ? { lower, upper } : {}),
  );
  const robot = robotOf(
    names.map((name) => link(name)),
    joints,
  );
  const space = CellSpace.of(robot, [...limits.keys()].slice(0, 1 + random.below(3)))!;
  const wall = space.createTree();
  bisectAtRandom(wall, random, 30);
  for (let cell = 0; cell < wall.size; cell++) if (random.below(5) > 1) wall.witness[cell] = [0, 0, 0, 0];
  const box = limits.map(([low, high]) => (Number.isFinite(low) ? ([low, high] as const) : ([-9, 9] as const)));
  const start = box.map(([low, high]) => random.between(low, high));
  const before = wall.flood(space.cellsAt(wall, start, false));
  const own = CellSpace.of(robot, [...limits.keys()].slice(random.below(count)), true)!;
  const tree = own.createTree();
  bisectAtRandom(tree, random, 60);
  for (let cell = 0; cell < tree.size; cell++) {
    if (!tree.isCell(cell) || !own.isBehind({ space, tree: wall, before }, tree, cell)) continue;
    counts.overlaps++;
    for (let k = 0; k < 10; k++) {
      const q = box.map(([low, high], i) => {
        const at = own.variables.indexOf(i);
        if (at < 0) return random.between(low, high);
        const by = random.below(3) === 0 ? random.below(2) * 2 - 1 : random.between(-1, 1);
        const value = tree.middle(cell, at) + tree.halfWidth(cell, at) * by;
        const turned = [-2, -1, 0, 1, 2].map((n) => value + 2 * Math.PI * n).filter((x) => x >= low && x <= high);
        return own.wraps[at] && turned.length > 0 ? turned[random.below(turned.length)] : value;
      });
      counts.states++;
      for (let other = 0; other < wall.size; other++)
        if (wall.isCell(other) && before[other] !== -2 && isIn(wall, other, space, q))
          counts.wrong.push(`seed ${seed}: the state ${q} is in a cell that is reached`);
    }
  }
}

function randomLimits(random: Random): readonly [number, number] {
  const low = random.between(-7, 1);
  return [
    [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    [-2 * Math.PI, 2 * Math.PI],
    [-Math.PI, Math.PI],
    [low, low + random.between(1, 12)],
  ][random.below(4)] as [number, number];
}

function bisectAtRandom(tree: CellPartition, random: Random, count: number): void {
  for (let k = 0; k < count; k++) {
    const cell = random.below(tree.size);
    if (tree.isCell(cell)) tree.bisect(cell, random.below(tree.dimension));
  }
}

/** Returns true if a state lies in a cell; of joints without limits up to full turns. */
function isIn(tree: CellPartition, cell: number, { variables, wraps }: CellSpace, q: readonly number[]): boolean {
  return variables.every((i, k) => {
    const away = q[i] - tree.middle(cell, k);
    const turned = wraps[k] ? away - 2 * Math.PI * Math.round(away / (2 * Math.PI)) : away;
    return Math.abs(turned) <= tree.halfWidth(cell, k);
  });
}

/** Returns a pose of the frame within the tolerance of a goal, often at its boundary; the relation is symmetric. */
function within(random: Random, { T_world_goal, tolerance }: RequiredPose): Transform {
  const share = random.below(2) === 0 ? 1 : random.between(0, 1);
  const away = direction(random).map((x) => x * share * tolerance.position);
  const { angle } = tolerance;
  const w =
    typeof angle === 'number'
      ? direction(random).map((x) => x * share * angle)
      : angle.map((most) => most * (random.below(2) === 0 ? random.below(2) * 2 - 1 : random.between(-1, 1)));
  const length = Math.hypot(...w);
  const s = length > 0 ? Math.sin(length / 2) / length : 0;
  const turn = transformOfPose({ xyz: [0, 0, 0], quat_wxyz: [Math.cos(length / 2), s * w[0], s * w[1], s * w[2]] });
  const T = create();
  compose(T, T_world_goal, turn);
  for (let k = 0; k < 3; k++) T[4 * k + 3] += away[k];
  return T;
}

interface Placed {
  readonly shape: ConvexShape;
  readonly link: number;
  readonly T_link_part: Transform;
}

function distanceOf(
  a: Placed,
  T_a: Transform,
  b: Placed,
  T_b: Transform,
): { readonly lower: number; readonly upper: number } {
  const [A, B, T] = [create(), create(), create()];
  compose(A, T_a, a.T_link_part);
  compose(B, T_b, b.T_link_part);
  relative(T, B, A);
  if (b.shape.type === 'halfspace') return planeDistance(a.shape, T, b.shape);
  const out = new Separation();
  new GjkDistance({ relativeGap: 1e-6 }).solve(out, a.shape, T, b.shape, new PairCache());
  return { lower: out.distance.lower, upper: out.distance.upper };
}

function planeDistance(shape: ConvexShape, T: Transform, plane: ConvexShape) {
  const n = plane.size;
  const down = [0, 1, 2].map((k) => -(T[k] * n[0] + T[4 + k] * n[1] + T[8 + k] * n[2]));
  const lowest = new Float64Array(3);
  shape.support(lowest, shape, Float64Array.from(down), -1);
  transformPoint(lowest, T, lowest);
  const height = lowest[0] * n[0] + lowest[1] * n[1] + lowest[2] * n[2] - shape.margin - plane.margin;
  return { lower: Math.max(0, height), upper: Math.max(0, height) };
}

function normalOf(a: Placed, b: Placed, poseOf: (part: Placed) => Transform): Float64Array | undefined {
  const [A, B, T] = [create(), create(), create()];
  compose(A, poseOf(a), a.T_link_part);
  compose(B, poseOf(b), b.T_link_part);
  relative(T, B, A);
  const n = new Float64Array(3);
  if (b.shape.type === 'halfspace') for (let k = 0; k < 3; k++) n[k] = -b.shape.size[k];
  else {
    const out = new Separation();
    new GjkDistance({ relativeGap: 1e-6 }).solve(out, a.shape, T, b.shape, new PairCache());
    if (!out.hasNormal) return undefined;
    n.set(out.normal);
  }
  // Into the frame of the link of b, or of the world.
  return Float64Array.from([0, 1, 2], (k) => [0, 1, 2].reduce((sum, j) => sum + b.T_link_part[4 * k + j] * n[j], 0));
}

/** Points of random shapes whose depth is claimed: directions along which the sphere about them leaves the shape. */
export function attackDepths(seed: number, depthAt: (shape: ConvexShape, x: number, y: number, z: number) => number) {
  const random = new Random(seed);
  const shape = createShape(randomShape(random, true));
  const found = { inside: 0, wrong: [] as string[] };
  for (let k = 0; k < 20; k++) {
    const [x, y, z] = [0, 1, 2].map(() => random.between(-0.25, 0.25) * random.between(0, 1));
    const depth = depthAt(shape, x, y, z);
    if (!(depth >= 0)) continue;
    found.inside++;
    for (let j = 0; j < 100; j++) {
      const d = shape.type === 'halfspace' ? [...shape.size] : direction(random);
      const height = supportOf(shape, d) - (x * d[0] + y * d[1] + z * d[2]);
      if (height < depth - 1e-12)
        found.wrong.push(`seed ${seed}: ${shape.type}: ${depth} claimed, ${height} along ${d}`);
    }
  }
  return found;
}

function supportOf(shape: ConvexShape, d: readonly number[]): number {
  if (shape.type === 'halfspace') return shape.margin;
  const p = new Float64Array(3);
  shape.support(p, shape, Float64Array.from(d), -1);
  return p[0] * d[0] + p[1] * d[1] + p[2] * d[2] + shape.margin;
}
