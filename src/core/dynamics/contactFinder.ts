import { create as createTransform, relative, rotate, rotateBack, transformPoint } from '../math/transform.ts';
import { create, dot, scale, type Vec3 } from '../math/vec3.ts';
import {
  checkers,
  createDepthSolver,
  type DistanceSolverName,
  distanceSolvers,
  growthSolvers,
} from '../narrowphase/index.ts';
import { type PairCache, SEPARATED, Separation } from '../narrowphase/solver.ts';
import { posedSupportWithMargin, supportWithMargin } from '../narrowphase/supportAlong.generated.ts';
import { isHalfspace } from '../shapes/halfspace.ts';
import type { ContactQuery } from './contactManifold.ts';

/** Computes normal and gap of near pairs. */
export interface ContactFinder {
  /**
   * Writes normal, gap and witness of a pair to `query` and returns true; returns false if the pair is farther apart
   * than `reach` metres.
   */
  find(query: ContactQuery, reach: number, cache: PairCache): boolean;
  /** Number of narrow-phase queries since the start. */
  checks: number;
}

/** Entry of the table of contact finders. */
export interface ContactFinderDefinition {
  /** One line of help. */
  readonly summary: string;
  /** Creates a finder with its own scratch memory. */
  readonly create: () => ContactFinder;
}

/** Name of a contact finder: a key of `contactFinders`. */
export type ContactFinderName = 'growth-distance' | DistanceSolverName;

/** Finder of half-spaces, in closed form, and the scratch of the others. */
abstract class BaseFinder implements ContactFinder {
  checks = 0;
  protected readonly T_b_a = createTransform();
  protected readonly out = new Separation();
  protected readonly p: Vec3 = create();
  protected readonly n: Vec3 = create();

  find(query: ContactQuery, reach: number, cache: PairCache): boolean {
    const { a, T_world_a, b, T_world_b } = query;
    if (isHalfspace(b)) return this.onPlane(query, reach);
    relative(this.T_b_a, T_world_b, T_world_a);
    if (isHalfspace(a) || !this.solve(query, reach, cache)) return false;
    const { out, n, p } = this;
    rotate(query.normal, T_world_b, out.normal);
    posedSupportWithMargin(p, a, this.T_b_a, out.normal, -1);
    const heightA = dot(out.normal, p);
    scale(n, out.normal, -1);
    supportWithMargin(p, b, n, -1);
    query.gap = dot(out.normal, p) - heightA;
    for (let k = 0; k < 3; k++) p[k] = (out.witnessA[k] + out.witnessB[k]) / 2;
    transformPoint(query.witness, T_world_b, p);
    return query.gap <= reach;
  }

  /** Writes the normal and the witnesses of the pair to `out`; returns false if it is out of reach. */
  protected abstract solve(query: ContactQuery, reach: number, cache: PairCache): boolean;

  /** B is a half-space, whose normal points at A. */
  private onPlane(query: ContactQuery, reach: number): boolean {
    const { a, T_world_a, b, T_world_b, normal, witness } = query;
    const { n, p } = this;
    this.checks++;
    rotate(normal, T_world_b, b.size);
    scale(normal, normal, -1);
    rotateBack(n, T_world_a, normal);
    supportWithMargin(p, a, n, -1);
    transformPoint(witness, T_world_a, p);
    let height = -b.margin;
    for (let k = 0; k < 3; k++) height += normal[k] * (T_world_b[4 * k + 3] - witness[k]);
    query.gap = height;
    return height <= reach;
  }
}

class GrowthFinder extends BaseFinder {
  private readonly checker = checkers['growth-distance'].create();
  private readonly growth = growthSolvers['growth-distance'].create();
  private readonly fallback = new DistanceFinder('gjk');

  protected override solve(query: ContactQuery, reach: number, cache: PairCache): boolean {
    const { checker, growth, out, T_b_a } = this;
    const { a, b } = query;
    this.checks++;
    if (checker.check(a, T_b_a, b, reach, cache) === SEPARATED) return false;
    this.checks++;
    growth.solve(out, a, T_b_a, b, cache);
    if (out.hasNormal) return true;
    // The growth distance of flat shapes is not defined.
    this.checks++;
    return this.fallback.solveInto(out, query, T_b_a, reach, cache);
  }
}

class DistanceFinder extends BaseFinder {
  private readonly distance;
  private readonly depth = createDepthSolver();

  constructor(name: DistanceSolverName) {
    super();
    this.distance = distanceSolvers[name].create();
  }

  protected override solve(query: ContactQuery, reach: number, cache: PairCache): boolean {
    return this.solveInto(this.out, query, this.T_b_a, reach, cache);
  }

  solveInto(out: Separation, { a, b }: ContactQuery, T_b_a: Float64Array, reach: number, cache: PairCache): boolean {
    this.checks++;
    this.distance.distance(out, a, T_b_a, b, reach, cache);
    if (out.distance.lower >= reach && out.status === 'separated') return false;
    if (out.status === 'separated' && out.hasNormal) return true;
    this.checks++;
    this.depth.depth(out, a, T_b_a, b);
    return out.hasNormal;
  }
}

/** Finder of the minimum distance of a solver, and of the penetration depth by EPA in collision. */
const byDistance = (name: DistanceSolverName): ContactFinderDefinition => ({
  summary: `${distanceSolvers[name].summary}; EPA in collision`,
  create: () => new DistanceFinder(name),
});

/**
 * Contact finders by name: the values of `settle --checker`. `growth-distance`: a Boolean check first, and the growth
 * distance of pairs within reach, whose normal is that of the contact plane [Thirugnanam26]; the variants of GJK:
 * minimum distance, and EPA in collision.
 */
export const contactFinders = {
  'growth-distance': {
    summary: 'Boolean check, and growth distance of near pairs',
    create: () => new GrowthFinder(),
  },
  ...(Object.fromEntries(
    Object.keys(distanceSolvers).map((name) => [name, byDistance(name as DistanceSolverName)]),
  ) as Record<DistanceSolverName, ContactFinderDefinition>),
} satisfies Readonly<Record<ContactFinderName, ContactFinderDefinition>>;
