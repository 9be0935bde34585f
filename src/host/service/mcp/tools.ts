import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { type ServiceResults, serviceMessages } from '../../../formats/schemas/serviceMessages.ts';
import { paramsSchema } from '../../../formats/schemas/serviceSchema.ts';
import { describeNearby } from '../../../tasks/planning/endpointDiagnosis.ts';
import { nearestValidState } from '../../../tasks/planning/nearestFree.ts';
import type { StateValidityChecker } from '../../../tasks/validation/stateValidityChecker.ts';
import type {
  ServiceCheck,
  ServiceIkResult,
  ServicePlan,
  ServiceRepair,
  ServiceStateAnswer,
} from '../../client/results.ts';
import type { Service } from '../service.ts';
import type { ClientSession } from '../session/clientSession.ts';
import { readMotion } from '../threadMethods/givenMotion.ts';

/** Result of a tool, as the protocol defines it. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: object;
}

type Params = Readonly<Record<string, unknown>>;

/** The tools as they are listed: the methods of the service with the schemas of their parameters. */
export const toolList = () =>
  toolNames.map((name) => ({
    name,
    description: `${serviceMessages[name].summary}. SI units: m, rad, s.`,
    inputSchema: paramsSchema(name),
  }));

/** Response of the service. */
interface Answer {
  readonly result: never;
  readonly error?: { readonly message: string; readonly data?: { readonly note: string } };
}

/** Calls the methods of a service as tools of an agent, and describes their results in words. */
export class Tools {
  private readonly session: ClientSession;
  private readonly robot: RobotModel;
  private readonly scene: Scene;
  private readonly checker: StateValidityChecker | undefined;
  private lastId = 0;
  private readonly calls = new Set<Promise<ToolResult>>();

  constructor(service: Service) {
    this.session = service.openSession()!;
    ({ robot: this.robot, scene: this.scene } = service.options);
    this.checker = service.small?.checkerOf(this.scene);
  }

  /** Calls a tool. An error of its parameters is a result that states it. */
  call(name: string, given: Params = {}, signal?: AbortSignal): Promise<ToolResult> {
    const result = this.resultOf(name, given, signal);
    this.calls.add(result);
    const forget = () => setImmediate(() => this.calls.delete(result)); // once the caller has the result
    result.then(forget, forget);
    return result;
  }

  /** Resolves once no call runs. */
  async idle(): Promise<void> {
    while (this.calls.size > 0) {
      await Promise.allSettled(this.calls);
      await new Promise(setImmediate);
    }
  }

  private async resultOf(name: string, given: Params, signal: AbortSignal | undefined): Promise<ToolResult> {
    if (!(toolNames as readonly string[]).includes(name))
      return failure(`there is no tool "${name}"`, `Use one of: ${toolNames.join(', ')}.`);
    const tool = name as ToolName;
    const params = tool === 'validate' ? { ...given, details: true } : given;
    const id = ++this.lastId;
    const cancel = () =>
      this.session.notice(JSON.stringify({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } }));
    signal?.addEventListener('abort', cancel, { once: true });
    const text = await this.session.answer(JSON.stringify({ jsonrpc: '2.0', id, method: tool, params }));
    signal?.removeEventListener('abort', cancel);
    const { result, error } = JSON.parse(text) as Answer;
    if (error) return failure(error.message, error.data?.note);
    return {
      content: [
        { type: 'text', text: await this.wordsOf(tool, result, given) },
        { type: 'text', text: JSON.stringify(result) },
      ],
      structuredContent: result,
    };
  }

  close(): void {
    this.session.close();
  }

  private async wordsOf(tool: ToolName, result: never, given: Params): Promise<string> {
    const { robot, scene, nearby } = this;
    if (tool === 'plan') return planWords(result);
    if (tool === 'repair') return repairWords(result);
    if (tool === 'ik') return ikWords(result);
    if (tool === 'describe') return describeWords(result);
    if (tool === 'validate') {
      const { q, states = [q] } = given as { readonly q: number[]; readonly states?: number[][] };
      const { answers = [result] } = result as { readonly answers?: readonly ServiceStateAnswer[] };
      return validityWords(answers, states, nearby);
    }
    const { trajectory } = await readMotion(given['trajectory'] as object, robot, scene);
    const curve = new TrajectoryCurve(trajectory);
    const stateAt = (time: number) => {
      const q = new Float64Array(curve.dof);
      curve.position(q, time);
      return Array.from(q);
    };
    return checkWords(result, stateAt, nearby);
  }

  private readonly nearby: Nearby = (q) => {
    const { checker, robot } = this;
    if (!checker) return 'states of a scene that moves have no valid state nearby at all times';
    const { manager, constraints } = checker;
    return describeNearby(robot, nearestValidState(robot, manager, Float64Array.from(q), constraints));
  };
}

function failure(message: string, note?: string): ToolResult {
  return { isError: true, content: [{ type: 'text', text: note ? `${message}\n${note}` : message }] };
}

function describeWords({ robot, scene, joints, obstacles, start }: ServiceResults['describe']): string {
  const limits = joints.map(({ name, lower, upper }) => `${name} [${lower ?? '-∞'}, ${upper ?? '∞'}]`);
  const names = obstacles.map(({ name }) => name);
  return (
    `${robot} in the scene ${scene}. Planned joints in the order of q: ${limits.join(', ')}. ` +
    `Obstacles: ${names.join(', ') || 'none'}. Start: ${start?.join(', ') ?? 'none'}.`
  );
}

/** Names of the tools: methods of the service. */
const toolNames = ['plan', 'check', 'repair', 'ik', 'describe', 'validate'] as const;

/** Name of a tool. */
type ToolName = (typeof toolNames)[number];

/** Describes a valid state near an invalid one. */
type Nearby = (q: readonly number[]) => string;

/** Describes the validity of states. @param states those of the request */
function validityWords(answers: readonly ServiceStateAnswer[], states: readonly number[][], nearby: Nearby) {
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
function checkWords(
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
const planWords = ({ status, reason, trajectory }: ServicePlan): string =>
  trajectory ? `${status}: a certified motion of ${trajectory.points.length} points` : `${status}: ${reason}`;

/** Describes a repair. */
const repairWords = ({ status, reason }: ServiceRepair): string => `${status}: ${reason}`;

/** Describes the solutions of inverse kinematics. */
function ikWords({ solutions, reason = '' }: ServiceIkResult): string {
  if (solutions.length === 0) return `no solution: ${reason}`;
  const listed = solutions.map((q) => `[${q.join(', ')}]`).join(', ');
  return `${solutions.length} solutions, the nearest to the start first: ${listed}`;
}
