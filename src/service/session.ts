import { performance } from 'node:perf_hooks';
import { InputError, suggestion } from '../errors.ts';
import { readParams, type SlicedMethodName, serviceMessages } from '../formats/schemas/serviceMessages.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Slices } from '../math/slices.ts';
import type { Scene } from '../scene/scene.ts';
import type { ConvexShape, ShapeSpec } from '../shapes/shape.ts';
import type { StateValidityChecker } from '../tasks/validation/stateValidityChecker.ts';
import { errorText, idOf, RpcError, readRequest, resultText } from './jsonRpc.ts';
import { readLarge } from './largeParams.ts';
import { type LongHost, LongRequests, type Notify } from './longRequests.ts';
import { type Context, methods, usesChecker } from './methods.ts';
import { Cancellations } from './notifications/cancellations.ts';
import type { Lane, Scheduler, Work } from './scheduler.ts';
import type { Metrics } from './serviceMetrics.ts';
import { SessionScene } from './sessionScene.ts';
import { CHUNK, parseInSlices } from './slicedJson.ts';

/** The service that a session belongs to: what all sessions share. */
export interface SessionHost extends LongHost {
  readonly options: { readonly robot: RobotModel; readonly scene: Scene; readonly version: string };
  readonly scheduler: Scheduler;
  readonly metrics: Metrics;
  /** Limit of the pairs of parts in a changed scene. */
  readonly maxPairs: number;
  /** Returns the shape of a spec. */
  shapeOf(spec: ShapeSpec): ConvexShape;
  /** Checker of the loaded scene. */
  readonly base: StateValidityChecker;
  /** Returns the checker of the current scene of a session; creates it in slices if the scene has changed. */
  checkerOf(session: Session): Slices<StateValidityChecker>;
  /** Drops the cached checker of a session whose scene has changed. */
  forget(session: Session): void;
  /** Called once when a session with a scene of its own is closed. */
  closed(session: Session): void;
}

/** Session of one client: its messages are processed in order, with its own scene. */
export class Session {
  /**
   * Scene of the session.
   * @internal
   */
  readonly scene: SessionScene;
  private readonly context: Context;
  private readonly host: SessionHost;
  private readonly isOwn: boolean;
  private kept = 0;
  private held = 0;
  private judged = 0;
  private isOpen = true;
  private underWay: Promise<string> | undefined;
  private readonly cancellations = new Cancellations(() => this.long.cancel());
  private readonly long: LongRequests;
  /** Set while a method starts: the service decides how long checkers are cached. */
  private checker: StateValidityChecker | undefined;

  /** @internal */
  constructor(
    host: SessionHost,
    isOwn: boolean,
    /** Lane of the client. */
    readonly lane: Lane,
  ) {
    const { robot, scene, version } = host.options;
    this.host = host;
    this.isOwn = isOwn;
    this.scene = new SessionScene(robot, scene, host.shapeOf, host.maxPairs);
    this.long = new LongRequests(host, lane, () => this.scene.current);
    this.context = {
      version,
      limits: host.limits,
      scene: this.scene,
      base: host.base,
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
    if (before) this.notice(message);
    const answer = before === undefined ? this.begin(message) : before.then(() => this.begin(message));
    if (typeof answer === 'string') return answer;
    this.underWay = answer;
    const forget = () => {
      if (this.underWay === answer) this.underWay = undefined;
    };
    answer.then(forget, forget);
    return answer;
  }

  /**
   * Sets the function that sends notifications to the client; without it there are none.
   * @internal
   */
  set notify(notify: Notify) {
    this.long.notify = notify;
  }

  /**
   * Searches a message that has to wait for cancellations, which take effect at once.
   * @internal
   */
  notice(message: string): void {
    this.cancellations.notice(message);
  }

  /** Cancels the current request, whose client has disconnected. */
  cancelCurrent(): void {
    this.long.cancel();
  }

  /** Closes the session: releases its memory and cancels its running requests. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.long.close();
    this.giveBack();
    if (this.isOwn) this.host.closed(this);
  }

  private begin(message: string): string | Promise<string> {
    const { scheduler, metrics, limits } = this.host;
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
      if (!Array.isArray(value))
        return yield* this.answerRequest(value, deadline, isLarge, Number.POSITIVE_INFINITY, message);
      if (value.length === 0) throw new RpcError('invalidRequest', 'an empty batch');
      const { batch } = this.host.limits;
      if (value.length > batch)
        throw new RpcError('tooLarge', `a batch of ${value.length} requests exceeds the limit of ${batch}`);
    } catch (error) {
      return errorText('null', asRpcError(error));
    }
    const answers: string[] = [];
    let length = 0;
    for (const request of value) {
      const answer = yield* this.answerRequest(request, deadline, isLarge, this.host.limits.answer - length);
      length += answer.length;
      if (answer !== '') answers.push(answer);
      yield;
    }
    return answers.length === 0 ? '' : `[${answers.join(',')}]`;
  }

  /**
   * @param isLarge whether the parameters are validated in slices
   * @param room characters left for the result; errors do not count
   * @param message text of the message, if it is this request alone
   */
  private *answerRequest(
    value: unknown,
    deadline: number,
    isLarge: boolean,
    room = Number.POSITIVE_INFINITY,
    message?: string,
  ): Work<string> {
    let method = 'unknown';
    let outcome: 'ok' | 'error' = 'error';
    let text: string;
    try {
      if (performance.now() > deadline || !this.isOpen) throw this.timeLimit();
      if (this.cancellations.take(value)) return '';
      const request = readRequest(value);
      this.cancellations.current = request.id;
      if (!Object.hasOwn(serviceMessages, request.method)) throw unknownMethod(request.method);
      method = request.method;
      if (this.cancellations.isCurrentCancelled) throw cancelled();
      const work =
        this.long.workOf(request, deadline, message) ??
        this.result(request.method as SlicedMethodName, request.params, isLarge);
      const result = yield* this.within(deadline, work);
      if (result.length > room)
        throw new RpcError('tooLarge', 'the responses to this batch are too long', 'Send smaller batches.');
      outcome = 'ok';
      text = request.id === undefined ? '' : resultText(request.id, result);
    } catch (error) {
      const id = error instanceof RpcError && error.code === 'invalidRequest' ? (idOf(value) ?? 'null') : idOf(value);
      text = id === undefined ? '' : errorText(id, asRpcError(error));
    }
    this.cancellations.current = undefined;
    yield* this.long.updateWatches(); // whatever the request has changed, it cannot be cancelled any more
    this.host.metrics.request(method, outcome, this.judged);
    this.judged = 0;
    return text;
  }

  private *result(method: SlicedMethodName, params: unknown, isLarge: boolean): Work<string> {
    const changes = method.startsWith('scene.');
    if (changes && !this.isOwn)
      throw new RpcError('invalidParams', `${method} needs a session`, 'POST /sessions opens one; a socket is one.');
    const run = methods[method] as (context: Context, params: unknown) => string | Work<string>;
    const read = isLarge ? yield* readLarge(method, params) : readParams(method, params);
    const before = this.scene.current;
    if (usesChecker(method)) this.checker = yield* this.host.checkerOf(this);
    const work = this.started(run, read);
    const result = typeof work === 'string' ? work : yield* work;
    if (this.scene.current !== before) this.host.forget(this);
    if (method === 'scene.reset') this.giveBack();
    return result;
  }

  /** Starts a method, which reads the checker only now. */
  private started(run: (context: Context, params: unknown) => string | Work<string>, params: unknown) {
    try {
      return run(this.context, params);
    } finally {
      this.checker = undefined;
    }
  }

  private timeLimit(): RpcError {
    return new RpcError('timeLimit', `no response within ${this.host.limits.time} s`, 'Send smaller batches.');
  }

  /** Runs work until its deadline. Throws `RpcError` at the deadline, or when the session is closed. */
  private *within<T>(deadline: number, work: Work<T>): Work<T> {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      if (this.cancellations.isCurrentCancelled) {
        work.return(undefined as never);
        throw cancelled();
      }
      if (performance.now() > deadline || !this.isOpen) {
        work.return(undefined as never); // runs its `finally` blocks, which release memory
        throw this.timeLimit();
      }
      yield value;
    }
  }

  /** Sets the memory that sliced work reserves. */
  private hold(bytes: number): void {
    const { metrics } = this.host;
    const memory = this.host.memoryOf(this.lane);
    if (bytes > this.held && !memory.take(bytes - this.held)) {
      metrics.refuse('memory');
      throw new RpcError('tooLarge', 'the intervals of this motion exceed the memory budget', 'Divide the motion.');
    }
    if (bytes < this.held) memory.release(this.held - bytes);
    this.held = bytes;
  }

  private keep(bytes: number): void {
    if (!this.host.memoryOf(this.lane).take(bytes)) {
      this.host.metrics.refuse('memory');
      throw new RpcError('tooLarge', 'the memory budget does not allow another object');
    }
    this.kept += bytes;
  }

  private giveBack(): void {
    this.host.memoryOf(this.lane).release(this.kept);
    this.kept = 0;
  }
}

const cancelled = () => new RpcError('cancelled', 'the request was cancelled');

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
