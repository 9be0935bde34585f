import type { Clearance, CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { Separation } from '../../core/narrowphase/solver.ts';
import { JointGradient, PairGradients } from '../../core/optimization/pairGradients.ts';

/** Tolerance for ties, metres: a pair whose distance exceeds the minimum by at most this counts as equally near. */
const TIE = 1e-9;

/** A clearance with its gradient. */
export interface ClearanceGradient extends Clearance {
  /** Gradient of the clearance with respect to q: metres per radian, or per metre. Zero if there is no pair. */
  readonly gradient: readonly number[];
  /** False at kinks, where the gradient is one-sided: two pairs equally near, or parallel faces in contact. */
  readonly differentiable: boolean;
}

/**
 * Computes the clearance, the minimum distance over all checked pairs, with its gradient, which is that of the nearest
 * pair.
 * @param gradients scratch memory, to be reused for many calls
 */
export function clearanceGradient(
  manager: CollisionManager,
  q: Configuration,
  gradients = new PairGradients(manager.posed),
): ClearanceGradient {
  const { distance, pair } = manager.clearance(q);
  const nearest = manager.nearestPair;
  const out = new JointGradient(manager.model.robot.dof);
  if (nearest < 0) return { distance, pair, gradient: [...out.gradient], differentiable: false };
  gradients.signedDistance(out, nearest);
  const differentiable = out.differentiable && isAlone(manager, nearest, out.value + TIE);
  return { distance: out.value, pair, gradient: [...out.gradient], differentiable };
}

/** Returns true if the distance of every other pair is at least `reach`; depends on the current poses only. */
function isAlone(manager: CollisionManager, nearest: number, reach: number): boolean {
  const { model, posed } = manager;
  const separation = new Separation();
  for (let pair = 0; pair < model.pairCount; pair++) {
    if (pair === nearest || model.isEnlarged(pair) || !posed.boxesNear(pair, Math.max(0, reach))) continue;
    manager.pairDistance(separation, pair, Math.max(0, reach) + TIE);
    if (
      !(separation.distance.lower >= Math.max(0, reach) + TIE) &&
      !(manager.pairSeparation(separation, pair) >= reach)
    )
      return false;
  }
  return true;
}
