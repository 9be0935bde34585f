import { performance } from 'node:perf_hooks';
import { InputError, suggestion } from '../errors.ts';
import { type MethodName, readParams, serviceMessages } from '../formats/serviceMessages.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Scene } from '../scene/scene.ts';
import { StateValidityChecker } from '../tasks/stateValidityChecker.ts';
import { Allowance } from './allowance.ts';
import { errorText, idOf, parseMessage, RpcError, readRequest, resultText } from './jsonRpc.ts';
import { type ServiceLimits, serviceLimits } from './limits.ts';
import { type Context, methods } from './methods.ts';
import { Metrics } from './metrics.ts';
import { SessionScene } from './sessionScene.ts';
import { Turns, type Work } from './turns.ts';

export interface ServiceOptions {
  readonly robot: RobotModel;
  readonly scene: Scene;
  /** Of this package. */
  readonly version: string;
  /** Narrow phase; default growth-distance. */
  readonly checker?: string;
  readonly limits?: Partial<ServiceLimits>;
}

/**
 * Answers messages about one scene; knows nothing of sockets. One thread: messages of many sessions take turns, see `Turns`. What a transport
 * holds for its clients it takes from `memory`.
 */
export class Service {
  readonly limits: ServiceLimits;
  readonly memory: Allowance;
  readonly metrics: Metrics;
  readonly turns = new Turns();
  readonly options: ServiceOptions;
  private readonly base: StateValidityChecker;
  /** Checkers of changed scenes, the one used last at the end. */
  private readonly changed = new Map<Session, StateValidityChecker>();
  private open = 0;

  constructor(options: ServiceOptions) {
    this.options = options;
    this.limits = { ...serviceLimits, ...options.limits };
    this.memory = new Allowance(this.limits.memory);
    this.base = this.createChecker(options.scene);
    this.metrics = new Metrics({
      sessions: () => this.open,
      under_way: () => this.turns.length,
      memory_bytes: () => this.memory.taken,
      resident_bytes: () => process.memoryUsage.rss(),
    });
  }

  /** A session of its own for each client; undefined where there are as many as may be. Close it when the client is gone. */
  openSession(): Session | undefined {
    if (this.open >= this.limits.sessions) {
      this.metrics.refuse('sessions');
      return undefined;
    }
    this.open++;
    return new Session(this, true);
  }

  /** For messages that come alone: asks about the scene as it was loaded, and cannot change it. */
  sharedSession(): Session {
    return new Session(this, false);
  }

  /** The checker of the scene of a session as it stands. */
  checkerOf(session: Session): StateValidityChecker {
    const { scene } = session;
    if (!scene.isChanged) return this.base;
    const checker = this.changed.get(session) ?? this.createChecker(scene.current);
    this.changed.delete(session);
    this.changed.set(session, checker);
    if (this.changed.size > this.limits.checkers) this.changed.delete(this.changed.keys().next().value!);
    return checker;
  }

  /** The scene of the session is another now. */
  forget(session: Session): void {
    this.changed.delete(session);
  }

  closed(session: Session): void {
    this.forget(session);
    this.open--;
  }

  private createChecker(scene: Scene): StateValidityChecker {
    const { robot, checker = 'growth-distance' } = this.options;
    return new StateValidityChecker(robot, scene, { checker });
  }
}

/** One client: its messages are answered one after another, about its own scene. */
export class Session {
  readonly scene: SessionScene;
  private readonly context: Context;
  private readonly service: Service;
  private readonly isOwn: boolean;
  private kept = 0;
  private judged = 0;
  private isOpen = true;
  private underWay: Promise<string> | undefined;

  constructor(service: Service, isOwn: boolean) {
    const { robot, scene, version } = service.options;
    this.service = service;
    this.isOwn = isOwn;
    this.scene = new SessionScene(robot, scene);
    this.context = {
      version,
      limits: service.limits,
      scene: this.scene,
      checker: () => service.checkerOf(this),
      count: (judged) => {
        this.judged += judged;
      },
      keep: (bytes) => this.keep(bytes),
    };
  }

  /**
   * The answer to a message, a request or an array of them; empty where none is due. At once where it is quickly found and nobody else
   * waits. Never throws, never rejects.
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

  /** Gives back what the session kept, and stops what it works on. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.giveBack();
    if (this.isOwn) this.service.closed(this);
  }

  private begin(message: string): string | Promise<string> {
    const { turns, metrics, limits } = this.service;
    const began = performance.now();
    const done = (answer: string): string => {
      metrics.observe((performance.now() - began) / 1000);
      return answer;
    };
    const answer = turns.run(this.answerMessage(message, began + 1000 * limits.time));
    return typeof answer === 'string' ? done(answer) : answer.then(done);
  }

  private *answerMessage(message: string, deadline: number): Work<string> {
    let value: unknown;
    try {
      value = parseMessage(message);
      if (!Array.isArray(value)) return yield* this.answerRequest(value, deadline);
      if (value.length === 0) throw new RpcError('invalidRequest', 'an array of no requests');
      const { batch } = this.service.limits;
      if (value.length > batch)
        throw new RpcError('tooLarge', `an array of ${value.length} requests, more than ${batch} are not taken`);
    } catch (error) {
      return errorText('null', asRpcError(error));
    }
    const answers: string[] = [];
    let length = 0;
    for (const request of value) {
      const answer = yield* this.answerRequest(request, deadline, this.service.limits.answer - length);
      length += answer.length;
      if (answer !== '') answers.push(answer);
      yield;
    }
    return answers.length === 0 ? '' : `[${answers.join(',')}]`;
  }

  /** @param room characters that the answer may have, besides those of an error */
  private *answerRequest(value: unknown, deadline: number, room = Number.POSITIVE_INFINITY): Work<string> {
    let method = 'unknown';
    let outcome: 'ok' | 'error' = 'error';
    let text: string;
    try {
      const request = readRequest(value);
      if (!Object.hasOwn(methods, request.method)) throw unknownMethod(request.method);
      method = request.method;
      const result = yield* this.within(deadline, this.result(method as MethodName, request.params));
      if (result.length > room)
        throw new RpcError('tooLarge', 'the answers to this array are too long', 'Ask for less at a time.');
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

  private *result(method: MethodName, params: unknown): Work<string> {
    const changes = method.startsWith('scene.');
    if (changes && !this.isOwn)
      throw new RpcError('invalidParams', `${method} needs a session`, 'POST /sessions opens one; a socket is one.');
    const run = methods[method] as (context: Context, params: unknown) => string | Work<string>;
    const before = this.scene.current;
    const work = run(this.context, readParams(method, params));
    const result = typeof work === 'string' ? work : yield* work;
    if (this.scene.current !== before) this.service.forget(this);
    if (method === 'scene.reset') this.giveBack();
    return result;
  }

  /** The work, until its time is over. */
  private *within(deadline: number, work: Work<string>): Work<string> {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      if (performance.now() > deadline || !this.isOpen) {
        throw new RpcError('timeLimit', `no answer within ${this.service.limits.time} s`, 'Ask for less at a time.');
      }
      yield;
    }
  }

  private keep(bytes: number): void {
    if (!this.service.memory.take(bytes)) {
      this.service.metrics.refuse('memory');
      throw new RpcError('tooLarge', 'the service has no room for another body');
    }
    this.kept += bytes;
  }

  private giveBack(): void {
    this.service.memory.giveBack(this.kept);
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
    `a bug of the service: ${what}`,
    'Please report it with the message that it answers.',
  );
}
