import type { Configuration } from '../../core/math/configuration.ts';
import { describeOutOfLimits, describeOverlap, describePaddingViolation } from '../planning/endpointDiagnosis.ts';
import type { RepairWorld } from './repairWorld.ts';

/** Describes why a state is not valid: a joint out of limits, a violated constraint, or its first colliding pair. */
export function describeStateFault(world: RepairWorld, q: Configuration): string | undefined {
  const { jointNames, limits, constraints, manager } = world;
  const out = jointNames.flatMap((name, j) => {
    const range = [limits.lower[j], limits.upper[j]] as const;
    return world.isWithin(q[j], j) ? [] : [describeOutOfLimits(name, q[j], range, limits.units?.[j] ?? 'rad')];
  });
  if (out.length > 0) return out.join('; ');
  const violated = constraints.violated(q);
  if (violated.length > 0)
    return `it violates the constraint ${violated.map((name) => JSON.stringify(name)).join(', ')}`;
  const pair = manager.firstCollision(q);
  if (pair === undefined) return undefined;
  const depth = manager.depth(q, pair);
  return depth > 0 ? describeOverlap(pair, depth) : describePaddingViolation(pair);
}
