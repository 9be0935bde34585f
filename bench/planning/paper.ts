import type { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../src/core/collision/model/posedParts.ts';
import type { Configuration } from '../../src/core/math/configuration.ts';
import { Random } from '../../src/core/math/random.ts';
import type { Transform } from '../../src/core/math/transform.ts';
import { create } from '../../src/core/math/transform.ts';
import { type CheckerName, checkers, distanceSolvers, growthSolvers } from '../../src/core/narrowphase/index.ts';
import { PairCache, SEPARATED, Separation } from '../../src/core/narrowphase/solver.ts';
import type { JointSpace, MotionValidator } from '../../src/core/planning/planner.ts';
import { rrt } from '../../src/core/planning/rrt.ts';
import type { ConvexShape } from '../../src/core/shapes/shape.ts';
import type { StartAndGoals } from '../../src/tasks/planning/startAndGoals.ts';
import { quantile, type Table } from '../measure.ts';

/** One tight problem for the experiment. */
export interface PaperProblem {
  readonly name: string;
  readonly model: CollisionModel;
  readonly space: JointSpace;
  readonly ends: StartAndGoals;
}

/** Maximum distance between consecutive states of a sampled edge, rad. */
const RESOLUTION = 0.02;
const SEEDS = 3;
const MOST_ITERATIONS = 200_000;
/** Narrow-phase calls that are recorded and replayed with every solver: the first of each problem. */
const KEPT_CALLS = 60_000;
const ROUNDS = 5;

/** Do two bodies meet? `T_b_a` is the pose of A seen from B. */
type Meet = (a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache) => boolean;

/**
 * The solvers of the experiment, each newly created. Early: terminates as soon as the bounds determine the verdict;
 * full: iterates until the relative gap is 1.5e-8.
 */
const solvers: Readonly<Record<string, () => Meet>> = {
  'growth distance, early': () => early('growth-distance'),
  'growth distance, full': () => {
    const solver = growthSolvers['growth-distance'].create();
    const out = new Separation();
    return (a, T_b_a, b, cache) => {
      solver.solve(out, a, T_b_a, b, cache);
      return !(out.growth.lower > 1);
    };
  },
  'GJK, early': () => early('gjk'),
  'GJK, full': () => {
    const solver = distanceSolvers['gjk'].create();
    const out = new Separation();
    return (a, T_b_a, b, cache) => {
      solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, cache);
      return !(out.distance.lower > 0);
    };
  },
};

function early(name: CheckerName): Meet {
  const checker = checkers[name].create();
  return (a, T_b_a, b, cache) => checker.check(a, T_b_a, b, 0, cache) !== SEPARATED;
}

/**
 * The planning experiment of [Thirugnanam26 §IV-C.2]: plain RRT, states at a fixed resolution, and a narrow-phase check
 * of every pair whose bounding boxes overlap. All solvers return the same verdicts, so the search and its calls are the
 * same for all.
 */
export function* paperTables(problems: readonly PaperProblem[]): Generator<Table> {
  for (const problem of problems) {
    const runs = new Map(
      Object.keys(solvers).flatMap((name) =>
        [true, false].map((warm) => [`${name}, ${warm ? 'warm' : 'cold'}`, { name, warm }]),
      ),
    );
    const taped = new Tape(problem.model);
    plan(problem, 1, new StateChecker(problem, early('growth-distance'), true, taped));
    const perCall = taped.nanosecondsPerCall([...runs.values()]);
    const rows = [...runs].map(([row, { name, warm }], i) => {
      const plans = Array.from({ length: SEEDS }, (_, k) =>
        plan(problem, k + 1, new StateChecker(problem, solvers[name](), warm)),
      );
      return {
        solver: row,
        solved: `${plans.filter(({ solved }) => solved).length}/${SEEDS}`,
        'RRT ms': quantile(
          plans.map(({ ms }) => ms),
          0.5,
        ),
        states: plans.reduce((sum, { states }) => sum + states, 0),
        calls: plans.reduce((sum, { calls }) => sum + calls, 0),
        'ns / call': perCall[i],
        'calls / s': 1e9 / perCall[i],
      };
    });
    yield {
      title: `${problem.name}: plain RRT, states ${RESOLUTION} rad apart, ${SEEDS} seeds`,
      rows,
      notes: [
        `states, calls: of all seeds; ns / call: the first ${taped.count} calls of seed 1 again, ` +
          `${taped.colliding} of them colliding, all solvers in turn, least of ${ROUNDS} rounds`,
        'cold: nothing is kept from call to call; warm: what the pair knew last time orders the work',
      ],
    };
  }
}

/** The rrt planner as it comes; ms of the whole search. */
function plan({ space, ends }: PaperProblem, seed: number, motions: StateChecker) {
  let left = MOST_ITERATIONS;
  const options = Object.fromEntries(Object.entries(rrt.options).map(([key, { value }]) => [key, value]));
  const begun = performance.now();
  const { status } = rrt.plan({ space, motions, ...ends }, options, new Random(seed), { isSpent: () => left-- <= 0 });
  return { solved: status === 'solved', ms: performance.now() - begun, states: motions.states, calls: motions.calls };
}

/** States by boxes and one solver, motions by states at the resolution: as bare as the experiment is. */
class StateChecker implements MotionValidator {
  states = 0;
  calls = 0;
  private readonly posed: PosedParts;
  private readonly caches: PairCache[];
  private readonly T_b_a = create();
  private readonly q: Configuration;

  constructor(
    private readonly problem: PaperProblem,
    private readonly meet: Meet,
    private readonly warm: boolean,
    private readonly tape?: Tape,
  ) {
    this.posed = new PosedParts(problem.model);
    this.caches = Array.from({ length: warm ? problem.model.pairCount : 1 }, () => new PairCache());
    this.q = new Float64Array(problem.space.dof);
  }

  isStateValid(q: Configuration): boolean {
    const { posed, T_b_a, caches, warm } = this;
    const { pairCount, pairA, pairB } = this.problem.model;
    this.states++;
    posed.pose(q);
    for (let pair = 0; pair < pairCount; pair++) {
      if (!posed.boxesNear(pair, 0)) continue;
      posed.relativePose(T_b_a, pair);
      this.calls++;
      this.tape?.keep(pair, T_b_a);
      if (!warm) forget(caches[0]);
      if (this.meet(posed.shapes[pairA[pair]], T_b_a, posed.shapes[pairB[pair]], caches[warm ? pair : 0])) return false;
    }
    return true;
  }

  isMotionValid(qFrom: Configuration, qTo: Configuration): boolean {
    const { q } = this;
    const { space } = this.problem;
    const pieces = Math.max(1, Math.ceil(space.distance(qFrom, qTo) / RESOLUTION));
    for (let i = 1; i <= pieces; i++) {
      space.interpolate(q, qFrom, qTo, i / pieces);
      if (!this.isStateValid(q)) return false;
    }
    return true;
  }
}

/** Calls of the narrow phase, to be made again. */
class Tape {
  count = 0;
  colliding = 0;
  private readonly pairs = new Int32Array(KEPT_CALLS);
  private readonly poses: Transform[] = [];
  private readonly shapes: readonly ConvexShape[];

  constructor(private readonly model: CollisionModel) {
    this.shapes = new PosedParts(model).shapes;
  }

  keep(pair: number, T_b_a: Transform): void {
    if (this.count === KEPT_CALLS) return;
    this.pairs[this.count++] = pair;
    this.poses.push(T_b_a.slice());
  }

  nanosecondsPerCall(runs: readonly { readonly name: string; readonly warm: boolean }[]): number[] {
    const least = runs.map(() => Number.POSITIVE_INFINITY);
    const hits = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, { name, warm }] of runs.entries()) {
        const begun = performance.now();
        hits.add(this.playBack(solvers[name](), warm));
        least[i] = Math.min(least[i], (1e6 * (performance.now() - begun)) / this.count);
      }
    }
    if (hits.size !== 1) throw new Error(`the solvers disagree: ${[...hits].join(', ')} calls colliding`);
    [this.colliding] = hits;
    return least;
  }

  private playBack(meet: Meet, warm: boolean): number {
    const { pairs, poses, shapes } = this;
    const { pairA, pairB, pairCount } = this.model;
    const caches = Array.from({ length: warm ? pairCount : 1 }, () => new PairCache());
    let hits = 0;
    for (let i = 0; i < this.count; i++) {
      const pair = pairs[i];
      if (!warm) forget(caches[0]);
      if (meet(shapes[pairA[pair]], poses[i], shapes[pairB[pair]], caches[warm ? pair : 0])) hits++;
    }
    return hits;
  }
}

/** As a new cache. */
function forget(cache: PairCache): void {
  cache.hasAxis = false;
  cache.hintA = -1;
  cache.hintB = -1;
  cache.hasWitnesses = false;
  cache.simplexShapeA = undefined;
  cache.simplexShapeB = undefined;
}
