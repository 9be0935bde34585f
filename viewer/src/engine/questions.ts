import type { Certificate, PageData, PlanMotionResult, PlanOptions, Pose, Trajectory } from 'elbowroom';
import type { ClearanceSample, ConstraintCurve, LimitProfile, SplitClearance, VerifyReport } from 'elbowroom/types';

/** Requests of the page to its worker thread, and the responses: results of the library. */
export interface Questions {
  /** Opens a problem with its motion, if there is one; all later requests refer to them. */
  readonly open: { readonly given: Opening; readonly answer: null };
  readonly state: { readonly given: StateRequest; readonly answer: StateAnswer };
  readonly plan: {
    readonly given: PlanRequest;
    readonly answer: PlanMotionResult & { readonly hash: string | undefined };
  };
  /** Repeats a failed search, records its trees and explains the failure. */
  readonly explain: { readonly given: PlanRequest; readonly answer: Explanation };
  /** Solves inverse kinematics of the tool center point, and checks each solution. */
  readonly ik: { readonly given: IkRequest; readonly answer: IkBranches };
  /** Clearance between robots over the time of their schedules. */
  readonly profile: { readonly given: null; readonly answer: readonly ClearanceSample[] };
  /** Clearance to obstacles and to itself over the time of a motion. */
  readonly clearance: { readonly given: Trajectory; readonly answer: readonly SplitClearance[] };
  /** Margins of constraints along the motion. */
  readonly margins: { readonly given: Trajectory; readonly answer: readonly ConstraintCurve[] };
  /** What the motion uses of its limits. */
  readonly limits: { readonly given: Trajectory; readonly answer: LimitProfile };
  readonly verify: {
    readonly given: { readonly certificate: Certificate; readonly trajectory: Trajectory };
    readonly answer: VerifyReport;
  };
}

/** What is shown: a problem, and its motion or schedules. */
export type Opening = Pick<PageData, 'problem' | 'trajectory' | 'coordination'>;

export interface StateRequest {
  /** Joint values of the planned robot. */
  readonly q: readonly number[];
  /** Time of the replay: objects and other robots are where they are then. */
  readonly time: number;
}

export interface StateAnswer {
  readonly collisions: readonly (readonly [string, string])[];
  readonly limits: readonly string[];
  /** Names of violated constraints. */
  readonly constraints: readonly string[];
  readonly clearance: SplitClearance;
}

export interface PlanRequest {
  /** Start and goal; undefined: those of the scene. */
  readonly start: readonly number[] | undefined;
  readonly goal: readonly number[] | undefined;
  readonly options: Partial<PlanOptions>;
}

export interface IkRequest {
  /** Pose of the tool center point in the world. */
  readonly pose: Pose;
  /** Solutions are sorted by their distance to this configuration. */
  readonly near: readonly number[];
  /** Time of the collision checks. */
  readonly time: number;
}

/** A solution of inverse kinematics within the joint limits, with the result of its check. */
export interface IkBranch {
  readonly q: readonly number[];
  /** Distance to the given configuration (L2). */
  readonly away: number;
  readonly collisions: StateAnswer['collisions'];
  readonly constraints: StateAnswer['constraints'];
}

export interface IkBranches {
  readonly branches: readonly IkBranch[];
  /** Reason why there is no solution. */
  readonly reason: string | undefined;
}

export interface Explanation {
  readonly status: PlanMotionResult['status'];
  /** Text lines for the user. */
  readonly lines: readonly string[];
  /** States in the trees of the search. */
  readonly trees: Readonly<Record<'start' | 'goal', readonly (readonly number[])[]>>;
}

export type Kind = keyof Questions;
