import {
  baselineCheckers,
  baselineDistanceSolvers,
  baselineGrowthSolvers,
} from '../../../../src/core/narrowphase/baselines.ts';
import { Epa } from '../../../../src/core/narrowphase/depth/epa.ts';
import { Gjk } from '../../../../src/core/narrowphase/gjk/gjk.ts';
import { GjkDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { GrowthDistance } from '../../../../src/core/narrowphase/growth/growthDistance.ts';
import { checkers, distanceSolvers, growthSolvers } from '../../../../src/core/narrowphase/index.ts';
import {
  type Checker,
  COLLIDING,
  type DistanceSolver,
  type GrowthSolver,
  PairCache,
  SEPARATED,
  Separation,
  UNDECIDED,
} from '../../../../src/core/narrowphase/solver.ts';
import { isHalfspace } from '../../../../src/core/shapes/halfspace.ts';
import { type DrawnPair, describePair } from './draw.ts';
import { between, distanceFromA, gapAlong, growthAlong } from './geometry.ts';

/** Largest distance or depth, relative to the size of the pair, at which a result may be undecided. */
const BAND = 1e-9;
/** Rounding error of a certificate that is summed in another order than in the solver, relative to the size. */
const SLACK = 1e-12;
/**
 * Largest distance of a common point from the shapes, relative to the size: barycentric coordinates in nearly flat
 * simplices lose digits.
 */
const POINT_SLACK = 1e-10;

/** Baselines that take most of the time. */
const SLOW = /^(frank-wolfe|vertex-qp)/;

/** Counts of the results of one solver. */
export class Tally {
  separated = 0;
  colliding = 0;
  /** Undecided or touching, within the band. */
  open = 0;
  wrong = 0;
  /** Undecided or touching, outside the band. */
  openOutside = 0;
  mostIterations = 0;
  slowestMs = 0;
  /** The first few failures, each with the pair as data. */
  readonly faults: string[] = [];

  /** Baselines of the papers may leave any pair undecided: no failure. */
  constructor(readonly mayStayOpen = false) {}
}

type Clock = () => number;

/**
 * Runs every solver on pairs and proves each result by judges that know only the definitions of the shapes: `separated`
 * needs a plane, `colliding` a common point, an undecided result a plane and points that show contact within the band;
 * bounds need their plane or points. Caches are passed on: every other query uses the cache of another pair.
 */
export class Certifier {
  readonly tallies: Readonly<Record<string, Tally>>;
  pairs = 0;
  private readonly clock: Clock;
  private readonly booleans: { name: string; checker: Checker; stale: PairCache }[];
  private readonly distances: { name: string; solver: DistanceSolver; stale: PairCache }[];
  private readonly growths: { name: string; solver: GrowthSolver; stale: PairCache }[];
  private readonly reference = new GjkDistance();
  private readonly solid = new GrowthDistance({ relativeGap: 1e-12 });
  private readonly epa = new Epa();
  private readonly out = new Separation();
  private readonly exact = new Separation();
  private readonly gjk = new Gjk();
  private readonly byGjk = new Separation();
  private readonly overlap = new Separation();
  /** Distance of the best common point of the distance solvers from the shapes of the pair. */
  private distanceOff = Infinity;

  /**
   * @param clock milliseconds; without one nothing is timed
   * @param baselines also those of the papers; quick: those that need no thousands of iterations
   */
  constructor(clock: Clock = () => 0, baselines: 'none' | 'quick' | 'all' = 'none') {
    this.clock = clock;
    const isIncluded = (name: string) => baselines === 'all' || (baselines === 'quick' && !SLOW.test(name));
    const both = <T>(solvers: Readonly<Record<string, T>>, others: Readonly<Record<string, T>>) => [
      ...Object.entries(solvers),
      ...Object.entries(others).filter(([name]) => isIncluded(name)),
    ];
    this.booleans = both(checkers, baselineCheckers).map(([name, { create }]) => ({
      name,
      checker: create(),
      stale: new PairCache(),
    }));
    this.distances = both(distanceSolvers, baselineDistanceSolvers).map(([name, { create }]) => ({
      name: `${name} distance`,
      solver: create(),
      stale: new PairCache(),
    }));
    this.growths = both(growthSolvers, baselineGrowthSolvers).map(([name, { create }]) => ({
      name: name in growthSolvers ? 'growth distance' : `${name} growth`,
      solver: create({ relativeGap: 1e-12 }),
      stale: new PairCache(),
    }));
    const names = [...this.booleans, ...this.distances, ...this.growths].map(({ name }) => name);
    const isBaseline = (name: string) => {
      const [solver] = name.split(' ');
      return solver in baselineDistanceSolvers || solver in baselineCheckers || solver in baselineGrowthSolvers;
    };
    this.tallies = Object.fromEntries([...names, 'epa depth'].map((name) => [name, new Tally(isBaseline(name))]));
  }

  certify(pair: DrawnPair): void {
    const { exact, out } = this;
    this.pairs++;
    this.distanceOff = Infinity;
    const { a, T_b_a, b } = pair;
    this.reference.distance(exact, a.shape, T_b_a, b.shape, Infinity, new PairCache());
    if (exact.status !== 'separated') this.runDepth(pair);
    this.findCommonPoint(pair);
    for (const { name, solver, stale } of this.growths) this.certifyGrowth(name, pair, solver, this.cacheFor(stale));
    if (exact.status !== 'separated') this.certifyDepth(pair);
    for (const { name, solver, stale } of this.distances) {
      const cache = this.cacheFor(stale);
      this.run(name, pair, out, () => solver.distance(out, a.shape, T_b_a, b.shape, Infinity, cache));
      this.judgeDistance(name, pair, out);
      if (out.status === 'touching')
        this.distanceOff = Math.min(this.distanceOff, offBoth(pair, out.witnessA), offBoth(pair, out.witnessB));
    }
    for (const { name, checker, stale } of this.booleans) {
      const cache = this.cacheFor(stale);
      checker.iterations = 0;
      let verdict: number = UNDECIDED;
      this.time(name, () => {
        verdict = checker.check(a.shape, T_b_a, b.shape, 0, cache);
      });
      const tally = this.tallies[name];
      tally.mostIterations = Math.max(tally.mostIterations, checker.iterations);
      if (verdict === SEPARATED) this.judgeSeparated(name, pair, cache.hasAxis ? cache.axis : undefined);
      else if (verdict === COLLIDING) this.judgeColliding(name, pair);
      else this.judgeOpen(name, pair);
    }
  }

  private cacheFor(stale: PairCache): PairCache {
    return this.pairs % 2 === 0 ? stale : new PairCache();
  }

  private run(name: string, pair: DrawnPair, out: Separation, query: () => void): void {
    const tally = this.tallies[name];
    this.time(name, query);
    tally.mostIterations = Math.max(tally.mostIterations, out.iterations);
    const numbers = [out.distance.lower, out.growth.lower, out.depth.lower, ...out.normal];
    if (numbers.some(Number.isNaN)) this.fault(name, pair, 'not a number');
  }

  /** Times a query; of a slow one the best of five runs counts, to exclude garbage collection and other programs. */
  private time(name: string, query: () => void): void {
    let elapsed = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 5 && elapsed > 5; attempt++) {
      const before = this.clock();
      query();
      elapsed = Math.min(elapsed, this.clock() - before);
    }
    this.tallies[name].slowestMs = Math.max(this.tallies[name].slowestMs, elapsed);
  }

  private fault(name: string, pair: DrawnPair, what: string, isOpen = false): void {
    const tally = this.tallies[name];
    if (isOpen) tally.openOutside++;
    else tally.wrong++;
    if (isOpen && tally.mayStayOpen) return;
    if (tally.faults.length < 3) tally.faults.push(`${name}: ${what}\n  ${describePair(pair)}`);
  }

  private judgeDistance(name: string, pair: DrawnPair, out: Separation): void {
    const { distance, status } = out;
    const slack = SLACK * pair.size;
    if (!(distance.lower <= distance.upper)) this.fault(name, pair, 'bounds cross');
    if (distance.lower > 0 && !(gapAlong(pair, out.normal) >= distance.lower - slack))
      this.fault(name, pair, `the plane proves ${gapAlong(pair, out.normal)}, not ${distance.lower}`);
    if (distance.upper > 0 && distance.upper < Infinity && out.hasWitnesses) {
      const off = Math.max(distanceFromA(pair, out.witnessA), pair.b.judge.distanceTo(out.witnessB));
      if (!(off <= slack)) this.fault(name, pair, `a witness is ${off} off its shape`);
      const apart = between(out.witnessA, out.witnessB);
      if (!(apart <= distance.upper + slack)) this.fault(name, pair, `witnesses ${apart} apart, not ${distance.upper}`);
    }
    this.judgeStatus(name, pair, status, out);
  }

  /** Finds a common point with centres inside the shapes, whatever the given centres are. */
  private findCommonPoint({ a, T_b_a, b }: DrawnPair): void {
    const { out } = this;
    this.solid.solve(out, a.solid, T_b_a, b.solid, new PairCache());
    this.point = out.hasWitnesses && out.growth.upper <= 1 ? Array.from(out.witnessA) : undefined;
  }

  private certifyGrowth(name: string, pair: DrawnPair, solver: GrowthSolver, cache: PairCache): void {
    const { out } = this;
    const { a, b, T_b_a } = pair;
    this.run(name, pair, out, () => solver.solve(out, a.shape, T_b_a, b.shape, cache));
    const { lower, upper } = out.growth;
    if (!(lower <= upper)) this.fault(name, pair, 'bounds cross');
    if (out.hasNormal && lower > 0) {
      const isFloor = isHalfspace(a.shape) || isHalfspace(b.shape);
      const proved = isFloor ? lower : growthAlong(pair, out.normal, a.shape.center, b.shape.center);
      if (!(proved >= lower * (1 - SLACK * conditionOf(pair))))
        this.fault(name, pair, `the plane proves ${proved}, not ${lower}`);
    }
    // Near contact GJK may have decided the status; then its plane is used.
    const isOwn = out.hasNormal && gapAlong(pair, out.normal) > 0;
    this.judgeStatus(name, pair, out.status, isOwn ? out : this.planeOfGjk(pair));
  }

  /** Returns a separation whose normal is the plane of the Boolean check by GJK, if it separates the pair. */
  private planeOfGjk({ a, T_b_a, b }: DrawnPair): Separation {
    const cache = new PairCache();
    this.byGjk.hasNormal = this.gjk.check(a.shape, T_b_a, b.shape, 0, cache) === SEPARATED;
    this.byGjk.normal.set(cache.axis);
    return this.byGjk;
  }

  private runDepth(pair: DrawnPair): void {
    const { overlap } = this;
    const { a, T_b_a, b } = pair;
    this.run('epa depth', pair, overlap, () => this.epa.depth(overlap, a.shape, T_b_a, b.shape));
  }

  private certifyDepth(pair: DrawnPair): void {
    const name = 'epa depth';
    const { overlap } = this;
    const { depth } = overlap;
    if (!(depth.lower <= depth.upper)) this.fault(name, pair, 'bounds cross');
    if (!overlap.hasNormal || depth.upper === Infinity) return;
    const proved = -gapAlong(pair, overlap.normal);
    const slack = 10 * SLACK * pair.size;
    if (!(proved <= depth.upper + slack)) this.fault(name, pair, `the plane proves ${proved}, not ${depth.upper}`);
    if (!(depth.lower <= Math.max(0, proved) + slack))
      this.fault(name, pair, `depth is ${depth.lower} at least, but a plane shows ${proved}`);
    this.judgeStatus(name, pair, overlap.status, overlap);
  }

  private judgeStatus(name: string, pair: DrawnPair, status: Separation['status'], plane: Separation): void {
    if (status === 'separated') this.judgeSeparated(name, pair, plane.hasNormal ? plane.normal : undefined);
    else if (status === 'colliding') this.judgeColliding(name, pair);
    else this.judgeOpen(name, pair);
  }

  private point: number[] | undefined;

  private judgeSeparated(name: string, pair: DrawnPair, normal: Float64Array | undefined): void {
    this.tallies[name].separated++;
    const gap = normal === undefined ? Number.NaN : gapAlong(pair, normal);
    if (!(gap > 0)) this.fault(name, pair, `separated, but the plane shows ${gap}`);
  }

  private judgeColliding(name: string, pair: DrawnPair): void {
    this.tallies[name].colliding++;
    const off = this.offCommonPoint(pair);
    if (!(off <= POINT_SLACK * pair.size)) this.fault(name, pair, `colliding, but the best common point is ${off} off`);
  }

  /** Returns the distance of the best common point of all solvers from the shapes. */
  private offCommonPoint(pair: DrawnPair): number {
    const { exact, overlap, point } = this;
    let best = Math.min(this.distanceOff, point === undefined ? Infinity : offBoth(pair, point));
    for (const { hasWitnesses, witnessA, witnessB } of exact.status === 'separated' ? [exact] : [exact, overlap]) {
      if (best > 0 && hasWitnesses) best = Math.min(best, offBoth(pair, witnessA), offBoth(pair, witnessB));
    }
    return best;
  }

  private judgeOpen(name: string, pair: DrawnPair): void {
    this.tallies[name].open++;
    const { exact, overlap } = this;
    const band = BAND * pair.size;
    const apart = Math.min(this.offCommonPoint(pair), exact.hasWitnesses ? exact.distance.upper : Infinity);
    const deep = exact.status === 'separated' ? 0 : -gapAlong(pair, overlap.normal);
    if (!(apart <= band && deep <= band)) this.fault(name, pair, `open, but ${apart} apart and ${deep} deep`, true);
  }
}

/** Returns the ratio of the coordinates to the inner radii: the amplification of rounding in a growth distance. */
function conditionOf({ a, b, T_b_a, size }: DrawnPair): number {
  const inner = a.shape.innerRadius + b.shape.innerRadius;
  return (size + Math.abs(T_b_a[3]) + Math.abs(T_b_a[7]) + Math.abs(T_b_a[11])) / inner;
}

const offBoth = (pair: DrawnPair, p: ArrayLike<number>): number =>
  Math.max(distanceFromA(pair, p), pair.b.judge.distanceTo(p));
