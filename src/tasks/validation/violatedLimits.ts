import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import type { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { Configuration } from '../../core/math/configuration.ts';

/**
 * Returns the names of the constraints and clearances that a state violates; undefined if the scene has none.
 * @param own values of the planned joints
 * @param whole values of all joints of the manager's model
 */
export function violatedLimits(
  constraints: ConstraintSet | undefined,
  manager: CollisionManager,
  own: Configuration,
  whole = own,
): string[] | undefined {
  const violated = constraints?.violated(own);
  if (manager.model.scene.clearances === undefined) return violated;
  return [...(violated ?? []), ...manager.violatedClearances(whole)];
}
