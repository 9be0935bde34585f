import { constraintLabel } from '../../../core/scene/constraints.ts';
import type { Goal } from '../../../core/scene/goals.ts';
import type { Step } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import type { EndpointDetail } from '../../planning/endpointDiagnosis.ts';
import {
  type ExplainHooks,
  explainFailure,
  type FailureExplanation,
} from '../../planning/explanation/explainFailure.ts';
import {
  describeObject,
  type RemovableObject,
  type Removal,
  removableObjects,
  withoutObject,
} from '../../planning/explanation/removals.ts';
import { type PlanOptions, planDefaults } from '../../planning/planOptions.ts';
import type { PlanMotionStatus } from '../../planning/planStats.ts';
import { createSceneRobot, type Problem } from '../../sceneRobot.ts';
import { ProgramPlanning } from '../programPlanning.ts';
import type { BranchFailure, MoveFailure } from './programFailures.ts';

/** Why a program cannot be executed, as plain data. */
export interface ProgramExplanation {
  /** Status of the plan that is explained. */
  readonly status: PlanMotionStatus;
  /** Index of the step that fails; null if the start is invalid. */
  readonly failed_step: number | null;
  /** One line that describes the status. */
  readonly reason: string;
  /** Invalid start, or invalid goals of a move. */
  readonly ends: readonly EndpointDetail[];
  /** For each IK solution of the failed move: the fraction of the following steps that is reached, and the reason. */
  readonly branches: readonly FailedBranch[];
  /** Free motion that is not found although the steps after it can be executed; null if there is none. */
  readonly move: UnreachedBranch | null;
  /** Results of planning again without one of the blocking objects or constraints each. */
  readonly without: readonly ProgramRemoval[];
}

/** A step that fails on one branch. */
export interface FailedBranch {
  /** Index of the step. */
  readonly step: number;
  /** Number of the IK solution, from 1; null: the step fails on all. */
  readonly branch: number | null;
  /** Number of valid IK solutions. */
  readonly of: number | null;
  /** Fraction of the step that is reached. */
  readonly fraction: number;
  /** One line that describes why. */
  readonly reason: string;
}

/** A free motion that was not found. */
export interface UnreachedBranch {
  /** Index of the step. */
  readonly step: number;
  /** Number of the IK solution that it leads to, from 1. */
  readonly branch: number;
  /** Number of valid IK solutions. */
  readonly of: number;
  /** One line that describes the failure. */
  readonly reason: string;
  /** Explanation of the failure, as of a single motion. */
  readonly explanation: FailureExplanation;
}

/** Result of planning a program without one object, constraint, or check of a pair. */
export interface ProgramRemoval extends RemovableObject {
  /** Status of the plan without it. */
  readonly status: PlanMotionStatus;
  /** Index of the step that fails without it. */
  readonly failed_step: number | null;
  /** One line that describes the status. */
  readonly reason: string;
  /** Duration of the program without it, seconds; null if it fails. */
  readonly duration: number | null;
}

/**
 * Explains why `planProgram` failed: the fraction of the steps that each IK solution reaches and what blocks it, what
 * blocks the free motion to a solution from which all steps can be executed, and the objects and constraints without
 * which the program is planned. Repeats planning, and once more for each of these objects.
 * @param given options of the plan that failed
 */
export function explainProgram(
  problem: Problem,
  given: Partial<PlanOptions> = {},
  hooks: ExplainHooks = {},
): ProgramExplanation | undefined {
  const options = { ...planDefaults, ...given, certificate: false };
  const { clock, onStep } = hooks;
  const robot = createSceneRobot(problem);
  const known = { ...problem, model: robot };
  onStep?.('planning again to find what blocks it');
  const planning = new ProgramPlanning(robot, known, options, clock ? { clock } : {});
  const result = planning.solve();
  if (result.status === 'solved') return undefined;
  const { failure, invalidStart } = planning;
  const failures = failure?.failures.branches(failure.stage) ?? [];
  const [first] = failure?.failures.moves(failure.stage) ?? [];
  const move = first && unreached(known, first, options, hooks);
  const ends = [...(invalidStart?.details ?? []), ...failures.flatMap((one) => one.ends ?? [])];
  const pairs = [
    ...(move?.explanation.without.flatMap(opening) ?? []),
    ...failures.flatMap(({ pair }) => (pair ? [pair] : [])),
    ...ends.flatMap(({ contacts = [] }) => contacts.map(({ pair }) => pair)),
  ];
  const step = result.stats.failed_step;
  const without = removableFrom(problem.scene, pairs, step).map((one): ProgramRemoval => {
    onStep?.(`planning ${describeObject(one)}`);
    const changed = { ...known, scene: withoutProgramObject(problem.scene, one) };
    const { status, reason, stats } = new ProgramPlanning(robot, changed, options, clock ? { clock } : {}).solve();
    return { ...one, status, failed_step: stats.failed_step ?? null, reason, duration: stats.duration };
  });
  return {
    status: result.status,
    failed_step: step ?? null,
    reason: result.reason,
    ends,
    branches: failedBranches(failures),
    move: move ?? null,
    without,
  };
}

/**
 * Returns the failures of branches without duplicates: configurations that differ by full turns mostly fail for the
 * same reason.
 */
function failedBranches(failures: readonly BranchFailure[]): readonly FailedBranch[] {
  const all = failures.map(({ step, fraction, reason, branch }): [string, FailedBranch] => [
    `${branch?.number} ${reason}`,
    { step, branch: branch?.number ?? null, of: branch?.all.length ?? null, fraction, reason },
  ]);
  return [...new Map(all).values()].sort((one, other) => (one.branch ?? 0) - (other.branch ?? 0));
}

function unreached(problem: Problem, move: MoveFailure, options: PlanOptions, hooks: ExplainHooks): UnreachedBranch {
  const { scene, result, step, branch, reason } = move;
  const explanation = explainFailure({ ...problem, scene }, result, options, hooks);
  return { step, branch: branch.number, of: branch.all.length, reason, explanation };
}

/** Returns the names of the removed object or pair if a free motion is found without it. */
const opening = ({ kind, names, status }: Removal): (readonly [string, string])[] =>
  status === 'solved' && kind !== 'constraint' ? [[names[0], names[1] ?? names[0]]] : [];

/** Maximum number of objects, pairs and constraints that are removed in turn. */
const MAX_REMOVALS = 8;

/**
 * Returns what can be removed from a program. Objects that its steps mention are kept; their pairs are allowed to touch
 * instead.
 */
function removableFrom(
  scene: Scene,
  pairs: readonly (readonly [string, string])[],
  failedStep: number | undefined,
): readonly RemovableObject[] {
  const mentioned = mentionedObjects(scene);
  const isKept = (pair: readonly [string, string]) => pair.some((name) => mentioned.has(name));
  const step = scene.steps?.[failedStep ?? -1];
  const constraints = [...(scene.constraints ?? []), ...constraintsOf(step)];
  const objects = removableObjects({ ...scene, constraints }, pairs).filter(
    ({ kind, names }) => kind === 'constraint' || kind === 'pair' || !mentioned.has(names[0]),
  );
  const kept = pairs.filter((pair) => pair[0] !== pair[1] && isKept(pair));
  const distinct = new Map(kept.map((pair) => [pair.join('\n'), pair]));
  const allowed = [...distinct.values()].map((names): RemovableObject => ({ kind: 'pair', names }));
  const all = [...objects, ...allowed].map((one) => [`${one.kind}\n${one.names.join('\n')}`, one] as const);
  return [...new Map(all).values()].slice(0, MAX_REMOVALS);
}

const constraintsOf = (step: Step | undefined) => (step && 'constraints' in step ? step.constraints : []);

/** Returns the names of objects that steps and goals of a program refer to, and which therefore cannot be removed. */
function mentionedObjects({ steps = [] }: Scene): ReadonlySet<string> {
  return new Set(
    steps.flatMap((step) => {
      if (step.kind === 'attach' || step.kind === 'detach') return [step.object];
      return step.kind === 'move' ? step.goals.flatMap(relativeTo) : [];
    }),
  );
}

const relativeTo = (goal: Goal) =>
  goal.kind === 'pose' && goal.pose.relativeTo !== undefined ? [goal.pose.relativeTo] : [];

/** Returns a program without an object or constraint, or with a pair allowed to collide. */
function withoutProgramObject(scene: Scene, one: RemovableObject): Scene {
  const { steps = [], ...rest } = scene;
  return { ...withoutObject(rest, one), steps: steps.map((step) => withoutReference(step, one)) };
}

function withoutReference(step: Step, { kind, names }: RemovableObject): Step {
  const [name] = names;
  if (kind === 'constraint')
    return 'constraints' in step
      ? { ...step, constraints: step.constraints.filter((constraint) => constraintLabel(constraint) !== name) }
      : step;
  if (kind === 'pair') {
    const isSame = (pair: readonly [string, string]) => pair.every((one) => names.includes(one));
    return step.kind === 'forbid' ? { ...step, pairs: step.pairs.filter((pair) => !isSame(pair)) } : step;
  }
  if (step.kind === 'attach') return { ...step, touches: step.touches.filter((one) => one !== name) };
  if (step.kind === 'allow' || step.kind === 'forbid')
    return { ...step, pairs: step.pairs.filter((pair) => !pair.includes(name)) };
  return step;
}
