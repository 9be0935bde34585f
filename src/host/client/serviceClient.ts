import type { Pose } from '../../core/kinematics/robotModel.ts';
import { InputError } from '../../errors.ts';
import type { ServiceTrajectory } from '../../formats/schemas/planningMessages.ts';
import type { MethodName, Params, ServiceResults } from '../../formats/schemas/serviceMessages.ts';
import { type BulkMethod, booleansOf, bulkForms, clearancesOf, posesOf } from './bulkCalls.ts';
import type { ResponseFrame } from './clientFrame.ts';
import { type CallOptions, Requests } from './requests.ts';
import type {
  ServiceCertifiedUntil,
  ServiceCheck,
  ServiceClearance,
  ServiceClearances,
  ServiceCloud,
  ServiceDescription,
  ServiceIkResult,
  ServiceLinkPoses,
  ServiceMotionAnswer,
  ServicePlan,
  ServicePoses,
  ServiceRecertification,
  ServiceRepair,
  ServiceScene,
  ServiceStateAnswer,
  ServiceVerification,
  ServiceWatch,
  ServiceWatchReport,
} from './results.ts';
import { type Motions, packMotions, packPoints, packStates, type ServicePoints, type States } from './rows.ts';
import { ServiceGate } from './serviceGate.ts';
import type { Transport } from './transport.ts';

/**
 * Client of a service: each method returns a promise. Requests may be sent before earlier ones are answered
 * (pipelining). Many states or motions are sent as binary frames.
 */
export class ServiceClient {
  /** Robot, scene and limits when the session was opened. */
  readonly about: ServiceDescription;
  private readonly requests: Requests;
  private readonly joints: readonly string[];
  private readonly watches = new Map<number, (report: ServiceWatchReport) => void>();
  /** Reports that arrived together with the response to `watch`, until its promise resolves. */
  private early: ServiceWatchReport[] = [];

  private constructor(requests: Requests, about: ServiceDescription) {
    this.requests = requests;
    this.about = about;
    this.joints = about.joints.map(({ name }) => name);
    requests.onReport = (report) => this.report(report);
  }

  /**
   * Opens a session over a transport.
   * @internal
   */
  static async open(transport: Transport): Promise<ServiceClient> {
    const requests = new Requests(transport);
    try {
      return new ServiceClient(requests, (await requests.call('describe', {}, {})) as ServiceDescription);
    } catch (error) {
      await transport.close().catch(() => {});
      throw error;
    }
  }

  /**
   * Calls a method of the service and returns its result. Rejects with `ServiceError` on an error response.
   */
  async call<M extends MethodName>(
    method: M,
    params: Params<M>,
    options: CallOptions = {},
  ): Promise<ServiceResults[M]> {
    return (await this.requests.call(method, params, options)) as ServiceResults[M];
  }

  /** Calls several methods in one message (JSON-RPC batch) and returns their results in order. */
  async callAll(calls: readonly { readonly method: MethodName; readonly params: object }[]): Promise<unknown[]> {
    return await this.requests.callAll(calls);
  }

  /** Returns robot, scene and limits of the service. */
  async describe(): Promise<ServiceDescription> {
    return await this.call('describe', {});
  }

  /** Returns true if a state is within limits and proved collision-free. `t`: time of a scene that moves, seconds. */
  async isValid(q: ArrayLike<number>, { t }: { readonly t?: number } = {}): Promise<boolean> {
    return ((await this.call('validate', { q: Array.from(q), ...at(t) })) as { valid: boolean }).valid;
  }

  /** Checks many states at once: much higher throughput than one request per state. */
  async areValid(states: States, options: CallOptions = {}): Promise<boolean[]> {
    const numbers = packStates(states, this.joints);
    return booleansOf(await this.bulk('validate', { numbers }, options), 'valid');
  }

  /** Checks a state and returns the first colliding pair and the joints out of limits. */
  async judgeState(q: ArrayLike<number>, { t }: { readonly t?: number } = {}): Promise<ServiceStateAnswer> {
    return (await this.call('validate', { q: Array.from(q), details: true, ...at(t) })) as ServiceStateAnswer;
  }

  /** True if the straight joint-space motion is certified collision-free and within limits. */
  async isValidMotion(from: ArrayLike<number>, to: ArrayLike<number>): Promise<boolean> {
    const ends = { from: Array.from(from), to: Array.from(to) };
    return ((await this.call('validate_motion', ends)) as { valid: boolean }).valid;
  }

  /** Checks many straight motions at once. */
  async areValidMotions(motions: Motions, options: CallOptions = {}): Promise<boolean[]> {
    const numbers = packMotions(motions, this.joints);
    return booleansOf(await this.bulk('validate_motion', { numbers }, options), 'valid');
  }

  /** Checks a straight motion and returns the verdict, the first contact and the joints out of limits. */
  async judgeMotion(from: ArrayLike<number>, to: ArrayLike<number>): Promise<ServiceMotionAnswer> {
    const ends = { from: Array.from(from), to: Array.from(to) };
    return (await this.call('validate_motion', { ...ends, details: true })) as ServiceMotionAnswer;
  }

  /** Computes the clearance of a state, with its gradient on request. `t`: time of a scene that moves, seconds. */
  async clearance(
    q: ArrayLike<number>,
    { gradient = false, t }: { readonly gradient?: boolean; readonly t?: number } = {},
  ): Promise<ServiceClearance> {
    return (await this.call('clearance', { q: Array.from(q), gradient, ...at(t) })) as ServiceClearance;
  }

  /** Computes the clearances of many states, with their gradients on request. */
  async clearances(
    states: States,
    { gradient = false, ...options }: CallOptions & { readonly gradient?: boolean } = {},
  ): Promise<ServiceClearances> {
    const numbers = packStates(states, this.joints);
    const each = gradient ? this.joints.length + 3 : 2;
    return clearancesOf(await this.bulk('clearance', { numbers, params: { gradient }, each }, options), gradient);
  }

  /** Computes the poses of links in the world; default: all links. */
  async fk(q: ArrayLike<number>, links?: readonly string[]): Promise<Readonly<Record<string, Pose>>> {
    const params = { q: Array.from(q), ...(links ? { links: [...links] } : {}) };
    return ((await this.call('fk', params)) as ServiceLinkPoses).links;
  }

  /** Computes the poses of links in the world for many states; default: all links. */
  async poses(states: States, links?: readonly string[], options: CallOptions = {}): Promise<ServicePoses> {
    const numbers = packStates(states, this.joints);
    const each = 7 * (links ?? this.about.links).length;
    return posesOf(await this.bulk('fk', { numbers, params: links ? { links } : {}, each }, options));
  }

  /** Computes inverse kinematics; the parameters are those of the method `ik`. */
  async ik(params: Params<'ik'>): Promise<ServiceIkResult> {
    return await this.call('ik', params);
  }

  /** Returns the valid goal states of the scene, at most `most` for each pose goal; empty if there is none. */
  async goalStates(most = 8): Promise<number[][]> {
    const states: number[][] = [];
    for (const goal of (await this.describe()).goals) {
      if ('q' in goal) states.push(goal.q);
      else {
        const pose = { xyz: [...goal.pose.xyz], quat_wxyz: [...goal.pose.quat_wxyz] };
        states.push(...(await this.ik({ ...goal, pose, collision_free: true, most })).solutions);
      }
    }
    const valid = states.length > 0 ? await this.areValid(states) : [];
    return states.filter((_, i) => valid[i]);
  }

  /**
   * Adds a point cloud to the scene of this session, as a binary frame: a sphere about each point. Points that are not
   * finite are skipped.
   * @param points x, y, z of each point, metres
   */
  async addCloud(cloud: ServiceCloud, points: ServicePoints, options: CallOptions = {}): Promise<ServiceScene> {
    const numbers = packPoints(points);
    const { allPoints } = this.about.limits;
    if (numbers.length / 3 > allPoints)
      throw new InputError(`points: ${numbers.length / 3} of them, the limit is ${allPoints}`, 'Downsample the cloud.');
    const { replace = false, ...body } = cloud;
    const params = { body: { type: 'cloud', ...body }, replace };
    const [{ header }] = await this.bulk('scene.add', { numbers, params }, options);
    return header['result'] as ServiceScene;
  }

  /** Plans a motion or a program; the parameters are those of the method `plan`. A failure to plan is a result. */
  async plan(params: Params<'plan'> = {}, options: CallOptions = {}): Promise<ServicePlan> {
    return await this.call('plan', params, options);
  }

  /**
   * Checks a trajectory over continuous time; with `certificate`, also certifies it; with `stopping`, also computes its
   * worst stops. With `anyStart`, the robot is at the first point, wherever that is.
   */
  async check(
    trajectory: ServiceTrajectory,
    {
      certificate = false,
      anyStart = false,
      stopping = false,
      ...options
    }: CallOptions & { readonly certificate?: boolean; readonly anyStart?: boolean; readonly stopping?: boolean } = {},
  ): Promise<ServiceCheck> {
    return await this.call('check', { trajectory, certificate, any_start: anyStart, stopping }, options);
  }

  /** Verifies a certificate of a trajectory; `anyStart` as of `check`. */
  async verify(
    trajectory: ServiceTrajectory,
    certificate: object,
    { anyStart = false, ...options }: CallOptions & { readonly anyStart?: boolean } = {},
  ): Promise<ServiceVerification> {
    const params = { trajectory, certificate: { ...certificate }, any_start: anyStart };
    return await this.call('verify', params, options);
  }

  /**
   * Changes a trajectory that `check` refuses as little as possible; the parameters are those of the method `repair`.
   */
  async repair(params: Params<'repair'>, options: CallOptions = {}): Promise<ServiceRepair> {
    return await this.call('repair', params, options);
  }

  /** Certifies a trajectory again in the current scene of the session. */
  async recertify(
    trajectory: ServiceTrajectory,
    certificate: object,
    options: CallOptions = {},
  ): Promise<ServiceRecertification> {
    const params = { trajectory, certificate: { ...certificate } };
    return await this.call('recertify', params, options);
  }

  /**
   * Watches a trajectory that is being executed: `onReport` receives how far it is still proved after each change of
   * the scene of this session, and with `replan` a new trajectory. Not over HTTP.
   */
  async watch(params: Params<'watch'>, onReport: (report: ServiceWatchReport) => void): Promise<ServiceWatch> {
    const result = await this.call('watch', params);
    this.watches.set(result.watch, onReport);
    const own = this.early.filter((report) => report.watch === result.watch);
    this.early = this.early.filter((report) => report.watch !== result.watch);
    for (const report of own) onReport(report);
    return result;
  }

  /** Reports that a watched trajectory has been executed up to a time, seconds. */
  async advanceWatch(watch: number, time: number): Promise<ServiceCertifiedUntil> {
    return await this.call('watch.advance', { watch, time });
  }

  /** Ends a watch. */
  async endWatch(watch: number): Promise<void> {
    await this.call('watch.end', { watch });
    this.watches.delete(watch);
  }

  /** Opens a gate, which judges proposed motions while the robot moves; parameters are those of `gate.open`. */
  async gate(params: Params<'gate.open'> = {}): Promise<ServiceGate> {
    const { gate, warnings = [] } = await this.call('gate.open', params);
    return new ServiceGate(this.requests, gate, warnings);
  }

  /** Closes the connection, which ends the session. */
  async close(): Promise<void> {
    await this.requests.close();
  }

  private report(report: ServiceWatchReport): void {
    const listener = this.watches.get(report.watch);
    if (listener) listener(report);
    else this.early.push(report);
  }

  /** Sends many items as binary frames and returns their responses. */
  private bulk(
    method: BulkMethod,
    { numbers, params = {}, each = 1 }: { readonly numbers: Float64Array; readonly params?: object; each?: number },
    options: CallOptions,
  ): Promise<ResponseFrame[]> {
    const form = bulkForms[method](this.joints.length);
    return this.requests.callBulk({ method, params, numbers, each, ...form }, this.about.limits, options);
  }
}

/** Parameters of a time; none if it is not given. */
const at = (t: number | undefined) => (t === undefined ? {} : { t });
