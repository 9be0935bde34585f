import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';

/** All a planner ever sees: no robot, no shapes, no clock, no global random numbers. */
export interface PlanningProblem {
  readonly space: JointSpace;
  readonly motions: MotionValidator;
  /** Valid, as the goals are: the caller has checked them. */
  readonly start: Configuration;
  /** One or more; any of them will do. */
  readonly goals: readonly Configuration[];
  /** Told the cost of each path better than the last one, and when: for planners that go on improving. */
  readonly onBetter?: ((cost: number, iterations: number) => void) | undefined;
  /** What planners with a roadmap begin with: the one that an earlier answer about the same robot and scene came with. */
  readonly roadmap?: RoadmapData | undefined;
}

/** A roadmap as plain data, to be kept between questions. Edges are pairs of places in `points`. */
export interface RoadmapData {
  /** Values in each point. */
  readonly dof: number;
  readonly points: readonly (readonly number[])[];
  /** Motions that were found valid. */
  readonly free: readonly (readonly [number, number])[];
  /** Motions that nobody has looked at yet. */
  readonly unchecked: readonly (readonly [number, number])[];
}

/** The box of configurations within limits, and how long a motion in it is. */
export interface JointSpace {
  readonly dof: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** What each joint's travel is multiplied by in distances; all 1 where it is left out. */
  readonly weights?: Float64Array | undefined;
  /** Half a turn of joints that wrap: their values lie within it to either side of zero, and motions go the short way round. Infinite for other joints; left out where none wraps. */
  readonly halfTurns?: Float64Array | undefined;
  sample(out: Configuration, random: Random): void;
  /** Euclidean, of differences (the short way round) times weights. */
  distance(a: Configuration, b: Configuration): number;
  /** out = the point at the share t of the straight way from a to b, the short way round. */
  interpolate(out: Configuration, a: Configuration, b: Configuration, t: number): void;
}

/** Is this q, is this straight motion free of collision? `true` means as much as the validator can prove; doubt is `false`. */
export interface MotionValidator {
  isStateValid(q: Configuration): boolean;
  /** The start of the motion has been found valid before; with `endIsValid` its end, too. */
  isMotionValid(qFrom: Configuration, qTo: Configuration, endIsValid?: boolean): boolean;
  /**
   * A quick look, of judges whose proof is dear: false only where `isMotionValid` is false as well. Planners that go by it ask for the proof
   * of what they return.
   */
  seemsMotionValid?(qFrom: Configuration, qTo: Configuration): boolean;
}

/** When to give up. Iterations are counted by the planner; a clock may be looked at now and then by who made the budget. */
export interface Budget {
  /** Asked once an iteration. */
  isSpent(): boolean;
}

export type PlanStatus = 'solved' | 'budget-spent';

export interface PlanResult {
  readonly status: PlanStatus;
  /** From the start to one of the goals; empty unless solved. */
  readonly path: readonly Configuration[];
  readonly iterations: number;
  /** Nodes in all trees or in the roadmap. */
  readonly nodes: number;
  /** Of planners that make one: grown, for further questions. */
  readonly roadmap?: RoadmapData;
}

/** An option of a planner, for `--help`: default, unit and meaning. */
export interface PlannerOption {
  readonly value: number;
  readonly unit: string;
  readonly meaning: string;
}

/** One row of the table of planners. */
export interface PlannerDefinition {
  readonly summary: string;
  /** Key of the paper in docs/references.md. */
  readonly source: string;
  readonly options: Readonly<Record<string, PlannerOption>>;
  /** Iterations after which it gives up, or stops improving. */
  readonly iterations: number;
  /** Makes a roadmap that serves further questions. */
  readonly roadmap?: true;
  /** Goes on after its first path for as long as it may, and tells each better one. */
  readonly improves?: true;
  readonly plan: (
    problem: PlanningProblem,
    options: Readonly<Record<string, number>>,
    random: Random,
    budget: Budget,
  ) => PlanResult;
}
