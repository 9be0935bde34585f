import { differByFullTurns, turnableVariables } from '../../../kinematics/fullTurns.ts';
import type { RobotModel } from '../../../kinematics/robotModel.ts';
import type { Configuration } from '../../../math/configuration.ts';
import type { Interrupt } from '../../../math/interrupt.ts';
import { isMotionStep, type Step } from '../../../scene/program.ts';
import { minimumDuration } from '../../../trajectory/minimumDuration.ts';
import type { MotionLimits } from '../../../trajectory/trajectory.ts';
import {
  type BranchNumber,
  type MoveFailure,
  type ProgramFailure,
  ProgramFailures,
  type StageFailure,
} from '../failures/programFailures.ts';
import type { ProgramWorld } from '../programWorld.ts';
import { type StepMotions, scaledLimits } from '../stepMotion.ts';
import { Candidate } from './candidate.ts';
import { moveEntries, selfMotionGroups } from './moveEntries.ts';
import { firstStepOf, type Stage, stagesOf } from './programStages.ts';
import { type ComputedStage, StageBranch, StageRunner } from './stageBranch.ts';

/** The first stage that fails for all examined candidates. */
export interface DeadEnd {
  readonly stage: number;
}

/** Failure of a chain. */
export interface ChainFailure extends DeadEnd {
  /** True if no times among moving objects are found for blended motions; for motions with stops there may be some. */
  readonly isOfSchedule?: boolean;
}

/** Chain of candidates, one per stage. */
export type Chain = readonly Candidate[];

/** Candidates of a stage in one world. */
interface Layer {
  readonly candidates: Candidate[];
  /** IK solutions, without those that differ by full turns. */
  readonly solutions: Configuration[];
  /** Branches that candidates may share. */
  readonly branches: StageBranch[];
}

/** Least cost of a candidate over all chains that lead to it, and the candidate before it. */
type Costs = Map<Candidate, { readonly cost: number; readonly from: Candidate | undefined }>;

/**
 * Searches the candidates of a program: for each stage all inverse-kinematics solutions and alternatives of its move,
 * with the lines and arcs that follow from each. Dynamic programming over the stages selects the chain with the
 * smallest lower bound on its duration. Joint paths are computed lazily, for the selected chain only; the end
 * configurations of all others are estimated. If a joint path fails or ends at another configuration, the next chain is
 * selected. Candidates and free motions that fail later are excluded one by one.
 */
export class ProgramSearch {
  readonly stages: readonly Stage[];
  private readonly runner: StageRunner;
  /** Candidates of each stage, by the world before it. */
  private readonly layers: Map<ProgramWorld, Layer>[];
  /** Stages of which self-motions were searched. */
  private readonly widened = new Set<number>();
  private turnable: readonly boolean[] | undefined;
  private readonly excluded = new Set<Candidate>();
  private readonly blocked = new Map<Candidate, Set<Candidate>>();
  private readonly preferred = new Map<Candidate, Candidate>();
  /** Why stages fail. */
  readonly failures = new ProgramFailures();

  constructor(
    private readonly robot: RobotModel,
    steps: readonly Step[],
    private readonly motions: StepMotions,
    private readonly limits: MotionLimits,
    linkOfTcp: string,
    private readonly start: Configuration,
    private readonly initial: ProgramWorld,
    /** Ends the search for candidates; the current step then fails. */
    private readonly interrupt: Interrupt,
  ) {
    this.stages = stagesOf(steps);
    this.runner = new StageRunner(motions, limits, linkOfTcp);
    this.layers = this.stages.map(() => new Map());
  }

  /** Excludes a candidate of a stage from all chains. */
  exclude(stage: number, candidate: Candidate, failure: StageFailure): void {
    this.failures.add(stage, failure, candidate.number);
    this.excluded.add(candidate);
  }

  /**
   * Excludes a candidate of a stage, and all that differ from it by full turns, since their lines and arcs fail as
   * well.
   */
  excludeBranch(stage: number, candidate: Candidate, failure: StageFailure): void {
    this.exclude(stage, candidate, failure);
    const layer = this.layers[stage].get(candidate.before)?.candidates ?? [];
    for (const one of layer) if (one.isTurned(candidate)) this.excluded.add(one);
  }

  /** Excludes the candidate of a chain in whose stage a step fails; returns the stage. */
  excludeStep(chain: Chain, failure: StageFailure): number {
    const lastOf = ({ move, rest }: Stage) => (rest.at(-1) ?? move)?.index ?? -1;
    const found = chain.findIndex((_, k) => failure.step <= lastOf(this.stages[k]));
    const stage = found < 0 ? chain.length - 1 : found;
    if (failure.step === this.stages[stage].move?.index) this.exclude(stage, chain[stage], failure);
    else this.excludeBranch(stage, chain[stage], failure);
    return stage;
  }

  /** Excludes the free motion from one candidate to one of the next stage. */
  block(from: Candidate, to: Candidate): void {
    const targets = this.blocked.get(from) ?? new Set();
    targets.add(to);
    this.blocked.set(from, targets);
  }

  /** True if a free motion from a candidate is excluded. */
  hasBlocked(from: Candidate): boolean {
    return this.blocked.has(from);
  }

  /** Returns the candidates of a stage after one of the stage before that are not excluded. */
  othersAfter(stage: number, from: Candidate): readonly Candidate[] {
    const barred = this.blocked.get(from);
    const all = this.layers[stage].get(from.after)?.candidates ?? [];
    return all.filter((one) => !this.excluded.has(one) && !barred?.has(one));
  }

  /** Prefers a candidate of the next stage, because a free motion to it is known. */
  prefer(from: Candidate, to: Candidate): void {
    this.preferred.set(from, to);
  }

  /** Returns the best chain that is not excluded; or the first stage that fails for all examined candidates. */
  best(): Chain | DeadEnd {
    for (;;) {
      const chain = this.shortestChain();
      if ('stage' in chain) {
        if (this.widen(chain.stage)) continue;
        return chain;
      }
      const settled = this.computeChain(chain);
      if (settled === true) return chain;
      if (settled) return settled;
    }
  }

  /** Returns the step at which a stage fails, and why; see `ProgramFailures.describe`. */
  describe(stage: number, blocking: (move: MoveFailure) => string | undefined): ProgramFailure {
    const described = this.failures.describe(stage, this.stages[stage], blocking);
    return described ?? { step: firstStepOf(this.stages[stage]), reason: 'no combination of motions was found' };
  }

  /**
   * Computes the joint paths of a chain; returns false if a stage fails or does not end where it was estimated: another
   * chain must then be selected.
   */
  private computeChain(chain: Chain): boolean | DeadEnd {
    let isKept = true;
    for (const [k, candidate] of chain.entries()) {
      const result = candidate.compute();
      if (this.interrupt()) return { stage: k };
      if (typeof result === 'object') {
        if (result.isLimit) this.exclude(k, candidate, result);
        else this.excludeBranch(k, candidate, result);
        return false;
      }
      isKept &&= result === 'kept';
    }
    return isKept;
  }

  /** Returns the candidates of a stage in a world, computed once. */
  private candidatesOf(k: number, before: ProgramWorld, near: Configuration): readonly Candidate[] {
    const known = this.layers[k].get(before);
    if (known) return known.candidates;
    const layer: Layer = { candidates: [], solutions: [], branches: [] };
    this.layers[k].set(before, layer);
    this.addCandidates(k, before, layer, k === 0 ? [this.start] : this.entriesOf(k, near, before));
    return layer.candidates;
  }

  /** Adds the candidates of a stage that begin at configurations. */
  private addCandidates(k: number, before: ProgramWorld, layer: Layer, entries: readonly Configuration[]): void {
    const { candidates, solutions, branches } = layer;
    for (const entry of entries) {
      const known = branches.find((one) => this.isTurned(one.entry, entry));
      if (!known && this.interrupt()) break;
      const branch = known ?? this.branchAt(k, entry, before, this.numberOf(entry, solutions));
      // a joint limit may stop one configuration of a branch, but not another
      if (!known && (branch.end || !isLimited(branch.result()))) branches.push(branch);
      if (branch.end) candidates.push(new Candidate(branch, entry));
    }
  }

  /**
   * Searches the self-motion of a redundant arm for a candidate of a stage whose lines and arcs fail from all others,
   * once. Returns false if there is none.
   */
  private widen(k: number): boolean {
    const { interrupt, robot, runner, start, layers } = this;
    const { tracker } = this.motions.tools;
    const stage = this.stages[k];
    if (!tracker.isRedundant || this.widened.has(k) || !stage.rest.some(isMotionStep)) return false;
    this.widened.add(k);
    let added = 0;
    for (const [world, { candidates, solutions }] of layers[k]) {
      // Lines from candidates to which free motions were searched have not failed.
      if ([...this.blocked.values()].some((targets) => candidates.some((one) => targets.has(one)))) continue;
      const groups = selfMotionGroups(tracker, robot, stage.move, k === 0 ? [start] : solutions, world, interrupt);
      for (const { entry, result } of runner.searched(stage, groups, world)) {
        const number = this.numberOf(entry, solutions);
        const branch = new StageBranch(robot, runner, stage, world, entry, undefined, number, result);
        candidates.push(new Candidate(branch, entry));
        added++;
      }
    }
    return added > 0;
  }

  /** Returns the number of an IK solution; adds it unless another one differs by full turns only. */
  private numberOf(entry: Configuration, solutions: Configuration[]): BranchNumber {
    const known = solutions.findIndex((one) => this.isTurned(one, entry));
    return { number: known < 0 ? solutions.push(entry) : known + 1, all: solutions };
  }

  /** Creates the branch of a configuration; records its failure if it has no estimate and fails. */
  private branchAt(k: number, entry: Configuration, before: ProgramWorld, number: BranchNumber): StageBranch {
    const stage = this.stages[k];
    const estimate = this.runner.estimate(stage, entry, before);
    const branch = new StageBranch(this.robot, this.runner, stage, before, entry, estimate, number);
    const failure = branch.end ? undefined : branch.result();
    if (failure && 'reason' in failure) this.failures.add(k, failure, number);
    return branch;
  }

  /** Returns the valid goal configurations of the move of a stage, the nearest first; records why there are none. */
  private entriesOf(k: number, near: Configuration, world: ProgramWorld): readonly Configuration[] {
    const move = this.stages[k].move!;
    const found = moveEntries(this.robot, move, move.goals, near, world, this.interrupt);
    if (!('reason' in found)) return found;
    this.failures.add(k, found);
    return [];
  }

  /** True if two configurations differ by full turns of joints that leave all link poses unchanged. */
  private isTurned(a: Configuration, b: Configuration): boolean {
    this.turnable ??= turnableVariables(this.robot);
    return differByFullTurns(this.turnable, a, b, SAME_TURNED);
  }

  /**
   * Returns the chain of least cost, with estimates for stages that are not computed yet; or the first stage without a
   * candidate.
   */
  private shortestChain(): Chain | DeadEnd {
    const history: Costs[] = [];
    let costs: Costs = new Map();
    for (const [k, stage] of this.stages.entries()) {
      const next = k === 0 ? this.firstCosts() : this.nextCosts(k, stage, costs);
      if (this.interrupt() || next.size === 0) return { stage: k };
      history.push(next);
      costs = next;
    }
    let last: Candidate | undefined;
    for (const [candidate, { cost }] of costs) if (!last || cost < costs.get(last)!.cost) last = candidate;
    const chain: Candidate[] = [];
    for (let k = history.length - 1; k >= 0 && last; k--) {
      chain.unshift(last);
      last = history[k].get(last)!.from;
    }
    return chain;
  }

  private firstCosts(): Costs {
    const candidates = this.candidatesOf(0, this.initial, this.start).filter((one) => !this.excluded.has(one));
    return new Map(candidates.map((one) => [one, { cost: one.duration, from: undefined }]));
  }

  /** Computes the costs of the candidates of a stage from those of the stage before. */
  private nextCosts(k: number, stage: Stage, costs: Costs): Costs {
    const { limits, excluded, blocked, preferred } = this;
    const next: Costs = new Map();
    const moveLimits = scaledLimits(limits, stage.move!);
    for (const [from, { cost }] of costs) {
      const barred = blocked.get(from);
      const known = preferred.get(from);
      const uncertain = known === undefined || excluded.has(known) ? 0 : UNCERTAIN;
      for (const to of this.candidatesOf(k, from.after, from.exit)) {
        if (excluded.has(to) || barred?.has(to)) continue;
        const least = next.get(to)?.cost ?? Number.POSITIVE_INFINITY;
        if (cost + to.duration >= least) continue;
        const move = minimumDuration(from.exit, to.entry, moveLimits) + (to === known ? 0 : uncertain);
        const total = cost + move + to.duration;
        if (total < least) next.set(to, { cost: total, from });
      }
    }
    return next;
  }
}

/**
 * Seconds: added to the cost of free motions that are not known to exist, if another one of the same stage is known.
 */
const UNCERTAIN = 1e6;

/** Absolute, rad: rounding errors of configurations that differ by full turns. */
const SAME_TURNED = 1e-9;
const isLimited = (result: ComputedStage | StageFailure) => 'isLimit' in result && result.isLimit;
