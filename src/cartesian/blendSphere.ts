import { forwardKinematics, RobotState } from '../kinematics/forwardKinematics.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import { type LinkFrame, setFramePose } from '../kinematics/toolCenterPoint.ts';
import { create } from '../math/transform.ts';
import type { Vec3 } from '../math/vec3.ts';
import type { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';
import { FrameBounds } from './frameBounds.ts';

/** Ball about the common point of two motions, within which the tool may leave its path: metres, world frame. */
export interface Ball {
  readonly centre: Vec3;
  readonly radius: number;
}

/** Absolute tolerance of positions, metres: rounding errors. */
const ROUNDING = 1e-9;
/** Intervals that are shorter are not bisected, seconds. */
const MIN_INTERVAL = 1e-6;
/** Number of times per piece of a curve at which a ball is searched. */
const SAMPLES = 4;

/**
 * Intervals of time over which the origin of a tool frame is proved to be in a ball: at the middle of an interval its
 * distance from the centre, plus the distance that the joints can move it within, is at most the radius. Intervals that
 * are not proved are bisected. One per thread.
 */
export class BlendBalls {
  private readonly state: RobotState;
  private readonly bounds: FrameBounds;
  private readonly q: Float64Array;
  private readonly velocity: Float64Array;
  private readonly acceleration: Float64Array;
  private readonly T_world_tcp = create();

  constructor(
    model: RobotModel,
    private readonly frame: LinkFrame,
    private readonly curve: TrajectoryCurve,
  ) {
    this.state = new RobotState(model);
    this.bounds = new FrameBounds(model, frame);
    this.q = new Float64Array(model.dof);
    this.velocity = new Float64Array(model.dof);
    this.acceleration = new Float64Array(model.dof);
  }

  /** Returns true if the origin is in the ball at a time. */
  contains(ball: Ball, t: number): boolean {
    return this.distanceAt(ball, t) <= ball.radius + ROUNDING;
  }

  /** Returns the end of the longest interval from a time that is proved to be in the ball; `from` if there is none. */
  exit(ball: Ball, from: number, to: number): number {
    return this.contains(ball, from) ? this.provedFrom(ball, from, to) : from;
  }

  /** Returns the start of the longest interval to a time that is proved to be in the ball; `to` if there is none. */
  entry(ball: Ball, from: number, to: number): number {
    return this.contains(ball, to) ? this.provedTo(ball, from, to) : to;
  }

  /**
   * Returns a time of the first visit of the ball in an interval: of those of a fine division, the one that is nearest
   * to the centre; undefined if there is none.
   */
  firstVisit(ball: Ball, from: number, to: number): number | undefined {
    const inner = Array.from(this.curve.times).filter((t) => t > from && t < to);
    const ends = [from, ...inner, to];
    let nearest: number | undefined;
    let least = ball.radius + ROUNDING;
    for (let k = 0; k + 1 < ends.length; k++)
      for (let i = 0; i <= SAMPLES; i++) {
        const t = ends[k] + (i / SAMPLES) * (ends[k + 1] - ends[k]);
        const distance = this.distanceAt(ball, t);
        if (distance <= least) {
          least = distance;
          nearest = t;
        } else if (nearest !== undefined && !(distance <= ball.radius + ROUNDING)) return nearest;
      }
    return nearest;
  }

  private provedFrom(ball: Ball, from: number, to: number): number {
    if (this.isWithin(ball, from, to)) return to;
    const middle = from + 0.5 * (to - from);
    if (!(to - from > MIN_INTERVAL)) return from;
    const first = this.provedFrom(ball, from, middle);
    return first < middle ? first : this.provedFrom(ball, middle, to);
  }

  private provedTo(ball: Ball, from: number, to: number): number {
    if (this.isWithin(ball, from, to)) return from;
    const middle = from + 0.5 * (to - from);
    if (!(to - from > MIN_INTERVAL)) return to;
    const last = this.provedTo(ball, middle, to);
    return last > middle ? last : this.provedTo(ball, from, middle);
  }

  /** Proves that the origin is in the ball throughout an interval. */
  private isWithin(ball: Ball, from: number, to: number): boolean {
    const middle = from + 0.5 * (to - from);
    const distance = this.distanceAt(ball, middle);
    if (!(distance <= ball.radius + ROUNDING)) return false;
    const half = Math.max(middle - from, to - middle);
    this.curve.speedBounds(this.velocity, from, to);
    const { T_world_tcp: T, bounds, state, velocity, acceleration } = this;
    bounds.compute(state.T_world_link, [T[3], T[7], T[11]], velocity, acceleration, half);
    return distance + bounds.speed * half <= ball.radius + ROUNDING;
  }

  private distanceAt({ centre }: Ball, t: number): number {
    const { T_world_tcp: T } = this;
    this.curve.position(this.q, t);
    forwardKinematics(this.state, this.q);
    setFramePose(T, this.state, this.frame);
    return Math.sqrt((T[3] - centre[0]) ** 2 + (T[7] - centre[1]) ** 2 + (T[11] - centre[2]) ** 2);
  }
}
