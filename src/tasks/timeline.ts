import { tcpOf } from '../core/kinematics/toolCenterPoint.ts';
import { changesScene, movesJoints } from '../core/scene/program.ts';
import { requireJointMoves } from '../core/scene/steps/jointMoves.ts';
import { closedSegments, endBefore } from '../core/trajectory/closedSegments.ts';
import type { Trajectory } from '../core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../core/trajectory/trajectoryCurve.ts';
import { isAlone } from './checking/worldMotions.ts';
import type { World } from './world.ts';

/** Interval of time with one world. */
export interface WorldInterval {
  /** Start, seconds. */
  readonly from: number;
  /** End, seconds; the start if several events happen at one time. */
  readonly to: number;
  /** The world during the interval, with the objects attached and the pairs allowed then. */
  readonly world: World;
  /** Index of the step whose event begins the interval; −1 for the first. */
  readonly step: number;
}

/** The worlds of a motion in the order of time, at least one; those of a program are divided by its events. */
export type Timeline = readonly WorldInterval[];

/**
 * Returns the worlds of a motion: one for a scene without steps, and for a trajectory without segments; of a program,
 * one between any two events that change its scene, at the ends of the segments before them, and one for each motion of
 * joints that are not planned. If anything moves by
 * itself, they begin at time 0 and end when all is at rest. Proves nothing; see `checkProgram`. Throws `InputError` for
 * steps that name missing objects or move joints as they cannot.
 * @param world that of the scene before the first step
 * @param curve of the motion
 * @param whole curve that is to be covered, lead-in included
 */
export function timelineOf(
  world: World,
  { segments }: Pick<Trajectory, 'segments'>,
  curve: TrajectoryCurve,
  whole = curve,
): Timeline {
  const { robot, scene, tree } = world;
  const alone = isAlone(tree);
  const end = alone ? whole.end : Math.max(whole.end, tree.end);
  const intervals: WorldInterval[] = [];
  let last = { from: alone ? whole.start : Math.min(0, whole.start), world, step: -1 };
  if (segments !== undefined) {
    requireJointMoves(robot, scene);
    const closed = closedSegments(segments, curve.start, curve.end);
    const linkOfTcp = robot.links[tcpOf(robot, scene.tcp).link].name;
    const q = new Float64Array(curve.dof);
    let time = curve.start;
    for (const step of scene.steps ?? []) {
      if (!changesScene(step)) continue;
      time = Math.min(curve.end, Math.max(time, endBefore(closed, step.index, curve.start))); // off by rounding
      curve.position(q, time);
      intervals.push({ ...last, to: time });
      if (movesJoints(step)) {
        const from = time;
        time = Math.min(curve.end, Math.max(from, endBefore(closed, step.index + 1, curve.start)));
        intervals.push({ from, to: time, world: last.world.during(step, from, time), step: step.index });
      }
      last = { from: time, world: last.world.after(step, linkOfTcp, q), step: step.index };
    }
  }
  return [...intervals, { ...last, to: end }];
}

/** Returns the worlds, and their scenes. */
export const partsOf = (timeline: Timeline) =>
  timeline.map(({ from, to, world }) => ({ from, to, world, scene: world.scene }));

/** Returns the world at a time: that of the last interval that begins at or before it; the first for earlier times. */
export const worldAt = (timeline: Timeline, time: number): World =>
  (timeline.findLast(({ from }) => from <= time) ?? timeline[0]).world;

/** Returns the world in which a step is carried out. */
export const worldOfStep = (timeline: Timeline, index: number): World =>
  timeline.findLast(({ step }) => step < index)!.world;
