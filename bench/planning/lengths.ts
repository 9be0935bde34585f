import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import type { Scene } from '../../src/core/scene/scene.ts';
import { type PlanOptions, planMotion } from '../../src/tasks/planning/planMotion.ts';
import type { PlanStats } from '../../src/tasks/planning/planStats.ts';
import { quantile, type Table } from '../measure.ts';

const SEEDS = 20;
/**
 * A long run: BIT* improves its path for this many iterations, about twenty times as many as a plan needs; the path is
 * then shortcut as in a plan.
 */
const LONG: Partial<PlanOptions> = { planner: 'bit-star', iterations: 3000 };
/** Target: upper bound of the ratio of the median path length of the plans to the shortest path of all. */
const ASKED = 1.1;

export interface LengthProblem {
  readonly name: string;
  readonly scene: Scene;
  readonly robot: RobotModel;
}

/** A problem with the length of a reference path, rad. */
export interface SuiteProblem extends LengthProblem {
  readonly reference?: number | undefined;
}

/**
 * Lengths of what `plan` gives by default against the shortest path of as many long runs. Times play no part: equal on
 * every machine.
 */
export function lengthTable(scenes: readonly LengthProblem[]): Table {
  const rows = scenes.map((problem) => {
    const lengths = lengthsOf(problem, {});
    const best = Math.min(...lengthsOf(problem, LONG), ...lengths);
    const [median, most] = [quantile(lengths, 0.5) / best, quantile(lengths, 0.9) / best];
    return {
      scene: problem.name,
      'best rad': best,
      'plan rad': median * best,
      'plan / best': median,
      '90 %': most,
      target: ASKED,
      met: median <= ASKED ? 'yes' : 'no',
    };
  });
  const overall = quantile(
    rows.map((row) => row['plan / best']),
    0.5,
  );
  return {
    title:
      `lengths: ${SEEDS} plans against the best of ${SEEDS} long runs (${LONG.planner}, ${LONG.iterations} ` +
      'motions, shortened)',
    rows,
    notes: [`median over the scenes: ${overall.toPrecision(3)}, target ${ASKED}`],
  };
}

/** Of the suites, every EVERY-th problem is planned, with SUITE_SEEDS seeds. */
const EVERY = 6;
const SUITE_SEEDS = 8;
/** Target: upper bound of the ratio of path length to the shortest known, for 95 % of the plans. */
const TAIL = 1.15;

/**
 * Lengths of the paths of `plan` with default options on the suites, relative to the shortest path known: of all seeds,
 * one long run and the reference.
 */
export function suiteLengthTable(
  suites: readonly { readonly name: string; readonly problems: readonly SuiteProblem[] }[],
): Table {
  const rows = suites.map(({ name, problems }) => {
    const sample = problems.filter((_, i) => i % EVERY === 0);
    const states: number[] = [];
    const ratios = sample.flatMap((problem) => {
      const plans = plansOf(problem, {}, SUITE_SEEDS);
      const lengths = plans.map(lengthOf);
      if (!lengths.some(Number.isFinite)) return []; // start or goal in collision
      states.push(...plans.map(({ states_checked }) => states_checked));
      const best = Math.min(...lengths, ...lengthsOf(problem, LONG, 1), problem.reference ?? Number.POSITIVE_INFINITY);
      return lengths.map((length) => length / best);
    });
    return {
      suite: name,
      plans: ratios.length,
      median: quantile(ratios, 0.5),
      '90 %': quantile(ratios, 0.9),
      '95 %': quantile(ratios, 0.95),
      greatest: Math.max(...ratios),
      target: TAIL,
      met: quantile(ratios, 0.95) <= TAIL ? 'yes' : 'no',
      'states checked': quantile(states, 0.5),
      mean: states.reduce((sum, count) => sum + count, 0) / states.length,
      'states 95 %': quantile(states, 0.95),
    };
  });
  return {
    title: `lengths on the suites: length / shortest known, every ${EVERY}th problem, ${SUITE_SEEDS} seeds`,
    rows,
    notes: [`shortest known: of these plans, one long run (${LONG.planner}, ${LONG.iterations}) and the reference`],
  };
}

const lengthsOf = (problem: LengthProblem, options: Partial<PlanOptions>, seeds?: number): number[] =>
  plansOf(problem, options, seeds).map(lengthOf);

const lengthOf = ({ path_length }: PlanStats) => path_length ?? Number.POSITIVE_INFINITY;

function plansOf({ scene, robot }: LengthProblem, options: Partial<PlanOptions>, seeds = SEEDS): PlanStats[] {
  const problem = { scene, robot: robot.description, model: robot };
  return Array.from({ length: seeds }, (_, i) => planMotion(problem, { ...options, seed: i + 1, timing: false }).stats);
}
