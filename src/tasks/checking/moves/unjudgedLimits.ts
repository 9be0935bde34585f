import type { Scene } from '../../../core/scene/scene.ts';

/** Returns the limits of a scene, by name, that moves are not compared with. */
export function unjudgedLimits({ constraints = [], torque }: Scene): string[] {
  return [...constraints.map(({ name, type }) => name ?? type), ...(torque === undefined ? [] : ['torque'])];
}
