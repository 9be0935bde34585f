import type { CartesianLeg } from '../../core/cartesian/cartesianLeg.ts';
import type { LegKnot } from '../../core/cartesian/legKnot.ts';
import type { FollowedPath, PathTool } from '../../core/cartesian/paths/toolPath.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { nearestOnPath } from './pathChecks.ts';

/** A tool path with its joint path, and what it is timed with. */
export interface FollowedToolPath extends FollowedPath {
  readonly tool: PathTool;
}

/** Why a line or arc cannot be followed from a configuration. */
export interface LegFault {
  /** Fraction of the length of the step that is reached, in [0, 1]. */
  readonly fraction: number;
  readonly reason: string;
  /** True if a joint limit stops it. */
  readonly isLimit: boolean;
  /** Names of the pair that collides. */
  readonly pair?: readonly [string, string];
}

/**
 * Joint path of a line, arc or tool path: the knots of each leg. The first knot of a leg is the last of the previous
 * leg.
 */
export interface StepPath {
  /** Of a tool path: what it is timed with. */
  readonly followed?: FollowedToolPath;
  readonly legs: readonly { readonly leg: CartesianLeg; readonly knots: readonly LegKnot[] }[];
  readonly end: Configuration;
}

/**
 * Returns the weight of a leg in the reached fraction: its length in metres, or its angle in radians for pure
 * rotations.
 */
export const weightOf = ({ length, angle }: CartesianLeg) => (length > 0 ? length : angle);

/** Returns the fraction of the length of a step at the point of its joint path that is nearest to a configuration. */
export function fractionAt({ legs }: StepPath, q: Configuration): number {
  let [before, total, found, least] = [0, 0, 0, Number.POSITIVE_INFINITY];
  for (const { leg, knots } of legs) {
    const { s, d2 } = nearestOnPath(knots, q);
    total += weightOf(leg);
    if (d2 < least) [found, least] = [before + s * weightOf(leg), d2];
    before += weightOf(leg);
  }
  return total > 0 ? found / total : 0;
}
