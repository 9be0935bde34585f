import { type Samples, texts } from './encode.ts';
import { meshSamples } from './meshSamples.ts';
import { robotSamples } from './robotSamples.ts';
import { sceneSamples } from './sceneSamples.ts';
import { trajectorySamples } from './trajectorySamples.ts';

const states = `{"q": [0.5, 1], "id": "a"}\n[1, 2]\n{"q": {"shoulder": 1, "wrist": 2}}\n`;
const statesCsv = 'id,shoulder,wrist\n1,0.5,1\n# c\n2,-1e-3,2\n';
const pairs = [
  { id: 1, a: { shape: { type: 'box', size: [1, 2, 3] } }, b: { shape: { type: 'sphere', radius: 1, margin: 0.1 } } },
  {
    a: {
      shape: {
        type: 'convex',
        points: [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
      },
      center: [0.1, 0.1, 0.1],
    },
    b: { shape: { type: 'cone', radius: 1, length: 2 }, pose: { xyz: [1, 2, 3], quat_wxyz: [1, 1, 0, 0] } },
  },
  {
    a: {
      shape: {
        type: 'polygon',
        points: [
          [0, 0],
          [1, 0],
          [0, 1],
        ],
      },
      pose: { xy: [1, 1], angle: 1 },
    },
    b: { shape: { type: 'disc', radius: 1 } },
    track: 't',
  },
];
const requests = [
  { jsonrpc: '2.0', id: 1, method: 'validate', params: { q: [0, 1], details: true } },
  { jsonrpc: '2.0', id: 'a', method: 'validate_motion', params: { motions: [[[0], [1]]] } },
  {
    jsonrpc: '2.0',
    method: 'scene.add',
    params: { body: { type: 'box', name: 'b', size: [1, 2, 3], pose: { xyz: [0, 0, 1], rpy: [0, 0, 1] }, link: 'l' } },
  },
  { jsonrpc: '2.0', id: null, method: 'describe' },
];
const motions = '{"from": [0, 1], "to": [1, 1], "id": 7}\n[[0, 0], [1, 1]]\n';

/** Whole files of each kind, by the name of their reader; of one line or several that each say something. */
export const samples: Readonly<Record<string, Samples>> = {
  ...meshSamples,
  ...robotSamples,
  ...sceneSamples,
  ...trajectorySamples,
  states: texts(states, statesCsv),
  requests: texts(...requests.map((request) => JSON.stringify(request))),
  motions: texts(motions),
  pairs: texts(...pairs.map((pair) => JSON.stringify(pair))),
};
