import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { createSceneRobot, type Problem } from '../../sceneRobot.ts';
import { stillWorld } from '../../world.ts';
import { type PlanMotionResult, planMotion } from '../planMotion.ts';
import type { PlanOptions } from '../planOptions.ts';
import { resolveStartAndGoals } from '../startAndGoals.ts';
import { TimeLimit } from '../stopwatch.ts';
import { explainSearch } from './explainSearch.ts';
import { type RemovableObject, removableObjects, withoutObject } from './removals.ts';

/** Maximum number of objects that are removed in turn, those that block most edges first. */
const MAX_TRIED = 4;
/**
 * Iteration limit of the repeated search that finds the blocking pairs: a short search is blocked by the same objects.
 */
const MAX_ITERATIONS = 2000;

/**
 * Describes why no motion between two configurations was found: `board_1 blocks` if the planner finds one without
 * `board_1`. Undefined if no single object or constraint is found to block it.
 * @param result result of `planMotion` for this problem and these options
 * @param limit shared by all searches
 */
export function blockerOf(
  problem: Problem,
  result: PlanMotionResult,
  options: PlanOptions,
  limit: TimeLimit,
  clock: (() => number) | undefined,
): string | undefined {
  if (result.status !== 'no-path' || limit.isOver()) return undefined;
  const { scene } = problem;
  const robot = createSceneRobot(problem);
  const pairs = blockingPairs(robot, scene, result, options, new TimeLimit(clock, limit.remaining / 3));
  const objects = removableObjects(scene, pairs).slice(0, MAX_TRIED);
  const share = { ...options, certificate: false };
  for (const [i, one] of objects.entries()) {
    if (limit.isOver()) return undefined;
    const changed = { ...problem, model: robot, scene: withoutObject(scene, one) };
    const timeLimit = limit.remaining / (objects.length - i + 1);
    if (planMotion(changed, { ...share, timeLimit }, clock ? { clock } : {}).status === 'solved')
      return describeBlocker(one);
  }
  return undefined;
}

/** Returns the pairs that block the edges of a search, most frequent first; none for a search with constraints. */
function blockingPairs(
  robot: RobotModel,
  scene: Scene,
  { stats }: PlanMotionResult,
  options: PlanOptions,
  limit: TimeLimit,
): readonly (readonly [string, string])[] {
  if ((scene.constraints ?? []).length > 0) return []; // the repeated search has none
  const world = stillWorld(robot, scene, { checker: options.checker });
  const ends = resolveStartAndGoals(robot, scene, world.manager, limit.isOver);
  if (ends === undefined || 'status' in ends) return [];
  const search = explainSearch(world, ends, options, Math.min(stats.iterations, MAX_ITERATIONS), limit);
  return search?.stopped_by.map(({ pair }) => pair) ?? [];
}

const describeBlocker = ({ kind, names }: RemovableObject) =>
  kind === 'pair'
    ? `${names.join(' and ')} would collide`
    : kind === 'constraint'
      ? `constraint ${JSON.stringify(names[0])} blocks`
      : `${names[0]} blocks`;
