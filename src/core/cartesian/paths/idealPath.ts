import { transformOfPose } from '../../kinematics/pose.ts';
import { copy, create, type Transform } from '../../math/transform.ts';
import type { PathStep } from '../../scene/program.ts';
import { type CartesianLeg, lineLeg } from '../cartesianLeg.ts';

/** A straight leg of a tool path through one or more way points. */
export interface PathLeg {
  readonly leg: CartesianLeg;
  /** Index of the way point at its end. */
  readonly point: number;
  /** Upper limit of the speed of the tool in the frame of the path, m/s; Infinity: none. */
  readonly speed: number;
  /**
   * Radius of the sphere about its end within which the tool may leave it and the next leg, metres; 0: none. The
   * orientations of both legs in it differ by a part of the tolerance from that at the corner.
   */
  readonly radius: number;
}

/** The ideal path of a tool, in the frame of the path. */
export interface IdealPath {
  /** At least one; a single one without length if all way points are equal: the tool must stay there. */
  readonly legs: readonly PathLeg[];
  /**
   * Largest distance, metres, between a way point and the leg that replaces those next to it: a motion within the
   * tolerance minus this distance of the legs is within the tolerance of the polyline, since both are passed in the
   * same order.
   */
  readonly slack: number;
}

/** Share of the tolerance by which legs may miss way points on nearly straight parts. */
const SLACK_SHARE = 0.01;
/** Share of a leg that the sphere about one of its ends may contain. */
const HALF = 0.5;
/** Share of the tolerance of angles by which the legs within a sphere may turn from the orientation at its corner. */
const TURN_SHARE = 0.25;
/** Metres: way points that are nearer are equal. */
const SAME = 1e-9;
/** Entries of rotation matrices that differ by less are equal. */
const SAME_ROTATION = 1e-12;

/**
 * Returns the ideal path of a step. Consecutive way points on a straight line, with one orientation and speed, become
 * one leg: in linear time, since each is compared with the direction of the first two.
 * @param start pose of the tool at the start, in the frame of the path: its orientation is that of way points without
 */
export function idealPath(step: PathStep, start: Transform): IdealPath {
  const { points, pathSpeed = Number.POSITIVE_INFINITY } = step;
  const slack = SLACK_SHARE * step.tolerance.position;
  const poseAt = (k: number) => wayPose(points[k], start);
  // a sphere contains no way point but its corner at which a signal may change
  const isKept = (k: number) => step.blend > 0 && k > 0 && points[k].on !== points[k - 1].on;
  const legs: PathLeg[] = [];
  let from = poseAt(0);
  let run: Run | undefined;
  let last = from;
  const close = (point: number) => {
    if (run) legs.push({ leg: lineLeg(from, last), point, speed: run.speed, radius: 0 });
    from = last;
    run = undefined;
  };
  for (let k = 1; k < points.length; k++) {
    const next = poseAt(k);
    const speed = Math.min(pathSpeed, points[k].speed ?? Number.POSITIVE_INFINITY);
    if (isKept(k - 1) || !run?.continues(next, speed, 0.5 * slack)) {
      close(k - 1);
      run = new Run(from, next, speed);
    }
    last = next;
  }
  close(points.length - 1);
  const moving: PathLeg[] = [];
  for (const one of legs) {
    if (one.leg.length > 0 || one.leg.angle > 0) moving.push(one);
    else if (moving.length > 0) moving.push({ ...moving.pop()!, point: one.point }); // a repeated way point
  }
  const withRadii = moving.map((one, k) => ({ ...one, radius: blendRadius(step, one.leg, moving[k + 1]?.leg) }));
  return { legs: moving.length > 0 ? withRadii : legs.slice(-1), slack };
}

/** Returns the pose of a way point; without an orientation, with that of T. */
export function wayPose({ xyz, quat_wxyz }: PathStep['points'][number], T: Transform): Transform {
  const pose = create();
  copy(pose, quat_wxyz ? transformOfPose({ xyz, quat_wxyz }) : T);
  for (let i = 0; i < 3; i++) pose[4 * i + 3] = xyz[i];
  return pose;
}

/** Distance from a corner at which a parabola that misses it by half of the tolerance leaves the legs, metres. */
export const roundingLength = (tolerance: number, change: number) => (4 * 0.5 * tolerance) / change;

/**
 * Returns the radius of the sphere about a corner: at most the blend, and half of each leg, so that spheres do not
 * overlap; 0 if a rounding within the tolerance is as long.
 */
function blendRadius({ blend, tolerance }: PathStep, before: CartesianLeg, after: CartesianLeg | undefined): number {
  if (!(blend > 0) || !after || !(before.length > 0 && after.length > 0)) return 0;
  const radius = [before, after].reduce(
    (least, { length, angle }) =>
      Math.min(least, HALF * length, angle > 0 ? (TURN_SHARE * tolerance.angle * length) / angle : least),
    blend,
  );
  let change = 0;
  for (let i = 3; i < 12; i += 4)
    change += ((after.end[i] - after.start[i]) / after.length - (before.end[i] - before.start[i]) / before.length) ** 2;
  return radius - tolerance.position > roundingLength(tolerance.position, Math.sqrt(change)) ? radius : 0;
}

/** Way points on a straight line. */
class Run {
  private readonly direction = new Float64Array(3);
  private readonly length: number;
  private along: number;

  constructor(
    private readonly from: Transform,
    first: Transform,
    readonly speed: number,
  ) {
    const { direction } = this;
    for (let i = 0; i < 3; i++) direction[i] = first[4 * i + 3] - from[4 * i + 3];
    this.length = Math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2);
    this.along = this.length;
    for (let i = 0; i < 3; i++) direction[i] /= this.length;
    if (!sameRotation(from, first)) this.along = Number.POSITIVE_INFINITY; // turns: never continued
  }

  /** Returns true, and extends the run, if it continues straight to a pose. */
  continues(next: Transform, speed: number, slack: number): boolean {
    const { from, direction, length } = this;
    if (!(length > SAME) || speed !== this.speed || !sameRotation(from, next)) return false;
    let along = 0;
    for (let i = 0; i < 3; i++) along += (next[4 * i + 3] - from[4 * i + 3]) * direction[i];
    let squared = 0;
    for (let i = 0; i < 3; i++) squared += (next[4 * i + 3] - from[4 * i + 3] - along * direction[i]) ** 2;
    if (!(along >= this.along && Math.sqrt(squared) <= slack)) return false;
    this.along = along;
    return true;
  }
}

function sameRotation(A: Transform, B: Transform): boolean {
  for (let row = 0; row < 12; row += 4)
    for (let k = row; k < row + 3; k++) if (!(Math.abs(A[k] - B[k]) <= SAME_ROTATION)) return false;
  return true;
}
