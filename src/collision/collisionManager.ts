import { InputError, requireOneOf, suggestion } from '../errors.ts';
import { transformOfPose } from '../kinematics/pose.ts';
import { extentOf, offsetOf } from '../kinematics/poseRounding.ts';
import { travelOf } from '../kinematics/robotMagnitudes.ts';
import type { Pose } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import { create, type Transform } from '../math/transform.ts';
import { checkers, createDepthSolver, createDistanceSolver } from '../narrowphase/index.ts';
import {
  type Checker,
  type DepthSolver,
  type DistanceSolver,
  PairCache,
  SEPARATED,
  Separation,
  UNDECIDED,
} from '../narrowphase/solver.ts';
import { checkerVariants } from '../narrowphase/variants.ts';
import type { BoxTree } from './boxTree.ts';
import { type CollisionModel, requireNear } from './collisionModel.ts';
import { NearestCandidates } from './nearestCandidates.ts';
import { PairCaches } from './pairCaches.ts';
import { BOX_SIZE, PosedBodies } from './posedBodies.ts';
import { BallGroups } from './sphereClouds.ts';

/** Deterministic measures of work; equal inputs give equal counts on every machine. */
export class CollisionCounters {
  states = 0;
  /** Pairs that the boxes could not tell apart. */
  pairChecks = 0;
  distances = 0;
  /** Pairs that the checker left undecided and the distance had to settle. */
  undecided = 0;
}

/** Least distance over all pairs that may not touch, in metres; below zero the depth of the deepest collision, negated. */
export interface Clearance {
  readonly distance: number;
  /** Undefined where there is no pair at all; the distance is then Infinity. */
  readonly pair: [string, string] | undefined;
}

/**
 * Is this configuration free of collision, which pairs collide, how far is the nearest? Holds the caches of one thread of work: make
 * one for each search tree or worker, over one shared `CollisionModel`. Joint limits are not its business.
 *
 * Order of the work: the pair that collided last, then pair by pair from the tip of the robot to its base: boxes first, then the
 * checker, warm from the last query of the pair. Caches order the work and decide nothing: verdicts, pairs and distances depend on q alone.
 */
export class CollisionManager {
  readonly posed: PosedBodies;
  readonly counters = new CollisionCounters();
  /** The pair that the last `clearance` found nearest; −1 for none. */
  nearest = -1;
  private readonly checker: Checker;
  private readonly distanceSolver: DistanceSolver;
  private readonly depthSolver: DepthSolver;
  private readonly balls: BallGroups;
  private readonly caches: PairCaches;
  /** For queries whose result must depend on the poses alone. */
  private readonly cold = new PairCache();
  private readonly candidates: NearestCandidates;
  private readonly separation = new Separation();
  private readonly T_b_a: Transform = create();
  /** Every pair must be farther apart than this, as poses say. */
  /** Of the scene, and what the rounding of poses may cost. */
  private padding: number;
  private lastHit = -1;

  constructor(
    readonly model: CollisionModel,
    { checker = 'growth-distance' }: { readonly checker?: string } = {},
  ) {
    this.posed = new PosedBodies(this.model);
    this.checker = requireOneOf({ ...checkers, ...checkerVariants }, 'checker', checker).create();
    this.distanceSolver = createDistanceSolver();
    this.depthSolver = createDepthSolver();
    this.balls = new BallGroups(this.distanceSolver, this.checker, this.depthSolver);
    this.caches = new PairCaches(this.model.pairCount, false); // from state to state few collisions stay
    this.candidates = new NearestCandidates(this.posed);
    this.padding = this.model.scene.padding + roundingOfPoses(this.model);
  }

  /**
   * True if every pair that may not touch is proved apart, by more than the padding. Limits are not looked at.
   * @param from with `end`: checks the groups of pairs `from` … `end` − 1 only
   */
  isCollisionFree(q: Configuration, from = 0, end = this.model.groupPart.length): boolean {
    const { posed, padding, lastHit } = this;
    const { groupStart, groupPart, selfStart } = this.model;
    this.counters.states++;
    posed.pose(q);
    if (lastHit >= 0 && posed.boxesNear(lastHit, padding) && this.collides(lastHit)) return false;

    const { tree } = posed;
    for (let group = from; group < end; group++) {
      if (tree && this.hitsNear(tree, groupPart[group])) return false;
      if (this.hitsWithin(tree ? selfStart[group] : groupStart[group], groupStart[group + 1], groupPart[group]))
        return false;
    }
    return true;
  }

  /** Looks at a run of pairs of the part `a`: the test of `boxesNear` with the box of A kept at hand, for this loop sees most pairs of every state. */
  private hitsWithin(from: number, to: number, part: number): boolean {
    const { padding, lastHit } = this;
    const { pairB } = this.model;
    const { boxes } = this.posed;
    const a = BOX_SIZE * part;
    const minX = boxes[a] - padding;
    const minY = boxes[a + 1] - padding;
    const minZ = boxes[a + 2] - padding;
    const maxX = boxes[a + 3] + padding;
    const maxY = boxes[a + 4] + padding;
    const maxZ = boxes[a + 5] + padding;
    for (let pair = from; pair < to; pair++) {
      const b = BOX_SIZE * pairB[pair];
      if (minX > boxes[b + 3] || maxX < boxes[b] || minY > boxes[b + 4]) continue;
      if (maxY < boxes[b + 1] || minZ > boxes[b + 5] || maxZ < boxes[b + 2]) continue;
      if (pair === lastHit || !this.collides(pair)) continue;
      this.lastHit = pair;
      return true;
    }
    return false;
  }

  /** Looks at the obstacles whose boxes the tree finds near the part `a`. */
  private hitsNear(tree: BoxTree, part: number): boolean {
    const { pairWith, standing } = this.model;
    tree.query(part, this.padding);
    for (let i = 0; i < tree.count; i++) {
      const pair = pairWith[part * standing.length + tree.found[i]];
      if (pair < 0 || pair === this.lastHit || !this.collides(pair)) continue;
      this.lastHit = pair;
      return true;
    }
    return false;
  }

  /**
   * Names of the first pair in collision, from the tip of the robot to its base; undefined where there is none. Unlike the order in which
   * `isCollisionFree` looks, this one does not depend on what was asked before.
   * @param from with `end`: of the groups of pairs `from` … `end` − 1 only
   */
  firstCollision(q: Configuration, from = 0, end = this.model.groupPart.length): [string, string] | undefined {
    const { model, posed, padding } = this;
    this.counters.states++;
    posed.pose(q);
    const { groupStart, groupPart, selfStart } = model;
    for (let group = from; group < end; group++) {
      const near = posed.tree && this.obstaclesNear(posed.tree, groupPart[group]);
      for (const pair of near ?? []) if (this.collides(pair)) return model.namesOf(pair);
      for (let pair = near ? selfStart[group] : groupStart[group]; pair < groupStart[group + 1]; pair++)
        if (posed.boxesNear(pair, padding) && this.collides(pair)) return model.namesOf(pair);
    }
    return undefined;
  }

  /** The pairs of the part `a` with the obstacles that the tree finds near it, in the order of all pairs. */
  private obstaclesNear(tree: BoxTree, part: number): Int32Array {
    const { pairWith, standing } = this.model;
    tree.query(part, this.padding);
    const pairs = tree.found.slice(0, tree.count).map((obstacle) => pairWith[part * standing.length + obstacle]);
    return pairs.filter((pair) => pair >= 0).sort();
  }

  /** Names of all pairs of bodies in collision, each once, from the tip of the robot to its base. */
  collidingPairs(q: Configuration): [string, string][] {
    const { model, posed, padding } = this;
    this.counters.states++;
    posed.pose(q);
    const found = new Map<string, [string, string]>();
    for (let pair = 0; pair < model.pairCount; pair++) {
      const names = model.namesOf(pair);
      const key = names.join('\n');
      if (!found.has(key) && posed.boxesNear(pair, padding) && this.collides(pair)) found.set(key, names);
    }
    return [...found.values()];
  }

  /**
   * Least distance over all pairs, padding not taken off, or `stopAt` if it is not less. Depends on q alone: warm starts only select the pairs that
   * may be nearest, and the distances of these are computed from a cold start. Of pairs equally near the first counts.
   * @param from with `end`: over the pairs `from` … `end` − 1 only
   */
  clearance(q: Configuration, stopAt = Number.POSITIVE_INFINITY, from = 0, end = this.model.pairCount): Clearance {
    const { model, posed, candidates } = this;
    this.counters.states++;
    posed.pose(q);
    candidates.select(this, stopAt, from, end);
    let distance = this.nearestCandidate(stopAt);
    if (!candidates.covers(distance)) {
      candidates.selectAll(from, end);
      distance = this.nearestCandidate(stopAt);
    }
    return { distance, pair: this.nearest < 0 ? undefined : model.namesOf(this.nearest) };
  }

  /** Least distance of the candidates, each from a cold start, or `stopAt`; sets `nearest`. */
  private nearestCandidate(stopAt: number): number {
    const { candidates, separation } = this;
    let least = stopAt;
    this.nearest = -1;
    for (let i = 0; i < candidates.count; i++) {
      if (candidates.lower[i] >= candidates.beyond(least)) continue;
      const pair = candidates.pairs[i];
      const distance = this.pairSeparation(separation, pair);
      const isFirst = this.nearest >= 0 && distance === least && pair < this.nearest;
      if (!(distance < least || isFirst)) continue;
      least = distance;
      this.nearest = pair;
    }
    return least;
  }

  /** Depth of the pair of bodies with these names at q, metres: how far one must move to part them; 0 when they are apart. */
  depth(q: Configuration, [a, b]: readonly [string, string]): number {
    const { model, posed } = this;
    posed.pose(q);
    let deepest = 0;
    for (let pair = 0; pair < model.pairCount; pair++) {
      const [first, second] = model.namesOf(pair);
      if (first === a && second === b) deepest = Math.max(deepest, -this.pairSeparation(this.separation, pair));
    }
    return deepest;
  }

  /** Puts an obstacle somewhere else, for this manager alone. */
  moveObstacle(name: string, pose: Pose): void {
    const { obstacles } = this.model.scene;
    const index = obstacles.findIndex((obstacle) => obstacle.name === name);
    if (index < 0)
      throw new InputError(
        `there is no obstacle "${name}"`,
        suggestion(
          name,
          obstacles.map((obstacle) => obstacle.name),
        ),
      );
    const T_world_body = transformOfPose(pose);
    requireNear(T_world_body, `obstacles[${index}]`, name);
    this.posed.moveObstacle(index, T_world_body);
    const rounding = roundingOfPoses(this.model, this.posed.farthestMoved);
    this.padding = Math.max(this.padding, this.model.scene.padding + rounding);
  }

  /**
   * Distance of a pair at the current poses, or at least `stopAt`; fills `out`, whose vectors are in the frame of B. Starts warm: the last digits
   * of the bounds depend on the queries before. For what is reported: `pairSeparation`.
   */
  pairDistance(out: Separation, pair: number, stopAt: number): void {
    this.posed.relativePose(this.T_b_a, pair);
    this.distance(out, pair, stopAt, this.caches.of(pair));
  }

  /**
   * Distance of a pair at the current poses, or minus the depth, from a cold start: depends on the poses alone. Fills `out`: normal and
   * witness points, nearest or deepest, in the frame of B.
   */
  pairSeparation(out: Separation, pair: number): number {
    const { model, posed, T_b_a, cold } = this;
    posed.relativePose(T_b_a, pair);
    cold.clear();
    this.distance(out, pair, Number.POSITIVE_INFINITY, cold);
    if (out.distance.lower > 0) return out.distance.upper;
    const a = posed.shapes[model.pairA[pair]];
    const b = posed.shapes[model.pairB[pair]];
    if (model.hasBalls(pair)) this.balls.depth(out, a, T_b_a, b);
    else this.depthSolver.depth(out, a, T_b_a, b);
    return 0 - out.depth.upper;
  }

  /** At the relative pose `T_b_a`. */
  private distance(out: Separation, pair: number, stopAt: number, cache: PairCache): void {
    const { model, posed, T_b_a } = this;
    const a = posed.shapes[model.pairA[pair]];
    const b = posed.shapes[model.pairB[pair]];
    this.counters.distances++;
    this.distanceSolver.distance(out, a, T_b_a, b, stopAt, cache);
    if (!(out.distance.lower >= stopAt) && model.hasBalls(pair)) this.balls.distance(out, a, T_b_a, b, stopAt);
  }

  /** True unless the pair is proved apart at the poses at hand. */
  private collides(pair: number): boolean {
    const { model, posed, T_b_a, padding, counters } = this;
    const a = posed.shapes[model.pairA[pair]];
    const b = posed.shapes[model.pairB[pair]];
    posed.relativePose(T_b_a, pair);
    if (posed.turnedBoxesApart(T_b_a, pair, padding)) return false;
    counters.pairChecks++;
    const verdict = this.checker.check(a, T_b_a, b, padding, this.caches.of(pair));
    if (verdict !== SEPARATED && model.hasBalls(pair)) return this.balls.collides(a, T_b_a, b, padding);
    if (verdict !== UNDECIDED) return verdict !== SEPARATED;
    counters.undecided++;
    this.cold.clear();
    this.distance(this.separation, pair, Number.POSITIVE_INFINITY, this.cold);
    const { status, distance } = this.separation;
    return !(status === 'separated' && distance.lower > padding);
  }
}

/** Metres; bodies that are no farther from the world's origin have poses that are exact to a few picometres. */
const NEAR = 1000;

/**
 * Metres by which the rounding of poses may bring two bodies nearer together than their poses in exact arithmetic: counts the pose of the
 * robot, the origins along the chain, the travel of slides, and the farthest point of any obstacle. 0 if all of these are near.
 * @param moved farthest point of an obstacle that was moved after the model was made, metres
 */
function roundingOfPoses({ robot, moving, standing }: CollisionModel, moved = 0): number {
  const most = (lengths: readonly number[]) => lengths.reduce((one, other) => Math.max(one, other), 0);
  const still = most(standing.map(({ shape, T_world_part }) => extentOf(shape, T_world_part)));
  const carried = most(moving.map(({ shape, T_link_part }) => extentOf(shape, T_link_part)));
  const away = offsetOf(robot.T_world_root) + chainOf(robot) + carried + Math.max(still, moved);
  return away > NEAR ? 16 * (robot.joints.length + 4) * Number.EPSILON * away : 0;
}

/** Sum of the origins' distances and of the travel of all slides, metres. */
const chainOf = ({ joints, variables }: CollisionModel['robot']): number =>
  joints.reduce((sum, joint) => sum + offsetOf(joint.T_parent_joint) + travelOf(joint, variables), 0);
