import { isMotionStep, type Step, type StepRules } from '../../../core/scene/program.ts';
import type { Trajectory } from '../../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { describeFaults } from '../../checking/describeFaults.ts';
import type { World } from '../../world.ts';
import type { ProgramCheckResult } from '../checks/checkProgram.ts';
import type { Candidate } from '../search/candidate.ts';
import { fractionAt, type LegFault, type StepPath } from '../stepPath.ts';
import { endsAt, type StageFailure } from './programFailures.ts';

/**
 * Returns the step in which the check of a program found a fault; for a line or arc that collides or violates a
 * constraint, also the fraction that is reached.
 * @param violation returns where the joint path of a line or arc first violates a constraint
 */
export function faultyStep(
  chain: readonly Candidate[],
  steps: readonly Step[],
  trajectory: Trajectory,
  checked: ProgramCheckResult,
  violation: (path: StepPath, rules: StepRules, world: World) => LegFault | undefined,
): StageFailure {
  const { collision, unresolved, interrupted, faults, stepFaults } = checked;
  const time = collision?.from ?? (unresolved ?? interrupted ?? faults[0])?.time ?? 0;
  const segment = trajectory.segments?.find(({ to }) => time <= to) ?? trajectory.segments?.at(-1);
  const step = stepFaults[0]?.step ?? segment?.step ?? 0;
  const pair = collision?.pair ?? unresolved?.pair;
  const reason = stepFaults[0]?.what ?? `step ${step}: ${describeFaults(checked).join('; ')}`;
  const failure = { step, reason, fraction: 1, isLimit: false, ...(pair && { pair }) };
  const candidate = chain.find(({ paths }) => paths.has(step));
  const path = candidate?.paths.get(step);
  const rules = steps[step];
  if (candidate && path && stepFaults.length > 0 && isMotionStep(rules)) {
    const found = violation(path, rules, candidate.worldOf(step));
    if (found) return { ...failure, ...found, reason: endsAt(rules, found) };
  }
  if (stepFaults.length > 0 || faults.length > 0 || !collision || !path) return failure;
  const q = new Float64Array(path.end.length);
  new TrajectoryCurve(trajectory).position(q, time);
  const fraction = fractionAt(path, q);
  const how = `${collision.pair.join(' and ')} collide`;
  return { ...failure, fraction, reason: endsAt(steps[step], { fraction, reason: how }) };
}
