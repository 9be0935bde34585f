import { create, type Transform } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';
import { cachedPlaneSeparates } from '../../narrowphase/separatingPlaneCache.generated.ts';
import type { MotionBounds } from '../bounds/motionBounds.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { PairCaches } from '../states/pairCaches.ts';
import type { Interval } from './intervalQueue.ts';

/**
 * Share of the gap at which a plane was found that it must keep. Smaller shares need fewer planes; with larger ones the
 * planes stay nearer to the distances, from which the room of obstacles is computed.
 */
export const KEPT_SHARE = 0.5;

/** Lengths of a pair within an interval, metres. */
export interface PairLengths {
  /** Distance that its parts can approach each other within half the interval. */
  approach: number;
  /** Minimum distance that is required: padding and margin. */
  required: number;
}

/**
 * The last recorded plane of each pair, which is tried before a new one is computed: on dense paths one plane separates
 * a pair over hundreds of pieces, and is recorded once.
 */
export class KeptPlanes {
  private readonly caches: PairCaches;
  /** Per pair: end of the interval in which the plane is proved; −∞ if there is none. */
  private readonly until: Float64Array;
  /** Per pair: gap beyond the required distance at which the plane was found, metres. */
  private readonly gaps: Float64Array;
  private readonly T_b_a: Transform = create();

  constructor(
    private readonly posed: PosedParts,
    private readonly bounds: MotionBounds,
  ) {
    const { pairCount } = posed.model;
    this.caches = new PairCaches(pairCount, false);
    this.until = new Float64Array(pairCount).fill(Number.NEGATIVE_INFINITY);
    this.gaps = new Float64Array(pairCount);
  }

  clear(): void {
    this.until.fill(Number.NEGATIVE_INFINITY);
  }

  /** Stores a plane (unit, A to B, frame of B) that is proved until a time, unless one is proved for longer. */
  store(pair: number, until: number, gap: number, n: Vec3): void {
    if (until < this.until[pair]) return;
    this.until[pair] = until;
    this.gaps[pair] = gap;
    this.caches.of(pair).axis.set(n);
  }

  /**
   * Returns the normal of the kept plane if it was proved until the interval and separates the pair throughout the
   * interval by its share of the gap; it then counts as proved until the end of the interval.
   * @param onlySpeeds the bounds of the interval are those of speeds; accelerations are unknown
   */
  extend(
    pair: number,
    { start, end }: Interval,
    { approach, required }: PairLengths,
    onlySpeeds: boolean,
  ): Vec3 | undefined {
    const { posed, bounds, until, T_b_a } = this;
    if (until[pair] !== start) return undefined;
    const { model, shapes } = posed;
    const cache = this.caches.of(pair);
    const kept = required + KEPT_SHARE * this.gaps[pair];
    posed.relativePose(T_b_a, pair);
    if (!cachedPlaneSeparates(shapes[model.pairA[pair]], T_b_a, shapes[model.pairB[pair]], kept, cache))
      return undefined;
    const spare = cache.gap - kept;
    if (!(spare > approach) && (onlySpeeds || !bounds.staysSeparated(pair, cache.axis, spare))) return undefined;
    until[pair] = end;
    return cache.axis;
  }
}
