import type { Clearance, CollisionManager } from '../../collision/collisionManager.ts';
import { clearanceInSlices, PAIRS_A_SLICE } from '../../collision/slicedChecks.ts';
import { completed, type Slices } from '../../collision/slicedProof.ts';
import type { Configuration } from '../../math/configuration.ts';
import { Separation } from '../../narrowphase/solver.ts';
import { JointGradient, PairGradients } from '../../optimization/pairGradients.ts';

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
  return completed(clearanceGradientInSlices(manager, q, gradients));
}

/** As `clearanceGradient`, in slices: the manager may be used for other states in the pauses. `q` must not change meanwhile. */
export function* clearanceGradientInSlices(
  manager: CollisionManager,
  q: Configuration,
  gradients = new PairGradients(manager.posed),
): Slices<ClearanceGradient> {
  const { distance, pair, nearest } = yield* clearanceInSlices(manager, q);
  manager.posed.pose(q);
  const out = new JointGradient(manager.model.robot.dof);
  if (nearest < 0) return { distance, pair, gradient: [...out.gradient], differentiable: false };
  gradients.signedDistance(out, nearest);
  const differentiable = out.differentiable && (yield* isAlone(manager, q, nearest, out.value + TIE));
  return { distance: out.value, pair, gradient: [...out.gradient], differentiable };
}

/** True if every other pair is at least `reach` apart at the current poses; depends on these alone. */
function* isAlone(manager: CollisionManager, q: Configuration, nearest: number, reach: number): Slices<boolean> {
  const { model, posed } = manager;
  const separation = new Separation();
  let checked = 0;
  for (let pair = 0; pair < model.pairCount; pair++) {
    if (pair === nearest || !posed.boxesNear(pair, Math.max(0, reach))) continue;
    manager.pairDistance(separation, pair, Math.max(0, reach) + TIE);
    if (
      !(separation.distance.lower >= Math.max(0, reach) + TIE) &&
      !(manager.pairSeparation(separation, pair) >= reach)
    )
      return false;
    if (++checked % PAIRS_A_SLICE !== 0) continue;
    yield;
    posed.pose(q);
  }
  return true;
}
