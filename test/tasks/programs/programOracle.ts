import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { AttachedObject, Obstacle, Scene } from '../../../src/core/scene/scene.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ConvexShape } from '../../../src/core/shapes/shape.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { toolPose } from '../../core/cartesian/legOracle.ts';
import { type Corral, nearerCorral } from '../../core/narrowphase/certificates/judge.ts';

// Independent of the sources: Hermite interpolation, changes of the scene by matrices, collisions by Gilbert's
// algorithm on dense samples, lines and arcs by projection. Shared: the shapes and their support functions.

export type Matrix = readonly number[];

const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

export const multiply = (a: Matrix, b: Matrix): Matrix =>
  Array.from({ length: 12 }, (_, k) => {
    const [row, column] = [k - (k % 4), k % 4];
    const sum = a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column];
    return column === 3 ? sum + a[row + 3] : sum;
  });

export function inverse(T: Matrix): Matrix {
  const back = (i: number) => -(T[i] * T[3] + T[4 + i] * T[7] + T[8 + i] * T[11]);
  return [T[0], T[4], T[8], back(0), T[1], T[5], T[9], back(1), T[2], T[6], T[10], back(2)];
}

export function matrixOf({
  xyz: [x, y, z],
  quat_wxyz: [w, i, j, k],
}: {
  readonly xyz: readonly number[];
  readonly quat_wxyz: readonly number[];
}): Matrix {
  const s = 2 / (w * w + i * i + j * j + k * k);
  return [
    1 - s * (j * j + k * k),
    s * (i * j - w * k),
    s * (i * k + w * j),
    x,
    s * (i * j + w * k),
    1 - s * (i * i + k * k),
    s * (j * k - w * i),
    y,
    s * (i * k - w * j),
    s * (j * k + w * i),
    1 - s * (i * i + j * j),
    z,
  ];
}

/** Angle between two orientations. */
export function angleBetween(A: Matrix, B: Matrix): number {
  const sum = [0, 1, 2, 4, 5, 6, 8, 9, 10].reduce((total, k) => total + (A[k] - B[k]) ** 2, 0);
  return 2 * Math.asin(Math.min(1, Math.sqrt(sum / 8)));
}

export const distance = (A: Matrix, B: Matrix) => Math.hypot(A[3] - B[3], A[7] - B[7], A[11] - B[11]);

/** Positions (order 0), velocities (1) or accelerations (2) of a motion of cubics at a time. */
export function motionAt({ points }: Trajectory, t: number, order = 0): number[] {
  if (points.length === 1) return points[0].positions.map((x) => (order === 0 ? x : 0));
  const found = points.findIndex((point, i) => i > 0 && point.time_from_start! >= t);
  const k = found < 0 ? points.length - 1 : found;
  const [a, b] = [points[k - 1], points[k]];
  const T = b.time_from_start! - a.time_from_start!;
  const u = (t - a.time_from_start!) / T;
  const weights = [
    [(1 + 2 * u) * (1 - u) ** 2, T * u * (1 - u) ** 2, u * u * (3 - 2 * u), T * u * u * (u - 1)],
    [(6 * u * u - 6 * u) / T, 3 * u * u - 4 * u + 1, (6 * u - 6 * u * u) / T, 3 * u * u - 2 * u],
    [(12 * u - 6) / T ** 2, (6 * u - 4) / T, (6 - 12 * u) / T ** 2, (6 * u - 2) / T],
  ][order];
  return a.positions.map(
    (p, j) =>
      weights[0] * p + weights[1] * a.velocities![j] + weights[2] * b.positions[j] + weights[3] * b.velocities![j],
  );
}

export const linkPose = (model: RobotModel, link: string, q: ArrayLike<number>): Matrix =>
  toolPose(model, { link: model.links.findIndex(({ name }) => name === link), T_link_frame: IDENTITY }, q);

/** An object of the scene: where it is, or the link that carries it. */
interface PlacedObject {
  readonly object: Obstacle | AttachedObject;
  readonly T: Matrix;
  readonly link: string | undefined;
}

/** The objects of a program and what may touch, changed by its events. */
export class OracleWorld {
  private objects: PlacedObject[];
  private readonly allowed: Set<string>;
  private readonly touching = new Map<string, readonly string[]>();
  private readonly shapes = new Map<object, ConvexShape>();

  constructor(
    private readonly model: RobotModel,
    private readonly scene: Scene,
  ) {
    this.objects = [
      ...scene.obstacles.map((object) => ({ object, T: matrixOf(object.pose), link: undefined })),
      ...scene.attached.map((object) => ({ object, T: matrixOf(object.pose), link: object.link })),
    ];
    this.allowed = new Set(scene.allow.map(keyOf));
    for (const { name, touches } of scene.attached) this.touching.set(name, touches);
  }

  /** Pose of an object, in the world. */
  poseOf(name: string, q: ArrayLike<number>): Matrix {
    const { T, link } = this.objects.find(({ object }) => object.name === name)!;
    return link === undefined ? T : multiply(linkPose(this.model, link, q), T);
  }

  apply(step: NonNullable<Scene['steps']>[number], q: ArrayLike<number>): void {
    if (step.kind === 'attach' || step.kind === 'detach') {
      const at = this.objects.findIndex(({ object }) => object.name === step.object);
      const { object, link } = this.objects[at];
      if (step.kind === 'attach') {
        const carrier = step.link ?? this.scene.tcp!.link!;
        const T = multiply(inverse(linkPose(this.model, carrier, q)), this.objects[at].T);
        this.objects[at] = { object, T, link: carrier };
        this.touching.set(step.object, step.touches);
      } else {
        this.objects[at] = { object, T: this.poseOf(step.object, q), link: undefined };
        this.touching.delete(step.object);
      }
      if ((step.kind === 'attach') !== (link === undefined)) throw new Error(`${step.object}: twice`);
    }
    if (step.kind === 'allow') for (const pair of step.pairs) this.allowed.add(keyOf(pair));
    if (step.kind === 'forbid') for (const pair of step.pairs) this.allowed.delete(keyOf(pair));
  }

  /** Names of two bodies that are not separated: robot and carried objects against all objects. */
  collision(q: ArrayLike<number>): string | undefined {
    const moving: { name: string; link: string | undefined; shape: ConvexShape; T: Matrix }[] = [];
    for (const { name, parts } of this.model.links) {
      const T = linkPose(this.model, name, q);
      for (const { shape, T_link_part } of parts)
        moving.push({ name, link: name, shape, T: multiply(T, Array.from(T_link_part)) });
    }
    const robot = moving.length;
    for (const { object, link } of this.objects)
      for (const part of object.parts) {
        const T = this.poseOf(object.name, q);
        const placed = part.at ? multiply(T, matrixOf(part.at)) : T;
        moving.push({ name: object.name, link, shape: this.shapeOf(part), T: placed });
      }
    for (let i = 0; i < moving.length; i++)
      for (let k = Math.max(robot, i + 1); k < moving.length; k++) {
        const [a, b] = [moving[i], moving[k]];
        if (i >= robot && a.link === undefined && b.link === undefined) continue;
        if (a.name === b.name || this.mayTouch(a, b) || this.mayTouch(b, a)) continue;
        if (!areSeparated(a, b) && !areSeparatedNearby(a, b)) return `${a.name} and ${b.name}`;
      }
    return undefined;
  }

  private mayTouch(a: { name: string; link: string | undefined }, b: { name: string; link: string | undefined }) {
    return (
      this.allowed.has(keyOf([a.name, b.name])) ||
      a.name === (this.objects.some(({ object }) => object.name === b.name) ? this.solidAbove(b.link) : undefined) ||
      a.name === b.link ||
      this.touching.get(b.name)?.includes(a.name) === true
    );
  }

  /** The nearest link with collision geometry, unless a joint in between moves. */
  private solidAbove(link: string | undefined): string | undefined {
    const { links, joints } = this.model;
    let at = links.findIndex(({ name }) => name === link);
    while (at >= 0 && links[at].parts.length === 0)
      at = joints[links[at].joint]?.type === 'fixed' ? links[at].parent : -1;
    return links[at]?.name;
  }

  private shapeOf(part: Obstacle['parts'][number]): ConvexShape {
    const shape = this.shapes.get(part) ?? createShape(part.shape);
    this.shapes.set(part, shape);
    return shape;
  }
}

const keyOf = ([a, b]: readonly [string, string]) => [a, b].sort().join('|');

interface Placed {
  readonly shape: ConvexShape;
  readonly T: Matrix;
}

/** Gilbert's algorithm for the distance: true if a separating direction is found. */
export function areSeparated(a: Placed, b: Placed): boolean {
  let v = [0, 1, 2].map((i) => a.T[4 * i + 3] - b.T[4 * i + 3]);
  if (Math.hypot(...v) === 0) v = [1, 0, 0];
  for (let step = 0; step < 500; step++) {
    const w = difference(a, b, v);
    if (dot(w, v) > 0) return true;
    const d = w.map((x, i) => x - v[i]);
    const along = -dot(d, v) / dot(d, d);
    if (!(along > 1e-12)) return false;
    v = v.map((x, i) => x + Math.min(1, along) * d[i]);
  }
  return false;
}

/**
 * As `areSeparated`, by Wolfe's nearest-point algorithm, which also converges next to contact: false if the bodies come
 * within 10 nanometres of each other, or if no separating direction is found.
 */
export function areSeparatedNearby(a: Placed, b: Placed): boolean {
  const start = difference(a, b, [1, 0, 0]);
  let corral: Corral = { points: [start], weights: [1], nearest: start };
  for (let step = 0; step < 2000; step++) {
    const v = corral.nearest;
    if (Math.hypot(...v) < 1e-8) return false;
    const w = difference(a, b, v);
    if (dot(w, v) > 0) return true;
    const nearer = nearerCorral(corral, w);
    if (nearer === undefined) return false;
    corral = nearer;
  }
  return false;
}

const dot = (a: readonly number[], b: readonly number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Support point of the difference of two bodies, towards −v. */
function difference(a: Placed, b: Placed, v: readonly number[]): number[] {
  const p = support(
    a,
    v.map((x) => -x),
  );
  const q = support(b, v);
  return p.map((x, i) => x - q[i]);
}

function support({ shape, T }: { shape: ConvexShape; T: Matrix }, direction: readonly number[]): number[] {
  const d = Float64Array.from(
    [0, 1, 2],
    (i) => direction[0] * T[i] + direction[1] * T[4 + i] + direction[2] * T[8 + i],
  );
  const out = new Float64Array(3);
  shape.support(out, shape, d, -1);
  const size = shape.margin / (Math.hypot(...d) || 1);
  const p = out.map((x, i) => x + size * d[i]);
  return [0, 1, 2].map((i) => T[4 * i] * p[0] + T[4 * i + 1] * p[1] + T[4 * i + 2] * p[2] + T[4 * i + 3]);
}
