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
const pathTables = [
  'x [mm],y [mm],z [mm],rx [deg],ry [deg],rz [deg],speed [mm/s],on\n10,20,30,180,0,0,50,1\n12,20,30,180,0,0,50,0\n',
  'nx,ny,nz,x,y,z\n0,0,1,0.1,0.2,0.3\n0.1,-0.2,1,0.1,0.25,0.3\n1,0,0,0.1,0.25,0.2\n',
  'x,y,z,qw,qx,qy,qz\n0,0,0,1,0,0,0\n0.1,0,0,0.6,0.8,0,0\n',
  'time [s],x [m],y [m],z [m],on\n0,0,0,0,0\n0.5,0.1,0,0,1\n0.5,0.1,0,0,0\n',
];
const gcodes = [
  '(start)\nN10 G21 G90 G17\nG0 X0 Y0 Z10\nG1 Z0 F600 ; down\nX20\nG2 X30 Y-10 I0 J-10\nG20\nG1 X2\nG91\nX1 Z1\nM30\n',
  'G18 G0 X1 Y1 Z1\nG3 X2 Z2 R1 F100\nG19 G02 Y3 Z2 J1 K0 X2.5\nG1 X-.5\nM2\n',
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
  pathcsv: texts(...pathTables),
  gcode: texts(...gcodes),
  pairs: texts(...pairs.map((pair) => JSON.stringify(pair))),
};
