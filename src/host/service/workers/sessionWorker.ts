import { performance } from 'node:perf_hooks';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Scene } from '../../../core/scene/scene.ts';
import { createSceneRobot } from '../../../tasks/sceneRobot.ts';
import type { Session } from '../session/session.ts';
import {
  type FromSessions,
  monotonicMs,
  type SessionName,
  type SessionThreadData,
  type ToSessions,
} from '../session/sessionProtocol.ts';
import { Sessions } from '../session/sessions.ts';
import { SceneSender, type SentScene } from '../threads/sentScenes.ts';

/** Bytes of the objects that a session has added, up to which its shapes are created in milliseconds. */
const SMALL_SCENE = 64 * 1024;

/** A session of this thread, and its scene as the main thread knows it. */
interface OpenSession {
  readonly session: Session;
  sent: Scene;
}

/** Answers the messages of the sessions of this thread. */
class SessionThread {
  private readonly sessions: Sessions;
  private readonly open = new Map<number, OpenSession>();
  private readonly sender: SceneSender;

  constructor(
    private readonly data: SessionThreadData,
    private readonly port: MessagePort,
  ) {
    this.sessions = new Sessions({ ...data, robot: createSceneRobot(data) });
    this.sender = new SceneSender(data.scene);
    port.on('message', (given: ToSessions) => this.receive(given));
  }

  private receive(given: ToSessions): void {
    if ('stop' in given) {
      for (const { session } of this.open.values()) session.cancelCurrent();
      this.sessions.close().then(() => this.post({ stopped: true }));
    } else if ('message' in given) this.answer(given);
    else if ('notice' in given) this.opened(given.session).session.notice(given.notice);
    else if (given.end === 'request') this.open.get(given.session.id)?.session.cancelCurrent();
    else {
      this.open.get(given.session.id)?.session.close();
      this.open.delete(given.session.id);
    }
  }

  private async answer({ session: name, id, message, arrival }: Extract<ToSessions, { message: unknown }>) {
    const one = this.opened(name);
    const arrived = performance.now() - (monotonicMs() - arrival);
    if (typeof message === 'string') {
      const text = await one.session.answer(message, arrived);
      this.post({ id, answer: text, ...this.stateOf(one) });
      return;
    }
    const given = Buffer.from(message.buffer, message.byteOffset, message.length);
    const frame = await one.session.answerFrame(given, arrived);
    const isWhole = frame.length === frame.buffer.byteLength;
    const bytes = isWhole ? new Uint8Array(frame.buffer as ArrayBuffer) : new Uint8Array(frame); // its own memory
    this.post({ id, answer: bytes, ...this.stateOf(one) }, [bytes.buffer]);
  }

  private stateOf(one: OpenSession) {
    const { isFree, isFresh } = one.session;
    return { isFree, isFresh, scene: this.changedScene(one), counts: this.sessions.metrics.take() };
  }

  /** Returns the scene of a session if it has changed since the last call. */
  private changedScene(one: OpenSession): 'original' | 'large' | SentScene | undefined {
    const { scene } = one.session;
    const { current, isChanged } = scene;
    if (one.sent === current) return undefined;
    one.sent = current;
    if (!isChanged) return 'original';
    return scene.addedBytes() > SMALL_SCENE ? 'large' : this.sender.encode(current);
  }

  private opened({ id, lane, isOwn, notifies }: SessionName): OpenSession {
    const known = this.open.get(id);
    if (known) return known;
    const session = this.sessions.open(lane, isOwn);
    if (notifies) session.notify = (notification, isUrgent) => this.post({ session: id, notification, isUrgent });
    const one = { session, sent: this.data.scene };
    this.open.set(id, one);
    return one;
  }

  private post(message: FromSessions, transfer: ArrayBuffer[] = []): void {
    this.port.postMessage(message, transfer);
  }
}

new SessionThread(workerData as SessionThreadData, parentPort!);
