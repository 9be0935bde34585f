// Plans in a worker thread: scenes and robots are plain data and pass through postMessage.
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { planMotion } from 'elbowroom';
import { loadScene } from 'elbowroom/node';

if (isMainThread) {
  const { scene, robot } = await loadScene('scenes/table-top.yaml');
  const worker = new Worker(new URL(import.meta.url));
  worker.once('message', ({ status, stats }) => {
    console.log(`${status} in a worker: ${stats.path_length.toFixed(2)} rad`);
    worker.terminate();
  });
  worker.postMessage({ scene, robot });
} else {
  parentPort.once('message', (problem) => {
    const { status, stats } = planMotion(problem, { seed: 1 });
    parentPort.postMessage({ status, stats });
  });
}
