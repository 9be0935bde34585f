import type { CartesianLeg } from '../../core/cartesian/cartesianLeg.ts';
import { FrameSpeed } from '../../core/cartesian/frameSpeed.ts';
import type { LegKnot } from '../../core/cartesian/legKnot.ts';
import { LegProver } from '../../core/cartesian/legProver.ts';
import type { LegTools } from '../../core/cartesian/legTools.ts';
import { describeFollowFault, jointPathOf, pathShare, timedLeg } from '../../core/cartesian/planLeg.ts';
import { legThrough, smoothed } from '../../core/cartesian/searchedLeg.ts';
import { type SearchedLeg, searchSelfMotion } from '../../core/cartesian/selfMotionSearch.ts';
import { stepLegs } from '../../core/cartesian/stepLegs.ts';
import { ToolTracker } from '../../core/cartesian/toolTracker.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { LinkFrame } from '../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import { create, type Transform } from '../../core/math/transform.ts';
import type { CartesianStep, PathStep, Step, StepRules } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { wholeNanoseconds } from '../../core/trajectory/roundedTimes.ts';
import type { MotionLimits, TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { StopLimits } from '../forces/stopLimits.ts';
import type { PathSpan } from '../planning/planStats.ts';
import { linkPoses, type World } from '../world.ts';
import { PathChecks } from './pathChecks.ts';
import { FrameSpeedRules, plannedTcpSpeed, type SpeedScene } from './speedRules.ts';
import { type LegFault, type StepPath, weightOf } from './stepPath.ts';
import { ToolPaths } from './toolPaths.ts';

/** A line, arc or tool path, and the world that it is carried out in. */
export interface WorldStep {
  readonly step: CartesianStep;
  readonly world: World;
}

/** Length and angle of a leg, metres and radians, between corrections of an estimate. */
const CORRECTED_LENGTH = 0.1;
const CORRECTED_ANGLE = 0.3;
/** Maximum number of corrections of an estimate along one leg. */
const MAX_CORRECTIONS = 20;

/** Plans lines and arcs of one robot. */
export class StepMotions {
  readonly tools: LegTools;
  private readonly checks: PathChecks;
  private readonly paths: ToolPaths;
  /** Number of joint paths that were computed. */
  followed = 0;

  constructor(
    private readonly robot: RobotModel,
    tcp: LinkFrame,
    private readonly limits: MotionLimits,
    /** Its constraints and limits of speed apply to every step. */
    private readonly scene: SpeedScene & Pick<Scene, 'steps'>,
    /** Ends the computation of paths and proofs, which then fail. */
    private readonly interrupt: Interrupt = never,
  ) {
    this.tools = {
      tracker: new ToolTracker(robot, tcp),
      prover: new LegProver(robot, tcp, interrupt),
      speed: new FrameSpeed(robot, tcp, interrupt),
      interrupt,
    };
    this.checks = new PathChecks(robot, scene, interrupt);
    this.paths = new ToolPaths(robot, tcp, this.tools, this.checks, interrupt);
  }

  /**
   * Computes the joint path of a step from q, collision-free at its knots; or returns the reached fraction and the
   * reason.
   */
  path(step: CartesianStep, q: Configuration, world: World): StepPath | LegFault {
    const { tools, robot } = this;
    this.followed++;
    if (step.kind === 'path') return this.paths.path(step, q, world);
    const legs = stepLegs(step, tools.tracker.pose(q), linkPoses(robot, q));
    if (!legs)
      return {
        fraction: 0,
        reason: 'its start, via and end are on one straight line, or two of them coincide: they define no circle',
        isLimit: false,
      };
    const total = legs.reduce((sum, leg) => sum + weightOf(leg), 0);
    const done: { leg: CartesianLeg; knots: readonly LegKnot[] }[] = [];
    let at = q;
    let before = 0;
    for (const leg of legs) {
      if (leg.length === 0 && leg.angle === 0) continue;
      const { knots, fault } = jointPathOf(tools, at, leg, step.tolerance);
      const blocked = this.checks.first(knots, step, world);
      const share = (s: number) => (before + s * weightOf(leg)) / total;
      if (blocked === 'interrupted')
        return { fraction: share(0), reason: 'the time limit ended the search', isLimit: false };
      if (blocked) {
        const { s, ...why } = blocked;
        return { fraction: share(s), isLimit: false, ...why };
      }
      if (fault) {
        const isLimit = fault.kind === 'joint-limit';
        return { fraction: share(knots.at(-1)?.s ?? 0), reason: describeFollowFault(fault, tools.tracker), isLimit };
      }
      done.push({ leg, knots });
      at = knots[knots.length - 1].q;
      before += weightOf(leg);
    }
    return { legs: done, end: at };
  }

  /** Divides the tool paths of planned stages into spans, by their speed; undefined if there are none. */
  speedSpans(
    steps: readonly Step[],
    stages: readonly { readonly paths: ReadonlyMap<number, StepPath> }[],
  ): PathSpan[] | undefined {
    const spans = stages.flatMap(({ paths }) =>
      [...paths].flatMap(([k, { followed }]) => {
        const step = steps[k];
        return followed && step.kind === 'path' ? this.paths.speedSpans(step, followed) : [];
      }),
    );
    return spans.length > 0 ? spans : undefined;
  }

  /** Divides a tool path that was not followed into spans; undefined for other steps. */
  spans(step: Step | undefined): PathSpan[] | undefined {
    return step?.kind === 'path' ? this.paths.spans(step) : undefined;
  }

  /** Returns the first state of a joint path that violates a constraint, as if the robot stopped after every step. */
  violation({ legs }: StepPath, rules: StepRules, world: World): LegFault | undefined {
    const total = legs.reduce((sum, { leg }) => sum + weightOf(leg), 0);
    let before = 0;
    for (const { leg, knots } of legs) {
      const found = this.checks.first(knots, rules, world, true);
      if (found === 'interrupted') return undefined;
      if (found) {
        const { s, ...why } = found;
        return { fraction: (before + s * weightOf(leg)) / total, isLimit: false, ...why };
      }
      before += weightOf(leg);
    }
    return undefined;
  }

  /**
   * Searches the self-motion of a redundant arm for joint paths of steps that follow each other, collision-free at
   * their knots. Undefined if none are found.
   * @param sources configurations at the start of the first step, with one pose of the tool center point
   */
  searched(steps: readonly WorldStep[], sources: readonly Configuration[]): Map<number, StepPath> | undefined {
    const { tools, robot, checks, interrupt } = this;
    let T: Transform = tools.tracker.pose(sources[0]).slice();
    const searched: (SearchedLeg & WorldStep)[] = [];
    for (const { step, world } of steps) {
      this.followed++;
      const legs = step.kind === 'path' ? undefined : stepLegs(step, T, linkPoses(robot, sources[0]));
      if (!legs) return undefined;
      const isValid = checks.validity(step, world);
      for (const leg of legs) if (leg.length + leg.angle > 0) searched.push({ leg, step, world, isValid });
      T = legs[legs.length - 1].end;
    }
    const found = searchSelfMotion(tools.tracker, searched, sources, interrupt);
    if (!found) return undefined;
    const paths = new Map<number, { legs: StepPath['legs'][number][]; end: Configuration }>();
    for (const [k, { leg, step, world, isValid }] of searched.entries()) {
      const share = pathShare(step.tolerance);
      const shorter = smoothed(tools.tracker, leg, found[k], isValid);
      const freeThrough = (configurations: readonly Configuration[]) => {
        const knots = legThrough(tools.tracker, leg, configurations, share);
        return knots && !checks.first(knots, step, world) ? knots : undefined;
      };
      const knots = freeThrough(shorter) ?? freeThrough(found[k]);
      if (!knots) return undefined;
      const path = paths.get(step.index) ?? { legs: [], end: sources[0] };
      path.legs.push({ leg, knots });
      path.end = knots[knots.length - 1].q;
      paths.set(step.index, path);
    }
    return paths;
  }

  /** Searches a whole tool path, as `ToolPaths.searched`. */
  searchedPath(step: PathStep, sources: readonly Configuration[], world: World, density: number): StepPath | undefined {
    this.followed++;
    return this.paths.searched(step, sources, world, density);
  }

  /**
   * Estimates the configurations at the ends of the legs of a step from q, without checks of limits and collisions.
   * Undefined if a correction of the tool pose fails.
   */
  estimatedCorners(step: CartesianStep, q: Configuration, world: World): Configuration[] | undefined {
    const { tracker } = this.tools;
    if (step.kind === 'path') return this.paths.estimatedCorners(step, q, world);
    const legs = stepLegs(step, tracker.pose(q), linkPoses(this.robot, q));
    if (!legs) return undefined;
    const at = q.slice();
    const T = create();
    const corners: Configuration[] = [];
    for (const leg of legs) {
      const count = Math.min(MAX_CORRECTIONS, Math.ceil(leg.length / CORRECTED_LENGTH + leg.angle / CORRECTED_ANGLE));
      for (let i = 1; i <= count; i++) {
        leg.poseAt(T, i / count);
        if (!tracker.correct(at, T)) return undefined;
      }
      corners.push(at.slice());
    }
    return corners;
  }

  /**
   * Computes the motion along a joint path, stopping at the corners of a polyline: points with times from 0, without
   * the first; empty for a path without motion. A fault if a leg cannot be proved to be within the tolerance.
   * @param world in which the step is carried out
   */
  timed({ legs, followed }: StepPath, rules: CartesianStep, { scene }: World): readonly TrajectoryPoint[] | LegFault {
    const limits = scaledLimits(this.limits, rules);
    const tcpSpeed = plannedTcpSpeed(this.scene, rules);
    const frames = new FrameSpeedRules(this.robot, scene, rules, this.interrupt);
    const stops = StopLimits.of(this.robot, { ...scene, steps: [rules] }, this.interrupt);
    if (followed && rules.kind === 'path') return this.paths.timed(rules, followed, limits, tcpSpeed, frames, stops);
    const points: TrajectoryPoint[] = [];
    const total = legs.reduce((sum, { leg }) => sum + weightOf(leg), 0);
    let time = 0;
    let before = 0;
    for (const { leg, knots } of legs) {
      const within = (own: MotionLimits) => {
        const fastest = timedLeg(this.tools, leg, knots, { limits: own, tolerance: rules.tolerance, tcpSpeed });
        return fastest && frames.slowedDown(fastest, own);
      };
      const motion = stops ? stops.slowed(limits, within) : within(limits);
      if (!motion)
        return {
          fraction: before / total,
          reason: `no motion within its tolerance and the limits of the joints${stops ? ' and stops' : ''} is proved`,
          isLimit: false,
        };
      for (const point of motion.points.slice(1))
        points.push({ ...point, time_from_start: wholeNanoseconds(time + point.time_from_start!) });
      time = points[points.length - 1].time_from_start!;
      before += weightOf(leg);
    }
    return points;
  }
}

/** Returns the limits of a step: velocity and acceleration are scaled, jerk is not. */
export function scaledLimits(
  limits: MotionLimits,
  { speed, acceleration }: Pick<StepRules, 'speed' | 'acceleration'>,
): MotionLimits {
  return {
    ...limits,
    velocity: Array.from(limits.velocity, (value) => speed * value),
    acceleration: Array.from(limits.acceleration, (value) => acceleration * value),
  };
}
