import type { Certificate } from '../core/certificate/certificate.ts';
import { type Interrupt, never } from '../core/math/interrupt.ts';
import { kindOf } from '../core/scene/movingScene.ts';
import type { Trajectory } from '../core/trajectory/trajectory.ts';
import { certifyTrajectory } from './checking/certifyTrajectory.ts';
import type { CheckResult } from './checking/checkResult.ts';
import { createTrajectoryChecker } from './checking/checkTrajectory.ts';
import { certifyProgram } from './programs/certifyProgram.ts';
import { checkProgram } from './programs/checks/checkProgram.ts';
import type { Timeline } from './timeline.ts';
import type { World } from './world.ts';

/** A checked motion. */
export interface MotionCheck {
  readonly result: CheckResult;
  /** Of a program: its worlds; empty if its segments or events are wrong. */
  readonly timeline?: Timeline;
  /** Computes the certificate; undefined if the motion is not proved, or cannot be certified by planes. */
  readonly certify: () => Certificate | undefined;
}

/**
 * Checks a motion in the world of its scene, or against its program. Throws `InputError` for joints that are not the
 * robot's.
 * @param place prefix of error messages
 * @param interrupt ends the proof; the motion then is not valid
 */
export function checkMotion(
  world: World,
  trajectory: Trajectory,
  place?: string,
  interrupt: Interrupt = never,
): MotionCheck {
  const { robot, scene, checker } = world;
  if (kindOf(scene) !== 'program')
    return {
      result: createTrajectoryChecker(robot, world.manager, interrupt, world.tree)(trajectory, place),
      certify: () => certifyTrajectory(world.manager.posed, trajectory, place, interrupt, world.tree),
    };
  const result = checkProgram(robot, scene, trajectory, { checker, place, interrupt });
  const { intervals: timeline } = result;
  return { result, timeline, certify: () => certifyProgram(trajectory, timeline, robot, scene, interrupt) };
}

/**
 * Computes the certificate of a motion, which may violate its limits, or of a valid program. Undefined if it cannot be
 * certified. Throws as `checkMotion`.
 */
export function certifyMotion(world: World, trajectory: Trajectory, place?: string, interrupt: Interrupt = never) {
  if (kindOf(world.scene) !== 'program')
    return certifyTrajectory(world.manager.posed, trajectory, place, interrupt, world.tree);
  const { result, certify } = checkMotion(world, trajectory, place, interrupt);
  return result.valid ? certify() : undefined;
}
