import type { Configuration } from '../../math/configuration.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { CubicMotion, type Motion } from '../motions/motion.ts';
import type { CubicProofs } from './cubicProofs.ts';
import { EdgeCover } from './edgeCover.ts';
import type { EdgeProofs } from './edgeProofs.ts';

/** Number of certified edges, from the last one used on, that are compared with a motion. */
const NEXT_EDGES = 4;

/**
 * Finds the motions of a trajectory along a path that are proved collision-free by certified edges of that path, or by
 * certified blends.
 */
export class PathProofs {
  private readonly from: Configuration[] = [];
  private readonly to: Configuration[] = [];

  /**
   * @param proofs of the validator that certified edges of the path
   * @param path waypoints, as the trajectory passes them; copied
   * @param blends cubics that were certified while blends were fitted
   */
  constructor(
    private readonly proofs: EdgeProofs,
    path: readonly Configuration[],
    private readonly blends?: CubicProofs,
  ) {
    for (let i = 1; i < path.length; i++) {
      if (!proofs.has(path[i - 1], path[i])) continue;
      this.from.push(Float64Array.from(path[i - 1]));
      this.to.push(Float64Array.from(path[i]));
    }
  }

  /**
   * Returns the test whether a motion is proved; called for the motions in the order of the path. The proofs are those
   * of the padding and the obstacles of a check, or none is used.
   */
  coverage(posed: PosedParts, padding: number): (motion: Motion) => boolean {
    const { from, to, proofs, blends } = this;
    const cover = new EdgeCover(posed.model);
    let next = 0;
    return (motion) => {
      if (!(motion instanceof CubicMotion)) return false;
      if (blends?.holdsFor(posed, padding) && blends.proves(motion)) return true;
      if (!proofs.holdsFor(posed, padding)) return false;
      for (let i = next; i < Math.min(next + NEXT_EDGES, from.length); i++) {
        if (!cover.contains(from[i], to[i], motion)) continue;
        next = i;
        return true;
      }
      return false;
    };
  }
}
