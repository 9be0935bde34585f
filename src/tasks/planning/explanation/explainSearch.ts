import { StraightMotion } from '../../../core/collision/motions/motion.ts';
import { MotionProver } from '../../../core/collision/motions/motionProver.ts';
import { proveUnlessInterrupted } from '../../../core/collision/proofs/proverPool.ts';
import type { CollisionManager } from '../../../core/collision/states/collisionManager.ts';
import type { RobotJointSpace } from '../../../core/collision/validators/robotJointSpace.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import { Random } from '../../../core/math/random.ts';
import { shortestDifference } from '../../../core/planning/metric.ts';
import type { NearestNeighbors } from '../../../core/planning/nearestNeighbors.ts';
import { requireOneOf } from '../../../errors.ts';
import type { World } from '../../world.ts';
import { edgeValidations } from '../edgeValidation.ts';
import { planningSpace, wrapStartAndGoals } from '../planningSpace.ts';
import { type PlanOptions, plannerOf, plannerOptions } from '../planOptions.ts';
import type { StartAndGoals } from '../startAndGoals.ts';
import { PlanningBudget, type TimeLimit } from '../stopwatch.ts';
import { type InvalidMotion, nearestApproach, SearchRecorder } from './searchRecorder.ts';

/** Extent of a search that found no path. Lengths: rad, in the metric of the planning space. */
export interface SearchExplanation {
  /** Number of iterations of the search. */
  readonly iterations: number;
  /** Present if the time limit ended the repeated search: the figures are those of a part of it. */
  readonly cut_short?: true;
  /** Number of configurations connected to the start by valid edges, including the start. */
  readonly start_tree: number;
  /** Number of configurations connected to a goal by valid edges, including the goals. */
  readonly goal_tree: number;
  /** Nearest approach of the two sets. */
  readonly nearest: {
    readonly distance: number;
    readonly from_start: readonly number[];
    readonly from_goal: readonly number[];
  };
  /** Number of invalid edges. */
  readonly stopped: number;
  /** Number of invalid edges, sampled at random, that were checked again for the pair that blocks them. */
  readonly looked_at: number;
  /** First colliding pairs of these edges, most frequent first. */
  readonly stopped_by: readonly { readonly pair: readonly [string, string]; readonly motions: number }[];
}

/** Number of invalid edges that are checked again. */
const SAMPLE_SIZE = 1000;
/** Distance between the states at which an edge is checked from its start, rad and m. */
const CHECK_STEP = 0.02;
/** Random stream of the sample of edges, separate from those of the search, which must not change. */
const SAMPLE_STREAM = -1;

/**
 * Repeats the search with the same random numbers and records its edges. Calls `visit` with each configuration that was
 * connected to start or goal. Returns undefined if the search finds a path (which the final check refuted).
 * @param world whose manager has the checker of the options
 * @param limit ends the search and the checks of blocked edges: the result then describes a part of the search
 */
export function explainSearch(
  { robot, scene, manager }: World,
  ends: StartAndGoals,
  options: PlanOptions,
  iterations: number,
  limit: TimeLimit,
  visit?: (end: 'start' | 'goal', q: Configuration) => void,
): SearchExplanation | undefined {
  const planner = plannerOf(options);
  const space = planningSpace(robot, { ...scene.weights, ...options.weights });
  const { start, goals } = wrapStartAndGoals(space, ends);
  const motions = requireOneOf(edgeValidations, 'edge validation', options.edges).create(
    manager,
    space,
    options.step,
    limit.isOver,
  );
  const record = new SearchRecorder(motions, space, new Random(options.seed, SAMPLE_STREAM), SAMPLE_SIZE);
  const budget = new PlanningBudget(iterations, limit.isOver, {});
  const problem = { space, motions: record, start, goals };
  const { status } = planner.plan(problem, plannerOptions(planner, options), new Random(options.seed), budget);
  if (status === 'solved') return undefined;

  const [ofStart, ofGoals] = [record.connectedTo([start]), record.connectedTo(goals)];
  if (visit) {
    visitAll(ofStart, (q) => visit('start', q));
    visitAll(ofGoals, (q) => visit('goal', q));
  }
  const { distance, fromStart, fromGoal } = nearestApproach(space, ofStart, ofGoals);
  const blocked = countFirstContacts(record.sample, new FirstContactFinder(manager, space), limit);
  return {
    iterations,
    ...(limit.hasEnded ? { cut_short: true } : {}),
    start_tree: ofStart.count,
    goal_tree: ofGoals.count,
    nearest: { distance, from_start: Array.from(fromStart), from_goal: Array.from(fromGoal) },
    stopped: record.stopped,
    ...blocked,
  };
}

/** Calls `visit` with a copy of each point. */
function visitAll(points: NearestNeighbors, visit: (q: Configuration) => void): void {
  for (let i = 0; i < points.count; i++) {
    const q = new Float64Array(points.dof);
    points.read(q, i);
    visit(q);
  }
}

/** Counts the first colliding pairs of the motions, most frequent first. */
function countFirstContacts(
  motions: readonly InvalidMotion[],
  finder: FirstContactFinder,
  { isOver }: TimeLimit,
): Pick<SearchExplanation, 'looked_at' | 'stopped_by'> {
  const counts = new Map<string, { pair: [string, string]; motions: number }>();
  let looked_at = 0;
  for (const motion of motions) {
    const pair = finder.firstContact(motion, isOver);
    if (pair === undefined) break;
    looked_at++;
    const known = counts.get(pair.join('\n'));
    if (known) known.motions++;
    else counts.set(pair.join('\n'), { pair, motions: 1 });
  }
  const stopped_by = [...counts.values()].sort((one, other) => other.motions - one.motions);
  return { looked_at, stopped_by };
}

/** Finds the first colliding pair of a motion. */
class FirstContactFinder {
  private readonly prover: MotionProver;
  private readonly motion: StraightMotion;
  private readonly q: Configuration;

  constructor(
    private readonly manager: CollisionManager,
    private readonly space: RobotJointSpace,
  ) {
    this.prover = new MotionProver(manager.posed);
    this.motion = new StraightMotion(space.dof);
    this.q = new Float64Array(space.dof);
  }

  /**
   * Returns the first pair that collides along the motion; if none is found by sampling, the pair that cannot be proved
   * separated. Undefined if it is interrupted.
   */
  firstContact({ qFrom, qTo }: InvalidMotion, interrupt: Interrupt): [string, string] | undefined {
    const { manager, space, q, motion, prover } = this;
    const steps = Math.ceil(space.distance(qFrom, qTo) / CHECK_STEP);
    for (let i = 1; i <= steps; i++) {
      if (interrupt()) return undefined;
      space.interpolate(q, qFrom, qTo, i / steps);
      const pair = manager.firstCollision(q);
      if (pair) return pair;
    }
    motion.qFrom = qFrom;
    const halfTurn = (i: number) => space.halfTurns?.[i] ?? Number.POSITIVE_INFINITY;
    motion.qTo = qFrom.map((value, i) => value + shortestDifference(value, qTo[i], halfTurn(i)));
    if (proveUnlessInterrupted(prover, motion, interrupt) === undefined) return undefined;
    return manager.model.namesOf(prover.pair);
  }
}
