import { TRANSFORM_SIZE } from '../../math/transform.ts';
import { doubled } from '../../planning/growArrays.ts';
import { MotionBounds } from '../bounds/motionBounds.ts';
import { BOX_SIZE } from '../model/posedParts.ts';
import type { Interval } from '../motions/intervalQueue.ts';
import type { CellMotion } from './cellMotion.ts';

/**
 * Offsets of the numbers of a part in an interval of the motion of its robot: its world box at the middle; the box that
 * contains the part throughout the interval; and a bound on its motion within it, for a parameter σ in [−1, 1] that
 * spans the interval. With the point c fixed in the part, a point p of it moves by
 *   σ (V + Ω × (p − c)) + R,   ‖R‖ <= A/2 at σ = ±1.
 * Centre c and radius of the bounding sphere; V; Ω; bound on the displacement of all points; A/2; pose at the middle.
 */
export const BOX = 0;
export const SWEPT = 6;
export const CENTER = 12;
export const VELOCITY = 15;
export const TURNING = 18;
export const RADIUS = 21;
export const SPEED = 22;
export const REST = 23;
export const POSE = 24;
/** Numbers of a part. */
export const PART_SIZE = 36;

/** Bounds on the motion of parts in the world. */
export class PartMotionBounds extends MotionBounds {
  /** Writes the numbers of a robot part for the interval that was evaluated last. */
  writePart(out: Float64Array, o: number, part: number): void {
    const { posed, chainBounds, chains, twists, twist } = this;
    const { centers } = chainBounds;
    const speed = chainBounds.speedOfPart(part);
    const rest = 0.5 * chainBounds.accelerationOfPart(part);
    const radius = chains.spheres[4 * part + 3];
    twists.relative(twist, posed.model.robotParts[part].link, -1);
    for (let k = 0; k < 3; k++) {
      const [u, v] = [(k + 1) % 3, (k + 2) % 3];
      out[o + CENTER + k] = centers[3 * part + k];
      out[o + VELOCITY + k] = twist[3 + k] + twist[u] * centers[3 * part + v] - twist[v] * centers[3 * part + u];
      out[o + TURNING + k] = twist[k];
    }
    const turning = norm(out, o + TURNING) * radius;
    out[o + RADIUS] = radius;
    out[o + SPEED] = Math.min(speed, norm(out, o + VELOCITY) + turning + rest);
    out[o + REST] = rest;
    for (let k = 0; k < 3; k++) {
      const [u, v] = [(k + 1) % 3, (k + 2) % 3];
      const [low, high] = [posed.boxes[BOX_SIZE * part + k], posed.boxes[BOX_SIZE * part + 3 + k]];
      // ‖e × Ω‖ r for the axis e.
      const swing = Math.sqrt(twist[u] * twist[u] + twist[v] * twist[v]) * radius;
      const sweep = Math.min(out[o + SPEED], Math.abs(out[o + VELOCITY + k]) + swing + rest);
      out[o + BOX + k] = low;
      out[o + BOX + 3 + k] = high;
      out[o + SWEPT + k] = low - sweep;
      out[o + SWEPT + 3 + k] = high + sweep;
    }
    const T = posed.T_world_part[part];
    for (let k = 0; k < TRANSFORM_SIZE; k++) out[o + POSE + k] = T[k];
  }
}

const norm = (values: Float64Array, o: number): number =>
  Math.sqrt(values[o] * values[o] + values[o + 1] * values[o + 1] + values[o + 2] * values[o + 2]);

/** The intervals of the motion of one of two robots, each evaluated once. */
export class MemberIntervals {
  /** By interval: `PART_SIZE` numbers for each part of this robot, in the order of `parts`; replaced as it grows. */
  values: Float64Array;
  private readonly size: number;
  /** By interval: whether it was evaluated. */
  private readonly isKnown: boolean[] = [];

  /** @param parts indices of the parts of this robot in the model of both */
  constructor(
    private readonly bounds: PartMotionBounds,
    private readonly motion: CellMotion,
    private readonly parts: readonly number[],
    private readonly isFirst: boolean,
  ) {
    this.size = PART_SIZE * parts.length;
    this.values = new Float64Array(64 * Math.max(1, this.size));
  }

  /** Evaluates an interval of the motion, unless it was, and returns the offset of its numbers. */
  evaluate(node: number): number {
    const { bounds, motion, parts, isFirst, size } = this;
    const o = node * size;
    if (this.isKnown[node]) return o;
    this.isKnown[node] = true;
    motion.select(isFirst ? node : 0, isFirst ? 0 : node);
    bounds.evaluateInterval(motion, WHOLE);
    while (o >= this.values.length) this.values = doubled(this.values);
    for (let i = 0; i < parts.length; i++) bounds.writePart(this.values, o + PART_SIZE * i, parts[i]);
    return o;
  }
}

/** The parameter of all intervals. */
export const WHOLE: Interval = { start: -1, end: 1 };
