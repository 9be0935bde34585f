import type { Configuration } from '../../../math/configuration.ts';
import type { BranchNumber, StageFailure } from '../failures/programFailures.ts';
import type { ProgramWorld } from '../programWorld.ts';
import type { CarriedOutStage, StageBranch, StageEnd } from './stageBranch.ts';

/** One way to carry out a stage: the configuration that it begins at, on a branch. */
export class Candidate {
  private isCarriedOut = false;
  private shifted: { readonly end: StageEnd; readonly exit: Configuration } | undefined;

  constructor(
    /** Shared with the configurations that differ by full turns. */
    private branch: StageBranch,
    readonly entry: Configuration,
  ) {}

  /** Number of its IK solution. */
  get number(): BranchNumber {
    return this.branch.number;
  }

  /** World before the stage. */
  get before(): ProgramWorld {
    return this.branch.before;
  }

  /** World after the stage; estimated until it is carried out. */
  get after(): ProgramWorld {
    return this.end.after;
  }

  /** Lower bound on the duration of lines, arcs and waits, seconds; estimated until the stage is carried out. */
  get duration(): number {
    return this.end.duration;
  }

  /** Configuration after the stage; estimated until it is carried out. */
  get exit(): Configuration {
    const { end, entry, branch } = this;
    if (this.shifted?.end !== end)
      this.shifted = { end, exit: end.exit.map((value, j) => value + (entry[j] - branch.entry[j])) };
    return this.shifted!.exit;
  }

  /** Joint paths of lines and arcs, by step index; those of the branch, which may differ by full turns. */
  get paths(): CarriedOutStage['paths'] {
    const result = this.branch.result();
    return 'paths' in result ? result.paths : new Map();
  }

  /** World in which a line or arc is carried out, by step index. */
  worldOf(step: number): ProgramWorld {
    const result = this.branch.result();
    return ('worlds' in result && result.worlds.get(step)) || this.before;
  }

  /** True if another candidate differs by full turns only. */
  isTurned(other: Candidate): boolean {
    return this.branch === other.branch;
  }

  /**
   * Carries out the stage, once. Returns `kept` if it leads where it was estimated to, `moved` if it leads elsewhere,
   * or why it fails.
   */
  carryOut(): 'kept' | 'moved' | StageFailure {
    if (this.isCarriedOut) return 'kept';
    this.isCarriedOut = true;
    const { exit, after } = this;
    const { branch, entry } = this;
    let result = branch.result();
    // limits are those of the configurations themselves
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
