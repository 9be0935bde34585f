import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { RecentMap } from '../../../core/math/recentMap.ts';
import { startStateOf } from '../../../core/scene/configurationOf.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { executedMotion, type StartState } from '../../../core/trajectory/leadIn/leadIn.ts';
import { inJointOrder, type Trajectory } from '../../../core/trajectory/trajectory.ts';
import { readParams } from '../../../formats/schemas/serviceMessages.ts';
import { writers } from '../../../formats/trajectories/index.ts';
import { replanMotion } from '../../../tasks/watching/replanMotion.ts';
import { type CertifiedUntil, WatchedMotion } from '../../../tasks/watching/watchedMotion.ts';
import { objectText, oneLine, type ThreadContext, within, withoutOptions } from './context.ts';
import { readCertificateOf, readMotion } from './givenMotion.ts';

const PLACE = 'params.trajectory';

/** A watch, as sent by the session: with all data, since the thread may have dropped the motion. */
export interface WatchTask {
  /** Id of the watch. */
  readonly watch: number;
  /** Time up to which the motion has been executed, seconds. */
  readonly time: number;
  /** Parameters of the method `watch`. */
  readonly params: unknown;
}

/** Maximum number of watched motions that a thread caches. */
const MAX_MOTIONS = 64;
/** By the id of the watch, the most recently used last. */
const motions = new RecentMap<number, WatchedMotion>(MAX_MOTIONS);

/**
 * Proves the rest of a watched motion in the scene of the session; incrementally if the thread has cached the motion.
 */
export async function judgeWatch(task: unknown, { robot, scene, interrupt }: ThreadContext): Promise<string> {
  const { watch, time, params } = task as WatchTask;
  const known = motions.get(watch);
  const { trajectory: given, certificate } = readParams('watch', params);
  const proof = !known && certificate ? readCertificateOf(certificate) : undefined;
  const motion = known ?? watchedMotion(params, (await readMotion(given, robot, scene)).trajectory, robot, scene);
  motion.advance(time);
  motions.delete(watch); // an interrupted proof must not stay in the cache
  const result = within(PLACE, () => motion.certify(scene, proof, interrupt));
  motions.set(watch, motion);
  return JSON.stringify({ ...resultOf(result), unchecked: motion.unchecked(scene) });
}

const watchedMotion = (params: unknown, trajectory: Trajectory, robot: RobotModel, scene: Scene) =>
  new WatchedMotion(robot, trajectory, PLACE, startOf(params, trajectory, robot, scene));

/**
 * Returns where the robot of a watch is at time 0; undefined if it is at the first point, or has been there: a motion
 * that was planned from another one begins at a later time, while the robot moves.
 */
function startOf(params: unknown, { points }: Trajectory, robot: RobotModel, scene: Scene): StartState | undefined {
  const { any_start: anyStart = false, time = 0 } = readParams('watch', params);
  const first = points[0].time_from_start ?? 0;
  return anyStart || (first > 0 && time >= first) ? undefined : startStateOf(robot, scene);
}

const resultOf = ({ until, pair, faults }: CertifiedUntil) => ({
  certified_until: until,
  ...(pair && { pair }),
  ...(faults && { faults }),
});

/** A plan of a new motion for a watch. */
export interface ReplanTask extends WatchTask {
  /** The motion is proved until then, seconds. */
  readonly until: number;
}

/** Plans a new motion that leaves a watched one on its certified rest. */
export async function replan(task: unknown, context: ThreadContext): Promise<string> {
  const { robot, scene, checker, clock, timeLimit } = context;
  const { time: now, until, params } = task as ReplanTask;
  const names = robot.variables.map(({ name }) => name);
  const given = (await readMotion(readParams('watch', params).trajectory, robot, scene)).trajectory;
  const trajectory = executedMotion(inJointOrder(given, names, PLACE), startOf(params, given, robot, scene));
  const problem = { scene, robot: robot.description, model: robot };
  const found = replanMotion(problem, trajectory, { now, until }, { checker, timeLimit }, { clock });
  if (!found.trajectory) return JSON.stringify({ reason: withoutOptions(found.reason) });
  return objectText({
    trajectory: oneLine(writers.json.write(found.trajectory)),
    from: String(found.from),
  });
}
