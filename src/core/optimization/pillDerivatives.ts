import { addScaled, copy, create, cross, dot, norm, scale, set, sub, type Vec3 } from '../math/vec3.ts';
import type { PillProximity } from './pillProximity.ts';
import type { PosedPill } from './posedPill.ts';
import { factorize, solveLower, solveUpper } from './qpData.ts';

/** Degrees of freedom of two rigid bodies: position and attitude of A, then of B. */
const MOTIONS = 12;
/** Added to the diagonal, relative, if the closest points are not unique: their derivatives are then finite. */
const RIDGE = 1e-8;
/** Row starts of small full matrices: 0. */
const full = new Int32Array(4);

/**
 * Derivatives of the proximity of two pills and of their closest points by position and attitude, at the result of a
 * `PillProximity`: positions are those of the origins of the pill frames (∂r), attitudes rotate about these origins
 * (∂ω: R ← (1 + [∂ω]×) R); world frame.
 *
 * The derivatives of the proximity follow from the envelope theorem [Tracy22 eqs. 25–26, 30–31], which is equal to the
 * chain rule through P and c. With the closest points of the cores pA, pB and w = pA − pB
 *
 *     ∂φ/∂rA = 2 w = −∂φ/∂rB,   ∂φ/∂ωA = 2 (pA − rA) × w,   ∂φ/∂ωB = −2 (pB − rB) × w.
 *
 * Those of the points follow from the implicit function theorem on the KKT conditions [Tracy22 eqs. 9–11], in the
 * directions B that the active constraints leave free: BᵀB η̇ = −(Bᵀẇ + Ḃᵀw), where ẇ and Ḃ are caused by the rigid
 * motion alone.
 */
export class PillDerivatives {
  /** ∂φ/∂rA, ∂φ/∂ωA: m²/m and m²/rad. */
  readonly a = new Float64Array(6);
  /** ∂φ/∂rB, ∂φ/∂ωB: m²/m and m²/rad. */
  readonly b = new Float64Array(6);
  /** True if the proximity is differentiable: the closest points are unique and the solver converged. */
  proximityIsSmooth = false;
  /** ∂pointA by rA, ωA, rB, ωB: 3 × 12, row by row. */
  readonly pointA = new Float64Array(3 * MOTIONS);
  /** Derivatives of `pointB`, with the layout of those of `pointA`. */
  readonly pointB = new Float64Array(3 * MOTIONS);
  /** Derivatives of the unit normal from A to B, with the same layout; 0 if the cores intersect. */
  readonly normal = new Float64Array(3 * MOTIONS);
  /**
   * True if the closest points are differentiable; otherwise the derivatives are finite and one-sided, or those of the
   * core points if the cores intersect.
   */
  pointsAreSmooth = false;
  private free = 0;
  private readonly directions: readonly Vec3[] = Array.from({ length: 4 }, () => create());
  private readonly K = new Float64Array(16);
  private readonly eta = new Float64Array(4);
  private readonly axis: Vec3 = create();
  private readonly arm: Vec3 = create();
  private readonly rotatedAxis: Vec3 = create();
  private readonly moveA: Vec3 = create();
  private readonly moveB: Vec3 = create();
  private readonly w: Vec3 = create();

  /** Computes the derivatives at the result of a `PillProximity`. */
  solve(proximity: PillProximity): void {
    this.proximityIsSmooth = proximity.contact !== 'many' && proximity.contact !== 'undecided';
    this.pointsAreSmooth = proximity.contact === 'regular';
    this.evaluateProximity(this.a, proximity.a, proximity.w, 2);
    this.evaluateProximity(this.b, proximity.b, proximity.w, -2);
    this.factorizeFreeDirections(proximity);
    for (let motion = 0; motion < MOTIONS; motion++) this.computeColumn(proximity, motion);
  }

  private evaluateProximity(out: Float64Array, body: PosedPill, w: Vec3, factor: number): void {
    const { arm } = this;
    sub(arm, body.core, body.frame);
    cross(arm, arm, w);
    for (let k = 0; k < 3; k++) {
      out[k] = factor * w[k];
      out[3 + k] = factor * arm[k];
    }
  }

  /** Sets up B, the free directions of A and the negated ones of B, and factorises BᵀB. */
  private factorizeFreeDirections({ a, b }: PillProximity): void {
    const { directions } = this;
    this.free = a.freeCount + b.freeCount;
    for (let i = 0; i < this.free; i++) {
      if (i < a.freeCount) copy(directions[i], a.directions[i]);
      else scale(directions[i], b.directions[i - a.freeCount], -1);
    }
    if (!this.factorize(this.proximityIsSmooth ? 0 : RIDGE)) this.factorize(RIDGE);
  }

  private factorize(ridge: number): boolean {
    const { K, directions, free } = this;
    for (let i = 0; i < free; i++) {
      for (let j = 0; j <= i; j++) K[free * i + j] = dot(directions[i], directions[j]);
      K[(free + 1) * i] += ridge;
    }
    return factorize(K, free, full, 0);
  }

  /** Computes column `motion` of the two Jacobians. */
  private computeColumn(proximity: PillProximity, motion: number): void {
    const { axis, arm, rotatedAxis, moveA, moveB, w, eta, K, directions, free } = this;
    const { a, b } = proximity;
    const isA = motion < 6;
    const isRotation = motion % 6 >= 3;
    const body = isA ? a : b;
    set(axis, motion % 3 === 0 ? 1 : 0, motion % 3 === 1 ? 1 : 0, motion % 3 === 2 ? 1 : 0);
    // Rigid velocity of the closest point of the moving body at constant coordinates y.
    const rigidVelocity = isA ? moveA : moveB;
    moveA.fill(0);
    moveB.fill(0);
    copy(rigidVelocity, axis);
    if (isRotation) {
      sub(arm, body.core, body.frame);
      cross(rigidVelocity, axis, arm);
    }
    sub(w, moveA, moveB);
    for (let i = 0; i < free; i++) {
      eta[i] = -dot(directions[i], w);
      if (!isRotation || i < a.freeCount !== isA) continue;
      cross(rotatedAxis, axis, directions[i]);
      eta[i] -= dot(rotatedAxis, proximity.w);
    }
    solveLower(K, eta, free, full);
    solveUpper(K, eta, free, full);
    for (let i = 0; i < free; i++) {
      if (i < a.freeCount) addScaled(moveA, moveA, directions[i], eta[i]);
      else addScaled(moveB, moveB, directions[i], -eta[i]);
    }
    // The normal n = −w/‖w‖ changes by −(ẇ − n n·ẇ)/‖w‖, and the surface points with it.
    sub(w, moveA, moveB);
    const n = proximity.normal;
    const gap = norm(proximity.w);
    const hasNormal = dot(n, n) > 0;
    addScaled(w, w, n, -dot(n, w));
    scale(w, w, hasNormal ? -1 / gap : 0);
    addScaled(moveA, moveA, w, a.pill.radius);
    addScaled(moveB, moveB, w, -b.pill.radius);
    for (let k = 0; k < 3; k++) {
      this.normal[MOTIONS * k + motion] = w[k];
      this.pointA[MOTIONS * k + motion] = moveA[k];
      this.pointB[MOTIONS * k + motion] = moveB[k];
    }
  }
}
