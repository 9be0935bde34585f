import { planners } from '../src/core/planning/index.ts';
import { createPlanner } from '../src/tasks/createPlanner.ts';
import { planMotion } from '../src/tasks/planning/planMotion.ts';
import { besideOmpl } from './constraints/besideOmpl.ts';
import { timedPlan } from './constraints/cpuTime.ts';
import { edgesTable } from './constraints/edges.ts';
import { withoutKnownPath } from './constraints/knownPaths.ts';
import { type TiltProblem, tiltProblems, tilts } from './constraints/scenes.ts';
import { quantile, type Table } from './measure.ts';
import { bundledScenes } from './scenes.ts';

export const about = 'plans with a tilt constraint: seeded scenes for two robots, tilts of 15 and 1 deg';

export const sections = ['plans', 'edges', 'planners', 'feasible', 'ompl'];

const SEEDS = 10;
/** Plans before those that are measured: until the code is compiled. */
const WARM_UP = 40;
/** Time limit of a plan, s. */
const TIME_LIMIT = 10;
/** Seeds and time limit, s, of the long runs that search for a path. */
const LONG_SEEDS = 3;
const LONG_LIMIT = 60;
const PLANNER_SEEDS = 20;

export async function* run(section?: string): AsyncGenerator<Table> {
  if (section === undefined || section === 'plans') yield await plans();
  if (section === undefined || section === 'edges') yield edgesTable(await feasibleProblems());
  if (section === undefined || section === 'planners') yield await planEach();
  if (section === 'feasible') yield await feasibility();
  if (section === undefined || section === 'ompl') yield await besideOmpl(await feasibleProblems());
}

async function feasibleProblems(): Promise<TiltProblem[]> {
  return (await tiltProblems()).filter(({ robot, index }) => !withoutKnownPath[robot]?.includes(index));
}

/** Every feasible scene with every seed. */
async function plans(): Promise<Table> {
  const problems = await feasibleProblems();
  const rows = Object.entries(tilts).flatMap(([tilt, within]) =>
    [...new Set(problems.map(({ robot }) => robot))].map((robot) => {
      const own = problems.filter((one) => one.robot === robot);
      for (let seed = 1; seed <= WARM_UP; seed++) planned(own[seed % own.length], within, 1000 + seed);
      const runs = own.flatMap((one) => Array.from({ length: SEEDS }, (_, i) => planned(one, within, 1 + i)));
      const solved = runs.filter((one) => one.solved);
      return {
        robot,
        'tilt within': tilt,
        'feasible scenes': own.length,
        solved: `${solved.length}/${runs.length}`,
        'median ms': quantile(values(runs, 'ms'), 0.5),
        '95 % ms': quantile(values(runs, 'ms'), 0.95),
        'median search ms': quantile(values(runs, 'searchMs'), 0.5),
        length: quantile(values(solved, 'length'), 0.5),
        'length 95 %': quantile(values(solved, 'length'), 0.95),
        'edges checked': quantile(values(runs, 'edges'), 0.5),
        'states checked': quantile(values(runs, 'states'), 0.5),
      };
    }),
  );
  return {
    title: `plans with a tilt constraint, ${SEEDS} seeds each`,
    rows,
    notes: [
      'ms: CPU time of the process for the whole plan, from the scene to the proved trajectory; search: without ' +
        'timing, blends and the final proof',
      'feasible: at least one run, here or in constraints:feasible, found a path; its trajectory is proved. ' +
        'Targets: 15 deg: median 20 ms, 95 % 200 ms; 1 deg: median 100 ms',
      'a scene: a table, five obstacles, an upright start and goal half a metre apart whose straight motion ' +
        'collides; the tool is held upwards, downwards or sideways in turn',
    ],
  };
}

interface PlannedRun {
  readonly solved: boolean;
  readonly ms: number;
  readonly searchMs: number;
  readonly length: number;
  readonly edges: number;
  readonly states: number;
}

const values = (runs: readonly PlannedRun[], key: Exclude<keyof PlannedRun, 'solved'>) => runs.map((one) => one[key]);

function planned({ problem }: TiltProblem, within: number, seed: number): PlannedRun {
  const { result, whole, search } = timedPlan(createPlanner(problem(within)), { seed, timeLimit: TIME_LIMIT });
  const { status, stats } = result;
  return {
    solved: status === 'solved',
    ms: whole,
    searchMs: search,
    length: stats.path_length ?? Number.NaN,
    edges: stats.edges_checked,
    states: stats.states_checked,
  };
}

/** All planners on the bundled scenes with constraints. */
async function planEach(): Promise<Table> {
  const scenes = (await bundledScenes()).filter(({ scene }) => scene.constraints !== undefined);
  const rows = Object.keys(planners).flatMap((planner) =>
    scenes.map(({ name, scene, robot }) => {
      const prepared = createPlanner({ scene, robot: robot.description, model: robot });
      const runs = Array.from({ length: PLANNER_SEEDS }, (_, i) => {
        const options = { planner: planner as keyof typeof planners, seed: 1 + i, timeLimit: TIME_LIMIT };
        const { result, whole } = timedPlan(prepared, options);
        return { solved: result.status === 'solved', ms: whole, length: result.stats.path_length ?? Number.NaN };
      });
      const solved = runs.filter((one) => one.solved);
      return {
        planner,
        scene: name,
        solved: `${solved.length}/${runs.length}`,
        'median ms': quantile(
          runs.map(({ ms }) => ms),
          0.5,
        ),
        length: quantile(
          solved.map(({ length }) => length),
          0.5,
        ),
      };
    }),
  );
  return {
    title: `planners on the bundled scenes with constraints, ${PLANNER_SEEDS} seeds each`,
    rows,
    notes: ['ms: CPU time of the whole plan; anytime planners use all of their iterations'],
  };
}

/** Long runs where no path is known. */
async function feasibility(): Promise<Table> {
  const unknown = (await tiltProblems()).filter(({ robot, index }) => withoutKnownPath[robot]?.includes(index));
  const rows = unknown.map(({ robot, index, problem }) => {
    const runs = Array.from({ length: LONG_SEEDS }, (_, i) =>
      planMotion(
        problem(tilts['15 deg']),
        { seed: 101 + i, timeLimit: LONG_LIMIT, iterations: Number.MAX_SAFE_INTEGER },
        { clock: () => performance.now() },
      ),
    );
    return {
      robot,
      scene: index,
      solved: runs.filter(({ status }) => status === 'solved').length,
      iterations: Math.max(...runs.map(({ stats }) => stats.iterations)),
    };
  });
  return {
    title: `long runs where no path is known: tilt within 15 deg, ${LONG_SEEDS} seeds of ${LONG_LIMIT} s`,
    rows,
  };
}
