import type { Transform } from '../../math/transform.ts';
import { MotionBounds } from '../bounds/motionBounds.ts';
import type { Interval } from '../intervalQueue.ts';
import { BOX_SIZE } from '../posedParts.ts';
import type { CellMotion } from './cellMotion.ts';

/**
 * Pose of a part of a robot at the middle of an interval of its motion, and bounds on its motion within it, for a
 * parameter σ in [−1, 1] that spans the interval: with the point c fixed in the part, a point p of it moves by
 *   σ (V + Ω × (p − c)) + R,   ‖R‖ <= A/2 at σ = ±1.
 */
export interface PartInterval {
  readonly T_world_part: Transform;
  /** Numbers at the offsets below. */
  readonly values: Float64Array;
}

/** Offsets of `values`: world box; centre c and radius of the bounding sphere; V; Ω; bound on the speed; A/2. */
export const BOX = 0;
export const CENTER = 6;
export const VELOCITY = 9;
export const TURNING = 12;
export const RADIUS = 15;
export const SPEED = 16;
export const REST = 17;
const SIZE = 18;

/** Bounds on the motion of parts in the world. */
export class PartMotionBounds extends MotionBounds {
  /** Returns the pose and the bounds of a robot part for the interval that was evaluated last. */
  partInterval(part: number): PartInterval {
    const { posed, chainBounds, chains, twists, twist } = this;
    const values = new Float64Array(SIZE);
    for (let k = 0; k < BOX_SIZE; k++) values[BOX + k] = posed.boxes[BOX_SIZE * part + k];
    values[SPEED] = chainBounds.speedOfPart(part);
    values[REST] = 0.5 * chainBounds.accelerationOfPart(part);
    values[RADIUS] = chains.spheres[4 * part + 3];
    const { centers } = chainBounds;
    const [x, y, z] = [centers[3 * part], centers[3 * part + 1], centers[3 * part + 2]];
    twists.relative(twist, posed.model.robotParts[part].link, -1);
    const [wx, wy, wz, vx, vy, vz] = twist;
    values.set([x, y, z], CENTER);
    values.set([vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x], VELOCITY);
    values.set([wx, wy, wz], TURNING);
    return { T_world_part: posed.T_world_part[part].slice(), values };
  }
}

/** The intervals of the motion of one of two robots, each evaluated once. */
export class MemberIntervals {
  /** By interval and part of this robot. */
  private readonly known: (readonly PartInterval[])[] = [];

  /** @param parts indices of the parts of this robot in the model of both */
  constructor(
    private readonly bounds: PartMotionBounds,
    private readonly motion: CellMotion,
    private readonly parts: readonly number[],
    private readonly isFirst: boolean,
  ) {}

  /** Returns the parts of the robot in an interval of its motion, in the order of `parts`. */
  of(node: number): readonly PartInterval[] {
    this.known[node] ??= this.evaluate(node);
    return this.known[node];
  }

  private evaluate(node: number): readonly PartInterval[] {
    const { bounds, motion, isFirst } = this;
    motion.select(isFirst ? node : 0, isFirst ? 0 : node);
    bounds.evaluateInterval(motion, WHOLE);
    return this.parts.map((part) => bounds.partInterval(part));
  }
}

/** The parameter of all intervals. */
export const WHOLE: Interval = { start: -1, end: 1 };
