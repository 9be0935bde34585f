import type { StateCell } from '../../kinematics/branches/ikBranch.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Transform } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';
import { type RequiredDistances, requiredDistance } from '../../scene/clearances.ts';
import type { CertifiedPart } from '../convexParts.ts';
import { linkPoses } from '../linkPoses.ts';
import type { JointRates } from '../motionPieces.ts';
import { PairPlane } from '../pairPlane.ts';

/** A cell of states, with the poses of the links in its middle. */
export interface PosedCell {
  readonly cell: StateCell;
  readonly T_world_link: readonly Transform[];
}

export const posedCell = (robot: RobotModel, cell: StateCell): PosedCell => ({
  cell,
  T_world_link: linkPoses(robot, cell.q),
});

/**
 * Proves that fixed directions separate pairs of parts at all states of a cell. Each state is at t = 1 of a motion
 *   q + t d + t² e,  d in the hull of ± the generators,  |eⱼ| <= errorⱼ
 * The bounds are those of `PlaneProver`: the term of first order is convex in d, that of second order is the same for
 * all d.
 */
export class CellPlane extends PairPlane {
  /** Least gap that was proved, metres. */
  minGap = Number.POSITIVE_INFINITY;

  /** @param reached greatest |q| of each joint in all cells */
  constructor(
    robot: RobotModel,
    reached: Float64Array,
    private readonly scene: RequiredDistances,
  ) {
    super(robot, reached);
  }

  /** Returns true if a direction (in the frame of b) is proved to separate a pair at all states. */
  proves(a: CertifiedPart, b: CertifiedPart, n: Vec3, { cell, T_world_link }: PosedCell): boolean {
    this.setPair(a, b);
    this.setDirection(n);
    const posed = this.posed(T_world_link);
    let least = Number.POSITIVE_INFINITY;
    for (const rates of vertexRates(cell)) {
      const motion = this.relativeMotion(rates, T_world_link, posed.c, 1);
      const after = this.reachAfter(T_world_link, posed.n, motion, 1);
      const before = this.reachAfter(T_world_link, posed.n, motion, -1);
      const ofFirstOrder = this.relativeError * (this.size * motion.turning + this.rounding.turned * motion.speed);
      least = Math.min(least, posed.beginOfB - Math.max(after, before) - 0.5 * motion.acceleration - ofFirstOrder);
    }
    if (!(least > 0 && least >= requiredDistance(this.scene, a.object, b.object))) return false;
    this.minGap = Math.min(this.minGap, least);
    return true;
  }
}

/** Returns the rates of the motions to the vertices of a cell, up to their sign, with bounds that hold for all d. */
export function vertexRates({ q, generators, error }: StateCell): JointRates[] {
  const speed = error.map((value, j) => generators.reduce((sum, one) => sum + Math.abs(one[j]), 2 * value));
  const acceleration = error.map((value) => 2 * value);
  return vertexSigns(generators.length).map((signs) => {
    const velocity = error.map((_, j) => generators.reduce((sum, one, k) => sum + signs[k] * one[j], 0));
    return { position: q, velocity, speed, acceleration };
  });
}

/** Returns the signs of the generators at the vertices of a cell, up to their common sign; without any: one vertex. */
const vertexSigns = (count: number): number[][] =>
  Array.from({ length: 2 ** Math.max(0, count - 1) }, (_, bits) =>
    Array.from({ length: count }, (_one, k) => (Math.floor(bits / 2 ** k) % 2 === 0 ? 1 : -1)),
  );
