// A service of validity and a client of it, here in one process; elsewhere the service is `elbowroom serve SCENE
// --socket PATH`: node examples/service.mjs
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSceneRobot } from 'elbowroom';
import { connectService, listenOnSocket, loadScene, Service } from 'elbowroom/node';

const { scene, robot } = await loadScene('scenes/shelf.yaml');
const service = new Service({ robot: createSceneRobot({ scene, robot }), scene, version: 'example' });
const listening = await listenOnSocket(service, join(mkdtempSync(join(tmpdir(), 'elbowroom-')), 'shelf.sock'));

const client = await connectService(listening.address);
const { start, goal } = await client.describe();
const between = Array.from({ length: 100 }, (_, i) => start.map((q, k) => q + (i / 99) * (goal[k] - q)));
const valid = await client.areValid(between);
console.log(`${valid.filter(Boolean).length} of ${valid.length} states on the straight way are valid`);

const { verdict, contact } = await client.judgeMotion(start, goal);
console.log(`${verdict}: ${contact.pair.join(' and ')} meet ${(100 * contact.time).toFixed(1)} % of the way`);

await client.call('scene.add', { body: { name: 'ball', type: 'sphere', radius: 0.05, pose: { xyz: [0.7, 0, 0.3] } } });
const { distance, pair } = await client.clearance(start);
console.log(`at the start ${pair.join(' and ')} are ${distance.toFixed(4)} m apart, in the scene of this session`);

await client.close();
await listening.stop();
