import type { Vec3 } from '../math/vec3.ts';
import type { Span } from './certificate.ts';
import type { BodyPart } from './convexParts.ts';
import type { MotionPiece } from './motionPieces.ts';
import type { PlaneProver } from './planeProver.ts';

/** Metres back (0 or less) and forth (0 or more); null: more than a kilometre. */
export type AxisRoom = readonly [number | null, number | null];

/** How far an obstacle alone may move along each axis of the world, turning nothing, with all planes still parting it from the robot. */
export interface Room {
  readonly x: AxisRoom;
  readonly y: AxisRoom;
  readonly z: AxisRoom;
}

/** A pair of parts with its planes; `b` is the obstacle's. */
export interface PartedPair {
  readonly a: BodyPart;
  readonly b: BodyPart;
  readonly spans: readonly Span[];
}

/** One span on one piece of the motion, with the least gap that is proved there. */
interface Stretch {
  readonly piece: MotionPiece;
  readonly from: number;
  readonly to: number;
  readonly gap: number;
}

/** Bounds are refined until what is proved comes this near to what single moments leave: relative, or else metres. */
const NEAR_ENOUGH = { share: 0.98, metres: 1e-4 };
/** Metres taken off every gap, more than rounding makes of an obstacle's new place. */
const GAP_MARGIN = 1e-9;
/** Looks at planes for one obstacle; what is not refined by then leaves less room than there is, never more. */
const MOST_LOOKS = 200_000;
/** Metres; room beyond this is as good as without end. */
const ENDLESS = 1000;
/** Room is given in whole micrometres, rounded down. */
const MICROMETRES = 1e6;

/**
 * The room of an obstacle: moved by x along the unit vector e, it changes the gap g along a plane's direction n (from a to b) to
 * g + x n·e. So the plane holds up to x = (g − padding) / −n·e where n·e < 0, with g the least gap over the plane's whole span: proved
 * as `verify` proves it, and only as closely as the tightest planes ask for.
 * @param prover of the robot, the motion and the padding
 */
export function obstacleRoom(prover: PlaneProver, pairs: readonly PartedPair[]): Room {
  const seeker = new RoomSeeker(prover);
  const stretches = pairs.flatMap((pair) =>
    pair.spans.map((span) => ({ pair, span, found: seeker.begin(pair, span) })),
  );
  for (const { pair, span, found } of stretches) seeker.refine(pair, span, found);
  return seeker.room();
}

class RoomSeeker {
  /** Along −x, x, −y, y, −z, z: the most there can be, by what single moments leave, and the least there is, by proof. */
  private readonly most = new Float64Array(6).fill(Number.POSITIVE_INFINITY);
  private readonly least = new Float64Array(6).fill(Number.POSITIVE_INFINITY);
  /** How fast the gap along the plane at hand closes while the obstacle moves in each of the six ways. */
  private readonly closing = new Float64Array(6);
  private looks = 0;

  constructor(private readonly prover: PlaneProver) {}

  /** A first look at a span: one stretch for each piece of the motion that it touches. */
  begin(pair: PartedPair, span: Span): Stretch[] {
    this.take(pair, span);
    return this.prover.pieces.flatMap((piece) => {
      const from = Math.max(span[0], piece.start);
      const to = Math.min(span[1], piece.end);
      const isTouched = to > from || (to === from && span[1] === span[0]);
      return isTouched ? [this.look(piece, from, to)] : [];
    });
  }

  /** Halves stretches for as long as they might leave less than what single moments do. */
  refine(pair: PartedPair, span: Span, found: readonly Stretch[]): void {
    this.take(pair, span);
    const stack = [...found];
    while (stack.length > 0) {
      const stretch = stack.pop()!;
      const { piece, from, to } = stretch;
      const middle = from + 0.5 * (to - from);
      const canBeHalved = middle > from && middle < to && this.looks < MOST_LOOKS;
      if (canBeHalved && !this.isNearEnough(stretch.gap)) {
        stack.push(this.look(piece, from, middle), this.look(piece, middle, to));
        continue;
      }
      for (let way = 0; way < 6; way++) this.least[way] = Math.min(this.least[way], this.roomOf(stretch.gap, way));
    }
  }

  room(): Room {
    const [left, right, back, forth, down, up] = Array.from(this.least, (metres) =>
      metres > ENDLESS ? null : Math.floor(metres * MICROMETRES) / MICROMETRES,
    );
    return { x: [negated(left), right], y: [negated(back), forth], z: [negated(down), up] };
  }

  private take({ a, b }: PartedPair, [, , ...n]: Span): void {
    this.prover.setPair(a, b);
    const direction: Vec3 = this.prover.setDirection(Float64Array.from(n));
    for (let way = 0; way < 6; way++) this.closing[way] = Math.max(0, (way % 2 === 0 ? 1 : -1) * direction[way >> 1]);
  }

  private look(piece: MotionPiece, from: number, to: number): Stretch {
    this.looks++;
    const { throughout, now } = this.prover.look(piece, from, from + 0.5 * (to - from), to);
    for (let way = 0; way < 6; way++) this.most[way] = Math.min(this.most[way], this.roomOf(now, way));
    return { piece, from, to, gap: throughout };
  }

  private isNearEnough(gap: number): boolean {
    return this.most.every((most, way) => {
      const wanted = Math.min(ENDLESS, Math.max(NEAR_ENOUGH.share * most, most - NEAR_ENOUGH.metres));
      return this.roomOf(gap, way) >= wanted;
    });
  }

  private roomOf(gap: number, way: number): number {
    const spare = Math.max(0, gap - this.prover.padding - GAP_MARGIN);
    return this.closing[way] > 0 ? spare / this.closing[way] : Number.POSITIVE_INFINITY;
  }
}

const negated = (metres: number | null) => (metres === null ? null : 0 - metres);
