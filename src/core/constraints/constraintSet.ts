import { PosedLinks } from '../cartesian/toolTracker.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import { type ToolCenterPoint, tcpOf } from '../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../math/configuration.ts';
import type { JointMotion } from '../math/jointMotion.ts';
import { isRateConstraint, type PathConstraint, requireValidConstraint } from '../scene/constraints.ts';
import type { MotionScene } from '../scene/scene.ts';
import { EXCESS_TOLERANCE, FrameConstraints, type IntervalVerdict } from './frameConstraint.ts';
import { createFrameConstraint } from './index.ts';
import { type JointRange, rangeExcess, rangeOf } from './jointRanges.ts';
import { type JointBounds, Projection } from './projection.ts';
import { areNearOpposites } from './region.ts';

/** The first constraint that a motion violates, or cannot be proved to satisfy. */
export interface ConstraintViolation {
  /** Name of the constraint. */
  readonly label: string;
  /** Time of the motion. */
  readonly time: number;
  /** Excess, radians or metres; at most 0 if the constraint is not violated but not proved either. */
  readonly excess: number;
}

/**
 * Largest rounding error of a pose, rad or m, that the tolerance of constraints covers; motions with greater ones are
 * not proved. Joint values of 1e5 rad, or mimic multipliers, lead to such errors.
 */
const MAX_ROUNDING = 1e-10;
/** Rounding error of a joint angle relative to the terms of its position: sums and products, each half a unit. */
const ANGLE_ROUNDING = 8 * 2 ** -53;

/** Intervals that are shorter are not bisected, relative to the length of the motion. */
const MIN_INTERVAL = 1e-7;
const MAX_INTERVALS = 100_000;

/**
 * The constraints of a scene on single states: all but those on speed. Evaluates states, proves motions over continuous
 * time, and projects states onto the set that satisfies all constraints. One per thread.
 */
export class ConstraintSet {
  private readonly frames: readonly FrameConstraints[];
  private readonly ranges: readonly JointRange[];
  private readonly q: Configuration;
  private readonly rates: Float64Array;
  private readonly velocity: Float64Array;
  private readonly acceleration: Float64Array;
  private readonly ranged: { readonly lower: Float64Array; readonly upper: Float64Array };
  private readonly projection: Projection;
  /** By variable: sum of the magnitudes of the multipliers of its joints. */
  private readonly gains: Float64Array;

  /** Throws `InputError` for unknown links and joints, and shapes that are no regions. */
  constructor(robot: RobotModel, constraints: readonly PathConstraint[], tcp?: ToolCenterPoint) {
    const links = new PosedLinks(robot);
    const groups = new Map<string, FrameConstraints>();
    const ranges: JointRange[] = [];
    for (const given of constraints) {
      requireValidConstraint(given);
      if (isRateConstraint(given)) continue;
      if (given.type === 'joint') {
        ranges.push(rangeOf(robot, given));
        continue;
      }
      const frame = tcpOf(robot, given.frame ?? tcp);
      const key = JSON.stringify([frame.link, Array.from(frame.T_link_frame)]);
      const group = groups.get(key) ?? new FrameConstraints(robot, frame, links);
      groups.set(key, group);
      group.functions.push(createFrameConstraint(given, robot, frame));
    }
    this.frames = [...groups.values()];
    this.ranges = ranges;
    this.q = new Float64Array(robot.dof);
    this.rates = new Float64Array(robot.dof);
    this.velocity = new Float64Array(robot.dof);
    this.acceleration = new Float64Array(robot.dof);
    const infinite = new Float64Array(robot.dof).fill(Number.POSITIVE_INFINITY);
    this.ranged = { lower: infinite.map((value) => -value), upper: infinite };
    this.narrow(this.ranged.lower, this.ranged.upper);
    this.projection = new Projection(this.frames, robot.dof);
    this.gains = new Float64Array(robot.dof);
    for (const { variable, multiplier } of robot.joints)
      if (variable >= 0) this.gains[variable] += Math.abs(multiplier);
  }

  /** Returns the constraints of a scene; undefined if none is on states. Throws as the constructor. */
  static ofScene(robot: RobotModel, { constraints = [], tcp }: MotionScene): ConstraintSet | undefined {
    const set = constraints.length > 0 ? new ConstraintSet(robot, constraints, tcp) : undefined;
    return set?.isEmpty ? undefined : set;
  }

  /** True if there are no constraints on states. */
  get isEmpty(): boolean {
    return this.frames.length + this.ranges.length === 0;
  }

  /**
   * True if states are constrained by ranges of joints and half-spaces of frames only, opposite ones of which are not
   * near each other. A planner may then keep them like obstacles; projections find motions between near planes sooner.
   */
  get isRoomy(): boolean {
    return this.frames.every(({ functions }) => {
      const planes = functions.map(({ halfspace }) => halfspace);
      return planes.every((one) => one && planes.every((other) => other && !areNearOpposites(one, other)));
    });
  }

  /** Returns the names of all constraints that a state violates, each once. */
  violated(q: Configuration): string[] {
    const out: string[] = [];
    for (const { label, joint, lower, upper } of this.ranges)
      if (!(rangeExcess(q[joint], lower, upper) <= EXCESS_TOLERANCE)) out.push(label);
    for (const { functions, tracker } of this.frames) {
      const T = tracker.pose(q);
      for (const { label, excess } of functions) if (!(excess(T) <= EXCESS_TOLERANCE)) out.push(label);
    }
    return [...new Set(out)];
  }

  /** Returns the largest excess of all constraints at q, radians and metres; at most 0: none is violated. */
  maxExcess(q: Configuration): number {
    let most = Number.NEGATIVE_INFINITY;
    for (const { joint, lower, upper } of this.ranges) most = Math.max(most, rangeExcess(q[joint], lower, upper));
    for (const { functions, tracker } of this.frames) {
      const T = tracker.pose(q);
      for (const { excess } of functions) most = Math.max(most, excess(T));
    }
    return most;
  }

  /** Narrows bounds on the joints to the joint ranges. */
  narrow(lower: Float64Array, upper: Float64Array): void {
    for (const range of this.ranges) {
      lower[range.joint] = Math.max(lower[range.joint], range.lower);
      upper[range.joint] = Math.min(upper[range.joint], range.upper);
    }
  }

  /** Returns true if a state satisfies all constraints. */
  isSatisfied(q: Configuration): boolean {
    return this.violationOf(q, 0) === undefined;
  }

  /**
   * Proves that a motion satisfies all constraints at every instant; returns the first violation otherwise, or what is
   * not proved within `maxIntervals` intervals.
   */
  violation(motion: JointMotion, maxIntervals = MAX_INTERVALS): ConstraintViolation | undefined {
    if (this.isEmpty) return undefined;
    if (!this.isExact(motion)) return this.inexact(motion);
    // Ends of the remaining intervals, the next one last; each interval begins at the end of the previous one.
    const ends = [motion.end];
    let from = motion.start;
    for (let intervals = 1; ends.length > 0; intervals++) {
      const to = ends[ends.length - 1];
      const middle = 0.5 * (from + to);
      const found = this.violationAt(motion, from, middle, to);
      if (found?.isCertain) return found.violation;
      const isShort = !(to - from > MIN_INTERVAL * (motion.end - motion.start)) || !(middle > from && middle < to);
      if (found && (isShort || intervals > maxIntervals)) return found.violation;
      if (found) ends.push(middle);
      else from = ends.pop()!;
    }
    return undefined;
  }

  /**
   * Returns true if the rounding errors of all poses along a motion are within the tolerance of constraints. Other
   * motions must not be proved.
   */
  isExact(motion: JointMotion): boolean {
    if (this.frames.length === 0) return true;
    const { q, velocity, acceleration, gains } = this;
    const { start, end, terms } = motion;
    motion.positionAt(q, start);
    motion.boundsOver(velocity, acceleration, start, end);
    let error = 0;
    for (let j = 0; j < gains.length; j++) {
      const most = Math.max(terms?.[j] ?? 0, Math.abs(q[j]) + (end - start) * velocity[j]);
      error += ANGLE_ROUNDING * gains[j] * most;
    }
    return error <= MAX_ROUNDING;
  }

  /**
   * Evaluates the constraints over an interval of a motion for which `isExact` is true: all are proved over it, one is
   * violated within it, or neither is known.
   */
  verdictOver(motion: JointMotion, from: number, to: number): IntervalVerdict {
    const { q, rates, velocity, acceleration } = this;
    const half = this.evaluate(motion, from, to);
    let isOpen = false;
    for (const range of this.ranges) {
      const excess = rangeExcess(q[range.joint], range.lower, range.upper);
      if (!(excess <= EXCESS_TOLERANCE)) return 'violated';
      if (!this.staysInRange(range, excess, half)) isOpen = true;
    }
    const isLine = hasConstantRates(acceleration);
    for (const group of this.frames) {
      const verdict = group.verdictOver(q, rates, velocity, acceleration, half, isLine);
      if (verdict === 'violated') return verdict;
      if (verdict === 'open') isOpen = true;
    }
    return isOpen ? 'open' : 'proved';
  }

  /**
   * Moves a state in place until it satisfies all constraints, by damped Newton steps of least norm on the violated
   * ones. Returns false if that fails; q is then undefined.
   * @param bounds bounds on the joints that the state must satisfy, too; default: the joint ranges only
   */
  project(q: Configuration, bounds: JointBounds = this.ranged): boolean {
    return this.projection.project(q, bounds);
  }

  /**
   * Removes from a direction at q, in place, the components that violate thin constraints to first order: tilts and
   * orientations within at most 5 deg.
   */
  makeTangent(direction: Float64Array, q: Configuration): void {
    this.projection.makeTangent(direction, q);
  }

  /**
   * Evaluates the constraints at the middle of an interval: a violation there is certain; otherwise one that is not
   * proved to be absent from the interval is returned, if any.
   */
  private violationAt(motion: JointMotion, from: number, middle: number, to: number) {
    motion.positionAt(this.q, middle);
    const certain = this.violationOf(this.q, middle);
    if (certain) return { violation: certain, isCertain: true };
    const open = this.openOver(motion, from, middle, to);
    return open && { violation: open, isCertain: false };
  }

  /** Returns the violation of a motion that is not proved because of rounding errors. */
  private inexact({ start }: JointMotion): ConstraintViolation {
    const found = this.violationOf(this.q, start); // `isExact` sets q to the start
    return found ?? { label: this.frames[0].functions[0].label, time: start, excess: 0 };
  }

  /** Returns the first violation of a state, if any. */
  private violationOf(q: Configuration, time: number): ConstraintViolation | undefined {
    for (const { label, joint, lower, upper } of this.ranges) {
      const excess = rangeExcess(q[joint], lower, upper);
      if (!(excess <= EXCESS_TOLERANCE)) return { label, time, excess };
    }
    for (const { functions, tracker } of this.frames) {
      const T = tracker.pose(q);
      for (const { label, excess: excessAt } of functions) {
        const excess = excessAt(T);
        if (!(excess <= EXCESS_TOLERANCE)) return { label, time, excess };
      }
    }
    return undefined;
  }

  /** Returns the first constraint that is not proved over an interval, if any. */
  private openOver(motion: JointMotion, from: number, middle: number, to: number): ConstraintViolation | undefined {
    const { q, rates, velocity, acceleration } = this;
    const half = this.evaluate(motion, from, to);
    for (const range of this.ranges) {
      const excess = rangeExcess(q[range.joint], range.lower, range.upper);
      if (!this.staysInRange(range, excess, half)) return { label: range.label, time: middle, excess };
    }
    const isLine = hasConstantRates(acceleration);
    for (const group of this.frames) {
      const open = group.openOver(q, rates, velocity, acceleration, half, isLine);
      if (open) return { label: open.label, time: middle, excess: open.excess(group.tracker.pose(q)) };
    }
    return undefined;
  }

  /**
   * Computes state and rates in the middle of an interval, and the bounds on velocities and accelerations over it.
   * Returns half of its length, rounded up.
   */
  private evaluate(motion: JointMotion, from: number, to: number): number {
    const middle = 0.5 * (from + to);
    motion.positionAt(this.q, middle);
    motion.velocityAt(this.rates, middle);
    motion.boundsOver(this.velocity, this.acceleration, from, to);
    return Math.max(middle - from, to - middle);
  }

  private staysInRange({ joint }: JointRange, excess: number, half: number): boolean {
    const { rates, velocity, acceleration } = this;
    const rate = Math.min(velocity[joint], Math.abs(rates[joint]) + half * acceleration[joint]);
    return excess + half * rate <= EXCESS_TOLERANCE;
  }
}

/** Returns true if the rates of all joints are constant. */
function hasConstantRates(acceleration: Float64Array): boolean {
  for (let j = 0; j < acceleration.length; j++) if (acceleration[j] !== 0) return false;
  return true;
}
