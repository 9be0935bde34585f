import { addScaled, copy, create, cross, dot, norm, scale, set, sub, type Vec3 } from '../math/vec3.ts';
import type { PillProximity, PosedPill } from './pillProximity.ts';
import { factorize, solveLower, solveUpper } from './qpData.ts';

/** Directions in which two bodies can move: position and attitude of A, then of B. */
const MOTIONS = 12;
/** What stands on the diagonal where closest points are not the only ones, relative: their derivatives are then finite. */
const RIDGE = 1e-8;
/** Rows of small matrices begin at 0. */
const full = new Int32Array(4);

/**
 * Derivatives of the proximity of two pills and of their closest points by position and attitude, at the answer of a `PillProximity`:
 * positions are those of the origins of the bodies' frames (∂r), attitudes turn about these origins (∂ω: R ← (1 + [∂ω]×) R); world frame.
 *
 * The proximity's come from the envelope theorem, which is what its chain through P and c amounts to [Tracy22 eqs. 25–26, 30–31]: with the
 * closest points of the cores pA, pB and w = pA − pB
 *
 *     ∂φ/∂rA = 2 w = −∂φ/∂rB,   ∂φ/∂ωA = 2 (pA − rA) × w,   ∂φ/∂ωB = −2 (pB − rB) × w.
 *
 * Those of the points are the implicit function theorem on the KKT conditions [Tracy22 eqs. 9–11], in the directions B that the active
 * constraints leave free: BᵀB η̇ = −(Bᵀẇ + Ḃᵀw), where ẇ and Ḃ are what the motion of the bodies alone does.
 */
export class PillDerivatives {
  /** ∂φ/∂rA, ∂φ/∂ωA, and those of B: m²/m and m²/rad. */
  readonly a = new Float64Array(6);
  readonly b = new Float64Array(6);
  /** Whether the proximity has these derivatives: not where several pairs of points are closest, nor where the solver did not converge. */
  proximityIsSmooth = false;
  /** ∂pointA and ∂pointB by rA, ωA, rB, ωB: 3 × 12, row by row. */
  readonly pointA = new Float64Array(3 * MOTIONS);
  readonly pointB = new Float64Array(3 * MOTIONS);
  /** Whether the points have these derivatives; else they are finite, and one of several, or of the cores' points where the cores meet. */
  pointsAreSmooth = false;
  private free = 0;
  private readonly directions: readonly Vec3[] = Array.from({ length: 4 }, () => create());
  private readonly K = new Float64Array(16);
  private readonly eta = new Float64Array(4);
  private readonly axis: Vec3 = create();
  private readonly arm: Vec3 = create();
  private readonly turned: Vec3 = create();
  private readonly moveA: Vec3 = create();
  private readonly moveB: Vec3 = create();
  private readonly w: Vec3 = create();

  solve(found: PillProximity): void {
    this.proximityIsSmooth = found.contact !== 'many' && found.contact !== 'undecided';
    this.pointsAreSmooth = found.contact === 'regular';
    this.evaluateProximity(this.a, found.a, found.w, 2);
    this.evaluateProximity(this.b, found.b, found.w, -2);
    this.open(found);
    for (let motion = 0; motion < MOTIONS; motion++) this.movePoints(found, motion);
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

  /** B, the free directions of A and those of B negated, and the factor of BᵀB. */
  private open({ a, b }: PillProximity): void {
    const { directions } = this;
    this.free = a.free + b.free;
    for (let i = 0; i < this.free; i++) {
      if (i < a.free) copy(directions[i], a.directions[i]);
      else scale(directions[i], b.directions[i - a.free], -1);
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

  /** Column `motion` of the two Jacobians. */
  private movePoints(found: PillProximity, motion: number): void {
    const { axis, arm, turned, moveA, moveB, w, eta, K, directions, free } = this;
    const { a, b } = found;
    const isA = motion < 6;
    const turns = motion % 6 >= 3;
    const body = isA ? a : b;
    set(axis, motion % 3 === 0 ? 1 : 0, motion % 3 === 1 ? 1 : 0, motion % 3 === 2 ? 1 : 0);
    // What the body's motion does to its own point, the coordinates y staying as they are.
    const carried = isA ? moveA : moveB;
    moveA.fill(0);
    moveB.fill(0);
    copy(carried, axis);
    if (turns) {
      sub(arm, body.core, body.frame);
      cross(carried, axis, arm);
    }
    sub(w, moveA, moveB);
    for (let i = 0; i < free; i++) {
      eta[i] = -dot(directions[i], w);
      if (!turns || i < a.free !== isA) continue;
      cross(turned, axis, directions[i]);
      eta[i] -= dot(turned, found.w);
    }
    solveLower(K, eta, free, full);
    solveUpper(K, eta, free, full);
    for (let i = 0; i < free; i++) {
      if (i < a.free) addScaled(moveA, moveA, directions[i], eta[i]);
      else addScaled(moveB, moveB, directions[i], -eta[i]);
    }
    // The normal n = −w/‖w‖ turns by −(ẇ − n n·ẇ)/‖w‖, and the surface points with it.
    sub(w, moveA, moveB);
    const n = found.normal;
    const gap = norm(found.w);
    const isKnown = dot(n, n) > 0;
    addScaled(w, w, n, -dot(n, w));
    scale(w, w, isKnown ? -1 / gap : 0);
    addScaled(moveA, moveA, w, a.pill.radius);
    addScaled(moveB, moveB, w, -b.pill.radius);
    for (let k = 0; k < 3; k++) {
      this.pointA[MOTIONS * k + motion] = moveA[k];
      this.pointB[MOTIONS * k + motion] = moveB[k];
    }
  }
}
