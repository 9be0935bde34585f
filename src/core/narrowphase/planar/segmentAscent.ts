import type { PlanarTransform, Vec2 } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import { COLLIDING, SEPARATED, UNDECIDED, type Verdict } from '../solver.ts';
import { CoreDepth } from './depth2d.ts';
import { InnerSegment } from './innerSegment.ts';
import { MinkowskiDifference } from './minkowskiDifference2d.ts';
import type { PlanarCache } from './planarSolver.ts';

/** Iterations after which the verdict is `UNDECIDED`. Each one halves an arc: a gap of 1e-12 takes about twenty. */
const MAX_ITERATIONS = 500;

const BOTH_SIDES = [1, -1];

/**
 * Bounds the point at which a ray leaves C = (A − cA) ⊖ (B − cB); the ray leads from the origin along the difference of
 * the centers. A segment between two points of C, one on each side of the ray, bounds that point from inside. The
 * supporting line of C along the normal of the segment bounds it from outside, and its support point makes a better
 * segment.
 *
 *        L ●───____           n: normal of the segment
 *          │       ‾‾‾●  new support point, on the side of R: the next segment joins it to L
 *    0 ────┼─────→ ray
 *          │
 *        R ●
 */
export class SegmentAscent {
  readonly difference = new MinkowskiDifference();
  readonly segment = new InnerSegment();
  private readonly depth = new CoreDepth();
  /** Unit vector along the ray in the frame of B, and the distance of the centers. */
  ux = 0;
  uy = 0;
  centerDistance = 0;
  /** Sum of the margins and of the distance tested for, metres. */
  margin = 0;
  /** Rounding error of lengths, metres. */
  rounding = 0;
  /** Relative gap of the bounds at which `ascend` stops; infinite: it stops once a bound decides the verdict. */
  gap = 0;
  /** Set by `ascend`: length of the ray up to the best supporting line, its unit normal, and the number of steps. */
  outerLength = 0;
  readonly normal: Vec2 = new Float64Array(2);
  steps = 0;

  /** Binds the pair. */
  bind(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape): void {
    const difference = this.difference;
    difference.vertexA = 0;
    difference.vertexB = 0;
    difference.bindCentered(a, T_b_a, b);
    const { betweenCentersX: dx, betweenCentersY: dy } = difference;
    this.centerDistance = Math.sqrt(dx * dx + dy * dy);
  }

  /**
   * Returns the verdict of the discs about the centers: SEPARATED if those that contain the shapes are farther apart
   * than `minDistance`, COLLIDING if those inside the shapes are not; else UNDECIDED.
   */
  compareDiscs(a: PlanarShape, b: PlanarShape, minDistance: number): Verdict {
    const { centerDistance } = this;
    const { rounding } = this.difference;
    if (centerDistance > a.outerRadius + b.outerRadius + minDistance + rounding) return SEPARATED;
    return centerDistance < a.innerRadius + b.innerRadius + minDistance - rounding ? COLLIDING : UNDECIDED;
  }

  /** Sets up a segment within C for the bound pair. Returns false if C has no interior: two parallel flat shapes. */
  start(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, minDistance: number): boolean {
    const difference = this.difference;
    const { betweenCentersX: dx, betweenCentersY: dy } = difference;
    this.ux = this.centerDistance > 0 ? dx / this.centerDistance : 1;
    this.uy = this.centerDistance > 0 ? dy / this.centerDistance : 0;
    const innerRadius = a.innerRadius + b.innerRadius + minDistance;
    const rounding = difference.ownRounding;
    this.rounding = rounding;
    this.segment.ray[0] = this.ux;
    this.segment.ray[1] = this.uy;
    this.segment.radius = innerRadius;
    this.normal[0] = this.ux;
    this.normal[1] = this.uy;
    if (innerRadius > rounding) this.segment.reset();
    else {
      this.depth.compute(difference, a, T_b_a, b, rounding, 0);
      if (!(this.depth.lower > rounding)) return false;
      this.startFromSupports();
    }
    this.margin = a.margin + b.margin + minDistance;
    this.outerLength = Number.POSITIVE_INFINITY;
    return true;
  }

  /** Starts with the support points on either side of the ray: crossed segments have no inner disc. */
  private startFromSupports(): void {
    const difference = this.difference;
    for (const side of BOTH_SIDES) {
      difference.direction[0] = -side * this.uy;
      difference.direction[1] = side * this.ux;
      difference.support();
      const { candidate } = this.segment;
      candidate[0] = difference.wx;
      candidate[1] = difference.wy;
      candidate[2] = 0;
      candidate[3] = 0;
      this.segment.setEnd(side > 0, difference.vertexA, difference.vertexB);
    }
  }

  /** Warm start at the current poses: the cached vertices are points of C, the cached direction bounds C. */
  warmStart(a: PlanarShape, b: PlanarShape, cache: PlanarCache): void {
    if (!cache.isValidFor(a, b)) return;
    const { axis, vertices } = cache;
    const difference = this.difference;
    for (let i = 0; i < 4; i += 2) {
      difference.setVertices(vertices[i], vertices[i + 1]);
      this.addToSegment(axis);
    }
    const nx = axis[0],
      ny = axis[1];
    const slope = nx * this.ux + ny * this.uy;
    if (!(slope > 0)) return;
    difference.setVertices(vertices[0], vertices[1]); // the search of the support starts there
    difference.direction[0] = nx;
    difference.direction[1] = ny;
    difference.support();
    this.outerLength = (nx * difference.wx + ny * difference.wy + this.margin) / slope;
    this.normal[0] = nx;
    this.normal[1] = ny;
    this.addToSegment(axis);
  }

  /**
   * Improves the segment by the support point along its normal, until the bounds agree to the relative gap `gap`, or no
   * point is beyond the segment: then they agree to rounding. Bounds on both sides of contact are improved to rounding,
   * because the status must not depend on the start. If the gap is infinite, the first bound that decides the verdict
   * ends the loop. Returns `UNDECIDED` after `MAX_ITERATIONS` steps.
   *
   * One function, because a step takes less time than a few calls; no step waits for the result of a division.
   * Normals are unit vectors only if there is a margin.
   */
  ascend(): Verdict {
    const { difference, ux, uy, margin, rounding, centerDistance, gap } = this;
    const { left, right, leftVertices, rightVertices } = this.segment;
    const { direction } = difference;
    let lx = left[0],
      ly = left[1],
      rx = right[0],
      ry = right[1];
    let outer = this.outerLength;
    let bestX = this.normal[0],
      bestY = this.normal[1];
    let isSeparated = outer < centerDistance;
    let verdict: Verdict = isSeparated && gap === Number.POSITIVE_INFINITY ? SEPARATED : UNDECIDED;
    let steps = 0;
    while (verdict === UNDECIDED && steps < MAX_ITERATIONS) {
      steps++;
      let nx = ly - ry,
        ny = rx - lx;
      let squaredNorm = nx * nx + ny * ny;
      if (margin > 0) {
        const scale = 1 / Math.sqrt(squaredNorm);
        nx *= scale;
        ny *= scale;
        squaredNorm = 1;
      }
      const slope = nx * ux + ny * uy;
      // The verdict if no point is beyond the segment: if no bound decides, contact within rounding.
      verdict = isSeparated ? SEPARATED : COLLIDING;
      if (!(slope > 0)) break;
      direction[0] = nx;
      direction[1] = ny;
      difference.support();
      const x = difference.wx + margin * nx,
        y = difference.wy + margin * ny;
      const height = nx * x + ny * y;
      const bound = height / slope;
      if (bound < outer) {
        outer = bound;
        bestX = nx;
        bestY = ny;
      }
      if (height < slope * centerDistance) {
        isSeparated = true;
        verdict = SEPARATED;
      }
      const gain = nx * (x - rx) + ny * (y - ry);
      if (!(gain > rounding * Math.sqrt(squaredNorm))) break;
      if (ux * y - uy * x >= 0) {
        lx = x;
        ly = y;
        left[2] = nx;
        left[3] = ny;
        leftVertices[0] = difference.vertexA;
        leftVertices[1] = difference.vertexB;
      } else {
        rx = x;
        ry = y;
        right[2] = nx;
        right[3] = ny;
        rightVertices[0] = difference.vertexA;
        rightVertices[1] = difference.vertexB;
      }
      if (gap < Number.POSITIVE_INFINITY) {
        const toLeft = ux * ly - uy * lx;
        const toRight = uy * rx - ux * ry;
        const share = toRight / (toLeft + toRight);
        const inner = share * (ux * lx + uy * ly) + (1 - share) * (ux * rx + uy * ry);
        const isDecided = centerDistance - outer > rounding || inner - centerDistance > rounding;
        if (!(isDecided && outer - inner <= gap * outer)) verdict = UNDECIDED;
      } else if (!isSeparated) {
        // The shapes collide if the end of the center difference is not beyond the segment.
        const beyond = (ly - ry) * (centerDistance * ux - rx) + (rx - lx) * (centerDistance * uy - ry);
        if (beyond > 0) verdict = UNDECIDED;
      }
    }
    left[0] = lx;
    left[1] = ly;
    right[0] = rx;
    right[1] = ry;
    const scale = 1 / Math.sqrt(bestX * bestX + bestY * bestY);
    this.normal[0] = scale * bestX;
    this.normal[1] = scale * bestY;
    this.outerLength = outer;
    this.steps = steps;
    return verdict;
  }

  /** Adds the last point of C, moved by the margins along the unit vector n, to the segment if it is beyond it. */
  private addToSegment(n: Vec2): void {
    const { wx, wy, vertexA, vertexB } = this.difference;
    const { candidate } = this.segment;
    candidate[0] = wx + this.margin * n[0];
    candidate[1] = wy + this.margin * n[1];
    candidate[2] = n[0];
    candidate[3] = n[1];
    this.segment.extend(vertexA, vertexB);
  }
}
