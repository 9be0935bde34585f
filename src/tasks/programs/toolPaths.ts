import { cubicKnot, cubicPosition, type LegKnot } from '../../core/cartesian/legKnot.ts';
import type { LegTools } from '../../core/cartesian/legTools.ts';
import type { SlowWays } from '../../core/cartesian/paths/slowWays.ts';
import { timedPath } from '../../core/cartesian/paths/timedPath.ts';
import { type FollowedPath, PathTool, toleranceOf } from '../../core/cartesian/paths/toolPath.ts';
import { describeFollowFault } from '../../core/cartesian/planLeg.ts';
import { isMovedLink } from '../../core/kinematics/composition/chainInFrame.ts';
import { forwardKinematics, RobotState } from '../../core/kinematics/forwardKinematics.ts';
import { poseOfTransform, transformOfPose } from '../../core/kinematics/pose.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { LinkFrame } from '../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { create, type Transform } from '../../core/math/transform.ts';
import type { PathStep } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { durationOf, type MotionLimits, type TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import type { StopLimits } from '../forces/stopLimits.ts';
import type { PathSpan } from '../planning/planStats.ts';
import { linkPoses, type World } from '../world.ts';
import { type FailedPath, pathSpans, speedSpans } from './failures/pathSpans.ts';
import type { PathChecks } from './pathChecks.ts';
import type { FrameSpeedRules } from './speedRules.ts';
import type { FollowedToolPath, LegFault, StepPath } from './stepPath.ts';

/** Limit of the poses of the frame of a path at which solutions are searched. */
const FRAMES = 24;
/** Largest change of a joint between states in which collisions are checked, rad or m. */
const CHECK_STEP = 0.004;
/** Number of corrections of an estimate along a tool path. */
const ESTIMATES = 24;

/**
 * Returns the frame of a tool path: the index of a link that planned joints move, or a pose in the world. Throws
 * `InputError` for an obstacle with a motion.
 * @param scene scene at the start of the step
 */
export function pathFrame(robot: RobotModel, scene: Pick<Scene, 'obstacles'>, { frame }: PathStep): number | Transform {
  if (frame === 'world') return create();
  const link = robot.links.findIndex(({ name }) => name === frame);
  if (link >= 0) {
    if (isMovedLink(robot, link)) return link;
    const state = new RobotState(robot);
    forwardKinematics(state, new Float64Array(robot.dof));
    return state.T_world_link[link].slice();
  }
  const obstacle = scene.obstacles.find(({ name }) => name === frame);
  if (obstacle?.motion)
    throw new InputError(`the frame "${frame}" of a tool path moves`, 'Give one at rest, or a link that carries it.');
  if (obstacle) return transformOfPose(obstacle.pose);
  throw new InputError(`the frame "${frame}" of a tool path is neither a link nor an obstacle at its start`);
}

/** Returns where the tool is slower than its limits on a motion that is slowed down as a whole: everywhere. */
function slowedWays({ ideal }: FollowedToolPath, slow: readonly SlowWays[], factor: number, to: number): SlowWays[] {
  const speeds = [
    ...slow.map(({ speed, limit }) => ({ speed, limit })),
    ...ideal.legs.map(({ speed: limit }) => ({ speed: limit, limit })),
  ];
  const least = speeds.reduce((a, b) => (b.speed < a.speed ? b : a));
  if (least.limit === Number.POSITIVE_INFINITY) return [];
  const cause = { what: 'the momentum, the power or the speed of a frame', share: 1 };
  return [{ from: 0, to, speed: least.speed / factor, limit: least.limit, cause }];
}

/** Plans the tool paths of one robot. */
export class ToolPaths {
  /** Of each step, the farthest motion that fails. */
  private readonly failed = new Map<PathStep, FailedPath>();
  /** Where planned motions are slower than their limits. */
  private readonly slow = new Map<FollowedToolPath, readonly SlowWays[]>();
  private readonly tools = new Map<PathStep, { readonly frame: number | Transform; readonly tool: PathTool }[]>();

  constructor(
    private readonly robot: RobotModel,
    private readonly tcp: LinkFrame,
    private readonly legTools: LegTools,
    private readonly checks: PathChecks,
    private readonly interrupt: Interrupt,
  ) {}

  /** Computes the joint path of a step from q, collision-free at its knots and between those that are far apart. */
  path(step: PathStep, q: Configuration, world: World): StepPath | LegFault {
    const found = this.follow(step, q, world);
    if (!('reason' in found)) return found;
    const reached = Math.floor(found.fraction * (step.points.length - 1) + 1e-6);
    const known = this.failed.get(step);
    if (!known || reached > known.reached) this.failed.set(step, { q, world, reached, reason: found.reason });
    return reached > 0 ? { ...found, reason: `${found.reason}, after way point ${reached}` } : found;
  }

  /** Divides a tool path that was planned into spans, by its speed. */
  speedSpans(step: PathStep, followed: FollowedToolPath): PathSpan[] {
    return speedSpans(step, this.slow.get(followed) ?? []);
  }

  /** Divides a tool path that was not followed into spans; undefined if no motion along it was tried. */
  spans(step: PathStep): PathSpan[] | undefined {
    const first = this.failed.get(step);
    if (!first) return undefined;
    const follow = (part: PathStep, q: Configuration, world: World) => this.follow(part, q, world);
    const tool = this.toolOf(step, first.world);
    const frame = pathFrame(this.robot, first.world.scene, step);
    const frames = tool.framesFrom(first.q, FRAMES).map((q) => {
      return { q, T_world_frame: typeof frame === 'number' ? linkPoses(this.robot, q)(step.frame) : frame };
    });
    const { quat_wxyz } = poseOfTransform(tool.poseAt(first.q));
    return pathSpans(step, first, follow, frames, quat_wxyz, this.interrupt);
  }

  private follow(step: PathStep, q: Configuration, world: World): StepPath | LegFault {
    const tool = this.toolOf(step, world);
    let best: LegFault | undefined;
    for (const manner of tool.manners) {
      const followed = tool.follow(q, manner);
      if (!followed) {
        const { position, angle } = tool.startError(q, tool.ideal(q));
        const off = `${round(1000 * position)} mm and ${round((angle * 180) / Math.PI)} deg`;
        return { fraction: 0, reason: `the tool is ${off} from the first way point`, isLimit: false };
      }
      const found = this.checked(step, tool, followed, q, world);
      if (!('reason' in found)) return found;
      if (!best || found.fraction > best.fraction) best = found;
    }
    return best!;
  }

  /**
   * Searches a whole tool path from configurations with one pose of the tool, collision-free as that of `path`;
   * undefined if nothing is free, or no joint path is found.
   * @param density of the layers in which it is searched
   */
  searched(step: PathStep, sources: readonly Configuration[], world: World, density: number): StepPath | undefined {
    const tool = this.toolOf(step, world);
    const followed = tool.search(sources, this.checks.validity(step, world), density);
    const found = followed && this.checked(step, tool, followed, sources[0], world);
    return found && !('reason' in found) ? found : undefined;
  }

  /** Checks collisions and constraints on a joint path: at its knots, and between those that are far apart. */
  private checked(
    step: PathStep,
    tool: PathTool,
    followed: FollowedPath,
    q: Configuration,
    world: World,
  ): StepPath | LegFault {
    const { dof } = this.robot;
    const legs = followed.sections.map(({ section, knots }) => ({
      leg: section.leg,
      knots: knots.map((knot) => ({ ...knot, q: knot.q.slice(0, dof), dq: knot.dq.slice(0, dof) })),
    }));
    const last = step.points.length - 1;
    for (const [k, { knots }] of legs.entries()) {
      const blocked = this.checks.first(withMiddles(knots), step, world);
      if (blocked === 'interrupted') return { fraction: 0, reason: 'the time limit ended the search', isLimit: false };
      if (!blocked) continue;
      const { s, ...why } = blocked;
      const after = Math.max(
        1,
        knots.findIndex((knot) => knot.s >= s),
      );
      const at = knots.length > 1 ? cubicPosition(knots[after - 1], knots[after], s) : knots[0].q;
      const reached = tool.passed(followed.ideal, followed.sections.slice(0, k + 1), s, at);
      return { fraction: reached / last, isLimit: false, ...why };
    }
    const { fault, reached } = followed;
    if (fault) {
      const reason = describeFollowFault(fault, tool.tracker);
      return { fraction: reached / last, reason, isLimit: fault.kind === 'joint-limit' };
    }
    const end = legs.at(-1)?.knots.at(-1)?.q ?? q;
    return { legs, end, followed: { ...followed, tool } };
  }

  /** Estimates configurations along a step from q, without checks of limits and collisions. */
  estimatedCorners(step: PathStep, q: Configuration, world: World): Configuration[] | undefined {
    const tool = this.toolOf(step, world);
    return tool.estimate(q, ESTIMATES);
  }

  /**
   * Computes the motion along a joint path: points with times from 0, without the first.
   * @param others limits other than those of joints and TCP, for which the whole motion is slowed down
   * @param stops limits of stops, for which joints move slower
   */
  timed(
    step: PathStep,
    followed: FollowedToolPath,
    limits: MotionLimits,
    tcpSpeed: number,
    others: FrameSpeedRules,
    stops: StopLimits | undefined,
  ): readonly TrajectoryPoint[] | LegFault {
    if (followed.sections.length === 0) return [];
    const { tool } = followed;
    const tools = { tool, world: this.legTools, interrupt: this.interrupt };
    const last = step.points.length - 1;
    const jointNames = this.robot.variables.map(({ name }) => name);
    const tolerance = toleranceOf(step);
    let timed = { reached: 0 } as ReturnType<typeof timedPath>;
    const within = (own: MotionLimits) => {
      timed = timedPath(tools, followed.ideal, followed.sections, { limits: own, tolerance, tcpSpeed });
      return 'points' in timed ? others.slowedDown({ jointNames, points: timed.points }, own) : undefined;
    };
    const motion = stops ? stops.slowed(limits, within) : within(limits);
    if ('points' in timed && motion) {
      const factor = durationOf(motion)! / timed.points.at(-1)!.time_from_start!;
      this.slow.set(followed, factor > 1 ? slowedWays(followed, timed.slow, factor, last) : timed.slow);
      return motion.points.slice(1);
    }
    const reached = 'points' in timed ? 0 : timed.reached;
    return {
      fraction: reached / last,
      reason: `no motion within its tolerance and the limits is proved after way point ${reached}`,
      isLimit: false,
    };
  }

  private toolOf(step: PathStep, world: World): PathTool {
    const frame = pathFrame(this.robot, world.scene, step);
    const known = this.tools.get(step) ?? [];
    this.tools.set(step, known);
    const found = known.find((one) => isSameFrame(one.frame, frame));
    if (found) return found.tool;
    const tool = new PathTool(this.robot, this.tcp, frame, step, this.interrupt);
    known.push({ frame, tool });
    return tool;
  }
}

/** Returns the knots of a joint path, with others on the cubics between those that are far from each other. */
function withMiddles(knots: readonly LegKnot[]): LegKnot[] {
  return knots.flatMap((to, k) => {
    if (k === 0) return [to];
    const from = knots[k - 1];
    const change = to.q.reduce((most, value, j) => Math.max(most, Math.abs(value - from.q[j])), 0);
    const parts = Math.max(1, Math.ceil(change / CHECK_STEP));
    const h = (to.s - from.s) / parts;
    return [...Array.from({ length: parts - 1 }, (_, i) => cubicKnot(from, to, from.s + (i + 1) * h)), to];
  });
}

const isSameFrame = (a: number | Transform, b: number | Transform) =>
  a === b || (typeof a !== 'number' && typeof b !== 'number' && a.every((value, k) => value === b[k]));

const round = (value: number) => Number(value.toPrecision(6));
