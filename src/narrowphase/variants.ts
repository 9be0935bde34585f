import type { Transform } from '../math/transform.ts';
import { copy, create, dot, scale, type Vec3 } from '../math/vec3.ts';
import { isHalfspace } from '../shapes/halfspace.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { Gjk, gjk } from './gjk/gjk.ts';
import { GjkDistance } from './gjk/gjkDistance.ts';
import { GrowthDistance } from './growth/growthDistance.ts';
import { GrowthDistanceCheck, growthDistanceCheck } from './growth/growthDistanceCheck.ts';
import { roundoff } from './iterationLimits.ts';
import {
  type Checker,
  type CheckerDefinition,
  COLLIDING,
  PairCache,
  SEPARATED,
  Separation,
  UNDECIDED,
  type Verdict,
} from './solver.ts';
import { posedSupportWithMargin, bodySupport } from './supportAlong.ts';

/** A checker that forgets each pair before it is asked again: what warm starts are worth. */
class ColdChecker implements Checker {
  constructor(private readonly inner: Checker) {}

  get iterations(): number {
    return this.inner.iterations;
  }

  set iterations(count: number) {
    this.inner.iterations = count;
  }

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, least: number, cache: PairCache): Verdict {
    cache.hasAxis = false;
    cache.hasNearest = false;
    cache.hintA = -1;
    cache.hintB = -1;
    cache.cornersOfA = undefined;
    cache.cornersOfB = undefined;
    return this.inner.check(a, T_b_a, b, least, cache);
  }
}

/** The Boolean question by the whole least distance: what leaving early is worth. */
class FullDistanceChecker implements Checker {
  iterations = 0;
  private readonly solver = new GjkDistance();
  private readonly out = new Separation();

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, least: number, cache: PairCache): Verdict {
    const { solver, out } = this;
    solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, cache);
    this.iterations += out.iterations;
    const { lower, upper } = out.distance;
    if (cache.hasAxis && lower > least) return SEPARATED;
    cache.hasAxis = false;
    return out.status === 'colliding' || (upper <= least && least > 0) ? COLLIDING : UNDECIDED;
  }
}

/**
 * The Boolean question by the whole growth distance. Where more is asked than that the two be apart, and its plane does not show it, and
 * for half-spaces, the check that leaves early decides.
 */
class FullGrowthChecker implements Checker {
  iterations = 0;
  private readonly solver = new GrowthDistance();
  private readonly early = new GrowthDistanceCheck();
  private readonly out = new Separation();
  /** What the solver remembers is no plane of the Boolean question. */
  private readonly solved = new PairCache();
  private readonly point: Vec3 = create();
  private readonly n: Vec3 = create();

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, least: number, cache: PairCache): Verdict {
    if (isHalfspace(a) || isHalfspace(b)) return this.early.check(a, T_b_a, b, least, cache);
    const { solver, solved, out } = this;
    solved.hasAxis = cache.hasAxis;
    copy(solved.axis, cache.axis);
    solver.solve(out, a, T_b_a, b, solved);
    this.iterations += out.iterations;
    cache.hasAxis = false;
    if (out.growth.upper <= 1) return COLLIDING;
    if (!(out.growth.lower > 1) || !out.hasNormal) return this.early.check(a, T_b_a, b, least, cache);
    const gap = this.gapAlong(out.normal, a, T_b_a, b);
    if (!(gap > least)) return this.early.check(a, T_b_a, b, least, cache);
    copy(cache.axis, out.normal);
    cache.hasAxis = true;
    cache.gap = gap;
    return SEPARATED;
  }

  /** min n·b − max n·a, less what rounding may make of it. */
  private gapAlong(normal: Vec3, a: ConvexShape, T_b_a: Transform, b: ConvexShape): number {
    const { point, n } = this;
    posedSupportWithMargin(point, a, T_b_a, normal, -1);
    const farthest = dot(normal, point);
    const extent = sizeOf(point) + Math.abs(T_b_a[3]) + Math.abs(T_b_a[7]) + Math.abs(T_b_a[11]);
    scale(n, normal, -1);
    bodySupport(point, b, n, -1);
    return dot(normal, point) - farthest - roundoff * (extent + sizeOf(point));
  }
}

const sizeOf = ([x, y, z]: Vec3) => Math.abs(x) + Math.abs(y) + Math.abs(z);

/** Checkers that leave out what makes the others quick, for experiments that measure it: their verdicts are the same. */
export const checkerVariants: Readonly<Record<string, CheckerDefinition>> = {
  'growth-distance-cold': {
    summary: 'growth-distance without warm starts',
    source: growthDistanceCheck.source,
    create: () => new ColdChecker(new GrowthDistanceCheck()),
  },
  'growth-distance-full': {
    summary: 'growth-distance without leaving early: the whole growth distance, every time',
    source: growthDistanceCheck.source,
    create: () => new FullGrowthChecker(),
  },
  'gjk-cold': { summary: 'gjk without warm starts', source: gjk.source, create: () => new ColdChecker(new Gjk()) },
  'gjk-full': {
    summary: 'gjk without leaving early: the whole least distance, every time',
    source: gjk.source,
    create: () => new FullDistanceChecker(),
  },
};
