import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { jointQuery } from '../../../core/scene/jointQuery.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { laterPoints, type Trajectory, type TrajectoryPoint } from '../../../core/trajectory/trajectory.ts';
import { earlierScene } from '../../../core/world/shiftedScene.ts';
import type { TimeLimit } from '../../planning/stopwatch.ts';
import { planAmongMoving } from '../../spaceTime/planAmongMoving.ts';
import { complementOf } from '../changedSpans.ts';
import { metadataOf } from '../repairedMotion.ts';
import { headUntil, type WaitingMotion, type WaitWorld } from './waitingMotions.ts';

/** Places at which the robot may leave its curve: shares of the time until the first contact, late ones first. */
const SHARES = [0.85, 0.6, 0.3];

/**
 * Proposes motions that follow a given one, stop before its first contact with what moves, and continue by a plan in
 * joints and time, which may wait several times and take another path; the last one is planned from the start. No
 * motion is proved.
 * @param given motion that is valid without what moves, its joints in the order of the robot
 * @param contact time of its first contact with what moves, seconds
 */
export function* detours(
  setting: WaitWorld & { readonly robot: RobotModel; readonly scene: Scene; readonly seed: number },
  given: Trajectory,
  contact: number,
  limit: TimeLimit,
): Generator<WaitingMotion> {
  const { robot, scene, seed } = setting;
  const { points } = given;
  const start = points[0].time_from_start!;
  const goal = points[points.length - 1].positions;
  const rest = metadataOf(given);
  for (const share of [...SHARES, 0]) {
    if (limit.isOver()) return;
    const time = start + share * (contact - start);
    const head = share > 0 ? headUntil(setting, given, time) : { points: points.slice(0, 1).map(atRest), kept: [] };
    if (head === undefined) continue;
    const stop = head.points[head.points.length - 1];
    const query = jointQuery(earlierScene(scene, stop.time_from_start!), stop.positions, goal);
    const timeLimit = limit.remaining < Number.POSITIVE_INFINITY ? { timeLimit: limit.remaining } : {};
    const hooks = limit.clock === undefined ? {} : { clock: limit.clock };
    const planned = planAmongMoving(
      { scene: query, robot: robot.description, model: robot },
      { seed, ...timeLimit },
      hooks,
    );
    if (planned.trajectory === undefined) continue;
    const later = laterPoints(planned.trajectory.points, stop.time_from_start!);
    const what = share > 0 ? `leaves its curve at ${Number(time.toPrecision(4))} s` : 'replaced by another motion';
    const trajectory = { ...rest, points: [...head.points.slice(0, -1), ...later] };
    yield { trajectory, what: `${what}, to avoid moving objects`, changed: complementOf(head.kept, given) };
  }
}

const atRest = ({ positions, time_from_start }: TrajectoryPoint): TrajectoryPoint => ({
  time_from_start: time_from_start!,
  positions,
  velocities: positions.map(() => 0),
});
