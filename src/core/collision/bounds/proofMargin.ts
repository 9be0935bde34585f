import { PoseRounding } from '../../kinematics/poseRounding.ts';
import type { CollisionModel } from '../model/collisionModel.ts';

/** Minimum margin, metres: a thousand times the rounding error of the poses of a robot of ten metres. */
const MIN_MARGIN = 1e-9;
/**
 * Multiple of the rounding bound in the margin: one for the rounding of the prover, one for that of the certificate
 * verifier, one that the verifier subtracts for safety, and one that remains to it as a gap, so that its bisection
 * terminates. Because prover and verifier use the same bound for the same joint values, each certificate that the
 * prover makes is verified.
 */
const ROUNDING_SHARES = 4;

/**
 * Computes the margin (metres) that the prover subtracts from the gap of every pair for rounding errors. It exceeds a
 * nanometre far from the world's origin, after a thousand turns of a joint, or if times are as large as Unix time. The
 * bound is `PoseRounding`, the same as in the verifier, for the largest parts of the model.
 */
export class ProofMargin {
  private readonly rounding: PoseRounding;
  /** Metres: sum of the extents of the two robot parts of a pair from their links. */
  private readonly extent: number;

  constructor(private readonly model: CollisionModel) {
    this.rounding = new PoseRounding(model.robot);
    this.extent = 2 * model.partExtent;
  }

  /**
   * Returns the margin in metres.
   * @param reached maximum |q| of each planned joint, and of the terms that it is a sum of
   * @param blurred bound on the displacement of each planned joint by the rounding of times: rad, m
   * @param moved distance (m) from the world's origin to the farthest point of any obstacle that was moved
   */
  at(reached: ArrayLike<number>, blurred: ArrayLike<number>, moved = 0): number {
    const { rounding, model, extent } = this;
    rounding.reach(reached);
    const error = rounding.relative * rounding.size(model.obstacleExtent + moved, extent);
    return Math.max(MIN_MARGIN, ROUNDING_SHARES * error + rounding.moved(blurred, extent));
  }
}
