import { Worker } from 'node:worker_threads';
import type { Scene } from '../../../core/scene/scene.ts';
import { workerFile } from '../../node/workers.ts';
import type { Counts } from '../serviceMetrics.ts';
import { SceneReceiver } from '../threads/sentScenes.ts';
import { type FromSessions, monotonicMs, type SessionThreadData, type ToSessions } from './sessionProtocol.ts';

/** A message that waits for its response. */
interface Waiting {
  readonly session: number;
  readonly resolve: (response: Response) => void;
}

/** Response to a message. */
export interface Response {
  readonly answer: string | Uint8Array;
  /** No cancellation waits for its request. */
  readonly isFree: boolean;
  /** The session is as it was opened. */
  readonly isFresh: boolean;
  /** Scene of the session if it has changed; `large`: checking a state in it may take long. */
  readonly scene: Scene | 'large' | undefined;
}

/** Called with the notifications of a session. */
export type OnNotification = (text: string, isUrgent: boolean) => void;

/** A thread that runs sessions; it starts with the first message. */
export class SessionThread {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private readonly notifications = new Map<number, OnNotification>();
  private lastId = 0;
  private stopped = () => {};
  private readonly scenes: SceneReceiver;

  /** @param counted called with the counts of requests since the last call */
  constructor(
    private readonly data: SessionThreadData,
    private readonly counted: (counts: Counts) => void,
  ) {
    this.scenes = new SceneReceiver(data.scene);
  }

  /** Number of messages that wait for their response. */
  get length(): number {
    return this.waiting.size;
  }

  /** Sends a message of a session; resolves with its response. */
  send(given: Omit<Extract<ToSessions, { message: unknown }>, 'id' | 'arrival'>, arrival: number): Promise<Response> {
    const id = ++this.lastId;
    const message = typeof given.message === 'string' ? given.message : new Uint8Array(given.message); // a copy
    const transfer = typeof message === 'string' ? [] : [message.buffer];
    const arrived = monotonicMs() - (performance.now() - arrival);
    return new Promise((resolve) => {
      this.waiting.set(id, { session: given.session.id, resolve });
      this.post({ ...given, id, message, arrival: arrived }, transfer);
      this.worker!.ref();
    });
  }

  /** Sends what has no response. */
  post(message: ToSessions, transfer: ArrayBuffer[] = []): void {
    this.worker ??= this.start();
    this.worker.postMessage(message, transfer);
  }

  /** Sets the function that receives the notifications of a session; undefined: none. */
  listen(session: number, call: OnNotification | undefined): void {
    if (call) this.notifications.set(session, call);
    else this.notifications.delete(session);
  }

  /** Ends the thread: long requests end as cancelled. */
  async close(): Promise<void> {
    const { worker } = this;
    if (!worker) return;
    const stopped = new Promise<void>((resolve) => {
      this.stopped = resolve;
    });
    worker.ref(); // the process must not end before the caller has closed everything else
    this.post({ stop: true });
    const late = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
    await Promise.race([stopped, late]);
    await worker.terminate();
    for (const { resolve } of this.waiting.values())
      resolve({ answer: '', isFree: false, isFresh: false, scene: undefined });
    this.waiting.clear();
  }

  private start(): Worker {
    const worker = new Worker(workerFile('sessionWorker'), { workerData: this.data });
    worker.unref();
    worker.on('message', (message: FromSessions) => this.receive(message));
    worker.on('error', (error) => {
      throw error;
    });
    return worker;
  }

  private receive(message: FromSessions): void {
    if ('stopped' in message) this.stopped();
    else if ('notification' in message)
      this.notifications.get(message.session)?.(message.notification, message.isUrgent);
    else {
      const { id, answer, isFree, isFresh, scene: sent, counts } = message;
      const { scene: original } = this.data;
      const scene = sent === 'original' ? original : typeof sent === 'object' ? this.scenes.decode(sent) : sent;
      const { resolve } = this.waiting.get(id)!;
      this.waiting.delete(id);
      if (this.waiting.size === 0) this.worker!.unref();
      this.counted(counts);
      resolve({ answer: typeof answer === 'string' ? answer : Buffer.from(answer.buffer), isFree, isFresh, scene });
    }
  }
}

/** Time in which the thread may end its requests once it is closed, ms. */
const STOP_MS = 1000;
