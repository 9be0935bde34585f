import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
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

const data = workerData as SessionThreadData;
const robot = createSceneRobot({ scene: data.scene, robot: data.robot });
const sessions = new Sessions({ ...data, robot });
const open = new Map<number, Session>();
const sender = new SceneSender(data.scene);
/** The scene of each session as the main thread knows it. */
const sent = new WeakMap<Session, Scene>();
const port = parentPort!;
const post = (message: FromSessions, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

port.on('message', (given: ToSessions) => {
  if ('stop' in given) {
    for (const session of open.values()) session.cancelCurrent();
    sessions.close().then(() => post({ stopped: true }));
  } else if ('message' in given) answer(given);
  else if ('notice' in given) sessionOf(given.session).notice(given.notice);
  else if (given.end === 'request') open.get(given.session.id)?.cancelCurrent();
  else {
    open.get(given.session.id)?.close();
    open.delete(given.session.id);
  }
});

async function answer({ session: name, id, message, arrival }: Extract<ToSessions, { message: unknown }>) {
  const session = sessionOf(name);
  const arrived = performance.now() - (monotonicMs() - arrival);
  if (typeof message === 'string') {
    const text = await session.answer(message, arrived);
    post({ id, answer: text, ...stateOf(session) });
    return;
  }
  const frame = await session.answerFrame(Buffer.from(message.buffer, message.byteOffset, message.length), arrived);
  const isWhole = frame.length === frame.buffer.byteLength;
  const bytes = isWhole ? new Uint8Array(frame.buffer as ArrayBuffer) : new Uint8Array(frame); // its own memory
  post({ id, answer: bytes, ...stateOf(session) }, [bytes.buffer]);
}

function stateOf(session: Session) {
  return { isFree: session.isFree, scene: changedScene(session), counts: sessions.metrics.take() };
}

/** Returns the scene of a session if it has changed since the last call. */
function changedScene(session: Session): 'original' | 'large' | SentScene | undefined {
  const { current, isChanged } = session.scene;
  if ((sent.get(session) ?? data.scene) === current) return undefined;
  sent.set(session, current);
  if (!isChanged) return 'original';
  return session.scene.addedBytes() > SMALL_SCENE ? 'large' : sender.encode(current);
}

function sessionOf({ id, lane, isOwn, notifies }: SessionName): Session {
  const known = open.get(id);
  if (known) return known;
  const session = sessions.open(lane, isOwn);
  if (notifies) session.notify = (notification, isUrgent) => post({ session: id, notification, isUrgent });
  open.set(id, session);
  return session;
}
