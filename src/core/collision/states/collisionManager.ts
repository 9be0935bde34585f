import { requireOneOf } from '../../../errors.ts';
import { transformOfPose } from '../../kinematics/pose.ts';
import type { Pose } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { type CheckerName, checkers } from '../../narrowphase/index.ts';
import type { Checker } from '../../narrowphase/solver.ts';
import { type CheckerVariantName, checkerVariants } from '../../narrowphase/variants.ts';
import { type CollisionModel, requireObstacle } from '../model/collisionModel.ts';
import { requireBoundedPose } from '../model/modelParts.ts';
import { NearPairs } from '../model/nearPairs.ts';
import { roundingOfPoses } from '../model/posedParts.ts';
import { NearestCandidates } from './nearestCandidates.ts';
import { PairQueries } from './pairQueries.ts';
import { StateBatch } from './stateBatch.ts';

/** Options of a `CollisionManager`. */
export interface ManagerOptions {
  /** Narrow-phase checker; default: growth-distance. */
  readonly checker?: CheckerName | CheckerVariantName;
  /** Replaces the checker by one of equal verdicts that also measures, such as `CheckTimer.wrap`. */
  readonly wrapChecker?: ((checker: Checker) => Checker) | undefined;
}

/** Minimum distance over all collision pairs, metres; if any collides, minus the depth of the deepest penetration. */
export interface Clearance {
  /** Minimum distance, metres; the negative penetration depth in collision. */
  readonly distance: number;
  /**
   * Names of the nearest pair; undefined if no pair was found, in which case the distance is Infinity or the limit of
   * the query.
   */
  readonly pair: [string, string] | undefined;
}

/**
 * Checks states of a robot for collisions, lists colliding pairs, and computes distances. Holds caches and scratch
 * memory: create one for each planner or worker, over one shared `CollisionModel`. Joint limits are not checked.
 *
 * Order of the checks: the pair that collided last, then all pairs from the tip of the robot to its base; for each the
 * broad phase (bounding boxes), then the checker, warm-started from the previous query of the pair. Caches order the
 * work and never decide: verdicts, pairs and distances depend on q alone. A query that a callback of another query of
 * the same manager starts throws `InputError`.
 */
export class CollisionManager extends PairQueries {
  /** Checks several states at a time. @internal */
  readonly batch: StateBatch;
  /** Index of the nearest pair of the last `clearance` query; −1: none. */
  nearestPair = -1;
  private readonly near: NearPairs;
  private createdCandidates: NearestCandidates | undefined;
  private lastCollidingPair = -1;

  /** @param model convex parts and collision pairs */
  constructor(
    model: CollisionModel,
    { checker = 'growth-distance', wrapChecker = (given) => given }: ManagerOptions = {},
  ) {
    super(model, wrapChecker(requireOneOf({ ...checkers, ...checkerVariants }, 'checker', checker).create()));
    this.near = new NearPairs(this.posed);
    this.batch = new StateBatch(this.posed, this);
  }

  private get candidates(): NearestCandidates {
    this.createdCandidates ??= new NearestCandidates(this.posed);
    return this.createdCandidates;
  }

  /** Forgets all queries: counters and caches are those of a new manager. Moved obstacles stay. @internal */
  override reset(): void {
    super.reset();
    this.batch.reset();
    this.nearestPair = -1;
    this.lastCollidingPair = -1;
  }

  /**
   * Returns true if every collision pair is proved to be farther apart than the padding. Joint limits are not checked.
   */
  isCollisionFree(q: Configuration): boolean {
    this.counters.states++;
    const { use } = this.posed;
    use.enter();
    try {
      return this.isStateFree(q);
    } finally {
      use.leave();
    }
  }

  /** As `isCollisionFree`, but the state is not counted. @internal */
  isStateFree(q: Configuration): boolean {
    const { posed, near, padding, lastCollidingPair } = this;
    const groupCount = this.model.groupPart.length;
    posed.pose(q);
    if (lastCollidingPair >= 0 && posed.boxesNear(lastCollidingPair, padding) && this.collides(lastCollidingPair))
      return false;

    for (let group = 0; group < groupCount; group++) {
      near.find(group, padding);
      for (let i = 0; i < near.count; i++) {
        const pair = near.pairs[i];
        if (pair === lastCollidingPair || !this.collides(pair)) continue;
        this.lastCollidingPair = pair;
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the names of the first colliding pair, from the tip of the robot to its base; undefined if there is none.
   * Unlike that of `isCollisionFree`, the order of the checks does not depend on previous queries.
   */
  firstCollision(q: Configuration): [string, string] | undefined {
    this.counters.states++;
    const pair = this.posed.use.during(() => this.firstCollidingPair(q));
    return pair < 0 ? undefined : this.model.namesOf(pair);
  }

  /** As `firstCollision`, but returns the index of the pair, −1 if none; the state is not counted. @internal */
  firstCollidingPair(q: Configuration): number {
    const { posed, near, padding } = this;
    const groupCount = this.model.groupPart.length;
    posed.pose(q);
    for (let group = 0; group < groupCount; group++) {
      near.find(group, padding);
      const inOrder = near.pairs.subarray(0, near.count).sort(); // the order of the tree depends on its shape
      for (const pair of inOrder) if (this.collides(pair)) return pair;
    }
    return -1;
  }

  /**
   * Returns the names of all colliding pairs of links and objects, each once, from the tip of the robot to its base.
   */
  collidingPairs(q: Configuration): [string, string][] {
    const { model, posed, padding } = this;
    this.counters.states++;
    const found = new Map<string, [string, string]>();
    posed.use.during(() => {
      posed.pose(q);
      for (let pair = 0; pair < model.pairCount; pair++) {
        const names = model.namesOf(pair);
        const key = names.join('\n');
        if (!found.has(key) && posed.boxesNear(pair, padding) && this.collides(pair)) found.set(key, names);
      }
    });
    return [...found.values()];
  }

  /** Returns the names of the clearances that a state violates. */
  violatedClearances(q: Configuration): string[] {
    const { model, posed } = this;
    if ((model.scene.clearances ?? []).length === 0) return [];
    const found = new Set<string>();
    posed.use.during(() => {
      posed.pose(q);
      for (let pair = 0; pair < model.pairCount; pair++)
        if (model.isEnlarged(pair) && this.collides(pair)) found.add(model.clearanceOf(pair)!);
    });
    return [...found];
  }

  /**
   * Computes the minimum distance over all pairs, without subtracting the padding; returns `stopAt` if none is nearer.
   * Depends on q alone: warm starts only select the pairs that may be the nearest, whose distances are then computed
   * from a cold start. Of equally near pairs the first one is reported.
   */
  clearance(q: Configuration, stopAt = Number.POSITIVE_INFINITY): Clearance {
    const { model, posed, candidates } = this;
    this.counters.states++;
    const distance = posed.use.during(() => {
      posed.pose(q);
      candidates.select(this, stopAt);
      const found = this.nearestCandidate(stopAt);
      if (candidates.isComplete(found)) return found;
      candidates.selectAll();
      return this.nearestCandidate(stopAt);
    });
    return { distance, pair: this.nearestPair < 0 ? undefined : model.namesOf(this.nearestPair) };
  }

  /**
   * Returns the minimum distance of the candidates, each computed from a cold start, or `stopAt` if none is nearer;
   * sets `nearest`.
   */
  private nearestCandidate(stopAt: number): number {
    const { candidates, separation } = this;
    let minDistance = stopAt;
    this.nearestPair = -1;
    for (let i = 0; i < candidates.count; i++) {
      if (candidates.lower[i] >= candidates.exclusionDistance(minDistance)) continue;
      const pair = candidates.pairs[i];
      const distance = this.pairSeparation(separation, pair);
      const isFirst = this.nearestPair >= 0 && distance === minDistance && pair < this.nearestPair;
      if (!(distance < minDistance || isFirst)) continue;
      minDistance = distance;
      this.nearestPair = pair;
    }
    return minDistance;
  }

  /**
   * Returns the penetration depth of two links or objects at q, metres: the maximum over their pairs of parts; 0 if
   * they are separated.
   */
  depth(q: Configuration, [a, b]: readonly [string, string]): number {
    const { model, posed } = this;
    let deepest = 0;
    posed.use.during(() => {
      posed.pose(q);
      for (let pair = 0; pair < model.pairCount; pair++) {
        const [first, second] = model.namesOf(pair);
        if (first === a && second === b && !model.isEnlarged(pair))
          deepest = Math.max(deepest, -this.pairSeparation(this.separation, pair));
      }
    });
    return deepest;
  }

  /**
   * Moves an obstacle, for this manager only. Throws `InputError` if the name is unknown or the position is out of
   * bounds.
   */
  moveObstacle(name: string, pose: Pose): void {
    const index = requireObstacle(this.model.scene, name);
    const T_world_object = transformOfPose(pose);
    requireBoundedPose(T_world_object, `obstacles[${index}]`, name);
    this.posed.moveObstacle(index, T_world_object);
    const rounding = roundingOfPoses(this.model, this.posed.maxMovedExtent);
    this.padding = Math.max(this.padding, this.model.scene.padding + rounding);
  }

  /**
   * Poses obstacles as the model does since `CollisionModel.replaceScene`: the manager is then as if it were new.
   * @param moved indices of all obstacles that were moved since the manager was created, or followed the model
   * @internal
   */
  followModel(moved: ReadonlySet<number>): void {
    this.posed.followModel(moved);
    this.padding = this.model.scene.padding + roundingOfPoses(this.model);
  }
}
