import type { MethodName, Params } from '../formats/schemas/serviceMessages.ts';
import type { Pose } from '../kinematics/robotModel.ts';
import type {
  ServiceCertifiedUntil,
  ServiceCheck,
  ServiceClearance,
  ServiceDescription,
  ServiceIkResult,
  ServiceMotionAnswer,
  ServicePlan,
  ServiceProgress,
  ServiceRecertification,
  ServiceRepair,
  ServiceStateAnswer,
  ServiceTrajectory,
  ServiceVerification,
  ServiceWatchReport,
} from './clients/results.ts';
import {
  connectHttp,
  connectSocket,
  connectWebSocket,
  type Response,
  resultOf,
  type Transport,
} from './clients/transports.ts';

/** Options of `connectService`. */
export interface ClientOptions {
  /** Bearer token, over HTTP and WebSockets; needed if the service was started with `--token`. */
  readonly token?: string;
}

/** Options of a request. */
export interface CallOptions {
  /** Cancels the request, which then rejects with a `ServiceError` of code -32800. */
  readonly signal?: AbortSignal;
  /** Receives the progress of methods that take long; never called over HTTP. */
  readonly onProgress?: (progress: ServiceProgress) => void;
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
  private readonly transport: Transport;
  private lastId = 0;
  private readonly progress = new Map<number, (progress: ServiceProgress) => void>();
  private readonly watches = new Map<number, (report: ServiceWatchReport) => void>();
  /** Reports that arrived together with the response to `watch`. */
  private early: ServiceWatchReport[] = [];

  /** @internal */
  constructor(transport: Transport) {
    this.transport = transport;
    transport.listener = (text) => this.notice(JSON.parse(text));
  }

  /** Calls a method of the service and returns its result. Rejects with `ServiceError` on an error response. */
  async call<M extends MethodName>(method: M, params: Params<M>, options: CallOptions = {}): Promise<unknown> {
    const { signal, onProgress } = options;
    const id = ++this.lastId;
    if (onProgress) this.progress.set(id, onProgress);
    const cancel = () =>
      this.transport.tell(JSON.stringify({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } }));
    try {
      const answer = this.transport.exchange(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      if (signal?.aborted) cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      return resultOf(JSON.parse(await answer) as Response);
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.progress.delete(id);
    }
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

  /** Plans a motion or a program; the parameters are those of the method `plan`. A failure to plan is a result. */
  async plan(params: Params<'plan'> = {}, options: CallOptions = {}): Promise<ServicePlan> {
    return (await this.call('plan', params, options)) as ServicePlan;
  }

  /** Checks a trajectory over continuous time; with `certificate`, also certifies it. */
  async check(
    trajectory: ServiceTrajectory,
    { certificate = false, ...options }: CallOptions & { readonly certificate?: boolean } = {},
  ): Promise<ServiceCheck> {
    return (await this.call('check', { trajectory, certificate }, options)) as ServiceCheck;
  }

  /** Verifies a certificate of a trajectory. */
  async verify(trajectory: ServiceTrajectory, certificate: object, options: CallOptions = {}) {
    const params = { trajectory, certificate: { ...certificate } };
    return (await this.call('verify', params, options)) as ServiceVerification;
  }

  /**
   * Changes a trajectory that `check` refuses as little as possible; the parameters are those of the method `repair`.
   */
  async repair(params: Params<'repair'>, options: CallOptions = {}): Promise<ServiceRepair> {
    return (await this.call('repair', params, options)) as ServiceRepair;
  }

  /** Certifies a trajectory again in the current scene of the session. */
  async recertify(trajectory: ServiceTrajectory, certificate: object, options: CallOptions = {}) {
    const params = { trajectory, certificate: { ...certificate } };
    return (await this.call('recertify', params, options)) as ServiceRecertification;
  }

  /**
   * Watches a trajectory that is being executed: `onReport` receives how far it is still proved after each change of
   * the scene of this session, and with `replan` a new trajectory. Not over HTTP.
   */
  async watch(
    params: Params<'watch'>,
    onReport: (report: ServiceWatchReport) => void,
  ): Promise<ServiceCertifiedUntil & { readonly watch: number }> {
    const result = (await this.call('watch', params)) as ServiceCertifiedUntil & { readonly watch: number };
    this.watches.set(result.watch, onReport);
    for (const report of this.early) if (report.watch === result.watch) onReport(report);
    this.early = [];
    return result;
  }

  /** Reports that a watched trajectory has been executed up to a time, seconds. */
  async advanceWatch(watch: number, time: number): Promise<ServiceCertifiedUntil> {
    return (await this.call('watch.advance', { watch, time })) as ServiceCertifiedUntil;
  }

  /** Ends a watch. */
  async endWatch(watch: number): Promise<void> {
    await this.call('watch.end', { watch });
    this.watches.delete(watch);
  }

  private notice({ method, params }: { readonly method: string; readonly params: unknown }): void {
    if (method === '$/progress') {
      const { id, ...progress } = params as ServiceProgress & { readonly id: number };
      this.progress.get(id)?.(progress);
    } else if (method === '$/watch') {
      const report = params as ServiceWatchReport;
      const listener = this.watches.get(report.watch);
      if (listener) listener(report);
      else this.early.push(report);
    }
  }

  /** Closes the connection, which ends the session. */
  async close(): Promise<void> {
    await this.transport.close();
  }
}
