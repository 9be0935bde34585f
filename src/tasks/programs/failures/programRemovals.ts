import { constraintLabel } from '../../../core/scene/constraints.ts';
import type { Goal } from '../../../core/scene/goals.ts';
import type { Step } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { type RemovableObject, withoutObject } from '../../planning/explanation/removals.ts';

/** Returns the names of objects that steps and goals of a program refer to, and which therefore cannot be removed. */
export function mentionedObjects({ steps = [] }: Scene): ReadonlySet<string> {
  return new Set(
    steps.flatMap((step) => {
      if (step.kind === 'attach' || step.kind === 'detach') return [step.object];
      return step.kind === 'move' ? step.goals.flatMap(relativeTo) : [];
    }),
  );
}

const relativeTo = (goal: Goal) =>
  goal.kind === 'pose' && goal.pose.relativeTo !== undefined ? [goal.pose.relativeTo] : [];

/** Returns a program without an object or constraint, or with a pair allowed to collide. */
export function withoutProgramObject(scene: Scene, one: RemovableObject): Scene {
  const { steps = [], ...rest } = scene;
  return { ...withoutObject(rest, one), steps: steps.map((step) => withoutReference(step, one)) };
}

function withoutReference(step: Step, { kind, names }: RemovableObject): Step {
  const [name] = names;
  if (kind === 'constraint')
    return 'constraints' in step
      ? { ...step, constraints: step.constraints.filter((constraint) => constraintLabel(constraint) !== name) }
      : step;
  if (kind === 'pair') {
    const isSame = (pair: readonly [string, string]) => pair.every((one) => names.includes(one));
    return step.kind === 'forbid' ? { ...step, pairs: step.pairs.filter((pair) => !isSame(pair)) } : step;
  }
  if (step.kind === 'attach') return { ...step, touches: step.touches.filter((one) => one !== name) };
  if (step.kind === 'allow' || step.kind === 'forbid')
    return { ...step, pairs: step.pairs.filter((pair) => !pair.includes(name)) };
  return step;
}
