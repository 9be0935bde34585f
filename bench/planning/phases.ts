import { createPlanner } from '../../src/tasks/createPlanner.ts';
import { type EdgeValidationName, edgeValidations } from '../../src/tasks/planning/edgeValidation.ts';
import type { PlanStats } from '../../src/tasks/planning/planStats.ts';
import type { Problem } from '../../src/tasks/sceneRobot.ts';
import { quantile, type Table } from '../measure.ts';

/** Plans of each problem that count, after one that warms up. */
const SEEDS = 3;
const MODES = Object.keys(edgeValidations) as EdgeValidationName[];
const PHASES = ['setup', 'planning', 'shortcut', 'timing', 'check'] as const;

/** Problems of one row. */
export interface PhaseSuite {
  readonly name: string;
  readonly problems: readonly Problem[];
}

const clock = () => performance.now();
const wholeOf = (stats: PlanStats) => PHASES.reduce((sum, phase) => sum + stats[`${phase}_ms`], 0);

/**
 * Times of the phases of the queries of one planner. The modes of edge validation
 * alternate, so that their ratios hold on a machine with other work.
 */
export function phaseTables(suites: readonly PhaseSuite[]): Table[] {
  const rows = suites.flatMap(({ name, problems }) => {
    const solved = problems.map(plansOf).flatMap((plans) => plans.filter((plan) => plan.every(isSolved)));
    return MODES.map((mode, m) => {
      const stats = solved.map((plan) => plan[m]);
      const whole = stats.reduce((sum, one) => sum + wholeOf(one), 0);
      const share = (phase: (typeof PHASES)[number]) =>
        (100 * stats.reduce((sum, one) => sum + one[`${phase}_ms`], 0)) / whole;
      const median = (of: (one: PlanStats) => number) => quantile(stats.map(of), 0.5);
      return {
        suite: name,
        edges: mode,
        plans: stats.length,
        ...Object.fromEntries(PHASES.map((phase) => [`${phase} ms`, median((one) => one[`${phase}_ms`])])),
        'whole ms': median(wholeOf),
        'mean ms': whole / stats.length,
        ...Object.fromEntries(PHASES.map((phase) => [`${phase} %`, share(phase)])),
        'whole / certified': quantile(
          solved.map((plan) => wholeOf(plan[m]) / wholeOf(plan[MODES.indexOf('certified')])),
          0.5,
        ),
        states: median((one) => one.states_checked),
      };
    });
  });
  return [
    {
      title: `phases of repeated queries of one planner, ${SEEDS} seeds: medians, and shares of the total time`,
      rows,
      notes: [
        'planning: the searches; shortcut: with path improvement; check: the final proof',
        'target: setup 0.2 ms',
      ],
    },
  ];
}

const isSolved = ({ status }: PlanStats) => status === 'solved';

/** Plans a problem with each mode and seed; returns the figures of all modes for each seed. */
function plansOf(problem: Problem): PlanStats[][] {
  const planner = createPlanner(problem);
  const plan = (edges: EdgeValidationName, seed: number) => planner.plan({ edges, seed }, { clock }).stats;
  for (const edges of MODES) plan(edges, 1);
  return Array.from({ length: SEEDS }, (_, i) => MODES.map((edges) => plan(edges, i + 1)));
}
