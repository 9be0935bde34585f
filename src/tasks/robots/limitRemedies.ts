import type { JointDescription } from '../../core/kinematics/robotModel.ts';

/** Describes the consequence of a missing velocity or acceleration limit. */
export function missingMeans({ velocity }: JointDescription): string {
  return velocity === undefined ? '; motions in time are not bounded' : '; four times the velocity limit is taken';
}

/** The `<limit>` of a URDF with the missing limits to be filled in. */
export function limitLine(
  joint: JointDescription,
  attributes: Readonly<Record<string, string>>,
  missing: readonly string[],
): string {
  const unit = joint.type === 'prismatic' ? 'm' : 'rad';
  const wanted = missing.map((quantity) => [quantity, quantity === 'velocity' ? `… ${unit}/s` : `… ${unit}/s²`]);
  const all = Object.entries({ ...attributes, ...Object.fromEntries(wanted) });
  return `<limit ${all.map(([key, value]) => `${key}="${value}"`).join(' ')}/>`;
}

/** The remedy for a robot whose format cannot state the missing limits. */
export function limitInScene(
  joint: JointDescription,
  _: Readonly<Record<string, string>>,
  missing: readonly string[],
): string {
  const unit = joint.type === 'prismatic' ? 'm' : 'rad';
  const values = missing.map((quantity) => `${quantity}: … ${unit}/s${quantity === 'velocity' ? '' : '^2'}`);
  return `in the scene: robot: {…, limits: {${joint.name}: {${values.join(', ')}}}}`;
}
