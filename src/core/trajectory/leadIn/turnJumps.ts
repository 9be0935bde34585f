import { PI } from '../../math/trigonometry.ts';
import { isTimed, type JointUnit, type MotionLimits, type Trajectory, type TrajectoryPoint } from '../trajectory.ts';
import { fullTurns } from './leadIn.ts';

/** Relative: a speed may exceed its limit by this, as in `examineMotion`. */
const RATE_TOLERANCE = 1e-6;

/**
 * A jump of a continuous joint by full turns from one point to the next: both angles are nearly the same state, but the
 * joint would turn all the way. Programs that normalize angles write such jumps.
 */
export interface FullTurnFault {
  /** Kind of the fault. */
  readonly kind: 'full-turn';
  /** Name of the joint. */
  readonly joint: string;
  /** Unit of its position; undefined if the limits do not state it. */
  readonly unit?: JointUnit;
  /** Number of full turns, signed. */
  readonly turns: number;
  /** Index of the point after the jump: the first one of this joint. */
  readonly point: number;
  /** Time of that point: seconds, or waypoints for a path. */
  readonly time: number;
  /** Number of such jumps of the joint. */
  readonly count: number;
}

/** A jump from the point before `point`. */
interface Jump {
  readonly point: number;
  readonly turns: number;
}

/**
 * Returns the jumps of joint j by full turns. On a trajectory, the joint would have to exceed its velocity limit, and
 * without the turns it would not, or would move at most a quarter turn. On a path, it moves at most a quarter turn
 * without them.
 */
function jumpsOf({ points, ...rest }: Trajectory, j: number, { velocity }: MotionLimits): Jump[] {
  const timed = isTimed({ points, ...rest });
  const jumps: Jump[] = [];
  for (let point = 1; point < points.length; point++) {
    const [from, to] = [points[point - 1], points[point]];
    const distance = to.positions[j] - from.positions[j];
    const turns = fullTurns(distance);
    if (turns === 0 || !Number.isFinite(turns)) continue;
    const left = Math.abs(distance - turns * 2 * PI);
    const most = timed ? velocity[j] * (1 + RATE_TOLERANCE) * (to.time_from_start! - from.time_from_start!) : 0;
    if (timed && !(Math.abs(distance) > most)) continue;
    if (left <= PI / 2 || (timed && left <= most)) jumps.push({ point, turns });
  }
  return jumps;
}

/** Returns the first jump by full turns of each continuous joint. */
export function fullTurnFaults(trajectory: Trajectory, limits: MotionLimits): FullTurnFault[] {
  return trajectory.jointNames.flatMap((joint, j) => {
    if (!limits.isContinuous?.[j]) return [];
    const [first, ...others] = jumpsOf(trajectory, j, limits);
    if (first === undefined) return [];
    const time = trajectory.points[first.point].time_from_start ?? first.point;
    return [{ kind: 'full-turn', joint, ...first, time, count: others.length + 1 }];
  });
}

/**
 * Returns a trajectory without the jumps of its continuous joints by full turns: the angles after a jump are those of
 * the same states without the turns. The same object if there are none, or if the angles would leave their limits.
 */
export function unwrapped(trajectory: Trajectory, limits: MotionLimits): Trajectory {
  let { points } = trajectory;
  for (const j of trajectory.jointNames.keys()) {
    if (!limits.isContinuous?.[j]) continue;
    const jumps = jumpsOf(trajectory, j, limits);
    if (jumps.length === 0) continue;
    const turned = withoutJumps(points, j, jumps);
    const isWithin = ({ positions: { [j]: value } }: TrajectoryPoint) =>
      value >= limits.lower[j] && value <= limits.upper[j];
    if (turned.every(isWithin)) points = turned;
  }
  return points === trajectory.points ? trajectory : { ...trajectory, points };
}

function withoutJumps(points: Trajectory['points'], j: number, jumps: readonly Jump[]): TrajectoryPoint[] {
  let turns = 0;
  let next = 0;
  return points.map((point, k) => {
    if (jumps[next]?.point === k) turns += jumps[next++].turns;
    return turns === 0 ? point : turnedPoint(point, j, -turns);
  });
}

/** Returns a point with joint j turned by full turns. */
export const turnedPoint = (point: TrajectoryPoint, j: number, turns: number): TrajectoryPoint => ({
  ...point,
  positions: point.positions.map((value, i) => (i === j ? value + turns * 2 * PI : value)),
});
