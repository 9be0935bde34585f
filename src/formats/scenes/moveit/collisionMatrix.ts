import type { RobotDescription } from '../../../core/kinematics/robotModel.ts';
import type { Field } from './messageValues.ts';

/** Names of an allowed collision matrix, and for each row whether its pair with each name is allowed. */
export interface CollisionMatrix {
  readonly names: readonly string[];
  readonly allowed: readonly (readonly boolean[])[];
}

/** Reads an allowed collision matrix. */
export function readMatrix(given: Field, notes: Set<string>): CollisionMatrix {
  const matrix = given.message('matrix');
  const names = matrix
    .at('entry_names')
    .list()
    .map(({ value }) => String(value));
  const rows = matrix.at('entry_values').list();
  if (matrix.at('default_entry_values').list().some(isTrue))
    notes.add('default entries of the allowed collision matrix are ignored: only listed pairs are allowed');
  const allowed = names.map((_, i) => {
    const cells = Array.isArray(rows[i]?.value) ? rows[i] : rows[i]?.at('enabled');
    return (cells?.list() ?? []).map(isTrue);
  });
  return { names, allowed };
}

const isTrue = ({ value }: Field): boolean => value === true || value === 1;

/**
 * Returns the allowed pairs that contain an object of this scene, for each body of the object; pairs of the robot's
 * links belong to its SRDF.
 */
export function allowedPairs(
  { names, allowed }: CollisionMatrix,
  namesOf: ReadonlyMap<string, readonly string[]>,
): [string, string][] {
  return names.flatMap((a, i) => {
    const others = names.filter((b, k) => k > i && allowed[i][k] && (namesOf.has(a) || namesOf.has(b)));
    return others.flatMap((b) =>
      (namesOf.get(a) ?? [a]).flatMap((one) => (namesOf.get(b) ?? [b]).map((other): [string, string] => [one, other])),
    );
  });
}

/** Pairs that a note names; the others are counted. */
const NAMED_PAIRS = 3;

/** Returns a note if the matrix has pairs of links checked that the SRDF of the robot allows; undefined if not. */
export function uncheckedNote({ names, allowed }: CollisionMatrix, robot: RobotDescription): string | undefined {
  const rowOf = new Map(names.map((name, i) => [name, i]));
  const pairs = robot.allowed.flatMap(([a, b]) => {
    const [i, k] = [rowOf.get(a), rowOf.get(b)];
    return i !== undefined && k !== undefined && allowed[i][k] === false ? [`${a} and ${b}`] : [];
  });
  if (pairs.length === 0) return undefined;
  const more = pairs.length > NAMED_PAIRS ? ` and ${pairs.length - NAMED_PAIRS} more` : '';
  const named = `${pairs.slice(0, NAMED_PAIRS).join(', ')}${more}`;
  return `pairs of links that the allowed collision matrix has checked are allowed by the SRDF of the robot: ${named}`;
}
