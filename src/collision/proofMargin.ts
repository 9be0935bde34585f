import { extentOf, PoseRounding } from '../kinematics/poseRounding.ts';
import type { CollisionModel } from './collisionModel.ts';

/** Metres taken off every gap at least: a thousand times what double precision loses in the pose of a robot of ten metres. */
const LEAST_MARGIN = 1e-9;
/**
 * Bounds of rounding taken off: one for the rounding of the prover itself, one for that of the checker of certificates, one that the
 * checker takes off again for safety, and one that is left to it as a gap, so that its bisection ends. With the same bound for the same joint
 * values on both sides, what the prover certifies the checker verifies.
 */
const SHARES = 4;

/**
 * Metres that the prover takes off the gap of any pair for rounding: far from the world's origin, after a thousand turns or at the times of a
 * calendar it is more than a nanometre. The bound is `PoseRounding`, that of the checker, for the largest parts of the model.
 */
export class ProofMargin {
  private readonly rounding: PoseRounding;
  /** Of obstacles; of the two moving parts of a pair together. */
  private readonly still: number;
  private readonly extent: number;

  constructor({ robot, moving, standing }: CollisionModel) {
    const most = (lengths: readonly number[]) => lengths.reduce((one, other) => Math.max(one, other), 0);
    this.rounding = new PoseRounding(robot);
    this.still = most(standing.map(({ shape, T_world_part }) => extentOf(shape, T_world_part)));
    this.extent = 2 * most(moving.map(({ shape, T_link_part }) => extentOf(shape, T_link_part)));
  }

  /**
   * @param reached greatest |q| of each planned joint, and of the terms that it is a sum of
   * @param blurred what the rounding of times may move each planned joint by: rad, m
   * @param moved distance (m) from the world's origin to the farthest point of any obstacle that was moved
   */
  at(reached: ArrayLike<number>, blurred: ArrayLike<number>, moved = 0): number {
    const { rounding, still, extent } = this;
    rounding.reach(reached);
    const lost = rounding.relative * rounding.size(still + moved, extent);
    return Math.max(LEAST_MARGIN, SHARES * lost + rounding.moved(blurred, extent));
  }
}
