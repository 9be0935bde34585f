import type { Vec3 } from '../math/vec3.ts';
import type { Span } from './certificate.ts';
import type { MotionPiece } from './motionPieces.ts';
import type { PlaneProver } from './planeProver.ts';
import { type SeparatedPair, type SpanPart, spanParts } from './spanProofs.ts';

/**
 * Room along an axis: displacement (metres) in negative direction (<= 0) and in positive direction (>= 0); null: more
 * than a kilometre.
 */
export type AxisRoom = readonly [number | null, number | null];

/**
 * Room of an obstacle: how far it may be translated along each world axis alone while all planes still separate it from
 * the robot.
 */
export interface Room {
  /** Room along the x axis of the world. */
  readonly x: AxisRoom;
  /** Room along the y axis of the world. */
  readonly y: AxisRoom;
  /** Room along the z axis of the world. */
  readonly z: AxisRoom;
}

/** The part of a span on one piece of the motion, with the minimum gap (metres) that is proved there. */
interface SpanInterval {
  readonly piece: MotionPiece;
  readonly from: number;
  readonly to: number;
  readonly gap: number;
}

/** Bisection stops once the proved room is this near to an upper bound on it: relative, or absolute in metres. */
const NEAR_ENOUGH = { relative: 0.98, metres: 1e-4 };
/** Metres subtracted from every gap: exceeds the rounding error of the new position of an obstacle. */
const GAP_MARGIN = 1e-9;
/**
 * Maximum number of plane evaluations for one obstacle; beyond it the result is smaller than the true room, never
 * larger.
 */
const MAX_EVALUATIONS = 200_000;
/** Metres; larger room is reported as unlimited. */
const UNLIMITED = 1000;
/** Room is reported in whole micrometres, rounded down. */
const MICROMETRES = 1e6;

/**
 * Computes the room of an obstacle. Translating it by x along the unit vector e changes the gap g along a normal n
 * (from a to b) to g + x n·e, so the plane separates up to x = (g − padding) / −n·e if n·e < 0, with g the minimum gap
 * over the span: proved as `verify` does, and only as precisely as the tightest planes require.
 * @param prover for the robot, the motion and the padding
 */
export function obstacleRoom(prover: PlaneProver, pairs: readonly SeparatedPair[]): Room {
  const search = new RoomSearch(prover);
  const begun = Array.from(spanParts(prover, pairs), (part) => ({ ...part, found: search.begin(part) }));
  for (const { pair, span, found } of begun) search.refine(pair, span, found);
  return search.room();
}

/** Branch and bound over the spans of all pairs. */
class RoomSearch {
  /**
   * Along −x, x, −y, y, −z, z: upper bounds on the room, from the gaps at single instants, and lower bounds, proved.
   */
  private readonly upper = new Float64Array(6).fill(Number.POSITIVE_INFINITY);
  private readonly lower = new Float64Array(6).fill(Number.POSITIVE_INFINITY);
  /** Rate at which the gap of the current plane decreases when the obstacle moves in each of the six directions. */
  private readonly closing = new Float64Array(6);
  private evaluations = 0;

  constructor(private readonly prover: PlaneProver) {}

  /** Evaluates a part of a span: returns one interval for each piece of the motion that it overlaps. */
  begin({ pair, span, from, to }: SpanPart<SeparatedPair>): SpanInterval[] {
    this.setPlane(pair, span);
    return Array.from(this.prover.piecesWithin(from, to), (one) => this.evaluate(one.piece, one.from, one.to));
  }

  /** Bisects the intervals until none limits the room more than the upper bounds do, within NEAR_ENOUGH. */
  refine(pair: SeparatedPair, span: Span, found: readonly SpanInterval[]): void {
    this.setPlane(pair, span);
    const stack = [...found];
    while (stack.length > 0) {
      const interval = stack.pop()!;
      const { piece, from, to } = interval;
      const middle = from + 0.5 * (to - from);
      const canBeHalved = middle > from && middle < to && this.evaluations < MAX_EVALUATIONS;
      if (canBeHalved && !this.isNearEnough(interval.gap)) {
        stack.push(this.evaluate(piece, from, middle), this.evaluate(piece, middle, to));
        continue;
      }
      for (let i = 0; i < 6; i++) this.lower[i] = Math.min(this.lower[i], this.roomOf(interval.gap, i));
    }
  }

  /** Returns the proved room, rounded down to whole micrometres. */
  room(): Room {
    const [left, right, back, forth, down, up] = Array.from(this.lower, (metres) =>
      metres > UNLIMITED ? null : Math.floor(metres * MICROMETRES) / MICROMETRES,
    );
    return { x: [negated(left), right], y: [negated(back), forth], z: [negated(down), up] };
  }

  /** Sets the pair and the plane for the following evaluations. */
  private setPlane({ a, b }: SeparatedPair, [, , ...n]: Span): void {
    this.prover.setPair(a, b);
    const direction: Vec3 = this.prover.setDirection(Float64Array.from(n));
    for (let i = 0; i < 6; i++) this.closing[i] = Math.max(0, (i % 2 === 0 ? 1 : -1) * direction[i >> 1]);
  }

  private evaluate(piece: MotionPiece, from: number, to: number): SpanInterval {
    this.evaluations++;
    const { throughout, now } = this.prover.evaluateGap(piece, from, from + 0.5 * (to - from), to);
    for (let i = 0; i < 6; i++) this.upper[i] = Math.min(this.upper[i], this.roomOf(now, i));
    return { piece, from, to, gap: throughout };
  }

  private isNearEnough(gap: number): boolean {
    return this.upper.every((upper, i) => {
      const wanted = Math.min(UNLIMITED, Math.max(NEAR_ENOUGH.relative * upper, upper - NEAR_ENOUGH.metres));
      return this.roomOf(gap, i) >= wanted;
    });
  }

  private roomOf(gap: number, i: number): number {
    const spare = Math.max(0, gap - this.prover.padding - GAP_MARGIN);
    return this.closing[i] > 0 ? spare / this.closing[i] : Number.POSITIVE_INFINITY;
  }
}

const negated = (metres: number | null) => (metres === null ? null : 0 - metres);
