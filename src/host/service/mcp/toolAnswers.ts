import type {
  ServiceCheck,
  ServiceIkResult,
  ServicePlan,
  ServiceRepair,
  ServiceStateAnswer,
} from '../../client/results.ts';

/** Names of the tools: methods of the service. */
export const toolNames = ['plan', 'check', 'repair', 'ik', 'describe', 'validate'] as const;

/** Name of a tool. */
export type ToolName = (typeof toolNames)[number];

/** Describes a valid state near an invalid one. */
export type Nearby = (q: readonly number[]) => string;

/** Describes the validity of states. @param states those of the request */
export function validityWords(answers: readonly ServiceStateAnswer[], states: readonly number[][], nearby: Nearby) {
  const words = answers.map((answer, i) =>
    answer.valid ? 'valid' : `not valid: ${faultWords(answer)}; ${nearby(states[i])}`,
  );
  return words.length === 1 ? words[0] : words.map((one, i) => `state ${i}: ${one}`).join('\n');
}

function faultWords({ collisions, limits, constraints = [] }: ServiceStateAnswer): string {
  return [
    ...collisions.map((pair) => `${pair.join(' and ')} collide, or are nearer than the padding`),
    ...limits.map((joint) => `${joint} is out of limits`),
    ...constraints.map((constraint) => `the constraint ${constraint} is violated`),
  ].join('; ');
}

/** Describes a checked trajectory. @param stateAt returns the state at a time of the trajectory */
export function checkWords(
  { valid, faults, contacts: [contact] = [] }: ServiceCheck,
  stateAt: (time: number) => readonly number[],
  nearby: Nearby,
): string {
  if (valid) return 'valid: certified collision-free at every instant, and within all limits';
  const words = `not valid: ${faults.join('; ')}`;
  if (!contact) return words;
  const time = (contact.from + contact.until) / 2;
  const q = stateAt(time);
  return `${words}. At time ${time} the state is ${q.join(', ')}; ${nearby(q)}`;
}

/** Describes a planned motion. */
export const planWords = ({ status, reason, trajectory }: ServicePlan): string =>
  trajectory ? `${status}: a certified motion of ${trajectory.points.length} points` : `${status}: ${reason}`;

/** Describes a repair. */
export const repairWords = ({ status, reason }: ServiceRepair): string => `${status}: ${reason}`;

/** Describes the solutions of inverse kinematics. */
export function ikWords({ solutions, reason = '' }: ServiceIkResult): string {
  if (solutions.length === 0) return `no solution: ${reason}`;
  const listed = solutions.map((q) => `[${q.join(', ')}]`).join(', ');
  return `${solutions.length} solutions, the nearest to the start first: ${listed}`;
}
