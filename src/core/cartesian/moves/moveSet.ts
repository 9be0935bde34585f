import type { IkBranch, PoseChart, StateCell } from '../../kinematics/branches/ikBranch.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../math/configuration.ts';
import { create, type Transform } from '../../math/transform.ts';
import { norm } from '../../math/vec3.ts';
import type { CartesianLeg } from '../cartesianLeg.ts';

/** Box of parameters: its center and half widths. */
export interface Cell {
  readonly at: readonly number[];
  readonly half: readonly number[];
}

/** Encloses the states about q, on its branch, whose frames have poses in a chart; undefined if that fails. */
export type ChartBound = (frame: LinkFrame, q: Configuration, chart: PoseChart) => StateCell | undefined;

/**
 * All states that a controller may pass through in one part of a program, as a function of one to four parameters. The
 * state at the parameters `origin` is given; the others are on its branch.
 */
export interface MoveSet {
  readonly root: Cell;
  readonly origin: readonly number[];
  /**
   * Returns the length of a cell along each parameter of the pose of the tool, m; rotations count by `TURN_LEVER`.
   * States are enclosed if these are short enough. 0 for parameters in joint space, which are always enclosed.
   */
  lengths(cell: Cell): readonly number[];
  /**
   * Encloses the states of a cell, from the state at its center; undefined if that fails.
   * @param bound replaces the bounds of the branch
   */
  enclose(cell: Cell, q: Configuration, bound?: ChartBound): StateCell | undefined;
  /** Returns the state at one place from that at another nearby; undefined if it is not proved to be on the branch. */
  step(q: Configuration, from: readonly number[], to: readonly number[]): Configuration | undefined;
}

/** m/rad: lever by which rotations of the tool are compared with translations. */
const TURN_LEVER = 0.3;

/** Straight line, or parallelogram, in joint space: q + Σ xₖ times vector k. */
export class JointSet implements MoveSet {
  readonly root: Cell;
  readonly origin: readonly number[];

  constructor(
    private readonly q: Configuration,
    private readonly vectors: readonly Float64Array[],
    from = 0,
    to = 1,
  ) {
    this.root = boxOver(vectors.map(() => [from, to]));
    this.origin = vectors.map(() => 0);
  }

  lengths(): number[] {
    return this.vectors.map(() => 0);
  }

  enclose({ half }: Cell, q: Configuration): StateCell {
    const generators = this.vectors.map((u, k) => u.map((value) => half[k] * value));
    const none = new Float64Array(q.length);
    return { q, generators, error: none, rateError: none };
  }

  step(_q: Configuration, _from: readonly number[], to: readonly number[]): Configuration {
    return this.q.map((value, j) => this.vectors.reduce((sum, u, k) => sum + to[k] * u[j], value));
  }
}

/** Poses of a tool frame on one branch of the inverse kinematics. */
export abstract class PoseSet implements MoveSet {
  abstract readonly root: Cell;
  abstract readonly origin: readonly number[];

  constructor(protected readonly branch: IkBranch) {}

  /** Returns the poses of a cell, with one twist for each parameter, then those that are the same in all cells. */
  protected abstract chart(cell: Cell): PoseChart;

  lengths(cell: Cell): number[] {
    const twists = this.chart(cell).twists.slice(0, cell.at.length);
    return twists.map((t) => norm(t.subarray(0, 3)) + TURN_LEVER * norm(t.subarray(3)));
  }

  enclose(cell: Cell, q: Configuration, bound?: ChartBound): StateCell | undefined {
    const chart = this.chart(cell);
    return bound ? bound(this.branch.frame, q, chart) : this.branch.enclose(q, chart);
  }

  step(q: Configuration, from: readonly number[], to: readonly number[]): Configuration | undefined {
    const around = this.chart({ at: from, half: from.map((value, k) => Math.abs(to[k] - value)) });
    return this.branch.continued(q, around, this.chart({ at: to, half: to.map(() => 0) }).center);
  }
}

/** rad: smaller turns are not a parameter, but are added to the tolerance of the orientation. */
export const TURNED = 1e-6;

/**
 * A leg between two of its fractions. The orientation is any of the interpolated ones, at a fraction of its own, the
 * second parameter: how it depends on the position is not known. `isCoupled`: it is known.
 */
export class LegSet extends PoseSet {
  readonly root: Cell;
  readonly origin: readonly number[];
  private readonly isPath: boolean;

  /** @param origin the end at which the state is given, 0 or 1 */
  constructor(
    branch: IkBranch,
    private readonly leg: CartesianLeg,
    private readonly isCoupled: boolean,
    from: number,
    to: number,
    origin = 0,
  ) {
    super(branch);
    this.isPath = isCoupled || leg.angle < TURNED;
    this.root = boxOver(this.isPath ? [[from, to]] : [[from, to], FULL]);
    this.origin = this.root.at.map(() => origin);
  }

  protected chart({ at: [x, y = x], half: [hx, hy] }: Cell): PoseChart {
    const { leg, isPath, isCoupled } = this;
    const center = create();
    leg.poseAt(center, y);
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
 * Blend between a joint move and a leg: all sums q + x u + z (L − q) of the corner q, a share x of the vector u of the
 * joint move, and a share z of the difference to any state L of the leg within the blend. Its parameters are x,
 * z, and those of the leg. Their rates are not known.
 */
export class MixedSet implements MoveSet {
  readonly root: Cell;
  readonly origin: readonly number[];
  /** State L of the leg in the sum of each state of the blend, by the arrays of the latter. */
  private readonly ofLeg = new WeakMap<Configuration, Configuration>();

  constructor(
    private readonly q: Configuration,
    private readonly u: Float64Array,
    private readonly leg: LegSet,
  ) {
    const { root, origin } = leg;
    this.root = { at: [0.5, 0.5, ...root.at], half: [0.5, 0.5, ...root.half] };
    this.origin = [0, 1, ...origin];
  }

  lengths({ at: [, , ...place], half: [, , ...half] }: Cell): number[] {
    return [0, 0, ...this.leg.lengths({ at: place, half })];
  }

  enclose({ at, half }: Cell, q: Configuration, bound?: ChartBound): StateCell | undefined {
    const [, z, ...place] = at;
    const [hx, hz, ...halves] = half;
    const L = this.stateOfLeg(q, at);
    const states = this.leg.enclose({ at: place, half: halves }, L, bound);
    if (states === undefined) return undefined;
    const { generators, error } = states;
    return {
      q,
      generators: [
        this.u.map((value) => hx * value),
        L.map((value, j) => hz * (value - this.q[j])),
        ...generators.map((one) => one.map((value) => (z + hz) * value)),
      ],
      error: error.map((value) => (z + hz) * value),
    };
  }

  step(q: Configuration, from: readonly number[], to: readonly number[]): Configuration | undefined {
    const last = this.stateOfLeg(q, from);
    const isSame = to.every((value, k) => k < 2 || value === from[k]);
    const L = isSame ? last : this.leg.step(last, from.slice(2), to.slice(2));
    const out = L?.map((value, j) => this.q[j] + to[0] * this.u[j] + to[1] * (value - this.q[j]));
    if (out) this.ofLeg.set(out, L!);
    return out;
  }

  /** Returns the state L of the leg in the sum of a state of the blend. */
  private stateOfLeg(q: Configuration, [x, z]: readonly number[]): Configuration {
    const L = this.ofLeg.get(q) ?? q.map((value, j) => this.q[j] + (value - this.q[j] - x * this.u[j]) / z);
    this.ofLeg.set(q, L);
    return L;
  }
}

const FULL: readonly [number, number] = [0, 1];

/** Returns the box of parameters between bounds. */
export const boxOver = (bounds: readonly (readonly [number, number])[]): Cell => ({
  at: bounds.map(([from, to]) => 0.5 * (from + to)),
  half: bounds.map(([from, to]) => 0.5 * (to - from)),
});

/** Maximum number of halvings of a step. */
const MAX_HALVINGS = 12;

/** Returns the state at a place of a set, from that at another, along the straight line between them. */
export function walk(
  set: MoveSet,
  q: Configuration,
  from: readonly number[],
  to: readonly number[],
  depth = 0,
): Configuration | undefined {
  const next = set.step(q, from, to);
  if (next !== undefined || depth >= MAX_HALVINGS) return next;
  const middle = to.map((value, k) => 0.5 * (from[k] + value));
  const half = walk(set, q, from, middle, depth + 1);
  return half && walk(set, half, middle, to, depth + 1);
}

/** Ratio of the error of a cell to its longest generator above which the cell is halved to reduce the error. */
const LOOSE = 0.5;

/**
 * Returns the halves of a cell: along the parameter that moves the joints most if the error of its states is small,
 * else along the longest one of `MoveSet.lengths`.
 * @param states enclosure of the states of the cell; undefined if there is none
 */
export function halvesOf(set: MoveSet, cell: Cell, states: StateCell | undefined): Cell[] {
  const { at, half } = cell;
  const moved = states?.generators.slice(0, at.length).map(motionOf) ?? [];
  const isTight = states && motionOf(states.error) <= LOOSE * Math.max(...moved);
  const lengths = isTight ? moved : set.lengths(cell);
  const longest = lengths.indexOf(Math.max(...lengths));
  const halved = half.map((value, k) => (k === longest ? 0.5 * value : value));
  return [-1, 1].map((side) => ({
    at: at.map((value, k) => (k === longest ? value + side * halved[k] : value)),
    half: halved,
  }));
}

/** Sum of the magnitudes of joint displacements, rad. */
const motionOf = (u: Float64Array) => u.reduce((sum, value) => sum + Math.abs(value), 0);
