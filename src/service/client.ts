import { once } from 'node:events';
import net from 'node:net';
import type { MethodName, Params } from '../formats/schemas/serviceMessages.ts';
import type { Pose } from '../kinematics/robotModel.ts';

type Q = ArrayLike<number>;

/** What the service says where it cannot answer. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  /**
   * @param code that of JSON-RPC 2.0, or the service's own
   * @param note the way out
   */
  constructor(
    readonly code: number,
    message: string,
    readonly note = '',
  ) {
    super(message);
  }
}

export interface ClientOptions {
  /** Of a service that asks for one, over HTTP and WebSockets. */
  readonly token?: string;
}

/** What the service says of itself; more than is listed here stands in its schema. */
export interface ServiceDescription {
  readonly version: string;
  readonly scene: string;
  readonly robot: string;
  /** Bounds are null where there are none. */
  readonly joints: readonly {
    readonly name: string;
    readonly type: string;
    readonly lower: number | null;
    readonly upper: number | null;
  }[];
  readonly links: readonly string[];
  readonly obstacles: readonly { readonly name: string; readonly pose: Pose }[];
  readonly attached: readonly { readonly name: string; readonly link: string; readonly pose: Pose }[];
  readonly padding: number;
  readonly start: readonly number[] | null;
  /** The first goal of the scene that is given in joints. */
  readonly goal: readonly number[] | null;
  /** Any one of them: joint values, or a pose as `ik` takes it. */
  readonly goals: readonly ({ readonly q: readonly number[] } | ServicePoseGoal)[];
}

/** A goal of the scene that is a pose. */
export interface ServicePoseGoal {
  readonly link: string;
  /** In the world. */
  readonly pose: Pose;
  /** Metres, radians. */
  readonly tolerance: { readonly position: number; readonly angle: number };
}

export interface ServiceIkResult {
  /** Joint values within limits, the nearest to the start of the scene first. */
  readonly solutions: readonly (readonly number[])[];
  /** Why there is no solution. */
  readonly reason?: string;
}

export interface ServiceStateAnswer {
  readonly valid: boolean;
  /** The first pair in collision, if any. */
  readonly collisions: readonly (readonly [string, string])[];
  readonly limits: readonly string[];
}

export interface ServiceMotionAnswer {
  readonly valid: boolean;
  readonly verdict: 'certified' | 'collision' | 'unresolved';
  readonly limits: readonly string[];
  readonly contact?: { readonly pair: readonly [string, string]; readonly free_until: number; readonly time: number };
}

export interface ServiceClearance {
  /** Metres; the negative depth of a collision; null where no pair may collide. */
  readonly distance: number | null;
  readonly pair: readonly [string, string] | null;
  readonly gradient?: readonly number[];
  readonly differentiable?: boolean;
}

/**
 * Connects to `elbowroom serve`: a session of its own, whose scene it may change.
 * @param address as the service prints it: `unix:PATH`, `http://HOST:PORT`; or `ws://HOST:PORT`
 */
export async function connectService(address: string, { token }: ClientOptions = {}): Promise<ServiceClient> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (/^https?:/.test(address)) return new ServiceClient(await overHttp(address, headers));
  if (/^wss?:/.test(address)) return new ServiceClient(await overWebSocket(address, headers));
  return new ServiceClient(await overSocket(address.replace(/^unix:/, '')));
}

/** Questions to a service, each a promise. Questions may be sent before the ones before are answered. */
export class ServiceClient {
  constructor(private readonly link: Link) {}

  /** Any method of the service. */
  async call<M extends MethodName>(method: M, params: Params<M>): Promise<unknown> {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return resultOf(JSON.parse(await this.link.exchange(text)) as Response);
  }

  /** Several methods in one message, answered in order. */
  async callAll(calls: readonly { readonly method: MethodName; readonly params: object }[]): Promise<unknown[]> {
    const text = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
    const answers = JSON.parse(await this.link.exchange(text)) as Response | Response[];
    return Array.isArray(answers) ? answers.map(resultOf) : [resultOf(answers)];
  }

  async describe(): Promise<ServiceDescription> {
    return (await this.call('describe', {})) as ServiceDescription;
  }

  async isValid(q: Q): Promise<boolean> {
    return ((await this.call('validate', { q: Array.from(q) })) as { valid: boolean }).valid;
  }

  /** Many states in one message: many times as quick as one by one. */
  async areValid(states: readonly Q[]): Promise<boolean[]> {
    const listed = states.map((q) => Array.from(q));
    return ((await this.call('validate', { states: listed })) as { valid: boolean[] }).valid;
  }

  async judgeState(q: Q): Promise<ServiceStateAnswer> {
    return (await this.call('validate', { q: Array.from(q), details: true })) as ServiceStateAnswer;
  }

  /** True where the straight motion is proved free all the way. */
  async isValidMotion(from: Q, to: Q): Promise<boolean> {
    const ends = { from: Array.from(from), to: Array.from(to) };
    return ((await this.call('validate_motion', ends)) as { valid: boolean }).valid;
  }

  async areValidMotions(motions: readonly (readonly [Q, Q])[]): Promise<boolean[]> {
    const listed = motions.map((ends) => ends.map((q) => Array.from(q)));
    return ((await this.call('validate_motion', { motions: listed })) as { valid: boolean[] }).valid;
  }

  async judgeMotion(from: Q, to: Q): Promise<ServiceMotionAnswer> {
    const ends = { from: Array.from(from), to: Array.from(to) };
    return (await this.call('validate_motion', { ...ends, details: true })) as ServiceMotionAnswer;
  }

  async clearance(q: Q, { gradient = false }: { readonly gradient?: boolean } = {}): Promise<ServiceClearance> {
    return (await this.call('clearance', { q: Array.from(q), gradient })) as ServiceClearance;
  }

  async fk(q: Q, links?: readonly string[]): Promise<Readonly<Record<string, Pose>>> {
    const params = { q: Array.from(q), ...(links ? { links: [...links] } : {}) };
    return ((await this.call('fk', params)) as { links: Record<string, Pose> }).links;
  }

  /** Joint values that take a link to a pose: all parameters are those of the method. */
  async ik(params: Params<'ik'>): Promise<ServiceIkResult> {
    return (await this.call('ik', params)) as ServiceIkResult;
  }

  /** The valid goal states of the scene, at most `most` for each goal that is a pose; empty if there is none. */
  async goalStates(most = 8): Promise<number[][]> {
    const { goals } = await this.describe();
    const states: number[][] = [];
    for (const goal of goals) {
      if ('q' in goal) {
        states.push([...goal.q]);
        continue;
      }
      const { xyz, quat_wxyz } = goal.pose;
      const pose = { xyz: [...xyz], quat_wxyz: [...quat_wxyz] };
      const { solutions } = await this.ik({ ...goal, pose, collision_free: true, most });
      states.push(...solutions.map((q) => [...q]));
    }
    const valid = states.length > 0 ? await this.areValid(states) : [];
    return states.filter((_, i) => valid[i]);
  }

  /** Ends the session. */
  async close(): Promise<void> {
    await this.link.close();
  }
}

/** A way to the service: each text is answered by one. */
interface Link {
  exchange(text: string): Promise<string>;
  close(): Promise<void>;
}

interface Response {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly note?: string } };
}

function resultOf({ result, error }: Response): unknown {
  if (error) throw new ServiceError(error.code, error.message, error.data?.note);
  return result;
}

/** Answers come in the order of the questions, so each goes to the one that has waited longest. */
class Waiting {
  private readonly list: { resolve: (text: string) => void; reject: (error: Error) => void }[] = [];
  private gone: Error | undefined;

  next(): Promise<string> {
    if (this.gone) return Promise.reject(this.gone);
    return new Promise((resolve, reject) => this.list.push({ resolve, reject }));
  }

  answer(text: string): void {
    this.list.shift()?.resolve(text);
  }

  fail(error: Error): void {
    this.gone ??= error;
    for (const { reject } of this.list.splice(0)) reject(error);
  }
}

async function overSocket(path: string): Promise<Link> {
  const socket = net.connect(path);
  await once(socket, 'connect');
  const waiting = new Waiting();
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) waiting.answer(line);
  });
  socket.on('error', (error) => waiting.fail(error));
  socket.on('close', () => waiting.fail(new Error(`${path}: the service has closed the connection`)));
  return {
    exchange(text) {
      const answer = waiting.next();
      socket.write(`${text}\n`);
      return answer;
    },
    async close() {
      socket.end();
      if (!socket.destroyed) await once(socket, 'close');
    },
  };
}

async function overWebSocket(address: string, headers: Readonly<Record<string, string>>): Promise<Link> {
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(new URL('/rpc', address), { headers, perMessageDeflate: false });
  const waiting = new Waiting();
  await once(socket, 'open');
  socket.on('message', (data) => waiting.answer(String(data)));
  socket.on('error', (error) => waiting.fail(error));
  socket.on('close', () => waiting.fail(new Error(`${address}: the service has closed the connection`)));
  return {
    exchange(text) {
      const answer = waiting.next();
      socket.send(text);
      return answer;
    },
    async close() {
      if (socket.readyState === socket.CLOSED) return;
      socket.close();
      await once(socket, 'close');
    },
  };
}

async function overHttp(address: string, headers: Readonly<Record<string, string>>): Promise<Link> {
  const ask = async (path: string, method: string, body?: string): Promise<string> => {
    const all = { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const reply = await fetch(new URL(path, address), {
      method,
      headers: all,
      ...(body === undefined ? {} : { body }),
    });
    const text = await reply.text();
    if (reply.ok || text.startsWith('{"jsonrpc"')) return text;
    throw new ServiceError(reply.status, `${method} ${path}: ${reply.status} ${text.trim()}`);
  };
  const { session } = JSON.parse(await ask('/sessions', 'POST')) as { session: string };
  return {
    exchange: (text) => ask(`/sessions/${session}/rpc`, 'POST', text),
    close: async () => {
      await ask(`/sessions/${session}`, 'DELETE');
    },
  };
}
