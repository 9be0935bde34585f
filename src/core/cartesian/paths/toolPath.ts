import { chainInFrame, type FrameChain } from '../../kinematics/composition/chainInFrame.ts';
import { poseError } from '../../kinematics/pose.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../math/configuration.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import type { Transform } from '../../math/transform.ts';
import { atan2, PI, pow } from '../../math/trigonometry.ts';
import { norm } from '../../math/vec3.ts';
import type { PathStep } from '../../scene/program.ts';
import { lineLeg } from '../cartesianLeg.ts';
import type { FollowFault } from '../followLeg.ts';
import { FrameSpeed } from '../frameSpeed.ts';
import type { LegKnot } from '../legKnot.ts';
import { type PathTolerance, setAxisError } from '../pathTolerance.ts';
import { smoothed } from '../searchedLeg.ts';
import { ToolTracker } from '../toolTracker.ts';
import { followSection, guidedSection } from './followSection.ts';
import { type IdealPath, idealPath } from './idealPath.ts';
import { searchLadder } from './pathLadder.ts';
import { PathProver } from './pathProver.ts';
import { freeJoints, hasSelfMotion } from './pathRedundancy.ts';
import { type PathSection, passedPoint, smoothSections } from './smoothPath.ts';

/** Share of the tolerance that a joint path may use between two knots. */
const PATH_SHARE = 0.2;
/** Share of the tolerance within which the start of a path must be. */
const START_SHARE = 0.25;

/** Rounding of a root of a whole number. */
const SAME_COUNT = 1e-9;
/** Length and angle between corrections of an estimate, metres and radians. */
const ESTIMATE_LENGTH = 0.1;
const ESTIMATE_ANGLE = 0.3;

/** A section with its joint path, in the joints of the chain: those of the robot, then the free ones. */
export interface FollowedSection {
  readonly section: PathSection;
  readonly knots: readonly LegKnot[];
}

/** Joint path of a tool path. */
export interface FollowedPath {
  readonly ideal: IdealPath;
  readonly sections: readonly FollowedSection[];
  /** Why it ends before the end; undefined if it does not. */
  readonly fault: FollowFault | undefined;
  /** Index of the last way point that is reached. */
  readonly reached: number;
}

/** Returns the tolerance of a tool path for proofs. */
export const toleranceOf = ({ tolerance, isYawFree, tilt }: PathStep): PathTolerance => ({
  ...tolerance,
  isYawFree,
  tilt: isYawFree ? tilt : 0,
});

/** A manner in which a path is continued from configuration to configuration. */
export interface Manner {
  readonly tracker: ToolTracker;
  readonly avoidsLimits: boolean;
}

/** Inverse weight of tilts, relative to joints of the arm, and of those relative to joints that move the frame. */
const SECONDARY = 0.02;

/** Kinematics of a tool in the frame of a path. One per thread. */
export class PathTool {
  /** The chain with the free joints. */
  readonly tracker: ToolTracker;
  /** The chain without them. */
  readonly own: ToolTracker;
  readonly prover: PathProver;
  readonly speed: FrameSpeed;
  /** Manners of continuation, in the order in which they are tried. */
  readonly manners: readonly Manner[];
  private readonly chain: FrameChain;

  /** @param frame index of a link that moves, or the pose of the frame in the world */
  constructor(
    private readonly robot: RobotModel,
    tcp: LinkFrame,
    frame: number | Transform,
    private readonly step: PathStep,
    private readonly interrupt: Interrupt,
  ) {
    const still = chainInFrame(robot, tcp, frame);
    this.chain = chainInFrame(robot, tcp, frame, freeJoints(step));
    const { model, tool } = this.chain;
    const isRedundant = hasSelfMotion(new ToolTracker(model, tool, true));
    this.tracker = new ToolTracker(model, tool, isRedundant);
    const isTilt = (j: number) => j > robot.dof;
    const inverseWeights = Float64Array.from(model.variables, (_, j) =>
      this.chain.ofFrame.includes(j) ? 1 / SECONDARY : isTilt(j) ? SECONDARY : 1,
    );
    const hasPreference = isRedundant && inverseWeights.some((weight) => weight !== 1);
    this.manners = [
      { tracker: this.tracker, avoidsLimits: false },
      ...(hasPreference ? [{ tracker: new ToolTracker(model, tool, true, inverseWeights), avoidsLimits: false }] : []),
      ...(isRedundant ? [{ tracker: this.tracker, avoidsLimits: true }] : []),
    ];
    this.prover = new PathProver(still.model, still.tool, interrupt);
    this.speed = new FrameSpeed(still.model, still.tool, interrupt);
    this.own = new ToolTracker(still.model, still.tool);
  }

  /** Returns the pose of the tool in the frame of the path. */
  poseAt(q: Configuration): Transform {
    return this.own.pose(q).slice();
  }

  /**
   * Returns a configuration, and copies of it with other values of the joints that move the frame of the path but not
   * the tool: at most `count`, over the ranges of these joints (continuous ones: a turn).
   */
  framesFrom(q: Configuration, count: number): Configuration[] {
    const { ofFrame } = this.chain;
    const each = ofFrame.length > 0 ? Math.floor(pow(count - 1, 1 / ofFrame.length) + SAME_COUNT) : 0;
    let all: Configuration[] = [];
    for (const [k, j] of ofFrame.entries()) {
      const { lower, upper } = this.robot.variables[j].limits;
      const isLimited = upper - lower < Number.POSITIVE_INFINITY;
      const [from, range] = isLimited ? [lower, upper - lower] : [q[j], 2 * PI];
      all = (k === 0 ? [q] : all).flatMap((one) =>
        Array.from({ length: each }, (_, i) => one.map((x, n) => (n === j ? from + (range * (i + 0.5)) / each : x))),
      );
    }
    return [q, ...all];
  }

  /** Returns the ideal path that begins where the tool is at q. */
  ideal(q: Configuration): IdealPath {
    return idealPath(this.step, this.poseAt(q));
  }

  /** Returns how far the tool at q is from the first way point: metres, radians up to what is free. */
  startError(q: Configuration, { legs }: IdealPath): { readonly position: number; readonly angle: number } {
    const error = new Float64Array(6);
    const T = this.poseAt(q);
    poseError(error, T, legs[0].leg.start);
    if (this.step.isYawFree) setAxisError(error, T, legs[0].leg.start);
    return { position: norm(error.subarray(0, 3)), angle: norm(error.subarray(3, 6)) };
  }

  /**
   * Computes the joint path of the whole tool path from a configuration; undefined if it is not at the first way point.
   */
  follow(q: Configuration, { tracker, avoidsLimits }: Manner): FollowedPath | undefined {
    const { step, interrupt } = this;
    const ideal = this.ideal(q);
    if (!this.isAtStart(q, ideal)) return undefined;
    if (!isMoving(ideal)) return { ideal, sections: [], fault: undefined, reached: step.points.length - 1 };
    const start = this.extended(q, ideal.legs[0].leg.start);
    const done: FollowedSection[] = [];
    let at = start;
    for (const section of this.sectionsFrom(start, ideal)) {
      const { knots, fault } = followSection(tracker, at, section, this.pathShare, interrupt, avoidsLimits);
      done.push({ section, knots });
      const end = knots.at(-1);
      if (fault)
        return { ideal, sections: done, fault, reached: this.passed(ideal, done, end?.s ?? 0, end?.q ?? start) };
      at = end!.q;
    }
    return { ideal, sections: done, fault: undefined, reached: step.points.length - 1 };
  }

  /**
   * Searches the joint paths of the whole tool path from configurations with one pose of the tool, over the rotations
   * that are free and the self-motions of the arm, for one with little joint motion; undefined if none is found.
   * @param isValid collisions and constraints of a state
   * @param density of the layers of the search
   */
  search(
    sources: readonly Configuration[],
    isValid: (q: Configuration) => boolean,
    density: number,
  ): FollowedPath | undefined {
    const { interrupt } = this;
    const { tracker } = this.manners.at(1) ?? this.manners[0];
    const { dof } = this.robot;
    const ideal = this.ideal(sources[0]);
    const starts = sources
      .filter((q) => this.isAtStart(q, ideal))
      .map((q) => this.extended(q, ideal.legs[0].leg.start));
    if (!tracker.isRedundant || !isMoving(ideal) || starts.length === 0) return undefined;
    const isFree = (q: Configuration) => isValid(q.subarray(0, dof));
    const legs = this.sectionsFrom(starts[0], ideal).map(({ leg }) => ({ leg, isValid: isFree }));
    const found = searchLadder(tracker, legs, starts, dof, density, interrupt);
    if (!found) return undefined;
    const sections: FollowedSection[] = [];
    for (const [k, section] of this.sectionsFrom(found[0][0], ideal).entries()) {
      const shorter = smoothed(tracker, section.leg, found[k], isFree);
      const { knots, fault } = guidedSection(tracker, section, shorter, this.pathShare, interrupt);
      if (fault) return undefined;
      sections.push({ section, knots });
    }
    return { ideal, sections, fault: undefined, reached: this.step.points.length - 1 };
  }

  private isAtStart(q: Configuration, ideal: IdealPath): boolean {
    const miss = this.startError(q, ideal);
    const { position, angle } = this.step.tolerance;
    return miss.position <= START_SHARE * position && miss.angle <= START_SHARE * angle;
  }

  /** Returns the sections of the path; the motion begins exactly where the tool is. */
  private sectionsFrom(start: Configuration, { legs }: IdealPath): PathSection[] {
    const first = { ...legs[0], leg: lineLeg(this.tracker.pose(start).slice(), legs[0].leg.end) };
    return smoothSections([first, ...legs.slice(1)], this.step.tolerance);
  }

  private get pathShare(): PathTolerance {
    const { position, angle } = this.step.tolerance;
    return { position: PATH_SHARE * position, angle: PATH_SHARE * angle };
  }

  /** Returns the last way point that the tool has passed at a configuration at s of the last section. */
  passed({ legs }: IdealPath, sections: readonly FollowedSection[], s: number, q: Configuration): number {
    const before = sections.length > 1 ? sections[sections.length - 2].section.points.at(-1)! : 0;
    const reached = passedPoint(sections[sections.length - 1].section, s, before);
    const leg = legs.find(({ point }) => point > reached);
    return leg ? this.wayAt(reached + 1, leg.point, q) - 1 : reached;
  }

  /**
   * Returns the first of consecutive way points on a straight line that the tool at a configuration has not passed; the
   * last one if it has passed all others.
   */
  wayAt(first: number, last: number, q: Configuration): number {
    const { points } = this.step;
    const T = this.own.pose(q.subarray(0, this.robot.dof));
    let way = first;
    const isPassed = () => {
      const [start, end] = [points[way - 1].xyz, points[way].xyz];
      return end.reduce((sum, x, i) => sum + (x - T[4 * i + 3]) * (x - start[i]), 0) <= 0;
    };
    while (way < last && isPassed()) way++;
    return way;
  }

  /**
   * Estimates configurations at way points at equal distances in their list, without checks; undefined if a correction
   * of the tool pose fails.
   */
  estimate(q: Configuration, count: number): Configuration[] | undefined {
    const { robot } = this;
    const ideal = this.ideal(q);
    if (!isMoving(ideal)) return [];
    const { legs } = ideal;
    const at = this.extended(q, legs[0].leg.start);
    const found: Configuration[] = [];
    const step = Math.max(1, legs.length / count);
    for (let k = step - 1; Math.round(k) < legs.length; k += step) {
      const to = legs[Math.round(k)].leg.end;
      if (!this.approach(at, to)) return undefined;
      found.push(at.slice(0, robot.dof));
    }
    return found;
  }

  /** Moves q until the tool is at a pose, in steps that stay on one IK branch. */
  private approach(q: Configuration, T: Transform): boolean {
    const { tracker } = this;
    const way = lineLeg(tracker.pose(q).slice(), T);
    const steps = Math.max(1, Math.ceil(way.length / ESTIMATE_LENGTH + way.angle / ESTIMATE_ANGLE));
    const out = T.slice();
    for (let i = 1; i <= steps; i++) {
      way.poseAt(out, i / steps);
      if (!tracker.correct(q, out)) return false;
    }
    return true;
  }

  /** Returns a configuration of the chain: the free joints such that the tool frame has the orientation of the path. */
  private extended(q: Configuration, T_start: Transform): Configuration {
    const { step, tracker, robot } = this;
    const out = new Float64Array(tracker.model.dof);
    out.set(q);
    if (!step.isYawFree) return out;
    const T = this.poseAt(q);
    // R_actualᵀ R_start, of which the rotation about z remains
    const entry = (i: number, j: number) => T[i] * T_start[j] + T[4 + i] * T_start[4 + j] + T[8 + i] * T_start[8 + j];
    out[robot.dof] = atan2(entry(1, 0) - entry(0, 1), entry(0, 0) + entry(1, 1));
    return out;
  }
}

/** Returns true if the tool moves along a path. */
const isMoving = ({ legs: [{ leg }] }: IdealPath) => leg.length > 0 || leg.angle > 0;
