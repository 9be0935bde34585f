import type { JointMotion } from '../math/jointMotion.ts';
import type { ConstraintSet } from './constraintSet.ts';

/** Maximum number of intervals that wait to be evaluated; a proof that needs more ends undecided. */
const MAX_WAITING = 512;

/**
 * Proves short motions of planners: as `ConstraintSet.violation`, but breadth first, because planners try many motions
 * that violate a constraint, most of them in their middle, and need no first time of violation. One per thread.
 */
export class EdgeProof {
  /** Ends of the intervals that wait, as a ring. */
  private readonly from = new Float64Array(MAX_WAITING);
  private readonly to = new Float64Array(MAX_WAITING);

  constructor(private readonly set: ConstraintSet) {}

  /**
   * Returns true if a motion is proved to satisfy all constraints within a number of intervals.
   * @param finest intervals up to this length are not bisected: if the state in the middle is valid, they count as
   *   proved; 0: every interval is proved
   */
  holds(motion: JointMotion, maxIntervals: number, finest = 0): boolean {
    const { set, from, to } = this;
    if (!set.isExact(motion)) return false;
    from[0] = motion.start;
    to[0] = motion.end;
    let waiting = 1;
    for (let k = 0; waiting > 0; k++) {
      const [start, end] = [from[k % MAX_WAITING], to[k % MAX_WAITING]];
      const middle = 0.5 * (start + end);
      waiting--;
      const verdict = set.verdictOver(motion, start, end);
      if (verdict === 'violated') return false;
      if (verdict === 'proved' || end - start <= finest) continue;
      if (k + waiting + 2 > maxIntervals || waiting + 2 > MAX_WAITING || !(middle > start && middle < end))
        return false;
      for (let half = 0; half < 2; half++, waiting++) {
        const slot = (k + 1 + waiting) % MAX_WAITING;
        from[slot] = half === 0 ? start : middle;
        to[slot] = half === 0 ? middle : end;
      }
    }
    return true;
  }
}
