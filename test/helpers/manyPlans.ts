import type { PlannerName } from '../../src/core/planning/index.ts';
import { loadScene } from '../../src/host/node/files.ts';
import type { NamedPlanOptions } from '../../src/tasks/planning/planOptions.ts';
import type { Problem } from '../../src/tasks/sceneRobot.ts';
import { keysOf } from './keysOf.ts';

/** One plan of many: plain data, so that a worker or a page of a browser can make it. */
export interface ManyPlan {
  readonly name: string;
  /** Place in the list of problems. */
  readonly problem: number;
  readonly options: Partial<NamedPlanOptions>;
}

const SCENES = [
  'arm7-alcove',
  'bin-picking',
  'cage',
  'doorway',
  'grasp-by-pose',
  'machine-tending',
  'narrow-passage',
  'palletizing',
  'pillars',
  'scara-trays',
  'shelf',
  'table-top',
];

/** Seeds and iterations of each planner: enough for a path in most scenes, few enough to be planned again and again. */
const SHARES: Readonly<Record<PlannerName, readonly [seeds: number, iterations: number]>> = {
  'rrt-connect': [8, 3000],
  rrt: [1, 600],
  'rrt-star': [2, 200],
  'informed-rrt-star': [1, 250],
  'bit-star': [2, 200],
  prm: [1, 200],
  'lazy-prm': [2, 60],
  library: [1, 1000],
};

/**
 * Twelve of the bundled scenes, and two hundred plans in them: each planner, several seeds. Planned without a clock.
 */
export async function manyPlans(): Promise<{
  readonly problems: readonly Problem[];
  readonly plans: readonly ManyPlan[];
}> {
  const problems = await Promise.all(
    SCENES.map(async (name): Promise<Problem> => {
      const { scene, robot } = await loadScene(`scenes/${name}.yaml`);
      return { scene, robot };
    }),
  );
  const plans = SCENES.flatMap((scene, problem) =>
    keysOf(SHARES).flatMap((planner) => {
      const [seeds, iterations] = SHARES[planner];
      return Array.from({ length: seeds }, (_, i): ManyPlan => {
        const name = `${scene} ${planner} ${i + 1}`;
        return { name, problem, options: { planner, seed: i + 1, iterations } };
      });
    }),
  );
  return { problems, plans };
}
