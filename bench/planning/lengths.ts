import type { RobotModel } from '../../src/kinematics/robotModel.ts';
import type { Scene } from '../../src/scene/scene.ts';
import { type PlanOptions, planMotion } from '../../src/tasks/planning/planMotion.ts';
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

function lengthsOf({ scene, robot }: LengthProblem, options: Partial<PlanOptions>): number[] {
  const problem = { scene, robot: robot.description, model: robot };
  return Array.from({ length: SEEDS }, (_, i) => {
    const { path_length } = planMotion(problem, { ...options, seed: i + 1, timing: false }).stats;
    return path_length ?? Number.POSITIVE_INFINITY;
  });
}
