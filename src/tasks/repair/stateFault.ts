import type { Configuration } from '../../core/math/configuration.ts';
import { describeOverlap, describePaddingViolation } from '../planning/endpointDiagnosis.ts';
import type { RepairWorld } from './repairWorld.ts';

/** Describes why a state is not valid: a joint out of limits, a violated constraint, or its first colliding pair. */
export function describeStateFault(world: RepairWorld, q: Configuration): string | undefined {
  const { jointNames, limits, constraints, manager } = world;
  const out = jointNames.flatMap((name, j) => {
    const [lower, upper] = [limits.lower[j], limits.upper[j]];
    return world.isWithin(q[j], j) ? [] : [`${name} is ${q[j]}, its limits are ${lower} to ${upper}`];
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
