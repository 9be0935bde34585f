import type {
  Certificate,
  ClearanceSample,
  NearestPair,
  PageData,
  PlanMotionResult,
  PlanOptions,
  Trajectory,
  VerifyResult,
} from 'elbowroom';

type Problem = PageData['problem'];

/** Requests of the page to its worker thread, and the responses: results of the library. */
export interface Questions {
  /** Opens a problem, to which all later requests refer. */
  readonly open: { readonly given: Problem; readonly answer: null };
  readonly state: { readonly given: readonly number[]; readonly answer: StateAnswer };
  readonly plan: {
    readonly given: PlanRequest;
    readonly answer: PlanMotionResult & { readonly hash: string | undefined };
  };
  /** Repeats a failed search, records its trees and explains the failure. */
  readonly explain: { readonly given: PlanRequest; readonly answer: Explanation };
  readonly profile: { readonly given: Trajectory; readonly answer: readonly ClearanceSample[] };
  readonly verify: {
    readonly given: { readonly certificate: Certificate; readonly trajectory: Trajectory };
    readonly answer: VerifyResult;
  };
}

export interface StateAnswer {
  readonly collisions: readonly (readonly [string, string])[];
  readonly limits: readonly string[];
  /** Names of the violated path constraints. */
  readonly constraints: readonly string[];
  readonly nearest: NearestPair;
}

export interface PlanRequest {
  /** Start and goal; undefined: those of the scene. */
  readonly start: readonly number[] | undefined;
  readonly goal: readonly number[] | undefined;
  readonly options: Partial<PlanOptions>;
}

export interface Explanation {
  readonly status: PlanMotionResult['status'];
  /** Text lines for the user. */
  readonly lines: readonly string[];
  /** States in the trees of the search. */
  readonly trees: Readonly<Record<'start' | 'goal', readonly (readonly number[])[]>>;
}

export type Kind = keyof Questions;
