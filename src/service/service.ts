import { performance } from 'node:perf_hooks';
import { InputError, suggestion } from '../errors.ts';
import {
  type MethodName,
  type Params,
  readParams,
  readParamsInSlices,
  serviceMessages,
} from '../formats/schemas/serviceMessages.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import { completed } from '../math/slices.ts';
import type { Scene } from '../scene/scene.ts';
import { createShape } from '../shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../shapes/shape.ts';
import { StateValidityChecker } from '../tasks/validation/stateValidityChecker.ts';
import { errorText, idOf, RpcError, readRequest, resultText } from './jsonRpc.ts';
import { MemoryBudget } from './memoryBudget.ts';
import { type Context, methods, usesChecker } from './methods.ts';
import { type Lane, Scheduler, type Work } from './scheduler.ts';
import { type ServiceLimits, serviceLimits } from './serviceLimits.ts';
import { Metrics } from './serviceMetrics.ts';
import { SessionScene } from './sessionScene.ts';
import { CHUNK, parseInSlices } from './slicedJson.ts';

export interface ServiceOptions {
  readonly robot: RobotModel;
  readonly scene: Scene;
  /** Version of this package. */
  readonly version: string;
  /** Narrow phase; default growth-distance. */
  readonly checker?: string;
  readonly limits?: Partial<ServiceLimits>;
}

/**
 * Processes JSON-RPC messages about one scene, independently of the transport. Single-threaded: messages of many
 * sessions share time slices, see `Scheduler`. Transports reserve in `memory` what they buffer for their clients.
 */
export class Service {
  readonly limits: ServiceLimits;
  readonly memory: MemoryBudget;
  /** Part of the memory budget that network clients may use. */
  readonly networkMemory: MemoryBudget;
  readonly metrics: Metrics;
  readonly scheduler = new Scheduler();
  readonly options: ServiceOptions;
  /** Returns the shape of a spec, built once per spec object: specs are immutable. */
  readonly shapeOf: (spec: ShapeSpec) => ConvexShape;
  /** Checker of the loaded scene. */
  readonly base: StateValidityChecker;
  /** Cached checkers of changed scenes, the most recently used last. */
  private readonly changed = new Map<Session, StateValidityChecker>();
  private readonly open: Record<Lane, number> = { local: 0, network: 0 };

  constructor(options: ServiceOptions) {
    this.options = options;
    this.limits = { ...serviceLimits, ...options.limits };
    const { memory, body } = this.limits;
    this.memory = new MemoryBudget(memory);
    this.networkMemory = new MemoryBudget(Math.min(memory, Math.max(memory / 2, body)), this.memory);
    const shapes = new WeakMap<ShapeSpec, ConvexShape>();
    this.shapeOf = (spec) => {
      const shape = shapes.get(spec) ?? createShape(spec);
      shapes.set(spec, shape);
      return shape;
    };
    this.base = completed(this.createChecker(options.scene));
    this.metrics = new Metrics({
      sessions: () => this.open.local + this.open.network,
      under_way: () => this.scheduler.length,
      memory_bytes: () => this.memory.taken,
      resident_bytes: () => process.memoryUsage.rss(),
    });
  }

  memoryOf(lane: Lane): MemoryBudget {
    return lane === 'network' ? this.networkMemory : this.memory;
  }

  /** Limit of the pairs of parts in a changed scene. */
  get maxPairs(): number {
    return Math.max(this.limits.pairs, 2 * this.base.manager.model.pairCount);
  }

  /**
   * Opens a session for a client; undefined if the limit of its lane is reached. Close it when the client disconnects.
   */
  openSession(lane: Lane = 'local'): Session | undefined {
    if (this.open[lane] >= this.limits.sessions) {
      this.metrics.refuse('sessions');
      return undefined;
    }
    this.open[lane]++;
    return new Session(this, true, lane);
  }

  /** Returns a session for single messages, which refer to the loaded scene and cannot change it. */
  sharedSession(): Session {
    return new Session(this, false, 'network');
  }

  /**
   * Returns the checker of the current scene of a session; creates it in slices if the scene has changed, which it does
   * not meanwhile.
   */
  *checkerOf(session: Session): Work<StateValidityChecker> {
    const { scene } = session;
    if (!scene.isChanged) return this.base;
    const checker = this.changed.get(session) ?? (yield* this.createChecker(scene.current));
    this.changed.delete(session);
    this.changed.set(session, checker);
    this.dropOldCheckers();
    return checker;
  }

  /** Drops the least recently used checkers beyond the limits, but never the last one. */
  private dropOldCheckers(): void {
    const { checkers, checkerPairs } = this.limits;
    let pairs = 0;
    for (const { manager } of this.changed.values()) pairs += manager.model.pairCount;
    for (const [session, { manager }] of this.changed) {
      if (this.changed.size === 1 || (this.changed.size <= checkers && pairs <= checkerPairs)) return;
      this.changed.delete(session);
      pairs -= manager.model.pairCount;
    }
  }

  /** Drops the cached checker of a session whose scene has changed. */
  forget(session: Session): void {
    this.changed.delete(session);
  }

  closed(session: Session): void {
    this.forget(session);
    this.open[session.lane]--;
  }

  private createChecker(scene: Scene): Work<StateValidityChecker> {
    const { robot, checker = 'growth-distance' } = this.options;
    return StateValidityChecker.creating(robot, scene, { checker, shapeOf: this.shapeOf });
  }
}

/** Session of one client: its messages are processed in order, with its own scene. */
export class Session {
  readonly scene: SessionScene;
  private readonly context: Context;
  private readonly service: Service;
  private readonly isOwn: boolean;
  private kept = 0;
  private held = 0;
  private judged = 0;
  private isOpen = true;
  private underWay: Promise<string> | undefined;
  /** Set while a method starts: the service decides how long checkers are cached. */
  private checker: StateValidityChecker | undefined;

  constructor(
    service: Service,
    isOwn: boolean,
    readonly lane: Lane,
  ) {
    const { robot, scene, version } = service.options;
    this.service = service;
    this.isOwn = isOwn;
    this.scene = new SessionScene(robot, scene, service.shapeOf, service.maxPairs);
    this.context = {
      version,
      limits: service.limits,
      scene: this.scene,
      base: service.base,
      checker: () => this.checker!,
      count: (judged) => {
        this.judged += judged;
      },
      hold: (bytes) => this.hold(bytes),
      keep: (bytes) => this.keep(bytes),
    };
  }

  /**
   * Processes a message (a request or a batch) and returns the response text; empty if none is due. Synchronous if it
   * ends within a time slice and no other work waits. Never throws, never rejects.
   */
  answer(message: string): string | Promise<string> {
    const before = this.isOwn ? this.underWay : undefined;
    const answer = before === undefined ? this.begin(message) : before.then(() => this.begin(message));
    if (typeof answer === 'string') return answer;
    this.underWay = answer;
    const forget = () => {
      if (this.underWay === answer) this.underWay = undefined;
    };
    answer.then(forget, forget);
    return answer;
  }

  /** Closes the session: releases its memory and cancels its running requests. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.giveBack();
    if (this.isOwn) this.service.closed(this);
  }

  private begin(message: string): string | Promise<string> {
    const { scheduler, metrics, limits } = this.service;
    const began = performance.now();
    const done = (answer: string): string => {
      metrics.observe((performance.now() - began) / 1000);
      return answer;
    };
    const answer = scheduler.run(this.answerMessage(message, began + 1000 * limits.time), this.lane);
    return typeof answer === 'string' ? done(answer) : answer.then(done);
  }

  private *answerMessage(message: string, deadline: number): Work<string> {
    const isLarge = message.length > CHUNK;
    let value: unknown;
    try {
      value = yield* this.within(deadline, parseInSlices(message));
      if (!Array.isArray(value)) return yield* this.answerRequest(value, deadline, isLarge);
      if (value.length === 0) throw new RpcError('invalidRequest', 'an empty batch');
      const { batch } = this.service.limits;
      if (value.length > batch)
        throw new RpcError('tooLarge', `a batch of ${value.length} requests exceeds the limit of ${batch}`);
    } catch (error) {
      return errorText('null', asRpcError(error));
    }
    const answers: string[] = [];
    let length = 0;
    for (const request of value) {
      const answer = yield* this.answerRequest(request, deadline, isLarge, this.service.limits.answer - length);
      length += answer.length;
      if (answer !== '') answers.push(answer);
      yield;
    }
    return answers.length === 0 ? '' : `[${answers.join(',')}]`;
  }

  /**
   * @param isLarge whether the parameters are validated in slices
   * @param room characters left for the result; errors do not count
   */
  private *answerRequest(
    value: unknown,
    deadline: number,
    isLarge: boolean,
    room = Number.POSITIVE_INFINITY,
  ): Work<string> {
    let method = 'unknown';
    let outcome: 'ok' | 'error' = 'error';
    let text: string;
    try {
      if (performance.now() > deadline || !this.isOpen) throw this.timeLimit();
      const request = readRequest(value);
      if (!Object.hasOwn(methods, request.method)) throw unknownMethod(request.method);
      method = request.method;
      const result = yield* this.within(deadline, this.result(method as MethodName, request.params, isLarge));
      if (result.length > room)
        throw new RpcError('tooLarge', 'the responses to this batch are too long', 'Send smaller batches.');
      outcome = 'ok';
      text = request.id === undefined ? '' : resultText(request.id, result);
    } catch (error) {
      const id = error instanceof RpcError && error.code === 'invalidRequest' ? (idOf(value) ?? 'null') : idOf(value);
      text = id === undefined ? '' : errorText(id, asRpcError(error));
    }
    this.service.metrics.request(method, outcome, this.judged);
    this.judged = 0;
    return text;
  }

  private *result(method: MethodName, params: unknown, isLarge: boolean): Work<string> {
    const changes = method.startsWith('scene.');
    if (changes && !this.isOwn)
      throw new RpcError('invalidParams', `${method} needs a session`, 'POST /sessions opens one; a socket is one.');
    const run = methods[method] as (context: Context, params: unknown) => string | Work<string>;
    const read = isLarge ? yield* readLarge(method, params) : readParams(method, params);
    const before = this.scene.current;
    if (usesChecker(method)) this.checker = yield* this.service.checkerOf(this);
    const work = run(this.context, read);
    this.checker = undefined;
    const result = typeof work === 'string' ? work : yield* work;
    if (this.scene.current !== before) this.service.forget(this);
    if (method === 'scene.reset') this.giveBack();
    return result;
  }

  private timeLimit(): RpcError {
    return new RpcError('timeLimit', `no response within ${this.service.limits.time} s`, 'Send smaller batches.');
  }

  /** Runs work until its deadline. Throws `RpcError` at the deadline, or when the session is closed. */
  private *within<T>(deadline: number, work: Work<T>): Work<T> {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      if (performance.now() > deadline || !this.isOpen) {
        work.return(undefined as never); // runs its `finally` blocks, which release memory
        throw this.timeLimit();
      }
      yield;
    }
  }

  /** Sets the memory that sliced work reserves. */
  private hold(bytes: number): void {
    const { metrics } = this.service;
    const memory = this.service.memoryOf(this.lane);
    if (bytes > this.held && !memory.take(bytes - this.held)) {
      metrics.refuse('memory');
      throw new RpcError('tooLarge', 'the intervals of this motion exceed the memory budget', 'Divide the motion.');
    }
    if (bytes < this.held) memory.release(this.held - bytes);
    this.held = bytes;
  }

  private keep(bytes: number): void {
    if (!this.service.memoryOf(this.lane).take(bytes)) {
      this.service.metrics.refuse('memory');
      throw new RpcError('tooLarge', 'the memory budget does not allow another object');
    }
    this.kept += bytes;
  }

  private giveBack(): void {
    this.service.memoryOf(this.lane).release(this.kept);
    this.kept = 0;
  }
}

function unknownMethod(name: string): RpcError {
  const note = suggestion(name.slice(0, 100), Object.keys(serviceMessages));
  return new RpcError('unknownMethod', `there is no method "${name.slice(0, 100)}"`, note);
}

function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof InputError) return new RpcError('invalidParams', error.message, error.note);
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new RpcError(
    'internal',
    `internal error of the service: ${what}`,
    'Please report it together with the request.',
  );
}

/** Limits of one request besides its states or motions: number of values, and characters of a string. */
const MAX_VALUES = 50_000;
const MAX_TEXT_LENGTH = 10_000;

/**
 * Reads the parameters of a large message: all but states and motions must be small enough to be validated without
 * pauses.
 */
function* readLarge(method: MethodName, params: unknown): Work<Params<MethodName>> {
  const { states, motions, ...rest } = (params ?? {}) as Readonly<Record<string, unknown>>;
  const open: unknown[] = [rest];
  let left = MAX_VALUES;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const isLong = typeof value === 'string' && value.length > MAX_TEXT_LENGTH;
    const length = Array.isArray(value) ? value.length : 0;
    const items = typeof value === 'object' && value !== null && length <= left ? Object.entries(value) : [];
    left -= Math.max(length, items.length);
    if (isLong || left < 0 || items.some(([key]) => key.length > MAX_TEXT_LENGTH))
      throw new RpcError(
        'tooLarge',
        `params: more than ${MAX_VALUES} values, or a text of more than ${MAX_TEXT_LENGTH}`,
      );
    for (const [, item] of items)
      if ((typeof item === 'object' && item !== null) || typeof item === 'string') open.push(item);
  }
  return yield* readParamsInSlices(method, params);
}
