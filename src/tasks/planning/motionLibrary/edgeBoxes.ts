import { PART_SIZE, PartMotionBounds, SWEPT, WHOLE } from '../../../core/collision/cells/memberIntervals.ts';
import type { PosedParts } from '../../../core/collision/model/posedParts.ts';
import type { Motion } from '../../../core/collision/motions/motion.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { shortestDifference } from '../../../core/planning/metric.ts';
import type { JointSpace } from '../../../core/planning/planner.ts';

/** Longest piece (L2 in joint space) that has boxes of its own. */
const PIECE = 0.3;
/** Metres: unit in which boxes are stored, rounded outwards. */
export const BOX_UNIT = 1e-4;

/**
 * Boxes in the world, along its axes, that contain each object of the robot over a piece of a straight edge: six planes
 * around it. Objects are links and attached objects with parts.
 */
export class EdgeBoxes {
  readonly objects: readonly string[];
  private readonly bounds: PartMotionBounds;
  private readonly line: PieceOfLine;
  private readonly bodyOf: readonly number[];
  private readonly part = new Float64Array(PART_SIZE);

  constructor(
    posed: PosedParts,
    private readonly space: JointSpace,
  ) {
    const { robotParts } = posed.model;
    this.bounds = new PartMotionBounds(posed);
    this.line = new PieceOfLine(space.dof);
    this.objects = [...new Set(robotParts.map(({ name }) => name))];
    this.bodyOf = robotParts.map(({ name }) => this.objects.indexOf(name));
  }

  /** Returns the boxes piece by piece, object by object: minimum and maximum along x, y and z, in BOX_UNIT. */
  compute(qFrom: Configuration, qTo: Configuration): number[] {
    const { space, line, bounds, objects, bodyOf, part } = this;
    const pieces = Math.max(1, Math.ceil(space.distance(qFrom, qTo) / PIECE));
    const size = 6 * objects.length;
    const boxes: number[] = [];
    for (let piece = 0; piece < pieces; piece++) {
      line.set(space, qFrom, qTo, piece / pieces, (piece + 1) / pieces);
      bounds.evaluateInterval(line, WHOLE);
      const found = Array.from({ length: size }, (_, i) =>
        i % 6 < 3 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
      );
      for (let i = 0; i < bodyOf.length; i++) {
        bounds.writePart(part, 0, i);
        for (let k = 0; k < 3; k++) {
          const at = 6 * bodyOf[i] + k;
          const [low, high] = [part[SWEPT + k] - bounds.margin, part[SWEPT + 3 + k] + bounds.margin];
          found[at] = Math.min(found[at], Math.floor(low / BOX_UNIT) - 1);
          found[at + 3] = Math.max(found[at + 3], Math.ceil(high / BOX_UNIT) + 1);
        }
      }
      boxes.push(...found);
    }
    return boxes;
  }
}

/** Part of a straight line, with a parameter in [−1, 1]. */
class PieceOfLine implements Motion {
  readonly start = -1;
  readonly end = 1;
  private readonly middle: Float64Array;
  private readonly half: Float64Array;

  constructor(readonly dof: number) {
    this.middle = new Float64Array(dof);
    this.half = new Float64Array(dof);
  }

  /** Sets the part between two shares of the line, which takes the shorter rotation of continuous joints. */
  set({ halfTurns }: JointSpace, qFrom: Configuration, qTo: Configuration, from: number, to: number): void {
    for (let i = 0; i < this.dof; i++) {
      const way = halfTurns ? shortestDifference(qFrom[i], qTo[i], halfTurns[i]) : qTo[i] - qFrom[i];
      this.middle[i] = qFrom[i] + 0.5 * (from + to) * way;
      // A little longer than the part, so that rounded ends leave no gap.
      this.half[i] = (0.5 * (to - from) + 1e-9) * way;
    }
  }

  positionAt(out: Configuration, t: number): void {
    for (let i = 0; i < this.dof; i++) out[i] = this.middle[i] + t * this.half[i];
  }

  velocityAt(out: Float64Array, _t: number): void {
    out.set(this.half);
  }

  boundsOver(velocity: Float64Array, acceleration: Float64Array, _from: number, _to: number): void {
    for (let i = 0; i < this.dof; i++) {
      velocity[i] = Math.abs(this.half[i]);
      acceleration[i] = 0;
    }
  }
}
