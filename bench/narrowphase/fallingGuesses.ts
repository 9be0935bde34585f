import type { Transform } from '../../src/core/math/transform.ts';
import { copy, create, sub } from '../../src/core/math/vec3.ts';
import { Epa } from '../../src/core/narrowphase/depth/epa.ts';
import {
  GjkIteration,
  Momentum,
  type MomentumUpdate,
  nesterov,
  normalizedNesterov,
  polyak,
  printedNormalizedNesterov,
  printedPolyak,
} from '../../src/core/narrowphase/gjk/gjkIteration.ts';
import { type InitialGuess, initialGuesses, StoppingCriterion } from '../../src/core/narrowphase/gjk/iteration.ts';
import { growthDistanceCheck } from '../../src/core/narrowphase/growth/growthDistanceCheck.generated.ts';
import { contactUncertainty, roundoff } from '../../src/core/narrowphase/iterationLimits.ts';
import { MinkowskiDifference } from '../../src/core/narrowphase/minkowskiDifference.generated.ts';
import { PairCache, Separation } from '../../src/core/narrowphase/solver.ts';
import type { ConvexShape } from '../../src/core/shapes/shape.ts';
import type { Fall } from './falling.ts';

type Row = Record<string, string | number>;

/** Updates by solver, for two hulls: `gjk-nesterov` is normalized only for these. */
const momenta: Readonly<Record<string, MomentumUpdate | undefined>> = {
  gjk: undefined,
  'gjk-polyak': polyak,
  'gjk-polyak-printed': printedPolyak,
  'gjk-nesterov': normalizedNesterov,
  'gjk-nesterov-printed': printedNormalizedNesterov,
  'gjk-nesterov-unnormalized': nesterov,
};

/** Counts iterations for each momentum and initial guess [Montaut24 Fig. 13], without repeating warm starts cold. */
export function guessRows(falls: readonly Fall[]): Row[] {
  const queries = falls.reduce((sum, { poses }) => sum + poses.length, 0);
  return Object.entries(momenta).map(([solver, update]) => {
    const count = (guess: InitialGuess, usesEpa: boolean) => {
      const momentum = update === undefined ? undefined : new Momentum(update);
      const check = new GuessedCheck(new GjkIteration(momentum), guess, usesEpa);
      for (const { a, b, poses } of falls) {
        const cache = new PairCache();
        for (const T of poses) check.run(a.shape, T, b.shape, cache);
      }
      return check.iterations / queries;
    };
    const row: Row = { solver };
    for (const [name, guess] of Object.entries(initialGuesses)) row[name] = count(guess, false);
    row["previous, EPA's after a collision"] = count(initialGuesses['previous'], true);
    row['queries'] = queries;
    return row;
  });
}

/** Counts iterations of the Boolean growth distance on the same poses: cold, and from the previous result. */
export function growthGuessRows(falls: readonly Fall[]): Row[] {
  const queries = falls.reduce((sum, { poses }) => sum + poses.length, 0);
  const count = (isWarm: boolean) => {
    const checker = growthDistanceCheck.create();
    for (const { a, b, poses } of falls) {
      const cache = new PairCache();
      for (const T of poses) checker.check(a.shape, T, b.shape, 0, isWarm ? cache : new PairCache());
    }
    return checker.iterations / queries;
  };
  return [{ solver: 'growth-distance', none: count(false), previous: count(true), queries }];
}

/** Boolean check that starts from a guess; after a collision the vector of EPA, if wanted, is the next guess. */
class GuessedCheck {
  iterations = 0;
  private readonly difference = new MinkowskiDifference();
  private readonly criterion = new StoppingCriterion();
  private readonly epa = new Epa();
  private readonly out = new Separation();
  private readonly n = create();
  private readonly pointB = create();

  constructor(
    private readonly iteration: GjkIteration,
    private readonly guess: InitialGuess,
    private readonly usesEpa: boolean,
  ) {}

  run(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    const { difference, criterion, iteration, n, out, pointB } = this;
    difference.bind(a, T_b_a, b);
    this.guess(n, difference, T_b_a, cache);
    const floor = roundoff * difference.extent;
    criterion.sufficientLower = difference.margins + 2 * floor;
    criterion.sufficientUpper = Math.max(difference.margins, floor);
    iteration.run(difference, n, criterion);
    this.iterations += iteration.iterations;
    cache.hasWitnesses = false;
    cache.hasAxis = iteration.lower > difference.margins + contactUncertainty * difference.extent;
    if (cache.hasAxis) {
      copy(cache.axis, iteration.normal);
      cache.gap = iteration.lower - difference.margins;
      iteration.witnessA(n);
      sub(pointB, n, iteration.nearest);
      difference.storeWitnesses(cache, n, pointB);
    } else if (this.usesEpa) {
      this.epa.depth(out, a, T_b_a, b);
      cache.hasAxis = out.hasNormal;
      copy(cache.axis, out.normal);
      cache.gap = out.depth.upper;
    }
  }
}
