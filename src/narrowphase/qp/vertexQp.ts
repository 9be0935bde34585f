import { type Transform, transformPoint } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { solveHalfspace } from '../halfspaceCheck.ts';
import { roundoff } from '../iterationLimits.ts';
import { clearOutcome, contactTolerance } from '../outcome.ts';
import type { DistanceSolver, DistanceSolverDefinition, Separation } from '../solver.ts';
import { InteriorPoint } from './interiorPoint.ts';

export const defaults = {
  /** Width of the bounds, relative to the upper one, at which the iteration may stop; an interior point method is not good for less. */
  relativeGap: 1e-9,
};

/**
 * Distance of two polytopes as a quadratic program over all their corners [Montaut24 §IV-C, Table II]: of the weights λ, μ >= 0 that add
 * up to 1 on each side, those that bring Σ λᵢ xᵢ and Σ μⱼ yⱼ nearest, by an interior point method for programs of that form. A baseline: its
 * work grows with all corners in every iteration. Cores with no finite number of corners are left unanswered, and of cores that meet
 * it finds the distance only, 0 to its gap.
 */
export class VertexQp implements DistanceSolver {
  private readonly relativeGap: number;
  private readonly program = new InteriorPoint();
  private readonly corner: Vec3 = create();

  constructor({ relativeGap }: typeof defaults = defaults) {
    this.relativeGap = relativeGap;
  }

  distance(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, stopAt: number): void {
    if (isHalfspace(a) || isHalfspace(b)) {
      solveHalfspace(out, a, T_b_a, b);
      return;
    }
    clearOutcome(out);
    const cornersA = coreCorners(a);
    const cornersB = coreCorners(b);
    if (cornersA === undefined || cornersB === undefined) return;
    const { program, corner } = this;
    const margins = a.margin + b.margin;
    program.open(cornersA.length / 3, cornersB.length / 3);
    for (let i = 0; i < cornersA.length; i += 3) {
      for (let k = 0; k < 3; k++) corner[k] = cornersA[i + k];
      transformPoint(corner, T_b_a, corner);
      program.setPoint(i / 3, corner[0], corner[1], corner[2]);
    }
    for (let i = 0; i < cornersB.length; i += 3) {
      program.setPoint((cornersA.length + i) / 3, -cornersB[i], -cornersB[i + 1], -cornersB[i + 2]);
    }
    program.solve(this.relativeGap, margins, stopAt);

    const { lower, upper, extent, best, meanA } = program;
    out.iterations = program.iterations;
    conclude(out, Math.min(lower, upper) - margins, upper - margins, extent);
    if (!(upper > 0)) return;
    out.hasNormal = lower > Number.NEGATIVE_INFINITY;
    out.hasWitnesses = true;
    for (let k = 0; k < 3; k++) {
      const n = -best[k] / upper;
      out.normal[k] = program.normal[k];
      out.witnessA[k] = meanA[k] + a.margin * n;
      out.witnessB[k] = meanA[k] - best[k] - b.margin * n;
    }
  }
}

/** Status, distance and depth from bounds of the signed gap: as far as a method goes that sees only how near the cores come. */
function conclude(out: Separation, lower: number, upper: number, extent: number): void {
  out.distance.lower = Math.max(0, lower);
  out.distance.upper = Math.max(0, upper);
  out.depth.lower = Math.max(0, -upper);
  out.depth.upper = Math.max(0, -lower);
  if (lower > roundoff * extent) out.status = 'separated';
  else if (upper < 0) out.status = 'colliding';
  else if (upper <= contactTolerance * extent) out.status = 'touching';
}

/** Corners of a core, x, y, z each, in its own frame; undefined where it is round. */
function coreCorners({ type, size, vertices }: ConvexShape): Float64Array | undefined {
  if (vertices.length > 0) return vertices;
  if (type === 'sphere') return new Float64Array(3);
  if (type === 'capsule') return Float64Array.of(0, 0, -size[0], 0, 0, size[0]);
  if (type !== 'box') return undefined;
  return Float64Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1 ? size[i % 3] : -size[i % 3]));
}

export const vertexQp: DistanceSolverDefinition = {
  summary: 'a quadratic program over all corners by an interior point method, a baseline',
  source: 'Montaut24',
  create: (options) => new VertexQp({ ...defaults, ...options }),
};
