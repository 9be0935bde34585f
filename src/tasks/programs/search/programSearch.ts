import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import type { Step } from '../../../core/scene/program.ts';
import { minimumDuration } from '../../../core/trajectory/restToRest.ts';
import type { MotionLimits } from '../../../core/trajectory/trajectory.ts';
import type { World } from '../../world.ts';
import {
  type MoveFailure,
  type ProgramFailure,
  ProgramFailures,
  type StageFailure,
} from '../failures/programFailures.ts';
import type { OpenMove } from '../programMoves.ts';
import { type StepMotions, scaledLimits } from '../stepMotion.ts';
import type { Candidate } from './candidate.ts';
import { firstStepOf, type Stage, stagesOf } from './programStages.ts';
import { StageRunner } from './stageBranch.ts';
import { StageCandidates } from './stageCandidates.ts';

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
  private readonly candidates: StageCandidates;
  private readonly excluded = new Set<Candidate>();
  private readonly blocked = new Map<Candidate, Set<Candidate>>();
  private readonly preferred = new Map<Candidate, Candidate>();
  /** Why stages fail. */
  readonly failures = new ProgramFailures();

  constructor(
    robot: RobotModel,
    steps: readonly Step[],
    motions: StepMotions,
    private readonly limits: MotionLimits,
    linkOfTcp: string,
    private readonly start: Configuration,
    private readonly initial: World,
    /** Ends the search for candidates; the current step then fails. */
    private readonly interrupt: Interrupt,
  ) {
    this.stages = stagesOf(steps);
    const runner = new StageRunner(motions, limits, linkOfTcp);
    this.candidates = new StageCandidates(robot, this.stages, motions, runner, start, this.failures, interrupt);
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
    for (const one of this.candidates.known(stage, candidate.before))
      if (one.isTurned(candidate)) this.excluded.add(one);
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

  /** Admits free motions again that `block` has excluded, and forgets their failures. */
  unblock(moves: readonly OpenMove[]): void {
    for (const { from, to } of moves) {
      const targets = this.blocked.get(from);
      targets?.delete(to);
      if (targets?.size === 0) this.blocked.delete(from);
    }
    this.failures.removeMoves(new Set(moves.map(({ failure }) => failure)));
  }

  /** True if a free motion from a candidate is excluded. */
  hasBlocked(from: Candidate): boolean {
    return this.blocked.has(from);
  }

  /** Returns the candidates of a stage after one of the stage before that are not excluded. */
  othersAfter(stage: number, from: Candidate): readonly Candidate[] {
    const barred = this.blocked.get(from);
    return this.candidates.known(stage, from.after).filter((one) => !this.excluded.has(one) && !barred?.has(one));
  }

  /** True if a free motion to one of some candidates was searched, and is excluded. */
  private wasReached(candidates: readonly Candidate[]): boolean {
    return [...this.blocked.values()].some((targets) => candidates.some((one) => targets.has(one)));
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
        if (this.candidates.widen(chain.stage, (all) => this.wasReached(all))) continue;
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
    const candidates = this.candidates.of(0, this.initial, this.start).filter((one) => !this.excluded.has(one));
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
      for (const to of this.candidates.of(k, from.after, from.exit)) {
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
