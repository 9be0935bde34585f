import { once } from 'node:events';
import net from 'node:net';
import type { MethodName, Params } from '../formats/schemas/serviceMessages.ts';
import type { Pose } from '../kinematics/robotModel.ts';

/** Error response of the service. */
export class ServiceError extends Error {
  /** Name of the class, also where the class itself is not available. */
  override readonly name = 'ServiceError';

  constructor(
    /** Error code of JSON-RPC 2.0 or of the service. */
    readonly code: number,
    message: string,
    /** How to fix the request. */
    readonly note = '',
  ) {
    super(message);
  }
}

/** Options of `connectService`. */
export interface ClientOptions {
  /** Bearer token, over HTTP and WebSockets; needed if the service was started with `--token`. */
  readonly token?: string;
}

/** Result of `describe`: robot, scene and limits. The JSON schema of the service lists all fields. */
export interface ServiceDescription {
  /** Version of the service. */
  readonly version: string;
  /** Name of the scene. */
  readonly scene: string;
  /** Name of the robot. */
  readonly robot: string;
  /** Planned joints in the robot's order. A bound is null if the joint has none. */
  readonly joints: readonly {
    readonly name: string;
    readonly type: string;
    readonly lower: number | null;
    readonly upper: number | null;
  }[];
  /** Names of the links, parents first. */
  readonly links: readonly string[];
  /** Obstacles with their poses in the world. */
  readonly obstacles: readonly { readonly name: string; readonly pose: Pose }[];
  /** Attached objects with their poses in the frames of their links. */
  readonly attached: readonly { readonly name: string; readonly link: string; readonly pose: Pose }[];
  /** Required minimum distance of every pair, metres. */
  readonly padding: number;
  /** Start configuration of the scene; null if there is none. */
  readonly start: readonly number[] | null;
  /** First goal of the scene that is given as joint values; null if there is none. */
  readonly goal: readonly number[] | null;
  /** Alternative goals: joint values, or a pose in the form of the parameters of `ik`. */
  readonly goals: readonly ({ readonly q: readonly number[] } | ServicePoseGoal)[];
}

/** Goal region of the scene: a pose of a link, with tolerances. */
export interface ServicePoseGoal {
  /** Undefined: the tool center point of the scene. */
  readonly link?: string;
  /** Pose of the link in the world. */
  readonly pose: Pose;
  /** `position` in metres, `angle` in radians. */
  readonly tolerance: { readonly position: number; readonly angle: number | readonly [number, number, number] };
}

/** Result of inverse kinematics. */
export interface ServiceIkResult {
  /** Joint values within limits, sorted by the distance to the start of the scene. */
  readonly solutions: readonly (readonly number[])[];
  /** Why there is no solution. */
  readonly reason?: string;
}

/** Result of a state validity check. */
export interface ServiceStateAnswer {
  /** True if the state is within limits and proved collision-free. */
  readonly valid: boolean;
  /** The first pair in collision, if any. */
  readonly collisions: readonly (readonly [string, string])[];
  /** Names of the joints out of limits. */
  readonly limits: readonly string[];
  /** Names of the violated constraints, if the scene has any. */
  readonly constraints?: readonly string[];
}

/** Result of a motion validity check. */
export interface ServiceMotionAnswer {
  /** True if the motion is within limits and certified. */
  readonly valid: boolean;
  /** Proved collision-free at every instant, in collision at some instant, or neither. */
  readonly verdict: 'certified' | 'collision' | 'unresolved';
  /** Names of the joints out of limits at either end. */
  readonly limits: readonly string[];
  /** Names of the constraints that are violated or not proved, if the scene has any. */
  readonly constraints?: readonly string[];
  /**
   * First contact, times from 0 (start) to 1 (end): certified until `free_until`, in collision or unresolved at `time`.
   */
  readonly contact?: { readonly pair: readonly [string, string]; readonly free_until: number; readonly time: number };
}

/** Clearance of a state. */
export interface ServiceClearance {
  /**
   * Minimum distance over all checked pairs, metres; the negative penetration depth if any pair collides; null if no
   * pair is checked.
   */
  readonly distance: number | null;
  /** Names of the nearest pair; null if no pair is checked. */
  readonly pair: readonly [string, string] | null;
  /** Derivative of the distance with respect to each joint: m/rad, m/m; on request. */
  readonly gradient?: readonly number[];
  /** Whether the distance is differentiable in this state. */
  readonly differentiable?: boolean;
}

/**
 * Connects to `elbowroom serve` and opens a session, whose scene the client may change. Rejects if no service listens
 * at the address.
 * @param address as printed by the service: `unix:PATH`, `http://HOST:PORT`; or `ws://HOST:PORT`
 */
export async function connectService(address: string, { token }: ClientOptions = {}): Promise<ServiceClient> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (/^https?:/.test(address)) return new ServiceClient(await connectHttp(address, headers));
  if (/^wss?:/.test(address)) return new ServiceClient(await connectWebSocket(address, headers));
  return new ServiceClient(await connectSocket(address.replace(/^unix:/, '')));
}

/**
 * Client of a service: each method returns a promise. Requests may be sent before earlier ones are answered
 * (pipelining).
 */
export class ServiceClient {
  /** @internal */
  constructor(private readonly transport: Transport) {}

  /** Calls a method of the service and returns its result. Rejects with `ServiceError` on an error response. */
  async call<M extends MethodName>(method: M, params: Params<M>): Promise<unknown> {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return resultOf(JSON.parse(await this.transport.exchange(text)) as Response);
  }

  /** Calls several methods in one message (JSON-RPC batch) and returns their results in order. */
  async callAll(calls: readonly { readonly method: MethodName; readonly params: object }[]): Promise<unknown[]> {
    const text = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
    const answers = JSON.parse(await this.transport.exchange(text)) as Response | Response[];
    return Array.isArray(answers) ? answers.map(resultOf) : [resultOf(answers)];
  }

  /** Returns robot, scene and limits of the service. */
  async describe(): Promise<ServiceDescription> {
    return (await this.call('describe', {})) as ServiceDescription;
  }

  /** Returns true if a state is within limits and proved collision-free. */
  async isValid(q: ArrayLike<number>): Promise<boolean> {
    return ((await this.call('validate', { q: Array.from(q) })) as { valid: boolean }).valid;
  }

  /** Checks many states in one message: much higher throughput than one request per state. */
  async areValid(states: readonly ArrayLike<number>[]): Promise<boolean[]> {
    const listed = states.map((q) => Array.from(q));
    return ((await this.call('validate', { states: listed })) as { valid: boolean[] }).valid;
  }

  /** Checks a state and returns the first colliding pair and the joints out of limits. */
  async judgeState(q: ArrayLike<number>): Promise<ServiceStateAnswer> {
    return (await this.call('validate', { q: Array.from(q), details: true })) as ServiceStateAnswer;
  }

  /** True if the straight joint-space motion is certified collision-free and within limits. */
  async isValidMotion(from: ArrayLike<number>, to: ArrayLike<number>): Promise<boolean> {
    const ends = { from: Array.from(from), to: Array.from(to) };
    return ((await this.call('validate_motion', ends)) as { valid: boolean }).valid;
  }

  /** Checks many straight motions in one message. */
  async areValidMotions(motions: readonly (readonly [ArrayLike<number>, ArrayLike<number>])[]): Promise<boolean[]> {
    const listed = motions.map((ends) => ends.map((q) => Array.from(q)));
    return ((await this.call('validate_motion', { motions: listed })) as { valid: boolean[] }).valid;
  }

  /** Checks a straight motion and returns the verdict, the first contact and the joints out of limits. */
  async judgeMotion(from: ArrayLike<number>, to: ArrayLike<number>): Promise<ServiceMotionAnswer> {
    const ends = { from: Array.from(from), to: Array.from(to) };
    return (await this.call('validate_motion', { ...ends, details: true })) as ServiceMotionAnswer;
  }

  /** Computes the clearance of a state, with its gradient on request. */
  async clearance(
    q: ArrayLike<number>,
    { gradient = false }: { readonly gradient?: boolean } = {},
  ): Promise<ServiceClearance> {
    return (await this.call('clearance', { q: Array.from(q), gradient })) as ServiceClearance;
  }

  /** Computes the poses of links in the world; default: all links. */
  async fk(q: ArrayLike<number>, links?: readonly string[]): Promise<Readonly<Record<string, Pose>>> {
    const params = { q: Array.from(q), ...(links ? { links: [...links] } : {}) };
    return ((await this.call('fk', params)) as { links: Record<string, Pose> }).links;
  }

  /** Computes inverse kinematics; the parameters are those of the method `ik`. */
  async ik(params: Params<'ik'>): Promise<ServiceIkResult> {
    return (await this.call('ik', params)) as ServiceIkResult;
  }

  /** Returns the valid goal states of the scene, at most `most` for each pose goal; empty if there is none. */
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
      const { position, angle } = goal.tolerance;
      const tolerance = {
        position,
        angle: typeof angle === 'number' ? angle : ([...angle] as [number, number, number]),
      };
      const { solutions } = await this.ik({ ...goal, pose, tolerance, collision_free: true, most });
      states.push(...solutions.map((q) => [...q]));
    }
    const valid = states.length > 0 ? await this.areValid(states) : [];
    return states.filter((_, i) => valid[i]);
  }

  /** Closes the connection, which ends the session. */
  async close(): Promise<void> {
    await this.transport.close();
  }
}

/** Transport to the service: one response text for each request text. */
interface Transport {
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

/** Requests without a response yet. Responses arrive in the order of the requests (FIFO). */
class PendingResponses {
  private readonly list: { resolve: (text: string) => void; reject: (error: Error) => void }[] = [];
  private closed: Error | undefined;

  next(): Promise<string> {
    if (this.closed) return Promise.reject(this.closed);
    return new Promise((resolve, reject) => this.list.push({ resolve, reject }));
  }

  answer(text: string): void {
    this.list.shift()?.resolve(text);
  }

  fail(error: Error): void {
    this.closed ??= error;
    for (const { reject } of this.list.splice(0)) reject(error);
  }
}

async function connectSocket(path: string): Promise<Transport> {
  const socket = net.connect(path);
  await once(socket, 'connect');
  const pending = new PendingResponses();
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) pending.answer(line);
  });
  socket.on('error', (error) => pending.fail(error));
  socket.on('close', () => pending.fail(new Error(`${path}: the service has closed the connection`)));
  return {
    exchange(text) {
      const answer = pending.next();
      socket.write(`${text}\n`);
      return answer;
    },
    async close() {
      socket.end();
      if (!socket.destroyed) await once(socket, 'close');
    },
  };
}

async function connectWebSocket(address: string, headers: Readonly<Record<string, string>>): Promise<Transport> {
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(new URL('/rpc', address), { headers, perMessageDeflate: false });
  const pending = new PendingResponses();
  await once(socket, 'open');
  socket.on('message', (data) => pending.answer(String(data)));
  socket.on('error', (error) => pending.fail(error));
  socket.on('close', () => pending.fail(new Error(`${address}: the service has closed the connection`)));
  return {
    exchange(text) {
      const answer = pending.next();
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

async function connectHttp(address: string, headers: Readonly<Record<string, string>>): Promise<Transport> {
  const request = async (path: string, method: string, body?: string): Promise<string> => {
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
  const { session } = JSON.parse(await request('/sessions', 'POST')) as { session: string };
  return {
    exchange: (text) => request(`/sessions/${session}/rpc`, 'POST', text),
    close: async () => {
      await request(`/sessions/${session}`, 'DELETE');
    },
  };
}
