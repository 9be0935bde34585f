import type { IntervalVerdict } from './frameConstraint.ts';

/** Maximum number of times that a part of the curve is halved. */
const MAX_DEPTH = 8;
/** Where a curve that is not proved is compared with the disc once more. */
const VIOLATION_TIMES = [-0.5, 0.5, -0.75, 0.75, -1, 1] as const;
/** Numbers per part: x and y of its four control points. */
const SIZE = 8;

/**
 * Compares planar cubic curves with a disc about the origin: the control points of a curve contain it in their convex
 * hull, and tend to it as the curve is halved (de Casteljau). One per thread.
 */
export class CurveInDisc {
  /** Coefficients c₀ to c₃ of the curve c₀ + c₁ t + c₂ t² + c₃ t³, t in [−1, 1]: x and y of each. */
  readonly coefficients = new Float64Array(SIZE);
  /** The parts that are not compared yet, as control points; one that is halved is replaced by both halves. */
  private readonly parts = new Float64Array(SIZE * (MAX_DEPTH + 1));
  private readonly depths = new Int8Array(MAX_DEPTH + 1);

  /**
   * Compares with a disc all curves that differ from the cubic curve by at most `error` + `remainder` t⁴. Returns
   * `proved` if they stay in the disc, `violated` if they leave it; otherwise `open`.
   */
  verdict(radius: number, error: number, remainder: number): IntervalVerdict {
    if (this.isOutside(0, radius + error)) return 'violated';
    const inner = radius - error - remainder;
    if (inner > 0 && this.isWithin(inner)) return 'proved';
    for (const t of VIOLATION_TIMES)
      if (this.isOutside(t, radius + error + remainder * t * t * t * t)) return 'violated';
    return 'open';
  }

  /** Returns true if the curve is outside of a disc at t. */
  private isOutside(t: number, radius: number): boolean {
    const { coefficients: c } = this;
    const x = c[0] + t * (c[2] + t * (c[4] + t * c[6]));
    const y = c[1] + t * (c[3] + t * (c[5] + t * c[7]));
    return x * x + y * y > radius * radius;
  }

  /** Returns true if the curve is proved to stay in a disc. */
  private isWithin(radius: number): boolean {
    const { parts, depths } = this;
    const most = radius * radius;
    this.setControlPoints();
    depths[0] = 0;
    for (let part = 0; part >= 0; ) {
      const o = SIZE * part;
      const first = parts[o] * parts[o] + parts[o + 1] * parts[o + 1];
      const last = parts[o + 6] * parts[o + 6] + parts[o + 7] * parts[o + 7];
      if (!(Math.max(first, last) <= most)) return false; // NaN, too
      const second = parts[o + 2] * parts[o + 2] + parts[o + 3] * parts[o + 3];
      const third = parts[o + 4] * parts[o + 4] + parts[o + 5] * parts[o + 5];
      if (Math.max(second, third) <= most) {
        part--;
        continue;
      }
      if (depths[part] === MAX_DEPTH) return false;
      this.halve(part);
      part++;
    }
    return true;
  }

  private setControlPoints(): void {
    const { coefficients: c, parts } = this;
    for (let i = 0; i < 2; i++) {
      parts[i] = c[i] - c[2 + i] + c[4 + i] - c[6 + i];
      parts[2 + i] = c[i] - (c[2 + i] + c[4 + i]) / 3 + c[6 + i];
      parts[4 + i] = c[i] + (c[2 + i] - c[4 + i]) / 3 - c[6 + i];
      parts[6 + i] = c[i] + c[2 + i] + c[4 + i] + c[6 + i];
    }
  }

  /** Replaces a part by its second half, and appends the first one. */
  private halve(part: number): void {
    const { parts, depths } = this;
    const next = SIZE * (part + 1);
    for (let i = 0; i < 2; i++) {
      const o = SIZE * part + i;
      const a = 0.5 * (parts[o] + parts[o + 2]);
      const b = 0.5 * (parts[o + 2] + parts[o + 4]);
      const c = 0.5 * (parts[o + 4] + parts[o + 6]);
      const ab = 0.5 * (a + b);
      const bc = 0.5 * (b + c);
      const middle = 0.5 * (ab + bc);
      parts[next + i] = parts[o];
      parts[next + i + 2] = a;
      parts[next + i + 4] = ab;
      parts[next + i + 6] = middle;
      parts[o] = middle;
      parts[o + 2] = bc;
      parts[o + 4] = c;
    }
    depths[part]++;
    depths[part + 1] = depths[part];
  }
}
