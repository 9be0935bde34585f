import { InputError, suggestion } from '../../errors.ts';
import { constraintLabel, type PathConstraint, requireValidConstraint } from './constraints.ts';
import { isMotionStep, type Step } from './program.ts';
import type { Scene } from './scene.ts';

/** A new limit of a constraint: each key replaces that of the constraint, in radians, metres or m/s. */
export interface ConstraintLimits {
  /** Of a tilt: an angle; of an orientation: three. */
  readonly within?: number | readonly [number, number, number];
  /** Of a speed. */
  readonly most?: number;
  /** Of a joint. */
  readonly range?: readonly [number, number];
}

/** Changes of path constraints by name, null: left out; or `none`: all are left out. */
export type ConstraintChanges = 'none' | Readonly<Record<string, ConstraintLimits | null>>;

/** Key of the limit of each type; undefined: it has none but its shape. */
const limitOf: Readonly<Record<PathConstraint['type'], keyof ConstraintLimits | undefined>> = {
  tilt: 'within',
  orientation: 'within',
  region: undefined,
  speed: 'most',
  joint: 'range',
  joint_speed: 'most',
  momentum: 'most',
  power: 'most',
  stopping_time: 'most',
  stopping_distance: 'most',
};

/**
 * Returns a scene with changed path constraints, those of its steps included. Throws `InputError` if it has no
 * constraint of a name, and for limits that do not fit the type.
 */
export function withChangedConstraints(scene: Scene, changes: ConstraintChanges): Scene {
  const { constraints = [], steps = [] } = scene;
  const all = [...constraints, ...steps.flatMap((step) => (isMotionStep(step) ? step.constraints : []))];
  const names = [...new Set(all.map(constraintLabel))];
  if (changes !== 'none')
    for (const name of Object.keys(changes)) {
      if (names.includes(name)) continue;
      const known = names.length === 0 ? 'It has none.' : suggestion(name, names);
      throw new InputError(`scene "${scene.name}" has no constraint "${name}"`, known);
    }
  return {
    ...scene,
    ...(scene.constraints && { constraints: changed(constraints, changes) }),
    ...(scene.steps && { steps: steps.map((step) => changedStep(step, changes)) }),
  };
}

const changedStep = (step: Step, changes: ConstraintChanges): Step =>
  isMotionStep(step) ? { ...step, constraints: changed(step.constraints, changes) } : step;

function changed(constraints: readonly PathConstraint[], changes: ConstraintChanges): readonly PathConstraint[] {
  if (changes === 'none') return [];
  return constraints.flatMap((given) => {
    const name = constraintLabel(given);
    const limits = Object.hasOwn(changes, name) ? changes[name] : undefined;
    if (limits === undefined) return [given];
    return limits === null ? [] : [limited(given, limits)];
  });
}

function limited(given: PathConstraint, limits: ConstraintLimits): PathConstraint {
  const key = limitOf[given.type];
  const name = `constraint "${constraintLabel(given)}"`;
  const other = Object.keys(limits).find((one) => one !== key);
  if (other !== undefined) {
    const fix = key === undefined ? 'It can only be left out: none.' : `Give ${key}, or none.`;
    throw new InputError(`${name} is of type ${given.type}, which has no limit "${other}"`, fix);
  }
  const { within } = limits;
  if (within !== undefined && Array.isArray(within) !== (given.type === 'orientation')) {
    const [wanted, fix] =
      given.type === 'orientation'
        ? ['three angles', 'Write within: [X, Y, Z].']
        : ['one angle', 'Write one value, such as within: 5 deg.'];
    throw new InputError(`${name} is of type ${given.type}: within must be ${wanted}`, fix);
  }
  const result = { ...given, ...limits } as PathConstraint;
  requireValidConstraint(result);
  return result;
}
