import { differByFullTurns, turnableVariables } from '../../../core/kinematics/fullTurns.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import { isMotionStep } from '../../../core/scene/program.ts';
import type { World } from '../../world.ts';
import type { BranchNumber, ProgramFailures, StageFailure } from '../failures/programFailures.ts';
import type { StepMotions } from '../stepMotion.ts';
import { Candidate } from './candidate.ts';
import { moveEntries, selfMotionGroups } from './moveEntries.ts';
import type { Stage } from './programStages.ts';
import { type ComputedStage, StageBranch, type StageRunner } from './stageBranch.ts';

/** Candidates of a stage in one world. */
interface Layer {
  readonly candidates: Candidate[];
  /** IK solutions, without those that differ by full turns. */
  readonly solutions: Configuration[];
  /** Branches that candidates may share. */
  readonly branches: StageBranch[];
}

/**
 * The candidates of the stages of a program, by the world before each: inverse-kinematics solutions of the goals of its
 * move, with the lines and arcs that follow; for redundant arms, on request, those found along self-motions.
 */
export class StageCandidates {
  /** Candidates of each stage, by the world before it. */
  private readonly layers: Map<World, Layer>[];
  /** Number of densities of layers at which self-motions of each stage were searched. */
  private readonly widened = new Map<number, number>();
  private turnable: readonly boolean[] | undefined;

  constructor(
    private readonly robot: RobotModel,
    private readonly stages: readonly Stage[],
    private readonly motions: StepMotions,
    private readonly runner: StageRunner,
    private readonly start: Configuration,
    /** Receives why stages fail. */
    private readonly failures: ProgramFailures,
    /** Ends the search for candidates. */
    private readonly interrupt: Interrupt,
  ) {
    this.layers = stages.map(() => new Map());
  }

  /** Returns the candidates of a stage in a world, computed once. */
  of(k: number, before: World, near: Configuration): readonly Candidate[] {
    const known = this.layers[k].get(before);
    if (known) return known.candidates;
    const layer: Layer = { candidates: [], solutions: [], branches: [] };
    this.layers[k].set(before, layer);
    this.addCandidates(k, before, layer, k === 0 ? [this.start] : this.entriesOf(k, near, before));
    return layer.candidates;
  }

  /** Adds the candidates of a stage that begin at configurations. */
  private addCandidates(k: number, before: World, layer: Layer, entries: readonly Configuration[]): void {
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

  /** Returns the candidates of a stage in a world that are known. */
  known(k: number, before: World): readonly Candidate[] {
    return this.layers[k].get(before)?.candidates ?? [];
  }

  /**
   * Searches the self-motion of a redundant arm for candidates of a stage whose lines and arcs fail from all others,
   * once; for one with a tool path, whole paths in layers, and in denser ones if a sparser search finds none, or if
   * those that it finds fail. Returns false if no candidate is found.
   * @param wasReached whether a free motion to one of some candidates was searched: their lines are valid then
   */
  widen(k: number, wasReached: (candidates: readonly Candidate[]) => boolean): boolean {
    const { interrupt, robot, runner, start, layers } = this;
    const { tracker } = this.motions.tools;
    const stage = this.stages[k];
    const hasPath = stage.rest.some(({ kind }) => kind === 'path');
    if (!(tracker.isRedundant || hasPath) || !stage.rest.some(isMotionStep)) return false;
    const densities = hasPath ? DENSITIES : DENSITIES.slice(0, 1);
    for (let n = this.widened.get(k) ?? 0; n < densities.length; n++) {
      let added = 0;
      for (const [world, { candidates, solutions }] of layers[k]) {
        if (wasReached(candidates)) continue;
        const known = hasPath ? [...new Set([...solutions, ...candidates.map(({ entry }) => entry)])] : solutions;
        const groups = selfMotionGroups(tracker, robot, stage.move, k === 0 ? [start] : known, world, interrupt);
        for (const { entry, result } of runner.searched(stage, groups, world, densities[n])) {
          const number = this.numberOf(entry, solutions);
          const branch = new StageBranch(robot, runner, stage, world, entry, undefined, number, result);
          candidates.push(new Candidate(branch, entry));
          added++;
        }
      }
      this.widened.set(k, n + 1);
      if (added > 0) return true;
    }
    return false;
  }

  /** Returns the number of an IK solution; adds it unless another one differs by full turns only. */
  private numberOf(entry: Configuration, solutions: Configuration[]): BranchNumber {
    const known = solutions.findIndex((one) => this.isTurned(one, entry));
    return { number: known < 0 ? solutions.push(entry) : known + 1, all: solutions };
  }

  /** Creates the branch of a configuration; records its failure if it has no estimate and fails. */
  private branchAt(k: number, entry: Configuration, before: World, number: BranchNumber): StageBranch {
    const stage = this.stages[k];
    const estimate = this.runner.estimate(stage, entry, before);
    const branch = new StageBranch(this.robot, this.runner, stage, before, entry, estimate, number);
    const failure = branch.end ? undefined : branch.result();
    if (failure && 'reason' in failure) this.failures.add(k, failure, number);
    return branch;
  }

  /** Returns the valid goal configurations of the move of a stage, the nearest first; records why there are none. */
  private entriesOf(k: number, near: Configuration, world: World): readonly Configuration[] {
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
}

/** Densities of the layers in which whole tool paths are searched, one after another. */
const DENSITIES = [1, 3];
/** Absolute, rad: rounding errors of configurations that differ by full turns. */
const SAME_TURNED = 1e-9;
const isLimited = (result: ComputedStage | StageFailure) => 'isLimit' in result && result.isLimit;
