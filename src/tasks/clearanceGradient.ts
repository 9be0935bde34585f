import type { Clearance, CollisionManager } from '../collision/collisionManager.ts';
import type { Configuration } from '../math/configuration.ts';
import { Separation } from '../narrowphase/solver.ts';
import { JointGradient, PairGradients } from '../optimization/pairGradients.ts';

/** Metres: a pair no farther than this beyond the nearest may be the nearest a step on. */
const TIE = 1e-9;

/** A clearance with its derivative. */
export interface ClearanceGradient extends Clearance {
  /** Of the clearance by q: metres per radian, or per metre. Zero where there is no pair. */
  readonly gradient: readonly number[];
  /** False at kinks, where the gradient is that of one side: two pairs equally near, faces that lie on each other. */
  readonly differentiable: boolean;
}

/**
 * Least distance over all pairs that may not touch, with its gradient: that of the nearest pair.
 * @param gradients scratch, for those who ask often
 */
export function clearanceGradient(
  manager: CollisionManager,
  q: Configuration,
  gradients = new PairGradients(manager.posed),
): ClearanceGradient {
  const { distance, pair } = manager.clearance(q);
  const { nearest } = manager;
  const out = new JointGradient(manager.model.robot.dof);
  if (nearest < 0) return { distance, pair, gradient: [...out.gradient], differentiable: false };
  gradients.signedDistance(out, nearest);
  const differentiable = out.differentiable && isAlone(manager, nearest, out.value + TIE);
  return { distance: out.value, pair, gradient: [...out.gradient], differentiable };
}

/** True if every other pair is at least `reach` apart at the current poses; depends on these alone. */
function isAlone(manager: CollisionManager, nearest: number, reach: number): boolean {
  const { model, posed } = manager;
  const separation = new Separation();
  for (let pair = 0; pair < model.pairCount; pair++) {
    if (pair === nearest || !posed.boxesNear(pair, Math.max(0, reach))) continue;
    manager.pairDistance(separation, pair, Math.max(0, reach) + TIE);
    if (separation.distance.lower >= Math.max(0, reach) + TIE) continue;
    if (!(manager.pairSeparation(separation, pair) >= reach)) return false;
  }
  return true;
}
