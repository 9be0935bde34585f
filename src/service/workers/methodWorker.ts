import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { InputError } from '../../errors.ts';
import type { Scene } from '../../scene/scene.ts';
import { createSceneRobot } from '../../tasks/sceneRobot.ts';
import { Cancelled, type ThreadContext, type ThreadMethod } from '../threadMethods/context.ts';
import { threadMethods } from '../threadMethods/index.ts';
import type { Outcome, ThreadData, ThreadReply, ThreadRequest } from '../threads/protocol.ts';
import { changedScene, type SceneChange } from '../threads/sceneChange.ts';

/** Scenes of sessions that a thread keeps. */
const MAX_SCENES = 32;

const { robot: description, scene: original, checker, cancelled } = workerData as ThreadData;
const robot = createSceneRobot({ scene: original, robot: description });
/** Scenes by version, the most recently used last. */
const scenes = new Map<number, Scene>();
const port = parentPort!;
const post = (reply: ThreadReply) => port.postMessage(reply);

port.on('message', async (request: ThreadRequest) => {
  post({ id: request.id, outcome: await outcomeOf(request) });
});

async function outcomeOf(request: ThreadRequest): Promise<Outcome> {
  try {
    const { text, isMessage, method } = request;
    const data = JSON.parse(text);
    const run = (threadMethods as Readonly<Record<string, ThreadMethod>>)[method];
    return { text: await run(isMessage ? data.params : data, contextOf(request)) };
  } catch (error) {
    if (error instanceof Cancelled) return { code: 'cancelled', message: 'the request was cancelled', note: '' };
    if (error instanceof InputError) return { code: 'invalidParams', message: error.message, note: error.note };
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const note = 'Please report it together with the request.';
    return { code: 'internal', message: `internal error of the service: ${what}`, note };
  }
}

function contextOf({ id, change, timeLimit }: ThreadRequest): ThreadContext {
  const interrupt = () => {
    if (Atomics.load(cancelled, 0) === id) throw new Cancelled();
    return false;
  };
  const clock = () => {
    interrupt();
    return performance.now();
  };
  const scene = change === undefined ? original : sceneOf(change);
  return { robot, scene, checker, clock, interrupt, timeLimit, progress: (progress) => post({ id, progress }) };
}

/** Returns the scene after a change: the same object for the same version, so that caches by object are used. */
function sceneOf(change: SceneChange): Scene {
  const scene = scenes.get(change.version) ?? changedScene(original, change);
  scenes.delete(change.version);
  scenes.set(change.version, scene);
  if (scenes.size > MAX_SCENES) scenes.delete(scenes.keys().next().value!);
  return scene;
}
