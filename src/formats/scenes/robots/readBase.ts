import type { JointRange, RobotBase } from '../../../core/kinematics/composition/robotBase.ts';
import { show } from '../../text/schemaDiagnostics.ts';
import type { Path } from '../../text/sourceText.ts';
import type { Kind, SceneReader } from '../sceneReader.ts';
import type { RawBase } from './baseSchema.ts';

type Ranges = { readonly [key in 'x' | 'y' | 'z' | 'theta' | 'range']?: readonly (number | string)[] };

/** Reads the base of a robot. */
export function readBase(reader: SceneReader, given: RawBase, path: Path): RobotBase {
  if (typeof given === 'string') return { type: given };
  const { x, y, z, theta, range } = given as Ranges;
  const limits = (key: keyof Ranges, values: Ranges[typeof key], kind: Kind = 'length') =>
    values && { [key]: readRange(reader, values, kind, [...path, key]) };
  const plane = { ...limits('x', x), ...limits('y', y) };
  if (given.type === 'planar') return { type: 'planar', ...plane, ...limits('theta', theta, 'angle') };
  if (given.type === 'floating') return { type: 'floating', ...plane, ...limits('z', z) };
  const axis = given.axis.map((value, i) => reader.number(value, 'ratio', [...path, 'axis', i]));
  if (!axis.some((value) => value !== 0) && reader.diagnostics.length === 0 && !reader.needsExpressions)
    reader.report([...path, 'axis'], `${show(given.axis)}, which has no direction`, 'For example [0, 1, 0].');
  return { type: 'rail', axis: [axis[0], axis[1], axis[2]], ...limits('range', range) };
}

function readRange(reader: SceneReader, values: readonly (number | string)[], kind: Kind, path: Path): JointRange {
  const [lower, upper] = values.map((value, i) => reader.number(value, kind, [...path, i]));
  if (!(lower < upper) && !reader.needsExpressions)
    reader.report(path, `${show(values)}, the first must be less than the second`);
  return [lower, upper];
}
