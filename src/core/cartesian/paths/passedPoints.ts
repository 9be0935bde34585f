import type { Transform } from '../../math/transform.ts';
import type { PathStep } from '../../scene/program.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { type IdealPath, wayPose } from './idealPath.ts';
import { type PathTool, toleranceOf } from './toolPath.ts';

/**
 * Share of the tolerance by which the tool may move between the time at which it passes a way point and that of the
 * nearest point of the motion, which replaces it.
 */
const SAME_SHARE = 0.05;

/** Where and when a tool passes a way point. */
export interface PassedPoint {
  /** Pose of the way point in the frame of the path. */
  readonly T: Transform;
  /** Interval in which the tool is on the legs beside it, seconds. */
  readonly from: number;
  readonly to: number;
  /** Time at which it passes the way point, found numerically. */
  readonly time: number;
  /** Distance from the way point within which it passes, metres. */
  readonly reach: number;
}

/** Finds the times at which a tool passes way points of its path. One per motion: way points in increasing order. */
export class PassedPoints {
  /** Index of the leg of the last way point, and its time. */
  private leg = 0;
  private last: number;

  /** @param times of the legs: see `PathTimes.ofLegs` */
  constructor(
    private readonly tool: PathTool,
    private readonly step: PathStep,
    private readonly curve: TrajectoryCurve,
    private readonly ideal: IdealPath,
    private readonly times: Float64Array,
  ) {
    this.last = times[0];
  }

  /** Returns the time and the interval in which the tool passes a way point. */
  at(point: number): PassedPoint {
    const { step, times } = this;
    const { legs } = this.ideal;
    const end = times.length - 1;
    while (this.leg < legs.length && legs[this.leg].point < point) this.leg++;
    const k = Math.min(this.leg, legs.length - 1);
    const { leg, point: corner, radius } = legs[k];
    const { position } = step.tolerance;
    const T = wayPose(step.points[point], leg.start);
    if (point === 0) return { T, from: times[0], to: times[1], time: times[0], reach: position };
    if (point >= corner || T.every((x, i) => x === leg.end[i])) {
      this.last = times[k + 1];
      const reach = Math.max(position, radius);
      return { T, from: times[k], to: times[Math.min(k + 2, end)], time: this.last, reach };
    }
    const span = [Math.max(times[k], this.last), times[k + 1]] as const;
    this.last = this.tool.prover.times.at(this.curve, leg, T, span, toleranceOf(step));
    return { T, from: times[k], to: times[k + 1], time: this.last, reach: position };
  }

  /** Returns true if the tool is within its tolerance of a way point at a time, between the legs beside it. */
  isAt({ T, from, to, reach }: PassedPoint, time: number): boolean {
    const tolerance = { ...toleranceOf(this.step), position: reach };
    return time >= from && time <= to && this.tool.prover.times.isAt(this.curve, T, time, tolerance);
  }

  /** Returns the time of the nearest point of the motion if the tool hardly moves until then; else the given time. */
  pointNear(time: number): number {
    const { tool, curve } = this;
    const k = curve.pieceAt(time);
    const near = time - curve.times[k] < curve.times[k + 1] - time ? curve.times[k] : curve.times[k + 1];
    const q = new Float64Array(curve.dof);
    curve.position(q, time);
    const { tilt: _, position, angle, ...free } = toleranceOf(this.step);
    const same = { ...free, position: SAME_SHARE * position, angle: SAME_SHARE * angle };
    return tool.prover.times.isAt(curve, tool.poseAt(q), near, same) ? near : time;
  }
}
