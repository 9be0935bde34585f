import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { coveredMotion } from '../../core/trajectory/leadIn/leadIn.ts';
import { inJointOrder, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import { always, type StopInterval, stopParts } from './stopParts.ts';
import { requireStoppable, StopSearch, type WorstStop } from './stopSearch.ts';

/** How long and how far a robot moves on at most when it stops along its path, from any instant of a motion. */
export interface StoppingReport {
  /** Greatest duration of a stop, seconds. */
  readonly time: number;
  /** When it begins, seconds. */
  readonly at: number;
  /** Greatest distance along the path of the tool center point, m, and when that stop begins. */
  readonly tcp_distance: number;
  readonly tcp_at: number;
  /** The same of the elbow; absent if the robot has none, or steps move it against the arm. */
  readonly elbow_distance?: number;
  readonly elbow_at?: number;
}

/**
 * Computes the worst stops along a motion that keeps its limits, under those of acceleration, jerk and torque: from
 * each instant, a stop within the time is proved to exist, and one within each distance. Undefined if none is proved
 * for some instant, or if the computation is interrupted. A lead-in is part of the motion. Throws `InputError`
 * for motions without times and lead-ins that depend on the controller.
 * @param intervals of a program, between its events; default: the whole motion in a scene in which nothing else moves
 */
export function stoppingReport(
  robot: RobotModel,
  scene: Scene,
  given: Trajectory,
  interrupt: Interrupt = never,
  intervals: readonly StopInterval[] = [always(scene)],
): StoppingReport | undefined {
  requireStoppable(given);
  const names = robot.variables.map(({ name }) => name);
  const covered = coveredMotion(inJointOrder(given, names), startStateOf(robot, scene));
  if ('problem' in covered) throw new InputError(`stops are not computed: ${covered.problem}`);
  const parts = stopParts(covered.motion, intervals);
  if (parts === undefined) return undefined;
  const none = { value: 0, at: covered.motion.points[0].time_from_start! };
  let most: readonly WorstStop[] = [none, none];
  for (const { motion, scene: during, world } of parts) {
    const stops = new StopSearch(robot, during, motion, interrupt, world);
    const worst = [stops.time, ...stops.distances].map((measure) => stops.worst(measure));
    if (worst.some(({ value }) => value === Number.POSITIVE_INFINITY)) return undefined;
    most = worst.map((one, i) => (one.value > (most[i] ?? none).value ? one : (most[i] ?? none)));
  }
  const [time, tcp, elbow] = most;
  return {
    ...{ time: time.value, at: time.at, tcp_distance: tcp.value, tcp_at: tcp.at },
    ...(elbow && { elbow_distance: elbow.value, elbow_at: elbow.at }),
  };
}
