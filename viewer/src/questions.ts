import type {
  Certificate,
  ClearanceSample,
  NearestBodies,
  PageData,
  PlanAnswer,
  PlanOptions,
  Trajectory,
  VerifyAnswer,
} from 'elbowroom';

type Problem = PageData['problem'];

/** What the page asks of its thread, and what comes back; each answer is what the library says. */
export interface Questions {
  /** Everything after it is asked of this problem. */
  readonly open: { readonly given: Problem; readonly answer: null };
  readonly state: { readonly given: readonly number[]; readonly answer: StateAnswer };
  readonly plan: { readonly given: PlanRequest; readonly answer: PlanAnswer & { readonly hash: string | undefined } };
  /** Of a plan that found no motion: searched again, and watched. */
  readonly explain: { readonly given: PlanRequest; readonly answer: Explanation };
  readonly profile: { readonly given: Trajectory; readonly answer: readonly ClearanceSample[] };
  readonly verify: {
    readonly given: { readonly certificate: Certificate; readonly trajectory: Trajectory };
    readonly answer: VerifyAnswer;
  };
}

export interface StateAnswer {
  readonly collisions: readonly (readonly [string, string])[];
  readonly limits: readonly string[];
  readonly nearest: NearestBodies;
}

export interface PlanRequest {
  /** Undefined ends: those of the scene. */
  readonly start: readonly number[] | undefined;
  readonly goal: readonly number[] | undefined;
  readonly options: Partial<PlanOptions>;
}

export interface Explanation {
  readonly status: PlanAnswer['status'];
  /** For people. */
  readonly lines: readonly string[];
  /** Configurations that the search joined to its ends. */
  readonly trees: Readonly<Record<'start' | 'goal', readonly (readonly number[])[]>>;
}

export type Kind = keyof Questions;
