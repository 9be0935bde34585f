import { sampledSelfMotions } from '../../../cartesian/selfMotion.ts';
import type { ToolTracker } from '../../../cartesian/toolTracker.ts';
import type { RobotModel } from '../../../kinematics/robotModel.ts';
import type { Configuration } from '../../../math/configuration.ts';
import type { Interrupt } from '../../../math/interrupt.ts';
import { type MoveStep, stepName } from '../../../scene/program.ts';
import { resolveStartAndGoals } from '../../planning/startAndGoals.ts';
import type { StageFailure } from '../failures/programFailures.ts';
import type { ProgramWorld } from '../programWorld.ts';

/**
 * Returns the valid configurations of the goals of a move, the nearest first; or why there are none. Empty if the
 * search is interrupted.
 */
export function moveEntries(
  robot: RobotModel,
  move: MoveStep,
  goals: MoveStep['goals'],
  near: Configuration,
  world: ProgramWorld,
  interrupt: Interrupt,
): readonly Configuration[] | StageFailure {
  const { start: _, ...scene } = world.scene;
  const constraints = [...(scene.constraints ?? []), ...move.constraints];
  const query = { ...scene, start: Array.from(near), goals, constraints };
  const resolved = resolveStartAndGoals(robot, query, world.still, interrupt);
  if (resolved === undefined) return [];
  if (!('status' in resolved)) return resolved.goals;
  const reason = `${stepName(move)}: ${resolved.reason}`;
  return { step: move.index, fraction: 0, reason, isLimit: false, ends: resolved.details };
}

/** Limit of configurations along the self-motions of the IK solutions of one move. */
const MAX_SAMPLES = 200;

/**
 * Returns valid configurations along the self-motions of the IK solutions of a move; the steps after the move may
 * succeed from these. Empty if the arm is not redundant, or if not all goals are poses of the tool center point.
 */
export function selfMotionEntries(
  tracker: ToolTracker,
  robot: RobotModel,
  move: MoveStep,
  solutions: readonly Configuration[],
  world: ProgramWorld,
  interrupt: Interrupt,
): readonly Configuration[] {
  if (!move.goals.every((goal) => goal.kind === 'pose' && goal.pose.link === undefined)) return [];
  const samples = sampledSelfMotions(tracker, solutions, MAX_SAMPLES);
  const free = samples.filter((q) => !interrupt() && world.still.isCollisionFree(q));
  if (free.length === 0) return [];
  const goals = free.map((q) => ({ kind: 'joints' as const, joints: Array.from(q) }));
  const entries = moveEntries(robot, move, goals, solutions[0], world, interrupt);
  return 'reason' in entries ? [] : entries;
}
