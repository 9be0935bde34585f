import { performance } from 'node:perf_hooks';
import { readParams, type SessionMethodName, serviceMessages } from '../../../formats/schemas/serviceMessages.ts';
import type { StateValidityChecker } from '../../../tasks/validation/stateValidityChecker.ts';
import { type FrameResult, frameOf, type RawFrame, readFrame, resultFrame } from '../frames/binaryFrame.ts';
import { frameMethods } from '../frames/frameMethods.ts';
import { readFrameRequest } from '../frames/frameRequest.ts';
import { errorText, idOf, type Request, RpcError, readRequest, resultText } from '../jsonRpc.ts';
import { readLarge } from '../largeParams.ts';
import { LongRequests } from '../longRequests.ts';
import { parseMessage, SHORT } from '../messageText.ts';
import { methods, usesChecker } from '../methods.ts';
import { Cancellations } from '../notifications/cancellations.ts';
import { SessionScene } from '../sessionScene.ts';
import { type Lane, Turn } from '../turns.ts';
import type { Notify } from '../watches.ts';
import { Gates } from './gates.ts';
import type { Context } from './methodContext.ts';
import { asRpcError, cancelled, changesScene, isGateMethod, requireOwnScene, unknownMethod } from './rpcErrors.ts';
import type { SessionHost } from './sessionHost.ts';
import { SessionMemory } from './sessionMemory.ts';
import { requireTimedFrame, requireTimedMethod, timedWork } from './timedMethods.ts';

/** Result or error of a request, and its id, which is undefined if no response is due. */
interface Processed<T> {
  readonly id: string | undefined;
  readonly result?: T;
  readonly error?: RpcError;
}

/** Session of one client: its messages are processed in order, with its own scene. */
export class Session {
  /** Scene of the session. */
  readonly scene: SessionScene;
  private readonly context: Context & { turn: Turn };
  private judged = 0;
  private isOpen = true;
  private underWay: Promise<string | Buffer> | undefined;
  private readonly cancellations = new Cancellations(() => this.long.cancel());
  private readonly long: LongRequests;
  private readonly memory: SessionMemory;
  /** Set only while a method starts, since the host controls the cache of checkers. */
  private checker: StateValidityChecker | undefined;

  constructor(
    private readonly host: SessionHost,
    /** Whether messages may change the scene and are processed in order. */
    private readonly isOwn: boolean,
    /** Lane of the client. */
    readonly lane: Lane,
  ) {
    const { robot, scene, version, limits } = host.options;
    this.scene = new SessionScene(robot, scene, host.shapeOf, host.maxPairs);
    this.memory = new SessionMemory(host.budgetOf(lane), host.metrics);
    this.long = new LongRequests(host, lane, () => this.scene.current);
    this.context = {
      version,
      limits,
      scene: this.scene,
      gates: new Gates({
        robot,
        pairs: host.base.manager.model.pairCount,
        scene: () => this.scene.current,
        reserve: () => this.context.keep(this.scene.addedBytes()),
      }),
      base: host.base,
      checker: () => this.checker!,
      count: (judged) => {
        this.judged += judged;
      },
      keep: (bytes) => this.memory.keep(bytes + this.context.gates.bytes(bytes)),
      shapeOf: (spec) => host.shapeOf(spec),
      turn: this.turn(Number.POSITIVE_INFINITY),
    };
  }

  /** True if no cancellation waits for its request. */
  get isFree(): boolean {
    return this.cancellations.areNone;
  }

  /** True if the session is as it was opened: the scene is the loaded one, and there are no watches or gates. */
  get isFresh(): boolean {
    return !this.scene.isChanged && !this.long.isWatching && this.context.gates.count === 0;
  }

  /**
   * Processes a message (a request or a batch) and returns the response text; empty if none is due. Never rejects.
   * @param arrival time (ms) at which the message was received: the time limit counts from it, also while the message
   *   waits for earlier ones
   */
  answer(message: string, arrival = performance.now()): Promise<string> {
    if (this.isOwn && this.underWay) this.notice(message);
    return this.inOrder(arrival, (deadline) => this.answerMessage(message, deadline));
  }

  /** As `answer`, for a request as a binary frame; the response is a frame too, empty if none is due. */
  answerFrame(bytes: Buffer, arrival = performance.now()): Promise<Buffer> {
    return this.inOrder(arrival, () => this.answerFrameMessage(bytes));
  }

  /** Sets the function that sends notifications to the client; without it there are none. */
  set notify(notify: Notify) {
    this.long.notify = notify;
  }

  /** Applies the cancellations in a message that has to wait. */
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
    this.context.gates.closeAll();
    this.memory.close();
    this.host.forget(this);
  }

  /** Processes a message after earlier ones of the session, at its turn. */
  private inOrder<T extends string | Buffer>(arrival: number, process: (deadline: number) => Promise<T>): Promise<T> {
    const deadline = arrival + 1000 * this.host.options.limits.time;
    const before = this.isOwn ? this.underWay : undefined;
    const begin = async () => {
      this.context.turn = this.turn(deadline);
      await this.context.turn.begin();
      return process(deadline);
    };
    const answer = before ? before.then(begin) : begin();
    this.underWay = answer;
    answer.then(() => {
      if (this.underWay === answer) this.underWay = undefined;
    });
    return answer;
  }

  /** Returns the turns of a request, which end when it is cancelled, at its deadline, or when the session is closed. */
  private turn(deadline: number): Turn {
    return new Turn(this.host.turns, this.lane, () => {
      if (this.cancellations.isCurrentCancelled) throw cancelled();
      if (performance.now() > deadline || !this.isOpen)
        throw new RpcError(
          'timeLimit',
          `no response within ${this.host.options.limits.time} s`,
          'Send smaller batches.',
        );
    });
  }

  private async answerMessage(message: string, deadline: number): Promise<string> {
    const { batch, answer: longest } = this.host.options.limits;
    const isLarge = message.length > SHORT;
    let value: unknown;
    try {
      value = parseMessage(message);
      if (Array.isArray(value) && value.length === 0) throw new RpcError('invalidRequest', 'an empty batch');
      if (Array.isArray(value) && value.length > batch)
        throw new RpcError('tooLarge', `a batch of ${value.length} requests exceeds the limit of ${batch}`);
    } catch (error) {
      return errorText('null', asRpcError(error));
    }
    if (!Array.isArray(value))
      return this.answerRequest(value, deadline, { isLarge, room: Number.POSITIVE_INFINITY, message });
    const answers: string[] = [];
    let length = 0;
    for (const request of value) {
      const answer = await this.answerRequest(request, deadline, { isLarge, room: longest - length });
      length += answer.length;
      if (answer !== '') answers.push(answer);
      if (this.context.turn.isOver) await this.context.turn.yield();
    }
    return answers.length === 0 ? '' : `[${answers.join(',')}]`;
  }

  /** Processes a binary frame. */
  private async answerFrameMessage(bytes: Buffer): Promise<Buffer> {
    let frame: RawFrame;
    try {
      frame = readFrame(bytes);
    } catch (error) {
      return frameOf(errorText('null', asRpcError(error)));
    }
    const { id, result, error } = await this.process(frame.header, (request) => this.frame(request, frame));
    if (id === undefined) return NOTHING;
    return result ? resultFrame(id, result.result, result.arrays) : frameOf(errorText(id, error!));
  }

  /**
   * @param options `isLarge`: whether the message has many values; `room`: characters left for the result, errors do
   *   not count; `message`: its text, if it is this request alone
   */
  private async answerRequest(
    value: unknown,
    deadline: number,
    { isLarge, room, message }: { readonly isLarge: boolean; readonly room: number; readonly message?: string },
  ): Promise<string> {
    const { id, result, error } = await this.process(value, async (request) => {
      if (this.host.timed) requireTimedMethod(request.method);
      const result = await (this.long.run(request, deadline, message) ?? this.result(request, isLarge));
      if (result.length <= room) return result;
      throw new RpcError('tooLarge', 'the responses to this batch are too long', 'Send smaller batches.');
    });
    if (id === undefined) return '';
    return result === undefined ? errorText(id, error!) : resultText(id, result);
  }

  /** Processes one request. */
  private async process<T>(value: unknown, run: (request: Request) => Promise<T>): Promise<Processed<T>> {
    const { cancellations, host } = this;
    let method = 'unknown';
    let processed: Processed<T>;
    try {
      this.context.turn.check();
      if (cancellations.take(value)) return { id: undefined };
      const request = readRequest(value);
      cancellations.current = request.id;
      if (!Object.hasOwn(serviceMessages, request.method)) throw unknownMethod(request.method);
      method = request.method;
      requireOwnScene(method, this.isOwn);
      this.context.turn.check(); // it may be cancelled already
      const result = await run(request);
      processed = { id: request.id, result };
    } catch (error) {
      const id = error instanceof RpcError && error.code === 'invalidRequest' ? (idOf(value) ?? 'null') : idOf(value);
      processed = { id, error: asRpcError(error) };
    }
    cancellations.current = undefined;
    await this.long.updateWatches(); // the request has completed and can no longer be cancelled
    host.metrics.request(method, processed.error ? 'error' : 'ok', this.judged);
    this.judged = 0;
    return processed;
  }

  private async frame(request: Request, frame: RawFrame): Promise<FrameResult> {
    const { host, context } = this;
    if (host.timed) requireTimedFrame(request.method);
    const sizes = { dof: host.base.dof, maxStates: host.options.limits.states };
    const read = readFrameRequest(request, frame, sizes);
    if (!changesScene(read.method) && !isGateMethod(read.method))
      this.checker = await host.checkerOf(this, context.turn);
    const { method, params } = read;
    return this.changing(method, params, () => frameMethods[method](context, read));
  }

  private async result({ method, params = {} }: Request, isLarge: boolean): Promise<string> {
    const { host, context } = this;
    const name = method as SessionMethodName;
    const run = methods[name] as (context: Context, params: unknown) => string | Promise<string>;
    const read = isLarge ? readLarge(name, params as object) : readParams(name, params);
    const timed = usesChecker(name) ? await host.timedOf(this, context.turn) : undefined;
    if (usesChecker(name)) this.checker = await host.checkerOf(this, context.turn);
    const work = () => (timed && timedWork(context, timed, name, read)) ?? run(context, read);
    return this.changing(name, read, work);
  }

  /**
   * Starts a method, which reads the checker at once. If the scene changes, drops the cached checker, and adds the
   * answers of the gates to the result.
   */
  private async changing<T extends string | FrameResult>(
    method: string,
    params: object,
    run: () => T | Promise<T>,
  ): Promise<T> {
    const { gates } = this.context;
    const before = this.scene.current;
    const { now } = params as { readonly now?: number };
    if (changesScene(method)) gates.requireTime(now);
    let seen: readonly object[] | undefined;
    try {
      const result = run();
      this.checker = undefined;
      const done = await result;
      if (!changesScene(method)) return done;
      seen = gates.see(now);
      return seen.length === 0 ? done : withGates(done, seen);
    } finally {
      this.checker = undefined;
      if (this.scene.current !== before) {
        this.host.forget(this); // also if the method failed after its change
        if (!seen) gates.closeAll(); // their answers are lost
      }
    }
  }
}

/** Adds the answers of gates to the result of a method. */
function withGates<T extends string | FrameResult>(done: T, answers: readonly object[]): T {
  const added = (text: string) => `${text.slice(0, -1)},"gates":${JSON.stringify(answers)}}`;
  return (typeof done === 'string' ? added(done) : { ...(done as FrameResult), result: added(done.result) }) as T;
}

const NOTHING = Buffer.alloc(0);
