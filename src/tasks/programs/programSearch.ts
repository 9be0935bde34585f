import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import type { ArcStep, LineStep } from '../../scene/program.ts';
import {
  type EventStep,
  isMotionStep,
  type MoveStep,
  type Step,
  stepName,
  type WaitStep,
} from '../../scene/program.ts';
import { minimumDuration } from '../../trajectory/minimumDuration.ts';
import type { MotionLimits } from '../../trajectory/trajectory.ts';
import { resolveStartAndGoals } from '../planning/startAndGoals.ts';
import type { ProgramWorld } from './programWorld.ts';
import { type LegFault, type StepMotions, type StepPath, scaledLimits } from './stepMotion.ts';

/** A free motion (none before the first one of a program), and the steps until the next. */
export interface Stage {
  readonly move: MoveStep | undefined;
  readonly rest: readonly (LineStep | ArcStep | WaitStep | EventStep)[];
}

/** Divides a program at its free motions: everything else follows from the configuration that a stage begins at. */
export function stagesOf(steps: readonly Step[]): Stage[] {
  const stages: { move: MoveStep | undefined; rest: Exclude<Step, MoveStep>[] }[] = [{ move: undefined, rest: [] }];
  for (const step of steps) {
    if (step.kind === 'move') stages.push({ move: step, rest: [] });
    else stages[stages.length - 1].rest.push(step);
  }
  return stages;
}

/** One way to carry out a stage: the configuration that it begins at, and the joint paths of its lines and arcs. */
export interface Candidate {
  /** World before the stage. */
  readonly before: ProgramWorld;
  readonly entry: Configuration;
  /** By step index. */
  readonly paths: ReadonlyMap<number, StepPath>;
  readonly exit: Configuration;
  /** World after the stage. */
  readonly after: ProgramWorld;
  /** Lower bound on the duration of lines, arcs and waits, seconds. */
  readonly duration: number;
}

/** The step at which a program fails, and why. */
export interface StepFailure {
  readonly step: number;
  readonly reason: string;
}

/** Chain of candidates, one per stage. */
export type Chain = readonly Candidate[];

/**
 * Finds the ways to carry out a program: for each stage all inverse-kinematics solutions and alternatives of its move,
 * with the lines and arcs that follow from each. Dynamic programming over the stages selects the chain with the least
 * lower bound on its duration; candidates and moves that turn out to be impossible are excluded one by one.
 */
export class ProgramSearch {
  private readonly stages: readonly Stage[];
  /** Candidates of each stage that has been examined. */
  private readonly layers: Candidate[][] = [];
  private readonly excluded = new Set<Candidate>();
  private readonly blocked = new Map<Candidate, Set<Candidate>>();
  /** Farthest failure of each stage. */
  private failure: (StepFailure & { readonly fraction: number }) | undefined;

  constructor(
    private readonly robot: RobotModel,
    steps: readonly Step[],
    private readonly motions: StepMotions,
    private readonly limits: MotionLimits,
    private readonly linkOfTcp: string,
    private readonly start: Configuration,
    private readonly initial: ProgramWorld,
    /** Ends the search for candidates: then the step at which it ended fails. */
    private readonly interrupt: Interrupt,
  ) {
    this.stages = stagesOf(steps);
  }

  /** Excludes a candidate from all chains. */
  exclude(candidate: Candidate): void {
    this.excluded.add(candidate);
  }

  /** Excludes the free motion from one candidate to one of the next stage. */
  block(from: Candidate, to: Candidate): void {
    const targets = this.blocked.get(from) ?? new Set();
    targets.add(to);
    this.blocked.set(from, targets);
  }

  /** Returns the best chain that is not excluded; or the step that cannot be carried out in any examined way. */
  best(): Chain | StepFailure {
    if (this.layers.length === 0) {
      const failure = this.examine();
      if (failure) return failure;
    }
    return this.shortestChain() ?? this.failure ?? { step: 0, reason: 'no combination of motions was found' };
  }

  moveOf(stage: number): MoveStep {
    return this.stages[stage].move!;
  }

  stageAt(stage: number): Stage {
    return this.stages[stage];
  }

  /** Computes the candidates of all stages; returns the failure of the first stage without any. */
  private examine(): StepFailure | undefined {
    for (const [k, stage] of this.stages.entries()) {
      const worlds = k === 0 ? [this.initial] : distinctWorlds(this.layers[k - 1]);
      this.failure = undefined;
      const found: Candidate[] = [];
      for (const world of worlds) {
        const near = k === 0 ? this.start : this.layers[k - 1].find((one) => one.after === world)!.exit;
        const entries = k === 0 ? [this.start] : this.entriesOf(stage.move!, near, world);
        for (const entry of entries) {
          if (this.interrupt()) break;
          const candidate = this.carryOut(stage, entry, world);
          if (candidate) found.push(candidate);
        }
      }
      if (this.interrupt()) return interruptedAt(stage);
      if (found.length === 0) return this.failure;
      this.layers.push(found);
    }
    return undefined;
  }

  /** Returns the valid goal configurations of a move, the nearest first. */
  private entriesOf(move: MoveStep, near: Configuration, world: ProgramWorld): readonly Configuration[] {
    const { start: _, ...scene } = world.scene;
    const constraints = [...(scene.constraints ?? []), ...move.constraints];
    const query = { ...scene, start: Array.from(near), goals: move.goals, constraints };
    const resolved = resolveStartAndGoals(this.robot, query, world.manager, this.interrupt);
    if (resolved === undefined) return [];
    if (!('status' in resolved)) return resolved.goals;
    this.fail(move, 0, resolved.reason);
    return [];
  }

  /**
   * Computes the joint paths of a stage from a configuration; undefined, with the failure noted, if one is impossible.
   */
  private carryOut(stage: Stage, entry: Configuration, before: ProgramWorld): Candidate | undefined {
    const paths = new Map<number, StepPath>();
    let world = before;
    let q = entry;
    let duration = 0;
    for (const step of stage.rest) {
      if (step.kind === 'wait') duration += step.duration;
      else if (isMotionStep(step)) {
        const path = this.motions.path(step, q, world);
        if ('reason' in path) {
          this.failLeg(step, path);
          return undefined;
        }
        paths.set(step.index, path);
        for (const { knots } of path.legs)
          duration += minimumDuration(knots[0].q, knots[knots.length - 1].q, scaledLimits(this.limits, step));
        q = path.end;
      } else {
        world = this.worldAfter(world, step, q);
        // An object that is attached or put down must not touch anything that it may not.
        const pair = step.kind === 'set' ? undefined : world.manager.firstCollision(q);
        if (pair) {
          this.fail(step, 0, `${pair.join(' and ')} collide after it`);
          return undefined;
        }
      }
    }
    return { before, entry, paths, exit: q, after: world, duration };
  }

  /** Worlds after each event, shared by candidates for which they are equal up to rounding. */
  private readonly worlds = new Map<ProgramWorld, Map<string, ProgramWorld>>();

  private worldAfter(world: ProgramWorld, step: EventStep, q: Configuration): ProgramWorld {
    const next = world.after(step, this.linkOfTcp, q);
    if (next === world) return world;
    const known = this.worlds.get(world) ?? new Map<string, ProgramWorld>();
    this.worlds.set(world, known);
    const { obstacles, attached } = next.scene;
    const rounded = (values: readonly number[]) => values.map((value) => Math.round(value * 1e8));
    const poses = [...obstacles, ...attached].map(({ pose }) => [...rounded(pose.xyz), ...rounded(pose.quat_wxyz)]);
    const key = JSON.stringify([step.index, poses]);
    const same = known.get(key);
    if (same) return same;
    known.set(key, next);
    return next;
  }

  private shortestChain(): Chain | undefined {
    const { layers, stages, limits, excluded, blocked } = this;
    let costs = new Map<Candidate, { cost: number; from: Candidate | undefined }>();
    const history: (typeof costs)[] = [];
    for (const [k, layer] of layers.entries()) {
      const next: typeof costs = new Map();
      const move = stages[k].move;
      const moveLimits = move && scaledLimits(limits, move);
      for (const candidate of layer) {
        if (excluded.has(candidate)) continue;
        if (k === 0) next.set(candidate, { cost: candidate.duration, from: undefined });
        for (const [from, { cost }] of costs) {
          if (from.after !== candidate.before || blocked.get(from)?.has(candidate)) continue;
          const total = cost + minimumDuration(from.exit, candidate.entry, moveLimits!) + candidate.duration;
          if (total < (next.get(candidate)?.cost ?? Number.POSITIVE_INFINITY))
            next.set(candidate, { cost: total, from });
        }
      }
      if (next.size === 0) return undefined;
      history.push(next);
      costs = next;
    }
    let last: Candidate | undefined;
    for (const [candidate, { cost }] of costs) if (!last || cost < costs.get(last)!.cost) last = candidate;
    const chain: Candidate[] = [];
    for (let k = layers.length - 1; k >= 0 && last; k--) {
      chain.unshift(last);
      last = history[k].get(last)!.from;
    }
    return chain;
  }

  /** Notes the failure of a line or arc: `step 4 (line "insert"): ends at 73 %: elbow_joint at its limit`. */
  private failLeg(step: LineStep | ArcStep, { fraction, reason }: LegFault): void {
    this.fail(step, fraction, `ends at ${Math.floor(1000 * fraction) / 10} %: ${reason}`);
  }

  private fail(step: Step, fraction: number, reason: string): void {
    const { failure } = this;
    if (failure && (failure.step > step.index || (failure.step === step.index && failure.fraction >= fraction))) return;
    this.failure = { step: step.index, fraction, reason: `${stepName(step)}: ${reason}` };
  }
}

const interruptedAt = ({ move, rest }: Stage): StepFailure => ({
  step: move?.index ?? rest[0]?.index ?? 0,
  reason: 'the time limit ended the search',
});

function distinctWorlds(layer: readonly Candidate[]): ProgramWorld[] {
  return [...new Set(layer.map((candidate) => candidate.after))];
}
