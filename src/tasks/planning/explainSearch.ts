import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import { StraightMotion } from '../../collision/motion.ts';
import { MotionProver } from '../../collision/motionProver.ts';
import type { RobotJointSpace } from '../../collision/robotJointSpace.ts';
import { requireOneOf } from '../../errors.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { Random } from '../../math/random.ts';
import { planners } from '../../planning/index.ts';
import { shortestDifference } from '../../planning/metric.ts';
import type { NearestNeighbors } from '../../planning/nearestNeighbors.ts';
import type { Scene } from '../../scene/scene.ts';
import { edgeChecks } from './edgeValidation.ts';
import { type PlanOptions, plannerOptions } from './planMotion.ts';
import { endsWithin, planningSpace } from './planningSpace.ts';
import { type AskedMotion, nearestApproach, SearchRecord } from './searchRecorder.ts';
import type { OpenEnds } from './startAndGoals.ts';
import { WatchedBudget } from './stopwatch.ts';

/** What a search that found no path had to show for it. Lengths: rad, in the metric that was planned in. */
export interface SearchExplanation {
  readonly iterations: number;
  /** Configurations that motions found free join to the start, and to a goal; both counted along. */
  readonly start_tree: number;
  readonly goal_tree: number;
  /** Where the two come nearest to each other. */
  readonly nearest: {
    readonly distance: number;
    readonly from_start: readonly number[];
    readonly from_goal: readonly number[];
  };
  /** Motions that were not free, and how many of them, chosen by lot, were looked at again to see what stops them. */
  readonly stopped: number;
  readonly looked_at: number;
  /** The pairs that meet first on those, the most frequent first. */
  readonly stopped_by: readonly { readonly pair: readonly [string, string]; readonly motions: number }[];
}

/** As many of the motions that were stopped are looked at again. */
const LOOKED_AT = 1000;
/** Rad and m: steps in which they are walked along from their beginning. */
const WALK_STEP = 0.02;
/** Of the random numbers of a run, the stream that the choice is drawn from; the search draws from those it always draws from. */
const CHOICE_STREAM = -1;

/** Searches once more, the same way, and watches; `visit` is told each configuration that was joined to an end. Undefined where there is a path after all: it was refuted later on. */
export function explainSearch(
  robot: RobotModel,
  scene: Scene,
  ends: OpenEnds,
  options: PlanOptions,
  iterations: number,
  visit?: (end: 'start' | 'goal', q: Configuration) => void,
): SearchExplanation | undefined {
  const planner = requireOneOf(planners, 'planner', options.planner);
  const space = planningSpace(robot, { ...scene.weights, ...options.weights });
  const { start, goals } = endsWithin(space, ends);
  const manager = new CollisionManager(new CollisionModel(robot, scene), { checker: options.checker });
  const motions = requireOneOf(edgeChecks, 'edge check', options.edges).create(manager, space, options.step);
  const record = new SearchRecord(motions, space, new Random(options.seed, CHOICE_STREAM), LOOKED_AT);
  const budget = new WatchedBudget(iterations, Number.POSITIVE_INFINITY, {});
  const { roadmap } = options;
  if (roadmap) record.know(roadmap);
  const problem = { space, motions: record, start, goals, roadmap };
  const { status } = planner.plan(problem, plannerOptions(planner, options), new Random(options.seed), budget);
  if (status === 'solved') return undefined;

  const [ofStart, ofGoals] = [record.joinedTo([start]), record.joinedTo(goals)];
  if (visit) {
    visitAll(ofStart, (q) => visit('start', q));
    visitAll(ofGoals, (q) => visit('goal', q));
  }
  if (roadmap) lookAcross(record, ofStart, ofGoals);
  const { distance, fromStart, fromGoal } = nearestApproach(space, ofStart, ofGoals);
  return {
    iterations,
    start_tree: ofStart.count,
    goal_tree: ofGoals.count,
    nearest: { distance, from_start: Array.from(fromStart), from_goal: Array.from(fromGoal) },
    stopped: record.stopped,
    looked_at: record.sample.length,
    stopped_by: counted(record.sample, new Walk(manager, space)),
  };
}

/** A roadmap does not keep what was in the way of its motions, so those that would join its two parts are asked about once more. */
function lookAcross(record: SearchRecord, ofStart: NearestNeighbors, ofGoals: NearestNeighbors): void {
  const [few, many] = ofStart.count <= ofGoals.count ? [ofStart, ofGoals] : [ofGoals, ofStart];
  const other = new Float64Array(many.dof);
  visitAll(few, (q) => {
    many.read(other, many.nearest(q));
    record.isMotionValid(q, other);
  });
}

function visitAll(points: NearestNeighbors, visit: (q: Configuration) => void): void {
  for (let i = 0; i < points.count; i++) {
    const q = new Float64Array(points.dof);
    points.read(q, i);
    visit(q);
  }
}

function counted(motions: readonly AskedMotion[], walk: Walk): SearchExplanation['stopped_by'] {
  const counts = new Map<string, { pair: [string, string]; motions: number }>();
  for (const motion of motions) {
    const pair = walk.firstContact(motion);
    const known = counts.get(pair.join('\n'));
    if (known) known.motions++;
    else counts.set(pair.join('\n'), { pair, motions: 1 });
  }
  return [...counts.values()].sort((one, other) => other.motions - one.motions);
}

/** Walks along motions until something is in the way. */
class Walk {
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

  /** The pair that stops a motion: the first to meet, or else the one that cannot be proved apart. */
  firstContact({ qFrom, qTo }: AskedMotion): [string, string] {
    const { manager, space, q, motion, prover } = this;
    const steps = Math.ceil(space.distance(qFrom, qTo) / WALK_STEP);
    for (let i = 1; i <= steps; i++) {
      space.interpolate(q, qFrom, qTo, i / steps);
      const pair = manager.firstCollision(q);
      if (pair) return pair;
    }
    motion.qFrom = qFrom;
    const halfTurn = (i: number) => space.halfTurns?.[i] ?? Number.POSITIVE_INFINITY;
    motion.qTo = qFrom.map((value, i) => value + shortestDifference(value, qTo[i], halfTurn(i)));
    prover.prove(motion);
    return manager.model.namesOf(prover.pair);
  }
}
