import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { compositeRobot } from '../../core/kinematics/composition/compositeRobot.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { makespanOf, ownTimeAt, type Schedule } from '../../core/planning/coordination/schedule.ts';
import type { PathConstraint } from '../../core/scene/constraints.ts';
import type { CheckedScene, Scene } from '../../core/scene/scene.ts';
import { robotAt } from '../../core/scene/steps/robotAt.ts';
import { isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { InputError } from '../../errors.ts';
import { createSceneRobot, otherRobotModel } from '../sceneRobot.ts';
import { type Timeline, timelineOf, worldAt } from '../timeline.ts';
import { type NearestPair, nearestPair } from '../validation/nearestPair.ts';
import { World } from '../world.ts';
import type { PageData } from './page.ts';
import { type SplitManagers, splitManagers } from './splitManagers.ts';

/** Clearance of a motion at one time. */
export interface ClearanceSample {
  /** Seconds; waypoints for a path. */
  readonly time: number;
  /** Minimum distance over all checked pairs, metres; negative: penetration depth. */
  readonly distance: number;
  /** Names of the nearest pair; undefined if no pair is checked. */
  readonly pair: readonly [string, string] | undefined;
}

/** The nearest pair of the robot and its surroundings, and that of two parts of the robot, at one time. */
export interface SplitClearance {
  /** Seconds; waypoints for a path. */
  readonly time: number;
  /** Nearest pair of the robot, or an object that it carries, and an obstacle or another robot. */
  readonly obstacles: NearestPair;
  /** Nearest pair of links of the robot and objects that it carries. */
  readonly itself: NearestPair;
}

/** Collision checks of the whole scene at a time, for a state of the planned robot. */
interface StateChecks {
  /** The scene at that time, without moving obstacles and other robots. */
  readonly scene: CheckedScene;
  /** Robot of the checks: moving obstacles and other robots are further links. */
  readonly robot: RobotModel;
  /** Writes the joints of moving obstacles and other robots at a time, after those of the planned robot. */
  readonly complete: (q: Configuration, time: number) => void;
  readonly manager: CollisionManager;
}

/**
 * A scene at each time of a replay: attached and detached objects of a program, moving obstacles, and other robots on
 * their trajectories or schedules. For pictures and pages: it evaluates single states and proves nothing.
 */
export class Replay {
  /** The planned robot. */
  readonly robot: RobotModel;
  /** The curve of the motion; undefined without one. */
  readonly curve: TrajectoryCurve | undefined;
  /** Start of the replay: seconds, or waypoints for a path. */
  readonly start: number;
  /** End of the replay: the motion has ended, and everything else is at rest. */
  readonly end: number;
  /** The worlds between events that change the scene. */
  readonly timeline: Timeline;
  private readonly scene: Scene;
  private readonly schedules: readonly Schedule[] | undefined;
  private readonly created = new Map<World, StateChecks>();
  private readonly split = new Map<World, SplitManagers>();

  /**
   * @param problem scene and robot
   * @param trajectory motion of the planned robot
   * @param coordination schedules of the planned robot, then of the other robots of the scene
   */
  constructor(
    problem: PageData['problem'],
    private readonly trajectory?: Trajectory,
    coordination?: PageData['coordination'],
  ) {
    const { scene } = problem;
    this.robot = createSceneRobot(problem);
    this.scene = scene;
    this.schedules = coordination?.schedules;
    this.curve = trajectory && new TrajectoryCurve(trajectory);
    const ends = [
      ...(this.schedules === undefined ? [this.curve?.end ?? 0] : [makespanOf(this.schedules)]),
      ...scene.obstacles.flatMap(({ motion }) => motion?.times.at(-1) ?? []),
      ...(this.schedules === undefined
        ? (scene.robots ?? []).flatMap(({ trajectory: own, startTime }) =>
            own ? [startTime + own.points.at(-1)!.time_from_start!] : [],
          )
        : []),
    ];
    const world = new World(this.robot, scene);
    this.start = world.isStill ? (this.curve?.start ?? 0) : 0;
    this.end = Math.max(...ends);
    this.timeline = this.curve
      ? timelineOf(world, trajectory!, this.curve)
      : [{ from: this.start, to: this.end, world, step: -1 }];
  }

  /** Returns the scene at a time, with the attached objects and allowed collisions of that time. */
  sceneAt(time: number): Scene {
    return worldAt(this.timeline, time).scene;
  }

  /**
   * Returns the time along the trajectory of a robot at a time of the replay.
   * @param robot 0: the planned one; k: robot k − 1 of `robots` of the scene
   */
  ownTime(robot: number, time: number): number {
    const { schedules } = this;
    if (schedules !== undefined) return ownTimeAt(schedules[robot], time);
    return robot === 0 ? time : time - this.scene.robots![robot - 1].startTime;
  }

  /** Returns the planned robot at a time: steps of a program may give joints that are not planned other values. */
  robotAt(time: number): RobotModel {
    return this.trajectory ? robotAt(this.robot, this.trajectory, time) : this.robot;
  }

  /** Writes the configuration of the planned robot at a time. Only with a motion. */
  position(q: Configuration, time: number): void {
    this.curve!.position(q, this.ownTime(0, time));
  }

  /** Returns the constraints of the scene, and of the step of a program at this time. */
  constraintsAt(time: number): readonly PathConstraint[] {
    const segment = this.trajectory?.segments?.findLast(({ from }) => from <= time);
    const step = segment && this.scene.steps?.[segment.step];
    const own = step !== undefined && 'constraints' in step ? step.constraints : [];
    return [...(this.scene.constraints ?? []), ...own];
  }

  /**
   * Returns the collision manager at a time, and the configuration of its robot for a state of the planned robot:
   * moving obstacles and other robots have their poses at that time. Throws `InputError` as `createSceneWorld`.
   */
  checksAt(q: ArrayLike<number>, time: number): { readonly manager: CollisionManager; readonly q: Configuration } {
    const { manager, robot, complete } = this.checksIn(worldAt(this.timeline, time));
    const all = new Float64Array(robot.dof);
    all.set(q);
    complete(all, time);
    return { manager, q: all };
  }

  /**
   * Computes the clearance at evenly spaced times, including both ends; of robots on schedules, only that between
   * robots.
   */
  clearance(samples = 200): readonly ClearanceSample[] {
    const q = new Float64Array(this.robot.dof);
    const between = this.schedules && this.createManagerBetweenRobots();
    return Array.from({ length: samples }, (_, i) => {
      const time = this.start + ((this.end - this.start) * i) / (samples - 1);
      this.position(q, time);
      const state = this.checksAt(q, time);
      return { time, ...(between ?? state.manager).clearance(state.q) };
    });
  }

  /**
   * Computes the clearance to obstacles and that of the robot to itself at a time, for a state of the planned robot.
   * Of robots on schedules, the first one is the planned robot.
   */
  splitClearanceAt(q: ArrayLike<number>, time: number): SplitClearance {
    const world = worldAt(this.timeline, time);
    const { robot, scene } = this.checksIn(world);
    const { q: all } = this.checksAt(q, time);
    const own = new Set(this.robot.links.map(({ name }) => name));
    const managers = this.split.get(world) ?? splitManagers(robot, scene, own);
    this.split.set(world, managers);
    return { time, obstacles: nearestPair(managers.obstacles, all), itself: nearestPair(managers.itself, all) };
  }

  /** Computes both clearances at evenly spaced times, including both ends. Only with a motion. */
  splitClearance(samples = 200): readonly SplitClearance[] {
    const q = new Float64Array(this.robot.dof);
    return Array.from({ length: samples }, (_, i) => {
      const time = this.start + ((this.end - this.start) * i) / (samples - 1);
      this.position(q, time);
      return this.splitClearanceAt(q, time);
    });
  }

  /** Creates the collision manager of the pairs of different robots, and of what they carry. */
  private createManagerBetweenRobots(): CollisionManager {
    const { robot, scene } = this.checksIn(this.timeline[0].world);
    const { robots = [], attached } = this.scene;
    const memberOf = (link: string) => robots.findIndex(({ name }) => link.startsWith(`${name}/`));
    const members = [
      ...robot.links.map(({ name }) => ({ name, member: memberOf(name) })),
      ...attached.map(({ name, link }) => ({ name, member: memberOf(link) })),
    ];
    const own = members.flatMap((a, i) =>
      members.slice(i + 1).flatMap((b) => (a.member === b.member ? [[a.name, b.name] as const] : [])),
    );
    const named = new Set(members.map(({ name }) => name));
    const allow = scene.allow.filter((pair) => pair.every((name) => named.has(name)));
    const touches = attached.map((object) => ({
      ...object,
      touches: object.touches.filter((name) => named.has(name)),
    }));
    const alone = { obstacles: [], attached: touches, allow: [...allow, ...own], padding: scene.padding };
    return new World(robot, alone).manager;
  }

  /** Returns the checks of an interval, created once. */
  private checksIn(world: World): StateChecks {
    const known = this.created.get(world);
    if (known !== undefined) return known;
    const checks = this.schedules === undefined ? checksOf(world) : this.createScheduledChecks(this.schedules);
    this.created.set(world, checks);
    return checks;
  }

  /** All robots as one, so that pairs of any two of them are checked. */
  private createScheduledChecks(schedules: readonly Schedule[]): StateChecks {
    const { robot, scene } = this;
    const others = (scene.robots ?? []).map((other) => {
      const model = otherRobotModel(other);
      const curve = new TrajectoryCurve(other.trajectory!);
      return { model, prefix: `${other.name}/`, curve, out: new Float64Array(model.dof) };
    });
    const all = compositeRobot(scene.name, [{ model: robot, prefix: '' }, ...others]);
    return {
      manager: new World(all, withoutRobots(scene)).manager,
      scene: withoutRobots(scene),
      robot: all,
      complete(q, time) {
        let at = robot.dof;
        for (const [i, { curve, out }] of others.entries()) {
          curve.position(out, ownTimeAt(schedules[i + 1], time));
          q.set(out, at);
          at += out.length;
        }
      },
    };
  }
}

const checksOf = (world: World): StateChecks => ({
  manager: world.manager,
  scene: world.tree.scene,
  robot: world.tree.robot,
  complete: (q, time) => world.stateAt(undefined, time, q),
});

/**
 * Throws `InputError` if a motion cannot be replayed in a scene: if it has no times although obstacles or other robots
 * move, or if its steps name missing objects.
 * @param place prefix of the message: the file of the motion
 */
export function requireReplayable(robot: RobotModel, scene: Scene, trajectory: Trajectory, place: string): void {
  const world = new World(robot, scene);
  if (!world.isStill && !isTimed(trajectory))
    throw new InputError(
      `${place}: it has no times, but something else moves in the scene`,
      'Give a trajectory with times.',
    );
  timelineOf(world, trajectory, new TrajectoryCurve(trajectory));
}

/** Returns a scene without other robots. */
function withoutRobots<S extends CheckedScene>(scene: S): S {
  const { robots: _, ...rest } = scene;
  return rest as unknown as S;
}
