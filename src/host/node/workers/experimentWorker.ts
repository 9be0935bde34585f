import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { RecentMap } from '../../../core/math/recentMap.ts';
import { CheckTimer } from '../../../core/narrowphase/checkTimer.ts';
import { checkers } from '../../../core/narrowphase/index.ts';
import type { Checker } from '../../../core/narrowphase/solver.ts';
import { checkerVariants } from '../../../core/narrowphase/variants.ts';
import { planners } from '../../../core/planning/index.ts';
import { kindOf } from '../../../core/scene/movingScene.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { trajectoryHash } from '../../../core/trajectory/trajectoryHash.ts';
import { InputError, requireName } from '../../../errors.ts';
import type { RunSettings } from '../../../formats/schemas/experimentFile.ts';
import { createPlanner, type Planner, queryOf } from '../../../tasks/createPlanner.ts';
import { edgeValidations } from '../../../tasks/planning/edgeValidation.ts';
import { buildLibrary } from '../../../tasks/planning/motionLibrary/buildLibrary.ts';
import { PreparedLibrary } from '../../../tasks/planning/motionLibrary/keptEdges.ts';
import type { PlanOptions } from '../../../tasks/planning/planOptions.ts';
import { blendRules } from '../../../tasks/timing/blendRules.ts';
import type { ExperimentOutcome, ExperimentTask, ExperimentThreadData } from '../experimentTask.ts';
import { SearchLog } from '../searchLog.ts';

/** Limit of cached planners and robots; sweeps may have a hundred thousand. */
const MAX_PLANNERS = 64;

const kept = new RecentMap<string, Planner>(MAX_PLANNERS);
const libraries = new RecentMap<string, PreparedLibrary>(MAX_PLANNERS);
const robots = new RecentMap<string, RobotDescription>(MAX_PLANNERS);

/** The library of a scene, built before its first run: that of `library build` without a time limit. */
const LIBRARY = { nodes: 400, mostNumbers: 8e6, seed: 1, states: [], isOver: () => false };

/** Returns the library of a scene for planner `library`; undefined where there is none, so that RRT-Connect plans. */
function libraryOf(planner: Planner, hash: string, { planner: name, edges }: RunSettings): PreparedLibrary | undefined {
  if (name !== 'library' || edges !== 'certified') return undefined;
  try {
    return libraries.use(hash, () => new PreparedLibrary(buildLibrary(planner.problem, LIBRARY), planner.scene.name));
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Executes one planning run of an experiment. */
export default function experiment({ problem: hash, settings, seed }: ExperimentTask): ExperimentOutcome {
  const planner = kept.use(hash, () => readPlanner(hash));
  const { scene } = planner;
  const library = libraryOf(planner, hash, settings);
  const begun = performance.now();
  const clock = () => performance.now();
  const timer = new CheckTimer(clock);
  const wrapChecker = (checker: Checker) => timer.wrap(checker);
  const log = new SearchLog();
  const query = { ...queryOf(scene), ...planOptionsOf(settings, seed), library };
  const result = planner.plan(query, { clock, wrapChecker, ...log.hooks });
  const { stats, reason, cutShort, trajectory } = result;
  return {
    stats,
    reason,
    cutShort,
    hash: trajectory ? trajectoryHash(trajectory) : null,
    runMs: performance.now() - begun,
    narrowphaseMs: kindOf(scene) === 'program' ? null : timer.milliseconds,
    search: stats.status === 'solved' ? (log.course ?? null) : null,
  };
}

/** Converts settings of a run to options. Throws `InputError` for names that are in no table. */
function planOptionsOf(settings: RunSettings, seed: number): Partial<PlanOptions> {
  const { planner, checker, edges, corners, iterations, ...rest } = settings;
  return {
    ...rest,
    planner: requireName(planners, 'planner', planner),
    checker: requireName({ ...checkers, ...checkerVariants }, 'checker', checker),
    edges: requireName(edgeValidations, 'edge check', edges),
    corners: requireName(blendRules, 'corner rule', corners),
    iterations: iterations ?? undefined,
    seed,
  };
}

function readPlanner(hash: string): Planner {
  const { scene, robot: robotHash } = read(hash) as { readonly scene: Scene; readonly robot: string };
  const robot = robots.use(robotHash, () => read(robotHash) as RobotDescription);
  return createPlanner({ scene, robot });
}

const read = (hash: string): unknown =>
  JSON.parse(readFileSync(join((workerData as ExperimentThreadData).folder, `${hash}.json`), 'utf8'));
