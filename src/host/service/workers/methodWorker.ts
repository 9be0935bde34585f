import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { derived } from '../../../core/math/derived.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { createPlanner } from '../../../tasks/createPlanner.ts';
import { createSceneRobot } from '../../../tasks/sceneRobot.ts';
import { asRpcError, cancelled } from '../session/rpcErrors.ts';
import { Cancelled, type ThreadContext, type ThreadMethod } from '../threadMethods/context.ts';
import { threadMethods } from '../threadMethods/index.ts';
import type { Outcome, Progress, ThreadData, ThreadReply, ThreadRequest } from '../threads/protocol.ts';
import { SceneReceiver } from '../threads/sentScenes.ts';

const { robot: description, scene: original, checker, cancelled: lastCancelled } = workerData as ThreadData;
const robot = createSceneRobot({ scene: original, robot: description });
const scenes = new SceneReceiver(original);
const plannerOf = derived((scene: Scene) => createPlanner({ scene, robot: description, model: robot }));
const port = parentPort!;
const post = (reply: ThreadReply) => port.postMessage(reply);

port.on('message', async (request: ThreadRequest) => {
  const scene = scenes.decode(request.scene); // for every message, in order
  post({ id: request.id, outcome: await outcomeOf(request, scene) });
});

async function outcomeOf(request: ThreadRequest, scene: Scene): Promise<Outcome> {
  try {
    const { text, isMessage, method } = request;
    const data = JSON.parse(text);
    const run = (threadMethods as Readonly<Record<string, ThreadMethod>>)[method];
    return { text: await run(isMessage ? data.params : data, contextOf(request, scene)) };
  } catch (error) {
    const { code, message, note } = error instanceof Cancelled ? cancelled() : asRpcError(error);
    return { code, message, note };
  }
}

function contextOf({ id, timeLimit }: ThreadRequest, scene: Scene): ThreadContext {
  const interrupt = () => {
    if (Atomics.load(lastCancelled, 0) === id) throw new Cancelled();
    return false;
  };
  const clock = () => {
    interrupt();
    return performance.now();
  };
  const progress = (given: Progress) => post({ id, progress: given });
  return { robot, scene, planner: () => plannerOf(scene), checker, clock, interrupt, timeLimit, progress };
}
