import { InputError } from '../../errors.ts';
import { poseOfTransform, transformOfPose } from '../kinematics/pose.ts';
import { compose, create, relative, type Transform } from '../math/transform.ts';
import { restTimeOf } from './movingScene.ts';
import { type EventStep, type Step, stepName } from './program.ts';
import type { AttachedObject, CheckedScene, Obstacle } from './scene.ts';

/**
 * Returns the scene after an event of a program: objects attached or detached where they are, allowed pairs changed.
 * `forbid` revokes pairs of `allow` and of `touches`, not those of the robot.
 * A moving obstacle is attached where it comes to rest; `movingAttachment` returns whether it has by then.
 * Throws `InputError` if the step names an object that is not an obstacle, or not attached, at that moment.
 * @param linkOfTcp name of the link that objects are attached to by default
 * @param poseOfLink T_world_link at the time of the event
 */
export function changedScene<S extends CheckedScene>(
  scene: S,
  step: EventStep,
  linkOfTcp: string,
  poseOfLink: (link: string) => Transform,
): S {
  if (step.kind === 'attach') {
    const { object, touches, link = linkOfTcp } = step;
    const obstacle = requireNamed(scene.obstacles, object, `${stepName(step)}: there is no obstacle "${object}" then`);
    const T = create();
    const { motion, pose, ...body } = obstacle;
    relative(T, poseOfLink(link), transformOfPose(motion?.poses.at(-1) ?? pose));
    const attached: AttachedObject = { ...body, pose: poseOfTransform(T), link, touches };
    return {
      ...scene,
      obstacles: scene.obstacles.filter((one) => one !== obstacle),
      attached: [...scene.attached, attached],
    };
  }
  if (step.kind === 'detach') {
    const carried = requireNamed(
      scene.attached,
      step.object,
      `${stepName(step)}: "${step.object}" is not attached then`,
    );
    const { link, touches: _, pose, ...object } = carried;
    const T = create();
    compose(T, poseOfLink(link), transformOfPose(pose));
    const obstacle: Obstacle = { ...object, pose: poseOfTransform(T) };
    return {
      ...scene,
      obstacles: [...scene.obstacles, obstacle],
      attached: scene.attached.filter((one) => one !== carried),
    };
  }
  if (step.kind === 'allow') return { ...scene, allow: [...scene.allow, ...step.pairs] };
  if (step.kind === 'forbid') {
    const revoked = new Set(step.pairs.map(keyOf));
    const isKept = (pair: readonly [string, string]) => !revoked.has(keyOf(pair));
    const attached = scene.attached.map((object) => ({
      ...object,
      touches: object.touches.filter((other) => isKept([object.name, other])),
    }));
    return { ...scene, attached, allow: scene.allow.filter(isKept) };
  }
  return scene;
}

/**
 * Returns a message if a step attaches an obstacle that moves at that time or later; undefined for all other steps.
 * @param scene before the step
 * @param time of the event, seconds
 */
export function movingAttachment(scene: Pick<CheckedScene, 'obstacles'>, step: Step, time: number): string | undefined {
  const rest = attachableFrom(scene, step);
  if (step.kind !== 'attach' || time >= rest) return undefined;
  return `"${step.object}" still moves at ${time} s: it rests from ${rest} s on`;
}

/** Returns the time from which on a step may happen, seconds: its obstacle then rests; −Infinity: at any time. */
export function attachableFrom({ obstacles }: Pick<CheckedScene, 'obstacles'>, step: Step): number {
  const motion = step.kind === 'attach' ? obstacles.find(({ name }) => name === step.object)?.motion : undefined;
  return motion === undefined ? Number.NEGATIVE_INFINITY : restTimeOf(motion);
}

const keyOf = (pair: readonly [string, string]) => JSON.stringify([...pair].sort());

function requireNamed<T extends { readonly name: string }>(list: readonly T[], name: string, message: string): T {
  const found = list.find((one) => one.name === name);
  if (found) return found;
  const names = list.map((one) => JSON.stringify(one.name)).join(', ');
  throw new InputError(message, names === '' ? 'There are none.' : `There are: ${names}.`);
}
