import { performance } from 'node:perf_hooks';
import type { Scene } from '../../../core/scene/scene.ts';
import { SHORT } from '../messageText.ts';
import { CANCEL, MAX_CANCEL } from '../notifications/cancelScanner.ts';
import type { ServiceLimits } from '../serviceLimits.ts';
import type { Metrics } from '../serviceMetrics.ts';
import type { Lane } from '../turns.ts';
import type { OnNotification, SessionThread } from './sessionThread.ts';
import type { SmallRequests } from './smallRequests.ts';

/** What a session of a transport needs of its service. */
export interface ClientSessionHost {
  readonly sessions: SessionThread;
  /** The thread of sessions with gates. */
  readonly gates: SessionThread;
  readonly metrics: Metrics;
  readonly limits: ServiceLimits;
  readonly options: { readonly scene: Scene };
  /** Undefined if each request takes long or depends on time. */
  readonly small: SmallRequests | undefined;
  /** Called once when the session is closed. */
  closed(session: ClientSession): void;
}

/** A message with this text may open a gate. */
const OPENS_GATE = '"gate.open"';

/**
 * A session as its transport uses it, on the main thread. Small requests are processed here; all other messages by
 * the thread of the sessions, in order. To open a gate, a session moves to the thread of the gates for good, where the
 * messages of sessions without gates do not delay it, unless it has a scene of its own or watches a motion.
 */
export class ClientSession {
  private readonly name: { id: number; lane: Lane; isOwn: boolean; notifies: boolean };
  private thread: SessionThread;
  private onNotification: OnNotification | undefined;
  /** The thread has opened the session. */
  private isSent = false;
  /** The session on the thread has no cancellation that waits. */
  private isFree = true;
  /** The session on the thread is as it was opened. */
  private isFresh = true;
  /** Scene of the session as of its last response. */
  private scene: Scene | 'large';
  private waiting = 0;
  private isOpen = true;

  /** @internal */
  constructor(
    private readonly host: ClientSessionHost,
    id: number,
    /** Lane of the client. */
    readonly lane: Lane,
    /** @internal Whether messages may change its scene. */
    readonly isOwn: boolean,
  ) {
    this.name = { id, lane, isOwn, notifies: false };
    this.scene = host.options.scene;
    this.thread = host.sessions;
  }

  /** @internal Number of messages on the thread of the sessions that have no response yet. */
  get pending(): number {
    return this.waiting;
  }

  /**
   * Processes a message (a request or a batch) and returns the response text; empty if none is due. Never throws, never
   * rejects.
   * @param arrival time (ms) at which the message was received: the time limit counts from it
   */
  answer(message: string, arrival = performance.now()): string | Promise<string> {
    const { small, metrics, limits } = this.host;
    const began = performance.now();
    const isLate = began - arrival > 1000 * limits.time;
    if (this.isFree && this.waiting === 0 && this.isOpen && !isLate && this.scene !== 'large') {
      const answer = small?.answer(this.scene, message);
      if (answer !== undefined) {
        metrics.observe((performance.now() - began) / 1000);
        return answer;
      }
    }
    return this.send(message, arrival) as Promise<string>;
  }

  /** @internal As `answer`, for a request as a binary frame; the response is a frame too, empty if none is due. */
  answerFrame(bytes: Buffer, arrival = performance.now()): Promise<Buffer> {
    return this.send(bytes, arrival) as Promise<Buffer>;
  }

  /** @internal Sets the function that sends notifications to the client; without it there are none. */
  set notify(notify: OnNotification) {
    this.name.notifies = true;
    this.onNotification = notify;
    this.thread.listen(this.name.id, notify);
  }

  /** @internal Applies the cancellations in a message that has to wait. */
  notice(message: string): void {
    if (message.length > MAX_CANCEL || !message.includes(CANCEL)) return;
    this.isFree = false;
    this.isSent = true;
    this.thread.post({ session: this.name, notice: message });
  }

  /** Cancels the current request, whose client has disconnected. */
  cancelCurrent(): void {
    if (this.waiting > 0) this.thread.post({ session: this.name, end: 'request' });
  }

  /** Closes the session: releases its memory and cancels its running requests. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.leaveThread();
    this.host.closed(this);
  }

  private leaveThread(): void {
    this.thread.listen(this.name.id, undefined);
    if (this.isSent) this.thread.post({ session: this.name, end: 'session' });
    this.isSent = false;
  }

  private moveToGates(): void {
    this.leaveThread();
    this.thread = this.host.gates;
    this.thread.listen(this.name.id, this.onNotification);
  }

  private async send(message: string | Buffer, arrival: number): Promise<string | Uint8Array> {
    const { gates, metrics } = this.host;
    const opensGate = typeof message === 'string' && message.length <= SHORT && message.includes(OPENS_GATE);
    const isMovable = this.isOwn && this.isOpen && this.isFresh && this.isFree && this.waiting === 0;
    if (opensGate && isMovable && this.thread !== gates) this.moveToGates();
    this.isSent = true;
    this.waiting++;
    const began = performance.now();
    const { answer, isFree, isFresh, scene } = await this.thread.send({ session: this.name, message }, arrival);
    this.waiting--;
    if (this.waiting === 0) this.isFree = isFree;
    this.isFresh = isFresh;
    if (scene !== undefined) this.scene = scene;
    metrics.observe((performance.now() - began) / 1000);
    return answer;
  }
}
