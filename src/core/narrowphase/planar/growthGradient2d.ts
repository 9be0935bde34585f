import { type PlanarTransform, rotatePlanar, transformPlanarPoint, type Vec2 } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import type { GrowthGradient } from '../growth/gradientOfGrowth.ts';
import type { GrowthSensitivity } from '../growth/growthSensitivity.ts';
import type { Separation } from '../solver.ts';
import { GrowthDistance2d } from './growthDistance2d.ts';
import { PlanarSensitivity } from './growthSensitivity2d.ts';
import { PlanarCache } from './planarSolver.ts';

/** Relative gap of the solver: the error of the normal is about its square root. */
const RELATIVE_GAP = 1e-13;
/** Height below the support line, relative to the outer radius, up to which a vertex is on it. */
const FLAT = 1e-9;
/** Distance from the contact point, relative to the outer radius, from which a vertex is another point. */
const APART = 1e-6;
/** Distance of the centres, relative to the outer radii, up to which its direction is rounding. */
const COINCIDENT = 1e-12;
/** Sum of the rounding radii, relative to the outer radii, up to which vertices are sharp. */
const SHARP = 1e-5;

/**
 * Gradient of the planar growth distance σ = max over n of n·c / (h_A(n) + h_B(−n)), c = cB − cA. With D = h_A + h_B at
 * the maximizing n, and r_A, r_B from the centres to the touching points of the shapes, the envelope theorem gives
 *
 *     ∂σ/∂cB = n / D = −∂σ/∂cA,      ∂σ/∂ω_A = −(σ/D) r_A × n,      ∂σ/∂ω_B = (σ/D) r_B × n
 *
 * where contact point and normal are unique: no edges lie on each other, and no vertices meet.
 */
export class GrowthGradient2d {
  private readonly solver = new GrowthDistance2d({ relativeGap: RELATIVE_GAP });
  private readonly cache = new PlanarCache();
  private readonly centerA: Vec2 = new Float64Array(2);
  private readonly pointA: Vec2 = new Float64Array(2);
  private readonly pointB: Vec2 = new Float64Array(2);
  private readonly sidesA = new ContactSides();
  private readonly sidesB = new ContactSides();

  /**
   * Writes the gradient in the frame of B: by shape, two derivatives with respect to the translation of its centre,
   * 1/m, then one with respect to its rotation, 1/rad; and the growth distance. Returns false if none is defined.
   */
  solve(out: GrowthGradient, separation: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape): boolean {
    const { centerA, pointA, pointB, cache } = this;
    cache.hasAxis = false; // results depend on the poses alone
    this.solver.growth(separation, a, T_b_a, b, cache);
    out.differentiable = false;
    out.a.fill(0);
    out.b.fill(0);
    if (separation.growth.upper === Number.POSITIVE_INFINITY) return false;
    if (!separation.hasNormal) return true; // equal centres
    const { growth, normal: n, witnessA, witnessB } = separation;
    transformPlanarPoint(centerA, T_b_a, a.center);
    const sigma = growth.lower;
    const scale = Math.min(1, growth.upper); // of the witness points about the centres
    for (let k = 0; k < 2; k++) {
      pointA[k] = (witnessA[k] - centerA[k]) / scale;
      pointB[k] = (witnessB[k] - b.center[k]) / scale;
    }
    const width = (n[0] * (b.center[0] - centerA[0]) + n[1] * (b.center[1] - centerA[1])) / sigma;
    for (let k = 0; k < 2; k++) {
      out.a[k] = -n[k] / width;
      out.b[k] = n[k] / width;
    }
    out.a[2] = (-sigma / width) * (pointA[0] * n[1] - pointA[1] * n[0]);
    out.b[2] = (sigma / width) * (pointB[0] * n[1] - pointB[1] * n[0]);
    if (width * sigma <= COINCIDENT * (a.outerRadius + b.outerRadius)) return true;
    this.sidesA.find(a, T_b_a, pointA, n, 1);
    this.sidesB.find(b, undefined, pointB, n, -1);
    out.differentiable = this.isRegular(a, b);
    return true;
  }

  /**
   * Computes the gradient as `solve`, and returns how growth distance, normal and witness points change with the poses;
   * undefined if no growth distance is defined.
   */
  sensitivity(
    out: GrowthGradient,
    separation: Separation,
    a: PlanarShape,
    T_b_a: PlanarTransform,
    b: PlanarShape,
  ): GrowthSensitivity | undefined {
    if (!this.solve(out, separation, a, T_b_a, b)) return undefined;
    const { growth, normal, hasNormal } = separation;
    const [pointA, pointB] = [this.pointA.slice(), this.pointB.slice()];
    transformPlanarPoint(this.centerA, T_b_a, a.center);
    const centers = b.center.map((x, k) => x - this.centerA[k]);
    const reach = COINCIDENT * (a.outerRadius + b.outerRadius);
    if (!hasNormal || centers[0] * centers[0] + centers[1] * centers[1] <= reach * reach) centers.fill(0);
    const solution = { growth: growth.lower, isSeparated: growth.upper > 1, normal: normal.slice(0, 2) };
    return new PlanarSensitivity({ a, T_b_a, b, pointA, pointB, centers, ...solution }, out);
  }

  /** As `ContactRegularity`, in the plane: the tangent has two directions. */
  private isRegular(a: PlanarShape, b: PlanarShape): boolean {
    const { sidesA: A, sidesB: B } = this;
    if ((A.left && B.left) || (A.right && B.right)) return false; // two edges share more than a point
    if (a.round || b.round || a.margin + b.margin > SHARP * (a.outerRadius + b.outerRadius)) return true;
    // The normal may turn to the left unless an edge of A there, or an edge of B on the right, holds it.
    return (A.left || B.right) && (A.right || B.left);
  }
}

/** Whether the support set of a shape contains points on the left and the right of the contact point, seen along n. */
class ContactSides {
  left = false;
  right = false;
  private readonly vertex: Vec2 = new Float64Array(2);

  /** @param sign 1: n points out of the shape, −1: into it; `contact` is relative to the centre, in the frame of B */
  find(shape: PlanarShape, T_b_a: PlanarTransform | undefined, contact: Vec2, n: Vec2, sign: number): void {
    this.left = false;
    this.right = false;
    const { vertex } = this;
    const { vertices, centerFromMiddle, outerRadius, margin } = shape;
    for (let i = 0; i < vertices.length; i += 2) {
      vertex[0] = vertices[i] - centerFromMiddle[0];
      vertex[1] = vertices[i + 1] - centerFromMiddle[1];
      if (T_b_a) rotatePlanar(vertex, T_b_a, vertex);
      const x = vertex[0] - contact[0];
      const y = vertex[1] - contact[1];
      if (Math.abs(sign * (n[0] * x + n[1] * y) + margin) > FLAT * outerRadius) continue;
      const along = n[0] * y - n[1] * x; // along n turned to the left
      if (along > APART * outerRadius) this.left = true;
      if (along < -APART * outerRadius) this.right = true;
    }
  }
}
