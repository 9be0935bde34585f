import type { Configuration } from '../../../core/math/configuration.ts';
import type { World } from '../../world.ts';
import type { BranchNumber, StageFailure } from '../failures/programFailures.ts';
import type { ComputedStage, StageBranch, StageEnd } from './stageBranch.ts';

/** A start configuration of a stage, with the joint paths that follow from it. */
export class Candidate {
  private isComputed = false;
  private shifted: { readonly end: StageEnd; readonly exit: Configuration } | undefined;

  constructor(
    /** Shared by configurations that differ by full turns. */
    private branch: StageBranch,
    readonly entry: Configuration,
  ) {}

  /** Number of its IK solution. */
  get number(): BranchNumber {
    return this.branch.number;
  }

  /** World before the stage. */
  get before(): World {
    return this.branch.before;
  }

  /** World after the stage; an estimate until the stage is computed. */
  get after(): World {
    return this.end.after;
  }

  /** Lower bound on the duration of lines, arcs and waits, seconds; an estimate until the stage is computed. */
  get duration(): number {
    return this.end.duration;
  }

  /** Configuration after the stage; an estimate until the stage is computed. */
  get exit(): Configuration {
    const { end, entry, branch } = this;
    if (this.shifted?.end !== end)
      this.shifted = { end, exit: end.exit.map((value, j) => value + (entry[j] - branch.entry[j])) };
    return this.shifted!.exit;
  }

  /** Joint paths of lines and arcs of the branch, by step index; they may differ from `entry` by full turns. */
  get paths(): ComputedStage['paths'] {
    const result = this.branch.result();
    return 'paths' in result ? result.paths : new Map();
  }

  /** World in which a line or arc is executed, by step index. */
  worldOf(step: number): World {
    const result = this.branch.result();
    return ('worlds' in result && result.worlds.get(step)) || this.before;
  }

  /** True if another candidate differs by full turns only. */
  isTurned(other: Candidate): boolean {
    return this.branch === other.branch;
  }

  /**
   * Computes the joint paths of the stage, once. Returns `kept` if it ends at the estimated configuration, `moved` if
   * it ends at another one, or the failure.
   */
  compute(): 'kept' | 'moved' | StageFailure {
    if (this.isComputed) return 'kept';
    this.isComputed = true;
    const { exit, after } = this;
    const { branch, entry } = this;
    let result = branch.result();
    // another configuration of the branch may exceed limits that this one keeps
    const isOwn = 'paths' in result ? branch.isWithinLimits(result, entry) : !result.isLimit || entry === branch.entry;
    if (!isOwn) {
      this.branch = branch.at(entry);
      result = this.branch.result();
    }
    if (!('paths' in result)) return result;
    const isKept = this.after === after && this.exit.every((value, j) => Math.abs(value - exit[j]) <= SAME);
    return isKept ? 'kept' : 'moved';
  }

  private get end(): StageEnd {
    return this.branch.end!;
  }
}

/** Absolute, rad or m: estimates of the exit that differ by more are corrected. */
const SAME = 1e-6;
