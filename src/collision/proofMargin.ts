import type { RobotModel } from '../kinematics/robotModel.ts';
import { norm, type Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import type { CollisionModel } from './collisionModel.ts';

/** Metres taken off every gap at least: a thousand times what double precision loses in the pose of a robot of ten metres. */
const LEAST_MARGIN = 1e-9;
/** Roundings, of half a unit in the last place each, that a joint costs a gap: twice as many as docs/proof.md counts. */
const ROUNDINGS = 400;
const UNIT_ROUNDOFF = Number.EPSILON / 2;

/**
 * What rounding may cost the gap of any pair, metres: far from the world's origin, after a thousand turns or at the times of a calendar it is more
 * than a nanometre. Lengths are counted as docs/proof.md does: what stands still, and the chain with all that slides and turns.
 */
export class ProofMargin {
  /** Relative rounding; lengths that do not turn with the joints, and those that do; slides, and the greatest multiplier and offset. */
  private readonly lost: number;
  private readonly still: number;
  private readonly chain: number;
  private readonly slides: number;
  private readonly multiplier: number;
  private readonly offset: number;

  constructor({ robot, moving, standing }: CollisionModel) {
    const most = (lengths: readonly number[]) => lengths.reduce((one, other) => Math.max(one, other), 0);
    this.lost = ROUNDINGS * (robot.joints.length + 4) * UNIT_ROUNDOFF;
    const parts = standing.map(({ shape, T_world_part }) => offsetOf(T_world_part) + extentOf(shape));
    this.still = offsetOf(robot.T_world_root) + most(parts);
    this.chain =
      chainOf(robot) + 2 * most(moving.map(({ shape, T_link_part }) => offsetOf(T_link_part) + extentOf(shape)));
    this.slides = robot.joints.filter((joint) => joint.type === 'prismatic').length;
    this.multiplier = most(robot.joints.map((joint) => Math.abs(joint.multiplier)));
    this.offset = most(robot.joints.map((joint) => Math.abs(joint.offset)));
  }

  /**
   * @param reached greatest |q| of any joint, and of the terms that it is a sum of
   * @param blurred what the rounding of times may move all joints by, together: rad and m
   * @param moved distance (m) from the world's origin to the farthest point of any obstacle that was moved
   */
  at(reached: number, blurred: number, moved = 0): number {
    const value = this.multiplier * reached + this.offset;
    const length = this.chain + this.slides * value;
    return Math.max(
      LEAST_MARGIN,
      this.lost * (this.still + moved + (1 + value) * length) + this.multiplier * blurred * length,
    );
  }
}

/** Sum of the distances (m) between the origins along all joints. */
const chainOf = ({ joints }: RobotModel) =>
  joints.reduce((sum, { T_parent_joint }) => sum + offsetOf(T_parent_joint), 0);

export const offsetOf = (T: Float64Array): number => norm(Float64Array.of(T[3], T[7], T[11]) as Vec3);

/** Of a half-space, which has no end, what its plane adds: the margin. */
export function extentOf({ bounds, margin }: ConvexShape): number {
  const corner = Float64Array.from([0, 1, 2], (k) => Math.max(-bounds[k], bounds[k + 3]));
  return corner.every(Number.isFinite) ? norm(corner) : margin;
}
