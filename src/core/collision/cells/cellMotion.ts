import type { Configuration } from '../../math/configuration.ts';
import type { Motion } from '../motions/motion.ts';
import type { DyadicMotion } from './dyadicMotion.ts';

/**
 * The motion of two robots, the members of a composite robot, in a cell: an interval of the motion of each. The
 * parameter is t in [−1, 1], and its middle 0 is that of both intervals; velocities are scaled by half the width of the
 * interval of each robot. Only the middle has a position and a velocity, and bounds hold for the whole cell.
 */
export class CellMotion implements Motion {
  readonly dof: number;
  readonly start = -1;
  readonly end = 1;
  readonly terms: Float64Array;
  timeScale = 0;
  private nodeA = 0;
  private nodeB = 0;
  /** Number of joints of the first robot. */
  private readonly dofA: number;

  constructor(
    private readonly motionA: DyadicMotion,
    private readonly motionB: DyadicMotion,
  ) {
    this.dofA = motionA.dof;
    this.dof = motionA.dof + motionB.dof;
    this.terms = Float64Array.of(...motionA.terms, ...motionB.terms);
  }

  /** Selects the cell by the interval of each robot. */
  select(nodeA: number, nodeB: number): void {
    this.nodeA = nodeA;
    this.nodeB = nodeB;
    this.timeScale = Math.max(this.motionA.timeScale(nodeA), this.motionB.timeScale(nodeB));
  }

  positionAt(out: Configuration, _t: number): void {
    this.copy(out, 0);
  }

  velocityAt(out: Float64Array, _t: number): void {
    this.copy(out, 1);
  }

  boundsOver(velocity: Float64Array, acceleration: Float64Array, _from: number, _to: number): void {
    this.copy(velocity, 2);
    this.copy(acceleration, 3);
  }

  /** Copies the numbers of both robots at a place of `DyadicMotion.values`, in units of their joints. */
  private copy(out: Float64Array, place: number): void {
    const { dofA, dof, motionA, motionB, nodeA, nodeB } = this;
    const { values: first } = motionA;
    const { values: second } = motionB;
    const dofB = dof - dofA;
    const o = nodeA * motionA.size + place * dofA;
    const p = nodeB * motionB.size + place * dofB;
    for (let j = 0; j < dofA; j++) out[j] = first[o + j];
    for (let j = 0; j < dofB; j++) out[dofA + j] = second[p + j];
  }
}
