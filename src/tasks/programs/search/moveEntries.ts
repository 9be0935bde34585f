import { sampledSelfMotions } from '../../../core/cartesian/selfMotion.ts';
import type { ToolTracker } from '../../../core/cartesian/toolTracker.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import type { Transform } from '../../../core/math/transform.ts';
import { type MoveStep, stepName } from '../../../core/scene/program.ts';
import { resolveStartAndGoals } from '../../planning/startAndGoals.ts';
import type { World } from '../../world.ts';
import type { StageFailure } from '../failures/programFailures.ts';

/**
 * Returns the valid configurations of the goals of a move, the nearest first; or why there are none. Empty if the
 * search is interrupted.
 */
export function moveEntries(
  robot: RobotModel,
  move: MoveStep,
  goals: MoveStep['goals'],
  near: Configuration,
  world: World,
  interrupt: Interrupt,
): readonly Configuration[] | StageFailure {
  const { start: _, ...scene } = world.scene;
  const constraints = [...(scene.constraints ?? []), ...move.constraints];
  const query = { ...scene, start: Array.from(near), goals, constraints };
  const resolved = resolveStartAndGoals(robot, query, world.still.manager, interrupt);
  if (resolved === undefined) return [];
  if (!('status' in resolved)) return resolved.goals;
  const reason = `${stepName(move)}: ${resolved.reason}`;
  return { step: move.index, fraction: 0, reason, isLimit: false, ends: resolved.details };
}

/** Limit of configurations along the self-motions of the IK solutions of one move. */
const MAX_SAMPLES = 200;

/** Limit of the poses of a move whose self-motions are searched: those that come first. */
const MAX_POSES = 4;
/** Metres, and entries of rotation matrices: poses that differ by less are equal. */
const SAME_POSE = 1e-7;

/**
 * Returns the IK solutions of a move of a redundant arm, with valid configurations along the self-motions through them
 * if all its goals are poses of the tool center point; grouped by the pose of the tool frame.
 * @param move undefined: the solutions are given
 */
export function selfMotionGroups(
  tracker: ToolTracker,
  robot: RobotModel,
  move: MoveStep | undefined,
  solutions: readonly Configuration[],
  world: World,
  interrupt: Interrupt,
): Configuration[][] {
  const hasPoses = move?.goals.every((goal) => goal.kind === 'pose' && goal.pose.link === undefined);
  const samples = hasPoses ? sampledSelfMotions(tracker, solutions, MAX_SAMPLES) : [];
  const free = samples.filter((q) => !interrupt() && world.still.manager.isCollisionFree(q));
  const goals = free.map((q) => ({ kind: 'joints' as const, joints: Array.from(q) }));
  const entries = move && goals.length > 0 ? moveEntries(robot, move, goals, solutions[0], world, interrupt) : [];
  const groups: { T: Transform; members: Configuration[] }[] = [];
  for (const q of 'reason' in entries ? solutions : [...solutions, ...entries]) {
    const T = tracker.pose(q);
    const known = groups.find((one) => one.T.every((value, k) => Math.abs(value - T[k]) < SAME_POSE));
    if (known) known.members.push(q);
    else if (groups.length < MAX_POSES) groups.push({ T: T.slice(), members: [q] });
  }
  return groups.map(({ members }) => members);
}
