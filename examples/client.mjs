// A service of its own and its client: node examples/client.mjs
import { startService } from 'elbowroom/node';

const client = await startService('scenes/table-top.yaml', { options: ['--jobs', '1'] });
const { start, joints } = client.about;

const states = new Float64Array(1000 * joints.length); // one after the other; a list of states does as well
for (let i = 0; i < states.length; i++) states[i] = start[i % joints.length] + ((i % 997) / 997) * 0.4;
const valid = await client.areValid(states); // one binary frame
const { distance } = await client.clearances(states.subarray(0, 10 * joints.length));
console.log(
  `${valid.filter(Boolean).length} of ${valid.length} states are valid, the first at ${distance[0].toFixed(4)} m`,
);

const { status, trajectory } = await client.plan({ seed: 2 });
await client.call('scene.add', { body: { name: 'ball', type: 'sphere', radius: 0.08, pose: { xyz: [0.5, 0, 0.2] } } });
const { faults } = await client.check(trajectory);
const repaired = await client.repair({ trajectory });
console.log(`${status}; with a ball: ${faults[0]}; ${repaired.status}: ${repaired.reason}`);

const cancel = new AbortController();
const onProgress = () => cancel.abort(); // called several times a second, with the phase
const endless = client.plan({ planner: 'rrt-star', iterations: 1e9 }, { signal: cancel.signal, onProgress });
await endless.catch((error) => console.log(`cancelled: ${error.name} ${error.code}`));
await client.close();
