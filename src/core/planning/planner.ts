import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';

/** Input of a planner: no robot, no shapes, no clock, no global random numbers. */
export interface PlanningProblem {
  /** State space. */
  readonly space: JointSpace;
  /** Validity of states and edges. */
  readonly motions: MotionValidator;
  /** Start state; the caller has checked that it and the goals are valid. */
  readonly start: Configuration;
  /** Goal states, at least one; a path may end at any of them. */
  readonly goals: readonly Configuration[];
  /** Called by anytime planners with the cost of each better path and the iteration at which it was found. */
  readonly onBetter?: ((cost: number, iterations: number) => void) | undefined;
  /** Initial roadmap of the PRM planners: the result of an earlier search with the same robot and scene. */
  readonly roadmap?: RoadmapData | undefined;
}

/** A roadmap as plain data, kept from one query to the next. Edges are pairs of indices of `points`. */
export interface RoadmapData {
  /** Number of values of each point. */
  readonly dof: number;
  /** Configurations of the vertices. */
  readonly points: readonly (readonly number[])[];
  /** Edges that are valid. */
  readonly free: readonly (readonly [number, number])[];
  /** Edges that have not been checked. */
  readonly unchecked: readonly (readonly [number, number])[];
}

/** State space: the box of configurations within joint limits, with its metric. */
export interface JointSpace {
  /** Number of joints. */
  readonly dof: number;
  /** Lower bound of each joint: rad, m. */
  readonly lower: Float64Array;
  /** Upper bound of each joint: rad, m. */
  readonly upper: Float64Array;
  /** Factor of each joint in distances; default: all 1. */
  readonly weights?: Float64Array | undefined;
  /**
   * π for each continuous joint: its values lie in [−π, π], and motions take the shorter rotation. Infinite for other
   * joints; undefined if no joint wraps.
   */
  readonly halfTurns?: Float64Array | undefined;
  /** Writes a random configuration within the bounds into `out`. */
  sample(out: Configuration, random: Random): void;
  /** Weighted Euclidean distance; differences of continuous joints are the shorter rotation. */
  distance(a: Configuration, b: Configuration): number;
  /** Path constraints; undefined if there are none. Samples then satisfy them, and edges are curves on them. */
  readonly constraints?: SpaceConstraints | undefined;
  /** Writes a + t (b − a) into `out`, t in [0, 1]; continuous joints take the shorter rotation. */
  interpolate(out: Configuration, a: Configuration, b: Configuration, t: number): void;
}

/** The set of states that satisfy the path constraints of a space. */
export interface SpaceConstraints {
  /** Moves a configuration in place onto the set, within the bounds of the space; returns false if that fails. */
  project(q: Configuration): boolean;
  /** Removes from a direction at q, in place, what leads out of thin parts of the set to first order. */
  makeTangent(direction: Float64Array, q: Configuration): void;
  /**
   * Returns the states of the edge from qFrom to qTo, ends included: straight edges between them satisfy the
   * constraints. The same in both directions. Undefined if there is none of at most `most` straight edges.
   */
  curve(qFrom: Configuration, qTo: Configuration, most?: number): readonly Configuration[] | undefined;
}

/**
 * Validity of states and edges, limits excluded. `true` if the validator has proved it, or sampled it; `false` if
 * undecided.
 */
export interface MotionValidator {
  /** Returns true if the state is proved valid. */
  isStateValid(q: Configuration): boolean;
  /**
   * Checks the edge from qFrom to qTo: straight, or the curve of the space on its constraints. qFrom is known to be
   * valid; with `endIsValid` qTo is, too.
   * @param isLikely the fine approximate check found the edge valid: it need not be repeated before the proof
   */
  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid?: boolean, isLikely?: boolean): boolean;
  /**
   * Approximate check of an edge, cheaper than `isMotionValid`: discrete, at a coarse resolution, so that it may miss
   * collisions. Returns false only if `isMotionValid` does. A planner that uses it must certify the path that it
   * returns.
   * @param isFine checks at a finer resolution: for edges that are used before they are certified
   * @param endIsValid qTo is known to be valid and need not be checked
   */
  isMotionLikelyValid?(qFrom: Configuration, qTo: Configuration, isFine?: boolean, endIsValid?: boolean): boolean;
  /**
   * True once a time limit has ended a check: from then on, `false` may also mean that nothing was checked. What
   * outlasts the search must not store it as a verdict.
   */
  readonly isInterrupted?: boolean;
}

/** Termination condition. The planner counts iterations; the caller may also limit the time. */
export interface Budget {
  /** Called once per iteration. */
  isSpent(): boolean;
}

/** Status of a search: a path was found, or the budget was spent before. */
export type PlanStatus = 'solved' | 'budget-spent';

/** Result of a planner. */
export interface PlanResult {
  /** Status of the search. */
  readonly status: PlanStatus;
  /** Waypoints from the start to one of the goals; empty unless solved. */
  readonly path: readonly Configuration[];
  /** Number of iterations. */
  readonly iterations: number;
  /** Number of nodes of all trees, or of the roadmap. */
  readonly nodes: number;
  /** The roadmap, extended by this query; PRM planners only. */
  readonly roadmap?: RoadmapData;
  /** True if the planner itself has shortened the path as much as is worth its time. */
  readonly isShort?: boolean;
}

/** An option of a planner, for `--help`: default, unit and meaning. */
export interface PlannerOption {
  /** Default. */
  readonly value: number;
  /** Unit: rad, s; empty for ratios and counts. */
  readonly unit: string;
  /** Meaning, as help texts show it. */
  readonly meaning: string;
}

/** Entry of the table of planners. */
export interface PlannerDefinition {
  /** Name of a planner that is no entry of the table, in messages and statistics; default: `own`. */
  readonly name?: string;
  /** One line of help. */
  readonly summary: string;
  /** Key of the paper in docs/references.md. */
  readonly source: string;
  /** Options of the planner by name. */
  readonly options: Readonly<Record<string, PlannerOption>>;
  /** Default iteration limit, after which the planner fails or stops improving its path. */
  readonly iterations: number;
  /** Anytime planner: it improves its path until the budget is spent, and calls `onBetter` of the problem. */
  readonly improves?: true;
  /**
   * Searches for a path. `options` has a value for each entry of `options` of the definition. Equal arguments give
   * equal results.
   */
  readonly plan: (
    problem: PlanningProblem,
    options: Readonly<Record<string, number>>,
    random: Random,
    budget: Budget,
  ) => PlanResult;
}
