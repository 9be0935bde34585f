import type { RobotModel } from './robotModel.ts';

/**
 * Returns the unit of distances between configurations and of lengths of paths: `rad`, `m` for a robot whose planned
 * joints are all prismatic, `rad and m` for one with joints of both kinds.
 */
export function distanceUnit({ variables }: Pick<RobotModel, 'variables'>): 'rad' | 'm' | 'rad and m' {
  const slides = variables.filter(({ type }) => type === 'prismatic').length;
  if (slides === 0) return 'rad';
  return slides === variables.length ? 'm' : 'rad and m';
}
