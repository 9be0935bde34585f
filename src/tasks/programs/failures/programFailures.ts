import type { Configuration } from '../../../core/math/configuration.ts';
import { hasSegment, type Step, stepName } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import type { EndpointDetail } from '../../planning/endpointDiagnosis.ts';
import type { PlanMotionResult } from '../../planning/planStats.ts';
import type { Stage } from '../search/programStages.ts';

/** The step at which a program fails, and why. */
export interface StepFailure {
  readonly step: number;
  readonly reason: string;
}

/** The step at which a program fails, and a free motion that was not found to a branch that would succeed. */
export interface ProgramFailure extends StepFailure {
  readonly other?: MoveFailure;
}

/** A step of a stage that cannot be carried out. */
export interface StageFailure extends StepFailure {
  /** Fraction of the step that is reached. */
  readonly fraction: number;
  /** True if a joint limit ends it: configurations that differ by full turns may reach farther. */
  readonly isLimit: boolean;
  /** Names of a pair that collides. */
  readonly pair?: readonly [string, string];
  /** Invalid goals of a move. */
  readonly ends?: readonly EndpointDetail[];
}

/** Number of an IK solution of a move, from 1; configurations that differ by full turns have the same number. */
export interface BranchNumber {
  readonly number: number;
  /** All valid IK solutions of the move; grows while they are computed. */
  readonly all: readonly Configuration[];
}

/** Failure of a stage on one branch; on all branches if `branch` is undefined. */
export interface BranchFailure extends StageFailure {
  readonly branch: BranchNumber | undefined;
}

/** A free motion that was not found, to a branch from which all steps until the next free motion can be executed. */
export interface MoveFailure extends StepFailure {
  /** Name of the step; `why` is the reason without it. */
  readonly name: string;
  readonly why: string;
  readonly branch: BranchNumber;
  /** Scene of the free motion, with its start and goal. */
  readonly scene: Scene;
  readonly result: PlanMotionResult;
}

/**
 * Describes the fraction of a step that is reached and what ends it: `step 4 (line "insert"): ends at 73 %: elbow_joint
 * at its limit`.
 */
export const endsAt = (step: Step, { fraction, reason }: Pick<StageFailure, 'fraction' | 'reason'>) =>
  `${stepName(step)}: ends at ${Math.floor(1000 * fraction) / 10} %: ${reason}`;

/** Records why the stages of a program fail. */
export class ProgramFailures {
  private readonly farthest = new Map<number, StageFailure>();
  private readonly ofBranches = new Map<number, BranchFailure[]>();
  private readonly ofMoves = new Map<number, MoveFailure[]>();

  /** Records the failure of a stage on a branch; undefined: on all. */
  add(stage: number, failure: StageFailure, branch?: BranchNumber): void {
    const known = this.farthest.get(stage);
    const isFarther =
      !known || failure.step > known.step || (failure.step === known.step && failure.fraction > known.fraction);
    if (isFarther) this.farthest.set(stage, failure);
    this.ofBranches.set(stage, [...this.branches(stage), { ...failure, branch }]);
  }

  /** Records a free motion to a stage that was not found. */
  addMove(stage: number, failure: MoveFailure): void {
    this.ofMoves.set(stage, [...this.moves(stage), failure]);
  }

  /** Removes free motions, which are searched for again. */
  removeMoves(retried: ReadonlySet<MoveFailure>): void {
    for (const [stage, moves] of this.ofMoves)
      this.ofMoves.set(
        stage,
        moves.filter((move) => !retried.has(move)),
      );
  }

  /** Returns the failures of a stage on its branches, in the order in which they were recorded. */
  branches(stage: number): readonly BranchFailure[] {
    return this.ofBranches.get(stage) ?? [];
  }

  /** Returns the free motions to a stage that were not found, in the order in which they were recorded. */
  moves(stage: number): readonly MoveFailure[] {
    return this.ofMoves.get(stage) ?? [];
  }

  /**
   * Returns the step at which a stage fails and why: the branch that gets farthest, and whether another one would reach
   * the end of the stage if a free motion to it were found. Undefined if no failure was recorded.
   * @param blocking describes what blocks that free motion; undefined if it is not known
   */
  describe(
    stage: number,
    { rest }: Stage,
    blocking: (move: MoveFailure) => string | undefined,
  ): ProgramFailure | undefined {
    const farthest = this.farthest.get(stage);
    const [move] = this.moves(stage);
    if (!move) return farthest;
    const blocker = blocking(move);
    const blocks = blocker === undefined ? '' : `: ${blocker}`;
    if (!farthest || !rest.some(hasSegment))
      return { step: move.step, reason: `${move.name}${blocks}: ${move.why}`, other: move };
    const { branch, step, result, why } = move;
    const other = `branch ${branch.number} of ${branch.all.length} reaches 100 % but step ${step} has no path to it`;
    const limit = result.cutShort ? ` (${why})` : '';
    return { step: farthest.step, reason: `${farthest.reason}; ${other}${blocks}${limit}`, other: move };
  }
}
