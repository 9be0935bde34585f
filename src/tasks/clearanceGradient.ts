import type { Clearance, CollisionManager } from '../collision/collisionManager.ts';
import { jacobian } from '../kinematics/jacobian.ts';
import type { Configuration } from '../math/configuration.ts';
import { rotate, transformPoint } from '../math/transform.ts';
import { create, type Vec3 } from '../math/vec3.ts';
import { Separation } from '../narrowphase/solver.ts';

/** Step to each side at which the gradient is looked at again: rad or m. */
const STEP = 1e-7;
/** A change of the gradient by this part of it within a step is a kink. */
const KINK = 1e-2;
/** Below this length of the gradient (m/rad) its change is held against this, for rounding alone may turn what is nearly 0. */
const SMALL = 1e-3;
/** Metres: a pair no farther than this beyond the nearest may be the nearest a step on. */
const TIE = 1e-6;

/** A clearance with its derivative. */
export interface ClearanceWithGradient extends Clearance {
  /** ∂clearance/∂q: metres per unit of each value of q. Zero where there is no pair. */
  readonly gradient: Float64Array;
  /** False at kinks, where the gradient is that of one side: two pairs equally near, faces that lie along each other, contact to the last digit. */
  readonly differentiable: boolean;
}

/**
 * The gradient of the clearance d(q) = n·(p_B − p_A) of the nearest pair, with n the unit normal from A to B and p_A, p_B the nearest (or
 * deepest) points in the world. All three are stationary, so only the motion of the points with their links counts (envelope theorem):
 *
 *     ∂d/∂q = nᵀ J_B(p_B) − nᵀ J_A(p_A)        J: linear rows of the geometric Jacobian
 *
 * Scratch of one thread of work, over a manager of collisions.
 */
export class ClearanceGradient {
  private readonly separation = new Separation();
  private readonly q: Configuration;
  private readonly nearby: Float64Array;
  private readonly columns: Float64Array;
  private readonly n: Vec3 = create();
  private readonly point: Vec3 = create();

  constructor(private readonly manager: CollisionManager) {
    const { dof } = manager.model.robot;
    this.q = new Float64Array(dof);
    this.nearby = new Float64Array(dof);
    this.columns = new Float64Array(6 * dof);
  }

  /** Clearance and gradient at q. */
  at(q: Configuration): ClearanceWithGradient {
    const { manager } = this;
    const gradient = new Float64Array(q.length);
    const clearance = manager.clearance(q);
    const { nearest } = manager;
    if (nearest < 0) return { ...clearance, gradient, differentiable: true };
    const known = this.ofPair(gradient, nearest);
    const differentiable = known && this.isAlone(nearest, clearance.distance) && this.isSmooth(gradient, nearest, q);
    return { ...clearance, gradient, differentiable };
  }

  /** The gradient of one pair at the poses at hand; false where no direction parts the two. */
  private ofPair(out: Float64Array, pair: number): boolean {
    const { manager, separation, n } = this;
    const { posed, model } = manager;
    out.fill(0);
    manager.pairSeparation(separation, pair, Number.POSITIVE_INFINITY);
    if (!separation.hasNormal || !separation.hasWitnesses) return false;
    const T_world_b = posed.T_world_part[model.pairB[pair]];
    rotate(n, T_world_b, separation.normal);
    this.addPoint(out, model.pairA[pair], T_world_b, separation.witnessA, -1);
    this.addPoint(out, model.pairB[pair], T_world_b, separation.witnessB, 1);
    return true;
  }

  /** out ← out + sign · nᵀ J(point); a standing part does not move. */
  private addPoint(out: Float64Array, part: number, T_world_b: Float64Array, inB: Vec3, sign: number): void {
    const { manager, columns, n, point } = this;
    const { moving } = manager.model;
    if (part >= moving.length) return;
    transformPoint(point, T_world_b, inB);
    jacobian(columns, manager.posed.state, moving[part].link, point);
    const dof = out.length;
    for (let i = 0; i < dof; i++)
      out[i] += sign * (n[0] * columns[i] + n[1] * columns[dof + i] + n[2] * columns[2 * dof + i]);
  }

  /** True if no other pair is as near, to within `TIE`. */
  private isAlone(nearest: number, distance: number): boolean {
    const { manager, separation } = this;
    const { posed, model } = manager;
    const reach = distance + TIE;
    for (let pair = 0; pair < model.pairCount; pair++) {
      if (pair === nearest || !posed.boxesNear(pair, Math.max(0, reach))) continue;
      if (!(manager.pairSeparation(separation, pair, reach) >= reach)) return false;
    }
    return true;
  }

  /** Moves each joint a little each way: where the distance is smooth, its gradient hardly changes. */
  private isSmooth(here: Float64Array, pair: number, q: Configuration): boolean {
    const { manager, nearby, q: moved } = this;
    const most = KINK * Math.max(SMALL, lengthBetween(here, undefined));
    for (let i = 0; i < q.length; i++) {
      for (let way = -1; way <= 1; way += 2) {
        moved.set(q);
        moved[i] += way * STEP;
        manager.posed.pose(moved);
        if (!this.ofPair(nearby, pair) || !(lengthBetween(here, nearby) <= most)) return false;
      }
    }
    return true;
  }
}

/** Length of a − b; of a where there is no b. */
function lengthBetween(a: Float64Array, b: Float64Array | undefined): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - (b?.[i] ?? 0)) ** 2;
  return Math.sqrt(sum);
}
