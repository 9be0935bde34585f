import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import {
  dependsOnLinks,
  type EventStep,
  hasEvent,
  isMotionStep,
  type JointMoveStep,
  movesJoints,
  type PathStep,
  stepName,
  type WaitStep,
} from '../../../core/scene/program.ts';
import { minimumDuration } from '../../../core/trajectory/restToRest.ts';
import type { MotionLimits } from '../../../core/trajectory/trajectory.ts';
import type { World } from '../../world.ts';
import { type BranchNumber, endsAt, type StageFailure } from '../failures/programFailures.ts';
import { type StepMotions, scaledLimits, type WorldStep } from '../stepMotion.ts';
import type { StepPath } from '../stepPath.ts';
import type { Stage } from './programStages.ts';

/** End of a stage that begins at a given configuration. */
export interface StageEnd {
  readonly exit: Configuration;
  /** World after the stage. */
  readonly after: World;
  /** Lower bound on the duration of lines, arcs and waits, seconds. */
  readonly duration: number;
}

/** A computed stage: its joint paths are collision-free at their knots. */
export interface ComputedStage extends StageEnd {
  /** Joint paths of lines and arcs, by step index. */
  readonly paths: ReadonlyMap<number, StepPath>;
  /** World of each line and arc, by step index. */
  readonly worlds: ReadonlyMap<number, World>;
  /** Smallest and largest value of each joint at the knots. */
  readonly lowest: Configuration;
  readonly highest: Configuration;
}

/** Computes the ends of stages: the start configuration determines lines and arcs, and events change the world. */
export class StageRunner {
  /** Worlds after each event; configurations whose worlds are equal up to rounding share one. */
  private readonly worlds = new Map<World, Map<string, World>>();

  constructor(
    private readonly motions: StepMotions,
    private readonly limits: MotionLimits,
    private readonly linkOfTcp: string,
  ) {}

  /**
   * Estimates the end of a stage by a few corrections of the tool pose along each line and arc, without checking limits
   * and collisions of the arm. Undefined if a correction fails, or if fingers collide.
   */
  estimate({ rest }: Stage, entry: Configuration, before: World): StageEnd | undefined {
    let world = before;
    let q = entry;
    let duration = 0;
    for (const step of rest) {
      if (step.kind === 'wait') duration += step.duration;
      if (isMotionStep(step)) {
        const corners = this.motions.estimatedCorners(step, q, world);
        if (!corners) return undefined;
        for (const corner of corners) {
          duration += minimumDuration(q, corner, scaledLimits(this.limits, step));
          q = corner;
        }
      } else {
        if (movesJoints(step) && collisionOfMove(world, step, q)) return undefined;
        world = this.worldAfter(world, step, q);
      }
    }
    return { exit: q, after: world, duration };
  }

  /**
   * Searches the self-motion of a redundant arm for joint paths of all lines and arcs of a stage; returns the computed
   * stages and their start configurations. Empty if steps depend on more than the pose of the tool center point.
   * @param groups possible start configurations; those of a group have the same pose of the tool center point
   * @param density of the layers in which tool paths are searched
   */
  searched(
    stage: Stage,
    groups: readonly (readonly Configuration[])[],
    before: World,
    density: number,
  ): { readonly entry: Configuration; readonly result: ComputedStage }[] {
    const at = stage.rest.findIndex(({ kind }) => kind === 'path');
    return groups.flatMap((sources) => {
      if (at >= 0) return this.searchedPath(stage, at, sources, before, density);
      const steps = this.worldSteps(stage, sources[0], before);
      const paths = steps && this.motions.searched(steps, sources);
      const entry = [...(paths?.values() ?? [])].at(0)?.legs[0].knots[0].q;
      if (!entry) return [];
      const result = this.compute(stage, entry, before, paths);
      return 'paths' in result ? [{ entry, result }] : [];
    });
  }

  /** Searches the first tool path of a stage from the ends of the steps before it; returns the computed stage. */
  private searchedPath(stage: Stage, at: number, sources: readonly Configuration[], before: World, density: number) {
    const step = stage.rest[at] as PathStep;
    const begun = sources.flatMap((entry) => {
      const result = this.compute({ ...stage, rest: stage.rest.slice(0, at) }, entry, before);
      return 'paths' in result ? [{ entry, ...result }] : [];
    });
    const same = begun.filter(({ after }) => after === begun[0].after);
    const path =
      same.length > 0
        ? this.motions.searchedPath(
            step,
            same.map(({ exit }) => exit),
            same[0].after,
            density,
          )
        : undefined;
    const start = path?.legs[0].knots[0].q;
    const found = start && same.find(({ exit }) => exit.every((value, j) => value === start[j]));
    if (!path || !found) return [];
    const result = this.compute(stage, found.entry, before, new Map([...found.paths, [step.index, path]]));
    return 'paths' in result ? [{ entry: found.entry, result }] : [];
  }

  /** Returns the lines and arcs of a stage with their worlds, which depend on the pose of the tool only. */
  private worldSteps({ rest }: Stage, entry: Configuration, before: World): WorldStep[] | undefined {
    const steps: WorldStep[] = [];
    let world = before;
    let q: Configuration | undefined = entry;
    for (const step of rest) {
      if (step.kind === 'wait' && !movesJoints(step)) continue;
      if (isMotionStep(step)) {
        if (dependsOnLinks(step)) return undefined;
        steps.push({ step, world });
        q &&= this.motions.estimatedCorners(step, q, world)?.at(-1);
        continue;
      }
      const isElsewhere = step.kind === 'attach' && step.link !== undefined && step.link !== this.linkOfTcp;
      if (!q || isElsewhere) return undefined;
      world = this.worldAfter(world, step, q);
    }
    return steps;
  }

  /**
   * Computes the joint paths of a stage from a configuration; or returns the step that fails and its reached fraction.
   * @param known joint paths by step index
   */
  compute(
    { rest }: Stage,
    entry: Configuration,
    before: World,
    known?: ReadonlyMap<number, StepPath>,
  ): ComputedStage | StageFailure {
    const paths = new Map<number, StepPath>();
    const worlds = new Map<number, World>();
    const lowest = entry.slice();
    const highest = entry.slice();
    let world = before;
    let q = entry;
    let duration = 0;
    for (const step of rest) {
      if (step.kind === 'wait') duration += step.duration;
      if (isMotionStep(step)) {
        const path = known?.get(step.index) ?? this.motions.path(step, q, world);
        if ('reason' in path) {
          return { ...path, step: step.index, reason: endsAt(step, path) };
        }
        paths.set(step.index, path);
        worlds.set(step.index, world);
        for (const { knots } of path.legs) {
          duration += minimumDuration(knots[0].q, knots[knots.length - 1].q, scaledLimits(this.limits, step));
          for (const knot of knots) extend(lowest, highest, knot.q);
        }
        q = path.end;
      } else {
        // Neither fingers nor an object that is attached or put down may touch anything that they may not.
        const moved = movesJoints(step) ? collisionOfMove(world, step, q) : undefined;
        world = this.worldAfter(world, step, q);
        const pair =
          moved ?? (hasEvent(step) && step.kind !== 'set' ? world.still.manager.firstCollision(q) : undefined);
        if (pair) {
          const reason = `${stepName(step)}: ${pair.join(' and ')} collide ${moved ? 'in' : 'after'} it`;
          return {
            step: step.index,
            fraction: 0,
            reason: reason + contactHint(step, pair, world),
            isLimit: false,
            pair,
          };
        }
      }
    }
    return { paths, worlds, lowest, highest, exit: q, after: world, duration };
  }

  private worldAfter(world: World, step: EventStep | WaitStep, q: Configuration): World {
    if (!hasEvent(step)) return world;
    const next = world.after(step, this.linkOfTcp, q);
    if (next === world) return world;
    const known = this.worlds.get(world) ?? new Map<string, World>();
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
}

/** Returns how to state that the object that a step attaches may touch what it collides with; '' for other pairs. */
function contactHint(step: EventStep | WaitStep, pair: readonly [string, string], { scene }: World): string {
  if (step.kind !== 'attach' || !pair.includes(step.object)) return '';
  const other = pair[0] === step.object ? pair[1] : pair[0];
  if (scene.obstacles.some(({ name }) => name === other))
    return `; if it rests there, state {allow: [[${pair.join(', ')}]]} before, and forbid it after the lift`;
  return `; if it may touch ${other}, name it in touches`;
}

/** States in which the motion of fingers is checked before the program is proved. */
const MOVE_SAMPLES = 8;

/** Returns the first pair that collides in samples of the motion of joints that are not planned, for an arm at q. */
function collisionOfMove(world: World, step: JointMoveStep, q: Configuration): readonly [string, string] | undefined {
  const moving = world.during(step, 0, 1);
  for (let i = 0; i <= MOVE_SAMPLES; i++) {
    const pair = moving.manager.firstCollision(moving.stateAt(q, i / MOVE_SAMPLES));
    if (pair) return pair;
  }
  return undefined;
}

/**
 * Start configurations of a stage that differ by full turns only. Their link poses are equal, so that one joint path is
 * valid for all of them that stay within limits.
 */
export class StageBranch {
  constructor(
    private readonly robot: RobotModel,
    private readonly runner: StageRunner,
    private readonly stage: Stage,
    readonly before: World,
    /** Start configuration of the joint path. */
    readonly entry: Configuration,
    private readonly estimated: StageEnd | undefined,
    readonly number: BranchNumber,
    private computed?: ComputedStage | StageFailure,
  ) {}

  /** End of the stage: an estimate until it is computed; undefined if there is no estimate and the stage fails. */
  get end(): StageEnd | undefined {
    const { computed, estimated } = this;
    if (computed && 'paths' in computed) return computed;
    if (estimated) return estimated;
    const result = this.result();
    return 'paths' in result ? result : undefined;
  }

  /** Computes the stage from `entry`, once. */
  result(): ComputedStage | StageFailure {
    this.computed ??= this.runner.compute(this.stage, this.entry, this.before);
    return this.computed;
  }

  /** Returns a branch of its own for another configuration. */
  at(entry: Configuration): StageBranch {
    return new StageBranch(this.robot, this.runner, this.stage, this.before, entry, undefined, this.number);
  }

  /** Returns true if the joint paths stay within limits when they begin at another configuration of the branch. */
  isWithinLimits({ lowest, highest }: ComputedStage, entry: Configuration): boolean {
    return this.robot.variables.every(({ limits }, j) => {
      const shift = entry[j] - this.entry[j];
      if (shift === 0) return true;
      return lowest[j] + shift >= limits.lower - SHIFTED && highest[j] + shift <= limits.upper + SHIFTED;
    });
  }
}

/** Absolute, rad: joint values exceed limits by at most this, as those of `followLeg`. */
const SHIFTED = 1e-10;

function extend(lowest: Configuration, highest: Configuration, q: Configuration): void {
  for (let j = 0; j < q.length; j++) {
    lowest[j] = Math.min(lowest[j], q[j]);
    highest[j] = Math.max(highest[j], q[j]);
  }
}
