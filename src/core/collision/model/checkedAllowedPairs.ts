import { InputError } from '../../../errors.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { lengthProblem } from '../../math/magnitudes.ts';
import { type AllowedPairs, allowedPairs } from '../../scene/allowedCollisions.ts';
import { clearanceLabel } from '../../scene/clearances.ts';
import type { Scene } from '../../scene/scene.ts';

/**
 * Validates the padding and the names of a scene, and returns its allowed collision matrix.
 * @throws InputError for a negative padding, a duplicate name, or an unknown name
 */
export function checkedAllowedPairs(
  robot: RobotModel,
  scene: Pick<Scene, 'obstacles' | 'attached' | 'allow' | 'padding' | 'clearances'>,
): AllowedPairs {
  requirePadding(scene);
  requireDistinctNames(robot, scene);
  requireClearances(robot, scene);
  return allowedPairs(robot.description, scene);
}

/** Throws `InputError` if the padding is negative (overlapping parts would count as separated) or out of range. */
function requirePadding({ padding }: Pick<Scene, 'padding'>): void {
  const problem = padding >= 0 ? lengthProblem(padding) : undefined;
  if (problem !== undefined) throw new InputError(`padding is ${padding}, which ${problem}`, 'It is in metres.');
  if (!(padding >= 0)) throw new InputError(`padding is ${padding}, must be 0 or more`, 'It is in metres.');
}

/**
 * Throws `InputError` for clearances of unknown links or objects and of links without collision geometry, and for
 * distances that are not above 0.
 */
export function requireClearances(
  robot: RobotModel,
  { clearances = [], obstacles, attached }: Pick<Scene, 'obstacles' | 'attached' | 'clearances'>,
): void {
  if (clearances.length === 0) return;
  const names = new Set([...robot.links, ...attached, ...obstacles].map(({ name }) => name));
  const bare = new Set(robot.links.flatMap(({ name, parts }) => (parts.length === 0 ? [name] : [])));
  for (const clearance of clearances) {
    const { a, b, distance } = clearance;
    const unknown = [a, b].find((name) => !names.has(name));
    if (unknown !== undefined)
      throw new InputError(`${clearanceLabel(clearance)}: there is no link or object "${unknown}"`);
    const empty = [a, b].find((name) => bare.has(name));
    if (empty !== undefined)
      throw new InputError(`${clearanceLabel(clearance)}: link "${empty}" has no collision geometry`);
    if (a === b || !(distance > 0) || lengthProblem(distance) !== undefined)
      throw new InputError(
        `${clearanceLabel(clearance)}: ${distance} m is no distance of a pair`,
        'Name two links or objects, and a distance in metres above 0.',
      );
  }
}

/**
 * Throws `InputError` if two links or objects have the same name: results and the allowed collision matrix refer to
 * them by name.
 */
function requireDistinctNames(robot: RobotModel, scene: Pick<Scene, 'obstacles' | 'attached'>): void {
  const seen = new Map(robot.links.map((link): [string, string] => [link.name, 'link']));
  for (const [kind, objects] of [
    ['attached', scene.attached],
    ['obstacles', scene.obstacles],
  ] as const) {
    for (const [i, { name }] of objects.entries()) {
      const other = seen.get(name);
      if (other)
        throw new InputError(
          `${kind}[${i}]: the name "${name}" is taken by another link or object (${other})`,
          'Names of links and objects must be unique.',
        );
      seen.set(name, kind);
    }
  }
}
