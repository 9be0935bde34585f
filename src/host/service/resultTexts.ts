import { firstCollisionInSlices } from '../../core/collision/states/slicedChecks.ts';
import { jointsOutOfLimits } from '../../core/collision/validators/robotJointSpace.ts';
import { PI } from '../../core/math/trigonometry.ts';
import type { RawPose } from '../../formats/schemas/serviceMessages.ts';
import { degreesHint } from '../../formats/text/degrees.ts';
import type { ClearanceGradient } from '../../tasks/validation/clearanceGradient.ts';
import type { StateValidityChecker } from '../../tasks/validation/stateValidityChecker.ts';
import type { MotionValidityResult } from '../../tasks/validation/validateMotions.ts';
import { violatedLimits } from '../../tasks/validation/violatedLimits.ts';
import { RpcError } from './jsonRpc.ts';
import type { Work } from './scheduler.ts';
import type { SessionScene } from './sessionScene.ts';

/** Writes `true` or `false`. */
export function* validityText(work: Work<boolean>): Work<string> {
  return (yield* work) ? 'true' : 'false';
}

/** Writes the validity of a state, its first colliding pair, and the violated limits and constraints. */
export function* stateText(
  { robot, manager, dof, constraints }: StateValidityChecker,
  values: readonly number[],
): Work<string> {
  const q = new Float64Array(dof);
  q.set(values);
  const collision = yield* firstCollisionInSlices(manager, q);
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
export function* motionText(work: Work<MotionValidityResult>): Work<string> {
  const { valid, verdict, limits, constraints, contact } = yield* work;
  const where = contact && { pair: contact.pair, free_until: contact.freeUntil, time: contact.time };
  return JSON.stringify({ valid, verdict, limits, constraints, contact: where });
}

/** Writes a distance with its pair, and its gradient if it was computed. */
export function* clearanceText(work: Work<Pick<ClearanceGradient, 'distance' | 'pair'>>): Work<string> {
  const { distance, pair = undefined, ...gradient } = yield* work;
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

/** Limits the length of a result. @param room characters */
export function* limited(work: Work<string>, room: number): Work<string> {
  const result = yield* work;
  if (result.length <= room) return result;
  throw new RpcError('tooLarge', 'the responses to this batch are too long', 'Send smaller batches.');
}
