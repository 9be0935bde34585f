import { forwardKinematics, RobotState } from '../../kinematics/forwardKinematics.ts';
import { poseError } from '../../kinematics/pose.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { type LinkFrame, setFramePose } from '../../kinematics/toolCenterPoint.ts';
import { create, type Transform } from '../../math/transform.ts';
import { norm } from '../../math/vec3.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import type { CartesianLeg } from '../cartesianLeg.ts';
import { angleUnit, type PathTolerance, removeSpin, setAxisError } from '../pathTolerance.ts';
import type { IdealPath, PathLeg } from './idealPath.ts';

/** Number of times per piece of a curve at which the corners of a path are searched. */
const SAMPLES = 4;
/** Steps of the search for the time of a corner, and its precision as a share of the tolerance. */
const ROOT_STEPS = 12;
const ROOT_PRECISION = 0.01;
/** Sum of two unit directions, squared, below which they are opposite. */
const OPPOSITE = 0.08;
/** In units of the tolerance: legs that move the tool by less have no direction. */
const NEGLIGIBLE = 1e-6;

/**
 * Finds the times at which a tool passes the ends of the legs of an ideal path, numerically. The tool is that of a
 * chain whose world is the frame of the path. One per thread.
 */
export class PathTimes {
  private readonly state: RobotState;
  private readonly q: Float64Array;
  private readonly T_tool = create();
  private readonly error = new Float64Array(6);
  private readonly direction = new Float64Array(6);
  private readonly twist = new Float64Array(6);

  constructor(
    model: RobotModel,
    private readonly tool: LinkFrame,
  ) {
    this.state = new RobotState(model);
    this.q = new Float64Array(model.dof);
  }

  /** Finds the time at which each leg begins, and at which the last one ends. */
  ofLegs(
    curve: TrajectoryCurve,
    { legs, slack }: IdealPath,
    [from, to]: readonly [number, number],
    given: PathTolerance,
  ): Float64Array {
    const tolerance = { ...given, position: given.position - slack };
    const times = new Float64Array(legs.length + 1).fill(to);
    times[0] = from;
    const next = this.directedLegs(legs, tolerance);
    for (let k = 1, before = legs.length; k < legs.length; k++) {
      if (next[k - 1] === k - 1) before = k - 1;
      const neighbours = [legs[before], legs[next[k]]].map((one) => one?.leg);
      times[k] = this.passed(curve, neighbours, legs[k].leg.start, [times[k - 1], to], tolerance);
    }
    return times;
  }

  /** Finds the time at which the tool passes a pose on a leg in an interval; its start if the leg has no direction. */
  at(
    curve: TrajectoryCurve,
    leg: CartesianLeg,
    T: Transform,
    span: readonly [number, number],
    tolerance: PathTolerance,
  ): number {
    return this.setTwist(leg, 0, tolerance) > 0 ? this.passed(curve, [leg, leg], T, span, tolerance) : span[0];
  }

  /** Returns true if the tool is within a tolerance of a pose at a time. */
  isAt(curve: TrajectoryCurve, T: Transform, time: number, tolerance: PathTolerance): boolean {
    const { position, angle, tilt = 0 } = tolerance;
    return this.distance(curve, T, time, tolerance) <= position && norm(this.error.subarray(3)) <= angle + tilt;
  }

  /** Returns the distance of the tool from a pose at a time, metres. */
  distance(curve: TrajectoryCurve, T: Transform, time: number, tolerance: PathTolerance): number {
    this.setError(curve, T, time, tolerance);
    return norm(this.error.subarray(0, 3));
  }

  /** Returns for each leg the first one from it on that moves the tool but about its free axis; their number: none. */
  private directedLegs(legs: readonly PathLeg[], tolerance: PathTolerance): Uint32Array {
    const next = new Uint32Array(legs.length);
    for (let k = legs.length - 1, found = legs.length; k >= 0; k--) {
      if (this.setTwist(legs[k].leg, 0, tolerance) > 0) found = k;
      next[k] = found;
    }
    return next;
  }

  /**
   * Returns the time at which the tool passes a corner; the end of the interval if it does not.
   * @param neighbours the nearest legs before and after it that have a direction, if there are any
   */
  private passed(
    curve: TrajectoryCurve,
    [before, next]: readonly (CartesianLeg | undefined)[],
    corner: Transform,
    [from, to]: readonly [number, number],
    tolerance: PathTolerance,
  ): number {
    if (!before) return from; // rotations about the free axis alone
    const size = this.setDirection(before, next, tolerance);
    if (size < OPPOSITE) return this.nearest(curve, corner, [from, to], tolerance);
    let [a, fa] = [from, this.progress(curve, corner, from, tolerance)];
    if (fa >= 0) return from;
    for (let k = curve.pieceAt(from); k < curve.pieces && curve.times[k] < to; k++) {
      const [start, end] = [Math.max(from, curve.times[k]), Math.min(to, curve.times[k + 1])];
      for (let i = 1; i <= SAMPLES && end > start; i++) {
        const b = i === SAMPLES ? end : start + (i / SAMPLES) * (end - start);
        const fb = this.progress(curve, corner, b, tolerance);
        if (fb >= 0) return this.root(curve, corner, [a, fa], [b, fb], tolerance);
        [a, fa] = [b, fb];
      }
    }
    return to;
  }

  /** Sets the sum of the directions of two legs where they meet, in units of the tolerance; returns its square. */
  private setDirection(before: CartesianLeg, after: CartesianLeg | undefined, tolerance: PathTolerance): number {
    const { direction, twist } = this;
    direction.fill(0);
    for (const leg of after ? [before, after] : [before]) {
      const size = this.setTwist(leg, leg === before ? 1 : 0, tolerance);
      for (let i = 0; i < 6; i++) direction[i] += twist[i] / size;
    }
    return direction.reduce((sum, value) => sum + value * value, 0);
  }

  /** Sets the twist of a leg at s without what is free, in units of the tolerance; returns its length, or 0. */
  private setTwist(leg: CartesianLeg, s: number, tolerance: PathTolerance): number {
    const { twist } = this;
    leg.twistAt(twist, s);
    if (tolerance.isYawFree) removeSpin(twist, s === 0 ? leg.start : leg.end);
    let size = 0;
    for (let i = 0; i < 6; i++) {
      twist[i] *= weight(i, tolerance);
      size += twist[i] * twist[i];
    }
    return size > NEGLIGIBLE * NEGLIGIBLE ? Math.sqrt(size) : 0;
  }

  /** Returns how far the tool is beyond a corner at a time, along the current direction, in units of the tolerance. */
  private progress(curve: TrajectoryCurve, corner: Transform, time: number, tolerance: PathTolerance): number {
    const { error, direction } = this;
    this.setError(curve, corner, time, tolerance);
    let sum = 0;
    for (let i = 0; i < 6; i++) sum -= error[i] * weight(i, tolerance) * direction[i];
    return sum;
  }

  /** Computes the pose error from the tool at a time to a corner. */
  private setError(curve: TrajectoryCurve, corner: Transform, time: number, tolerance: PathTolerance): void {
    curve.position(this.q, time);
    forwardKinematics(this.state, this.q);
    setFramePose(this.T_tool, this.state, this.tool);
    poseError(this.error, this.T_tool, corner);
    if (tolerance.isYawFree) setAxisError(this.error, this.T_tool, corner);
  }

  /** Returns a time between two at which the progress is zero, by the Illinois method. */
  private root(
    curve: TrajectoryCurve,
    corner: Transform,
    [a, fa]: readonly [number, number],
    [b, fb]: readonly [number, number],
    tolerance: PathTolerance,
  ): number {
    let [low, flow, high, fhigh] = [a, fa, b, fb];
    let isHigh: boolean | undefined;
    if (-fa <= ROOT_PRECISION) return a;
    if (fb <= ROOT_PRECISION) return b;
    for (let step = 0; step < ROOT_STEPS; step++) {
      const middle = low + ((high - low) * flow) / (flow - fhigh);
      if (!(middle > low && middle < high)) break;
      const f = this.progress(curve, corner, middle, tolerance);
      if (Math.abs(f) <= ROOT_PRECISION) return middle;
      const wasHigh = isHigh;
      isHigh = f >= 0;
      if (isHigh) {
        [high, fhigh] = [middle, f];
        if (wasHigh === true) flow *= 0.5;
      } else {
        [low, flow] = [middle, f];
        if (wasHigh === false) fhigh *= 0.5;
      }
    }
    return high;
  }

  /** Returns the time of the nearest sample to a corner, at the first visit. */
  private nearest(
    curve: TrajectoryCurve,
    corner: Transform,
    [from, to]: readonly [number, number],
    tolerance: PathTolerance,
  ): number {
    const { error } = this;
    let best = to;
    let least = Number.POSITIVE_INFINITY;
    let isVisited = false;
    for (let k = curve.pieceAt(from); k < curve.pieces && curve.times[k] <= to; k++)
      for (let i = 0; i <= SAMPLES; i++) {
        const time = curve.times[k] + (i / SAMPLES) * (curve.times[k + 1] - curve.times[k]);
        if (time < from || time > to) continue;
        this.setError(curve, corner, time, tolerance);
        let size = 0;
        for (let n = 0; n < 6; n++) size += (error[n] * weight(n, tolerance)) ** 2;
        if (isVisited && size > 1) return best;
        isVisited ||= size <= 1;
        if (!(size < least)) continue;
        least = size;
        best = time;
      }
    return best;
  }
}

const weight = (i: number, tolerance: PathTolerance) => 1 / (i < 3 ? tolerance.position : angleUnit(tolerance));
