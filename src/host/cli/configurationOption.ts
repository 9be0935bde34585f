import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { configurationOf } from '../../core/scene/configurationOf.ts';
import { readQuantityList, splitList } from './quantityList.ts';

/**
 * Parses a configuration: one value per joint (`0, -90 deg, pi/2, 20 mm`), or the name of a state of the SRDF.
 * @param name name of the option, for error messages
 */
export async function readConfiguration(model: RobotModel, given: string, name: string): Promise<Configuration> {
  const isState = splitList(given).length === 1 && !/^\s*[-+.\d[]/.test(given);
  if (isState) return configurationOf(model, given.trim(), name);
  const bases = model.variables.map((joint) => (joint.type === 'prismatic' ? 'length' : 'angle'));
  return Float64Array.from(await readQuantityList(given, bases, name));
}

/** Returns the configuration with every joint at zero, or at the limit nearest to zero. */
export function restConfiguration({ variables }: RobotModel): Configuration {
  return Float64Array.from(variables, ({ limits }) => Math.min(Math.max(0, limits.lower), limits.upper));
}
