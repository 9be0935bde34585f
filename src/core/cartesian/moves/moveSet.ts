import type { IkBranch, PoseChart, StateCell } from '../../kinematics/branches/ikBranch.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../math/configuration.ts';
import { create, type Transform } from '../../math/transform.ts';
import { norm } from '../../math/vec3.ts';
import type { CartesianLeg } from '../cartesianLeg.ts';

/** Rectangle of two parameters: center and half widths; hy is 0 for a path. */
export interface Cell {
  readonly x: number;
  readonly y: number;
  readonly hx: number;
  readonly hy: number;
}

/**
 * All states that a controller may pass through in one part of a program, as a function of two parameters. The state at
 * the parameters (0, 0) is given; the others are on its branch.
 */
export interface MoveSet {
  readonly root: Cell;
  /** Returns true if a cell is longer along its parameter y than along x. */
  isTall(cell: Cell): boolean;
  /** Encloses the states of a cell, from the state at its center; undefined if that fails. */
  enclose(cell: Cell, q: Configuration): StateCell | undefined;
  /** Returns the poses of a cell, of which the states are one branch; undefined if the set is in joint space. */
  chart(cell: Cell): PoseChart | undefined;
  /** The frame of the poses. */
  readonly frame?: LinkFrame;
  /** Returns the state at one place from that at another nearby; undefined if it is not proved to be on the branch. */
  step(q: Configuration, from: Cell, to: Cell): Configuration | undefined;
}

/** Straight line q + x u, or the parallelogram q + x u + y v, in joint space; each joint within `error`. */
export class JointSet implements MoveSet {
  readonly root: Cell;

  constructor(
    private readonly q: Configuration,
    private readonly u: Float64Array,
    private readonly v?: Float64Array,
    private readonly error = new Float64Array(q.length),
    from = 0,
    to = 1,
  ) {
    this.root = v ? SQUARE : span(from, to, 0, 0);
  }

  enclose({ hx, hy }: Cell, q: Configuration): StateCell {
    const { u, v, error } = this;
    const along = u.map((value) => hx * value);
    return { q, generators: v ? [along, v.map((value) => hy * value)] : [along], error };
  }

  chart(): undefined {
    return undefined;
  }

  isTall({ hx, hy }: Cell): boolean {
    const { u, v } = this;
    return v !== undefined && hy * lengthOf(v) > hx * lengthOf(u);
  }

  step(_q: Configuration, _from: Cell, { x, y }: Cell): Configuration {
    const { q, u, v } = this;
    return q.map((value, j) => value + x * u[j] + (v ? y * v[j] : 0));
  }
}

const lengthOf = (u: Float64Array) => u.reduce((sum, value) => sum + Math.abs(value), 0);

/** m/rad: turns of the tool count as motions of its origin by this length. */
const TURN_LEVER = 0.3;

/** Poses of a tool frame on one branch of the inverse kinematics. */
abstract class PoseSet implements MoveSet {
  abstract readonly root: Cell;

  constructor(protected readonly branch: IkBranch) {}

  abstract chart(cell: Cell): PoseChart;

  get frame(): LinkFrame {
    return this.branch.frame;
  }

  isTall(cell: Cell): boolean {
    const [x, y = 0] = this.chart(cell).twists.map((t) => norm(t.subarray(0, 3)) + TURN_LEVER * norm(t.subarray(3)));
    return y > x;
  }

  enclose(cell: Cell, q: Configuration): StateCell | undefined {
    return this.branch.enclose(q, this.chart(cell));
  }

  step(q: Configuration, from: Cell, to: Cell): Configuration | undefined {
    const around = this.chart({ ...from, hx: Math.abs(to.x - from.x), hy: Math.abs(to.y - from.y) });
    return this.branch.continued(q, around, this.chart({ ...to, hx: 0, hy: 0 }).center);
  }
}

/** rad: legs that turn less have one parameter, and a tolerance of their orientation. */
const TURNED = 1e-6;

/**
 * A leg between two of its fractions x. The orientation is any of the interpolated ones, at a fraction y of its own:
 * how it depends on the position is not known. `isCoupled`: it is known.
 */
export class LegSet extends PoseSet {
  readonly root: Cell;
  private readonly isPath: boolean;

  constructor(
    branch: IkBranch,
    private readonly leg: CartesianLeg,
    private readonly isCoupled: boolean,
    from: number,
    to: number,
  ) {
    super(branch);
    this.isPath = isCoupled || leg.angle < TURNED;
    this.root = this.isPath ? span(from, to, 0, 0) : span(from, to, 0, 1);
  }

  /** Parameters of the end of the leg. */
  get end(): Cell {
    return { x: 1, y: this.isPath ? 0 : 1, hx: 0, hy: 0 };
  }

  chart({ x, y, hx, hy }: Cell): PoseChart {
    const { leg, isPath, isCoupled } = this;
    const center = create();
    leg.poseAt(center, isPath ? x : y);
    if (!isPath) setOrigin(center, leg, x);
    const twist = new Float64Array(6);
    leg.twistAt(twist, x);
    const twists = isPath
      ? [twist.map((value) => hx * value)]
      : [twist.map((value, k) => (k < 3 ? hx * value : 0)), twist.map((value, k) => (k < 3 ? 0 : hy * value))];
    return {
      center,
      twists,
      position: leg.curvature * hx * hx, // of an arc: half of it from the tangent, all of it by the twist
      angle: isPath && !isCoupled ? leg.angle : 0,
    };
  }
}

function setOrigin(T: Transform, leg: CartesianLeg, s: number): void {
  const at = create();
  leg.poseAt(at, s);
  for (const k of [3, 7, 11]) T[k] = at[k];
}

/**
 * Rounded corner: origins in the triangle P + x ((1 − y) u + y v) of the corner P and the two points where the blend
 * begins and ends, enlarged by `position`; orientations within `angle` of that at the corner.
 */
export class CornerSet extends PoseSet {
  readonly root = SQUARE;

  constructor(
    branch: IkBranch,
    private readonly corner: Transform,
    private readonly u: Float64Array,
    private readonly v: Float64Array,
    private readonly position: number,
    private readonly angle: number,
  ) {
    super(branch);
  }

  chart({ x, y, hx, hy }: Cell): PoseChart {
    const { corner, u, v, position, angle } = this;
    const across = v.map((value, i) => value - u[i]);
    const ray = u.map((value, i) => value + y * across[i]);
    const center = Float64Array.from(corner);
    for (const [i, k] of [3, 7, 11].entries()) center[k] += x * ray[i];
    const twist = (d: Float64Array, factor: number) => Float64Array.from({ length: 6 }, (_, k) => factor * (d[k] ?? 0));
    const twists = [twist(ray, hx), twist(across, x * hy)];
    return { center, twists, position: position + hx * hy * norm(across), angle };
  }
}

const SQUARE: Cell = { x: 0.5, y: 0.5, hx: 0.5, hy: 0.5 };

const span = (x0: number, x1: number, y0: number, y1: number): Cell => ({
  x: 0.5 * (x0 + x1),
  y: 0.5 * (y0 + y1),
  hx: 0.5 * (x1 - x0),
  hy: 0.5 * (y1 - y0),
});

/** Maximum number of halvings of a step. */
const MAX_HALVINGS = 12;

/** Returns the state at a place of a set, from that at another, along the straight line between them. */
export function walk(set: MoveSet, q: Configuration, from: Cell, to: Cell, depth = 0): Configuration | undefined {
  const next = set.step(q, from, to);
  if (next !== undefined || depth >= MAX_HALVINGS) return next;
  const middle = { ...to, x: 0.5 * (from.x + to.x), y: 0.5 * (from.y + to.y) };
  const half = walk(set, q, from, middle, depth + 1);
  return half && walk(set, half, middle, to, depth + 1);
}

/** The halves of a cell of a set, along the parameter in which it is longer. */
export function halvesOf(set: MoveSet, cell: Cell): Cell[] {
  const { x, y, hx, hy } = cell;
  const [a, b] = [0.5 * hx, 0.5 * hy];
  if (set.isTall(cell)) return [y - b, y + b].map((row) => ({ x, y: row, hx, hy: b }));
  return [x - a, x + a].map((column) => ({ x: column, y, hx: a, hy }));
}

/** Parameters of the given state of a set. */
export const ORIGIN: Cell = { x: 0, y: 0, hx: 0, hy: 0 };
