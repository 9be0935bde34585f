import { performance } from 'node:perf_hooks';
import { readParams, type SlicedMethodName, serviceMessages } from '../../../formats/schemas/serviceMessages.ts';
import type { StateValidityChecker } from '../../../tasks/validation/stateValidityChecker.ts';
import { frameOf, type RawFrame, readFrame, resultFrame } from '../frames/binaryFrame.ts';
import { type FrameResult, frameMethods } from '../frames/frameMethods.ts';
import { readFrameRequest } from '../frames/frameRequest.ts';
import { errorText, idOf, type Request, RpcError, readRequest, resultText } from '../jsonRpc.ts';
import { readLarge } from '../largeParams.ts';
import { LongRequests, type Notify } from '../longRequests.ts';
import { type Context, methods, usesChecker } from '../methods.ts';
import { Cancellations } from '../notifications/cancellations.ts';
import { limited } from '../resultTexts.ts';
import type { Lane, Work } from '../scheduler.ts';
import { SessionScene } from '../sessionScene.ts';
import { CHUNK, parseInSlices } from '../slicedJson.ts';
import { asRpcError, cancelled, changesScene, requireOwnScene, unknownMethod } from './rpcErrors.ts';
import type { SessionHost } from './sessionHost.ts';
import { SessionMemory } from './sessionMemory.ts';
import { requireTimedFrame, requireTimedMethod, timedWork } from './timedMethods.ts';

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
  private judged = 0;
  private isOpen = true;
  private underWay: Promise<string | Buffer> | undefined;
  private readonly cancellations = new Cancellations(() => this.long.cancel());
  private readonly long: LongRequests;
  private readonly memory: SessionMemory;
  /** Set only while a method starts, since the service controls the cache of checkers. */
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
    this.memory = new SessionMemory(host.memoryOf(lane), host.objectsOf(lane), host.metrics);
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
      hold: (bytes) => this.memory.hold(bytes),
      keep: (bytes) => this.memory.keep(bytes),
      shapeOf: (spec) => host.shapeOf(spec),
    };
  }

  /**
   * Processes a message (a request or a batch) and returns the response text; empty if none is due. Synchronous if it
   * ends within a time slice and no other work waits. Never throws, never rejects.
   * @param arrival time (ms) at which the message was received: the time limit counts from it, also while the message
   *   waits for earlier ones
   */
  answer(message: string, arrival = performance.now()): string | Promise<string> {
    if (this.isOwn && this.underWay) this.notice(message);
    return this.inOrder(arrival, (deadline) => this.answerMessage(message, deadline));
  }

  /** @internal As `answer`, for a request as a binary frame; the response is a frame too, empty if none is due. */
  answerFrame(bytes: Buffer, arrival = performance.now()): Buffer | Promise<Buffer> {
    return this.inOrder(arrival, (deadline) => this.answerFrameMessage(bytes, deadline));
  }

  /** Starts work after that of earlier messages. */
  private inOrder<T extends string | Buffer>(arrival: number, work: (deadline: number) => Work<T>): T | Promise<T> {
    const before = this.isOwn ? this.underWay : undefined;
    const begin = () => this.begin(arrival, work);
    const answer = before === undefined ? begin() : before.then(begin);
    if (!(answer instanceof Promise)) return answer;
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
   * Applies the cancellations in a message that has to wait.
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
    this.memory.close();
    if (this.isOwn) this.host.closed(this);
  }

  private begin<T extends string | Buffer>(arrival: number, work: (deadline: number) => Work<T>): T | Promise<T> {
    const { scheduler, metrics, limits } = this.host;
    const began = performance.now();
    const done = (answer: T): T => {
      metrics.observe((performance.now() - began) / 1000);
      return answer;
    };
    const answer = scheduler.run(work(arrival + 1000 * limits.time), this.lane);
    return answer instanceof Promise ? answer.then(done) : done(answer);
  }

  private *answerMessage(message: string, deadline: number): Work<string> {
    const isLarge = message.length > CHUNK;
    let value: unknown;
    try {
      value = yield* this.within(Math.max(deadline, performance.now() + PARSE_MS), parseInSlices(message));
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

  /** Processes a binary frame. */
  private *answerFrameMessage(bytes: Buffer, deadline: number): Work<Buffer> {
    let frame: RawFrame;
    try {
      frame = yield* this.within(Math.max(deadline, performance.now() + PARSE_MS), readFrame(bytes));
    } catch (error) {
      return frameOf(errorText('null', asRpcError(error)));
    }
    const { id, result, error } = yield* this.process(frame.header, deadline, (request) => this.frame(request, frame));
    if (id === undefined) return NOTHING;
    return result ? resultFrame(id, result.result, result.arrays) : frameOf(errorText(id, error!));
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
    const { id, result, error } = yield* this.process(value, deadline, (request) =>
      limited(
        this.longWork(request, deadline, message) ??
          this.result(request.method as SlicedMethodName, request.params, isLarge),
        room,
      ),
    );
    if (id === undefined) return '';
    return result === undefined ? errorText(id, error!) : resultText(id, result);
  }

  /** Returns the work of a request on a thread; undefined if its method runs on this one. */
  private longWork(request: Request, deadline: number, message: string | undefined): Work<string> | undefined {
    if (this.host.timed) requireTimedMethod(request.method);
    return this.long.workOf(request, deadline, message);
  }

  /** Processes one request: its result or error, and its id, which is undefined if no response is due. */
  private *process<T>(
    value: unknown,
    deadline: number,
    workOf: (request: Request) => Work<T>,
  ): Work<{ readonly id: string | undefined; readonly result?: T; readonly error?: RpcError }> {
    let method = 'unknown';
    let outcome: 'ok' | 'error' = 'error';
    let answer: { readonly id: string | undefined; readonly result?: T; readonly error?: RpcError };
    try {
      if (performance.now() > deadline || !this.isOpen) throw this.timeLimit();
      if (this.cancellations.take(value)) return { id: undefined };
      const request = readRequest(value);
      this.cancellations.current = request.id;
      if (!Object.hasOwn(serviceMessages, request.method)) throw unknownMethod(request.method);
      method = request.method;
      requireOwnScene(method, this.isOwn);
      if (this.cancellations.isCurrentCancelled) throw cancelled();
      const result = yield* this.within(deadline, workOf(request));
      outcome = 'ok';
      answer = { id: request.id, result };
    } catch (error) {
      const id = error instanceof RpcError && error.code === 'invalidRequest' ? (idOf(value) ?? 'null') : idOf(value);
      answer = { id, error: asRpcError(error) };
    }
    this.cancellations.current = undefined;
    yield* this.long.updateWatches(); // the request has completed and can no longer be cancelled
    this.host.metrics.request(method, outcome, this.judged);
    this.judged = 0;
    return answer;
  }

  private *frame(request: Request, frame: RawFrame): Work<FrameResult> {
    const { base, limits } = this.host;
    if (this.host.timed) requireTimedFrame(request.method);
    const read = readFrameRequest(request, frame, { dof: base.dof, maxStates: limits.states });
    if (!changesScene(read.method)) this.checker = yield* this.host.checkerOf(this);
    const before = this.scene.current;
    try {
      return yield* this.started(() => frameMethods[read.method](this.context, read));
    } finally {
      if (this.scene.current !== before) this.host.forget(this);
    }
  }

  private *result(method: SlicedMethodName, params: unknown, isLarge: boolean): Work<string> {
    const run = methods[method] as (context: Context, params: unknown) => string | Work<string>;
    const read = isLarge ? yield* readLarge(method, params) : readParams(method, params);
    const before = this.scene.current;
    if (usesChecker(method)) this.checker = yield* this.host.checkerOf(this);
    const timed = usesChecker(method) ? yield* this.host.timedOf(this) : undefined;
    try {
      const start = () => (timed && timedWork(this.context, timed, method, read)) ?? run(this.context, read);
      const work = this.started(start);
      return typeof work === 'string' ? work : yield* work;
    } finally {
      if (this.scene.current !== before) this.host.forget(this); // also if the method failed after its change
    }
  }

  /** Starts a method; it reads the checker synchronously. */
  private started<T>(run: () => T): T {
    try {
      return run();
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
}

const NOTHING = Buffer.alloc(0);

/** Time (ms) in which a message is parsed also after its deadline, so that the error has the id of the request. */
const PARSE_MS = 1000;
