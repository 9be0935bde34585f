import { jointsOutOfLimits } from '../../core/collision/validators/robotJointSpace.ts';
import { PI } from '../../core/math/trigonometry.ts';
import type { RawPose } from '../../formats/schemas/serviceMessages.ts';
import { degreesHint } from '../../formats/text/degrees.ts';
import type { ClearanceGradient } from '../../tasks/validation/clearanceGradient.ts';
import type { StateValidityChecker } from '../../tasks/validation/stateValidityChecker.ts';
import type { MotionValidityResult } from '../../tasks/validation/validateMotions.ts';
import { violatedLimits } from '../../tasks/validation/violatedLimits.ts';
import type { SessionScene } from './sessionScene.ts';

/** Writes the validity of a state, its first colliding pair, and the violated limits and constraints. */
export function stateText(
  { robot, manager, dof, constraints }: StateValidityChecker,
  values: readonly number[],
): string {
  const q = new Float64Array(dof);
  q.set(values);
  const collision = manager.firstCollision(q);
  const limits = jointsOutOfLimits(robot, q);
  const violated = violatedLimits(constraints, manager, q);
  return JSON.stringify({
    valid: !collision && limits.length === 0 && !violated?.length,
    collisions: collision ? [collision] : [],
    limits,
    constraints: violated,
  });
}

/** Writes the validity of a motion, its verdict and its first contact. */
export function motionText({ valid, verdict, limits, constraints, contact }: MotionValidityResult): string {
  const where = contact && { pair: contact.pair, free_until: contact.freeUntil, time: contact.time };
  return JSON.stringify({ valid, verdict, limits, constraints, contact: where });
}

/** Writes a distance with its pair, and its gradient if it was computed. */
export function clearanceText({
  distance,
  pair = undefined,
  ...gradient
}: Pick<ClearanceGradient, 'distance' | 'pair'>): string {
  return JSON.stringify({ distance, pair: pair ?? null, ...gradient }); // an infinite distance becomes null
}

/** What a response about the objects of a scene warns of. */
export interface SceneWarnings {
  /** Pose of the request: angles that are most likely in degrees. */
  readonly pose?: RawPose | undefined;
  /** Place of the pose in the parameters; default `pose`. */
  readonly place?: string;
  /** A further warning. */
  readonly warning?: string;
}

/** Writes the names of the objects of a scene. */
export function bodiesText(
  { current: { obstacles, attached } }: SessionScene,
  { pose, place = 'pose', warning }: SceneWarnings = {},
): string {
  const hint = degreesHint(pose?.rpy ?? [], (angle) => String((angle * PI) / 180));
  const warnings = [hint && `params.${place}.rpy: ${hint}`, warning].filter((text) => text !== undefined);
  return JSON.stringify({
    obstacles: obstacles.map((body) => body.name),
    attached: attached.map((body) => body.name),
    ...(warnings.length > 0 && { warnings }),
  });
}
