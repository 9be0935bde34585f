import type { StateCell } from '../../kinematics/branches/ikBranch.ts';
import type { Configuration } from '../../math/configuration.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { Separation } from '../../narrowphase/solver.ts';
import { MotionBounds } from '../bounds/motionBounds.ts';
import { boxDirection } from '../model/posedParts.ts';
import type { CollisionManager } from '../states/collisionManager.ts';
import type { Motion } from './motion.ts';

/** Result for one pair in a cell of states. */
export interface CellPair {
  readonly pair: number;
  /** True if the pair is proved to be separated at all states. */
  readonly isProved: boolean;
  /** Unit vector from A to B in the frame of B that separates a proved pair; undefined: none is known. */
  readonly normal: Vec3 | undefined;
  /** Signs of the generators at a vertex such that the proof fails towards it, or towards the opposite vertex. */
  readonly vertex?: readonly number[] | undefined;
  /** True if the pair is in collision at the state in the middle. */
  readonly collides: boolean;
}

/** Motions q + t d + t² e, |eⱼ| <= errorⱼ: every state of a cell is on one at t = 1, d in the hull of ±generators. */
export class CellMotion implements Motion {
  readonly start = -1;
  readonly end = 1;
  private cell!: StateCell;
  private readonly direction: Float64Array;
  private readonly speed: Float64Array;

  constructor(readonly dof: number) {
    this.direction = new Float64Array(dof);
    this.speed = new Float64Array(dof);
  }

  set(cell: StateCell, signs: readonly number[]): void {
    const { direction, speed } = this;
    this.cell = cell;
    for (let j = 0; j < this.dof; j++) {
      direction[j] = cell.generators.reduce((sum, generator, k) => sum + signs[k] * generator[j], 0);
      speed[j] = cell.generators.reduce((sum, generator) => sum + Math.abs(generator[j]), 2 * cell.error[j]);
    }
  }

  positionAt(out: Configuration): void {
    out.set(this.cell.q);
  }

  velocityAt(out: Float64Array): void {
    out.set(this.direction);
  }

  boundsOver(velocity: Float64Array, acceleration: Float64Array): void {
    velocity.set(this.speed);
    for (let j = 0; j < this.dof; j++) acceleration[j] = 2 * this.cell.error[j];
  }
}

const INTERVAL = { start: -1, end: 1 };
/** Signs of one to six generators at the vertices of a cell, up to their common sign. */
export const VERTICES = [1, 2, 3, 4, 5, 6].map((count) =>
  Array.from({ length: 2 ** (count - 1) }, (_, bits) =>
    Array.from({ length: count }, (_one, k) => (Math.floor(bits / 2 ** k) % 2 === 0 ? 1 : -1)),
  ),
);

/**
 * Proves pairs separated at all states of a cell. With d the direction to a vertex of the cell, the bounds of a motion
 * q + t d + t² e hold along it (`MotionBounds`); its term of first order is convex in d, and that of second order the
 * same for all d.
 */
export class CellProver {
  private readonly bounds: MotionBounds;
  private readonly motion: CellMotion;
  private readonly separation = new Separation();

  constructor(private readonly manager: CollisionManager) {
    this.bounds = new MotionBounds(manager.posed);
    this.motion = new CellMotion(manager.model.robot.dof);
  }

  /** Sets the greatest |q| of each joint over all cells, to which rounding errors are relative. */
  setMaxJointValues(reached: ArrayLike<number>): void {
    this.bounds.maxJointValues = reached;
  }

  /** Checks pairs over a cell. */
  check(cell: StateCell, pairs: readonly number[]): CellPair[] {
    return this.manager.posed.use.during(() => {
      const signs = VERTICES[cell.generators.length - 1];
      this.place(cell, signs[0]);
      const found = pairs.map((pair) => this.checkMiddle(pair));
      for (const vertex of signs) {
        if (vertex !== signs[0]) this.place(cell, vertex);
        for (const one of found)
          if (!one.isProved && one.normal && !one.vertex && !this.bounds.staysSeparated(one.pair, one.normal, one.gap))
            one.vertex = vertex;
      }
      return found.map(({ pair, normal, isProved, vertex, collides }) => ({
        pair,
        isProved: isProved || (normal !== undefined && !vertex),
        normal,
        vertex,
        collides,
      }));
    });
  }

  /** Returns true if one of the pairs is proved to be in collision at all states of a cell. */
  collidesThroughout(cell: StateCell, pairs: readonly number[]): boolean {
    const { manager, bounds, separation } = this;
    const { posed, model } = manager;
    const { padding } = model.scene;
    return posed.use.during(() => {
      this.place(cell, VERTICES[cell.generators.length - 1][0]);
      return pairs.some((pair) => {
        if (model.hasSphereCloud(pair) || posed.boxDistanceSquared(pair) > padding * padding) return false;
        manager.pairSeparation(separation, pair);
        const { distance, depth } = separation;
        const most = depth.lower > 0 ? -depth.lower : distance.upper;
        return most + bounds.speed(pair) + bounds.margin <= padding;
      });
    });
  }

  private place(cell: StateCell, signs: readonly number[]): void {
    this.motion.set(cell, signs);
    this.bounds.evaluateInterval(this.motion, INTERVAL);
  }

  private checkMiddle(pair: number): OpenPair {
    const { manager, bounds, separation } = this;
    const { posed, model } = manager;
    const required = model.scene.padding + bounds.margin;
    const needed = bounds.speed(pair) + required;
    const square = posed.boxDistanceSquared(pair);
    const normal = create();
    const one: OpenPair = { pair, normal, gap: 0, isProved: true, vertex: undefined, collides: false };
    if (square > needed * needed) {
      boxDirection(normal, posed, pair);
      return one;
    }
    manager.pairDistance(separation, pair, needed * (1 + STOP_MARGIN));
    normal.set(separation.normal);
    one.gap = separation.distance.lower - required;
    one.isProved = one.gap > needed - required;
    // The direction of the nearest sphere of a cloud does not separate the others.
    if (!(one.gap > 0) || model.hasSphereCloud(pair)) one.normal = undefined;
    one.collides = separation.distance.upper <= model.scene.padding;
    return one;
  }
}

/** Relative: distances are computed up to a little more than is needed. */
const STOP_MARGIN = 1e-6;

interface OpenPair {
  readonly pair: number;
  normal: Vec3 | undefined;
  gap: number;
  isProved: boolean;
  vertex: readonly number[] | undefined;
  collides: boolean;
}
