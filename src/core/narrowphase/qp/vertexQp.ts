import { type Transform, transformPoint } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { solveHalfspace } from '../halfspaceCheck.ts';
import { roundoff } from '../iterationLimits.ts';
import { clearSeparation, contactTolerance } from '../outcome.ts';
import type { DistanceSolver, DistanceSolverDefinition, Separation } from '../solver.ts';
import { InteriorPoint } from './interiorPoint.ts';

export const defaults = {
  /**
   * Gap of the bounds relative to the upper one at which the iteration stops; an interior point method does not reach
   * smaller gaps reliably.
   */
  relativeGap: 1e-9,
};

/**
 * Distance of two polytopes as a quadratic program over all their vertices [Montaut24 §IV-C, Table II]: finds the
 * weights λ, μ >= 0, each with sum 1, that minimise ‖Σ λᵢ xᵢ − Σ μⱼ yⱼ‖, by an interior point method. A baseline: each
 * iteration is linear in the number of vertices. Smooth cores have no finite number of vertices and stay `undecided`;
 * for overlapping cores only the distance is computed, 0 within the gap.
 */
export class VertexQp implements DistanceSolver {
  private readonly relativeGap: number;
  private readonly program = new InteriorPoint();
  private readonly vertex: Vec3 = create();

  constructor({ relativeGap }: typeof defaults = defaults) {
    this.relativeGap = relativeGap;
  }

  distance(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, stopAt: number): void {
    if (isHalfspace(a) || isHalfspace(b)) {
      solveHalfspace(out, a, T_b_a, b);
      return;
    }
    clearSeparation(out);
    const verticesA = coreVertices(a);
    const verticesB = coreVertices(b);
    if (verticesA === undefined || verticesB === undefined) return;
    const { program, vertex } = this;
    const margins = a.margin + b.margin;
    program.initialize(verticesA.length / 3, verticesB.length / 3);
    for (let i = 0; i < verticesA.length; i += 3) {
      for (let k = 0; k < 3; k++) vertex[k] = verticesA[i + k];
      transformPoint(vertex, T_b_a, vertex);
      program.setPoint(i / 3, vertex[0], vertex[1], vertex[2]);
    }
    for (let i = 0; i < verticesB.length; i += 3) {
      program.setPoint((verticesA.length + i) / 3, -verticesB[i], -verticesB[i + 1], -verticesB[i + 2]);
    }
    program.solve(this.relativeGap, margins, stopAt);

    const { lower, upper, best, meanA } = program;
    out.iterations = program.iterations;
    // The pose may cancel far coordinates of A: their rounding stays.
    const extent = a.extent + b.extent + Math.max(Math.abs(T_b_a[3]), Math.abs(T_b_a[7]), Math.abs(T_b_a[11]));
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

/**
 * Writes status, distance and depth from bounds of the signed gap, for a method that computes only the distance of the
 * cores.
 */
function conclude(out: Separation, lower: number, upper: number, extent: number): void {
  out.distance.lower = Math.max(0, lower);
  out.distance.upper = Math.max(0, upper);
  out.depth.lower = Math.max(0, -upper);
  out.depth.upper = Math.max(0, -lower);
  if (lower > roundoff * extent) out.status = 'separated';
  else if (upper < -roundoff * extent) out.status = 'colliding';
  else if (upper <= contactTolerance * extent) out.status = 'touching';
}

/** Returns the vertices of a core, x, y, z each, in its own frame; undefined if the core is smooth. */
function coreVertices({ type, size, vertices }: ConvexShape): Float64Array | undefined {
  if (vertices.length > 0) return vertices;
  if (type === 'sphere') return new Float64Array(3);
  if (type === 'capsule') return Float64Array.of(0, 0, -size[0], 0, 0, size[0]);
  if (type !== 'box') return undefined;
  return Float64Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1 ? size[i % 3] : -size[i % 3]));
}

export const vertexQp: DistanceSolverDefinition = {
  summary: 'quadratic program over all vertices by an interior point method (baseline)',
  source: 'Montaut24',
  create: (options) => new VertexQp({ ...defaults, ...options }),
};
