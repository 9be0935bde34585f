import { forwardKinematics, RobotState } from '../kinematics/forwardKinematics.ts';
import { FrameBounds } from '../kinematics/frameBounds.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import { type LinkFrame, setFramePose } from '../kinematics/toolCenterPoint.ts';
import { create } from '../math/transform.ts';
import type { Vec3 } from '../math/vec3.ts';
import type { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';

/** Sphere about the common point of two motions, within which the tool may leave its path: metres, world frame. */
export interface BlendSphere {
  readonly centre: Vec3;
  readonly radius: number;
}

/** Absolute tolerance of positions, metres: rounding errors. */
const ROUNDING = 1e-9;
/** Intervals that are shorter are not bisected, seconds. */
const MIN_INTERVAL = 1e-6;
/** Number of times per piece of a curve at which a sphere is searched. */
const SAMPLES = 4;

/**
 * Intervals of time over which the origin of a tool frame is proved to be in a sphere: at the middle of an interval its
 * distance from the centre, plus the distance that the joints can move it within, is at most the radius. Intervals that
 * are not proved are bisected. One per thread.
 */
export class BlendSpheres {
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

  /** Returns true if the origin is in the sphere at a time. */
  contains(sphere: BlendSphere, t: number): boolean {
    return this.distanceAt(sphere, t) <= sphere.radius + ROUNDING;
  }

  /**
   * Returns the end of the longest interval from a time that is proved to be in the sphere; `from` if there is none.
   */
  exit(sphere: BlendSphere, from: number, to: number): number {
    return this.contains(sphere, from) ? this.provedFrom(sphere, from, to) : from;
  }

  /** Returns the start of the longest interval to a time that is proved to be in the sphere; `to` if there is none. */
  entry(sphere: BlendSphere, from: number, to: number): number {
    return this.contains(sphere, to) ? this.provedTo(sphere, from, to) : to;
  }

  /**
   * Returns a time of the first visit of the sphere in an interval: of those of a fine division, the one that is
   * nearest to the centre; undefined if there is none.
   */
  firstVisit(sphere: BlendSphere, from: number, to: number): number | undefined {
    const inner = Array.from(this.curve.times).filter((t) => t > from && t < to);
    const ends = [from, ...inner, to];
    let nearest: number | undefined;
    let least = sphere.radius + ROUNDING;
    for (let k = 0; k + 1 < ends.length; k++)
      for (let i = 0; i <= SAMPLES; i++) {
        const t = ends[k] + (i / SAMPLES) * (ends[k + 1] - ends[k]);
        const distance = this.distanceAt(sphere, t);
        if (distance <= least) {
          least = distance;
          nearest = t;
        } else if (nearest !== undefined && !(distance <= sphere.radius + ROUNDING)) return nearest;
      }
    return nearest;
  }

  private provedFrom(sphere: BlendSphere, from: number, to: number): number {
    if (this.isWithin(sphere, from, to)) return to;
    const middle = from + 0.5 * (to - from);
    if (!(to - from > MIN_INTERVAL)) return from;
    const first = this.provedFrom(sphere, from, middle);
    return first < middle ? first : this.provedFrom(sphere, middle, to);
  }

  private provedTo(sphere: BlendSphere, from: number, to: number): number {
    if (this.isWithin(sphere, from, to)) return from;
    const middle = from + 0.5 * (to - from);
    if (!(to - from > MIN_INTERVAL)) return to;
    const last = this.provedTo(sphere, middle, to);
    return last > middle ? last : this.provedTo(sphere, from, middle);
  }

  /** Proves that the origin is in the sphere throughout an interval. */
  private isWithin(sphere: BlendSphere, from: number, to: number): boolean {
    const middle = from + 0.5 * (to - from);
    const distance = this.distanceAt(sphere, middle);
    if (!(distance <= sphere.radius + ROUNDING)) return false;
    const half = Math.max(middle - from, to - middle);
    this.curve.speedBounds(this.velocity, from, to);
    const { T_world_tcp: T, bounds, state, velocity, acceleration } = this;
    bounds.compute(state.T_world_link, [T[3], T[7], T[11]], velocity, acceleration, half);
    return distance + bounds.speed * half <= sphere.radius + ROUNDING;
  }

  private distanceAt({ centre }: BlendSphere, t: number): number {
    const { T_world_tcp: T } = this;
    this.curve.position(this.q, t);
    forwardKinematics(this.state, this.q);
    setFramePose(T, this.state, this.frame);
    return Math.sqrt((T[3] - centre[0]) ** 2 + (T[7] - centre[1]) ** 2 + (T[11] - centre[2]) ** 2);
  }
}
