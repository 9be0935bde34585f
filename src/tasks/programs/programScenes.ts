import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import { changedScene } from '../../core/scene/changedScene.ts';
import { hasSegment } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { endBefore } from '../../core/trajectory/closedSegments.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { linkPoses } from '../world.ts';

/** The scene of a program in one interval of its trajectory. */
export interface SceneInterval {
  /** Start, seconds. */
  readonly from: number;
  /** End, seconds; the start if several events happen at one time. */
  readonly to: number;
  /** The scene, with the objects attached and the pairs allowed during the interval. */
  readonly scene: Scene;
}

/**
 * Returns the scene in each interval between the events of a program that change it: one interval for a scene without
 * steps, and for a trajectory without segments. Proves nothing; see `checkProgram`. Throws `InputError` for steps that
 * name missing objects.
 */
export function programScenes(robot: RobotModel, scene: Scene, trajectory: Trajectory): SceneInterval[] {
  const { steps = [] } = scene;
  const { segments } = trajectory;
  const curve = new TrajectoryCurve(trajectory);
  if (steps.length === 0 || segments === undefined) return [{ from: curve.start, to: curve.end, scene }];
  const linkOfTcp = robot.links[tcpOf(robot, scene.tcp).link].name;
  const q = new Float64Array(curve.dof);
  const intervals: SceneInterval[] = [];
  let current = scene;
  let from = curve.start;
  for (const step of steps) {
    if (hasSegment(step) || step.kind === 'set') continue;
    const time = Math.min(curve.end, Math.max(from, endBefore(segments, step.index, curve.start)));
    intervals.push({ from, to: time, scene: current });
    curve.position(q, time);
    current = changedScene(current, step, linkOfTcp, linkPoses(robot, q));
    from = time;
  }
  return [...intervals, { from, to: curve.end, scene: current }];
}

/** Returns the last interval that begins at or before a time; the first one for earlier times. */
export function intervalAt(intervals: readonly SceneInterval[], time: number): SceneInterval {
  return intervals.findLast(({ from }) => from <= time) ?? intervals[0];
}
