import { McapWriter, TempBuffer } from '@mcap/core';
import { certificateText } from '../../src/core/certificate/certificate.ts';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { writers } from '../../src/formats/trajectories/index.ts';
import { encodeCdr } from './cdrWriter.ts';
import { encode, type Samples, texts } from './encode.ts';
import { motionMessages, recordingOf } from './recordings.ts';

const jointNames = ['shoulder', 'wrist'];
const path: Trajectory = { jointNames, points: [{ positions: [0, 0.1] }, { positions: [0.5, -0.25] }] };
/** Short: a script has a line for every two milliseconds. */
const motion: Trajectory = {
  jointNames,
  points: [
    { time_from_start: 0, positions: [0, 0.1], velocities: [0, 0] },
    { time_from_start: 0.004, positions: [0.001, -0.25], velocities: [0.5, -1] },
    { time_from_start: 0.008, positions: [0.002, -0.5], velocities: [0, 0] },
  ],
  robot: 'two-link',
  seed: 7,
};
/** The same motion as that of a program: a line, a wait, and an event between them. */
const program: Trajectory = {
  ...motion,
  interpolation: 'cubic',
  points: [
    { time_from_start: 0, positions: [0, 0.1], velocities: [0, 0] },
    { time_from_start: 0.5, positions: [0.1, -0.25], velocities: [0, 0] },
    { time_from_start: 1, positions: [0.1, -0.25], velocities: [0, 0] },
  ],
  segments: [
    { step: 0, name: 'down', kind: 'line', from: 0, to: 0.5 },
    { step: 2, kind: 'wait', from: 0.5, to: 1 },
  ],
  events: [{ step: 1, time: 0.5, attach: 'part', link: 'tool0' }],
};
/**
 * As others write them: a goal of ROS 1, what `ros2 topic echo` prints, tables of a spreadsheet and of NumPy, a script
 * by hand.
 */
const foreign = [
  'goal:\n  trajectory:\n    joint_names: [shoulder, wrist]\n    points: [{positions: [1, 2], time_from_start: {secs: 0, nsecs: 5}}]\n',
  'joint_names:\n- shoulder\n- wrist\npoints:\n- positions:\n  - 1.0\n  - 2.0\n  velocities: []\n  time_from_start:\n    sec: 1\n    nanosec: 500000000\n---\n',
  'time [s];"q shoulder";wrist.pos;vel_shoulder;vel_wrist\n0;1;2;0;0\n0.5;1e-1;-2;1;1\n',
  '# t,shoulder,wrist\n0,1,2\n1,2,3\n',
  '{"format": "elbowroom-trajectory/1", "interpolation": "linear", "joint_names": ["a"], "points": [{"positions": [1], "time_from_start": 0.5}], "hash": "00"}',
  'movej([0, 1], a=1.4, v=1, t=0, r=0)  # first\nservoj([0.01, 1], 0, 0, 0.008)\nservoj([0.01, 1], 0, 0, 0.008)\nsleep(1)\n',
];

/**
 * A recording with nothing but the motion; the checksums are 0, which says that there are none: else every change would
 * end there.
 */
async function recording(): Promise<Uint8Array> {
  const file = new TempBuffer();
  const writer = new McapWriter({ writable: file });
  await writer.start({ profile: '', library: '' });
  const data = encode(writers.json.write(path));
  const attachment = { name: 'trajectory.json', mediaType: '', logTime: 0n, createTime: 0n, data };
  await writer.addAttachment(attachment);
  await writer.end();
  const bytes = file.get().slice();
  const magic = 8;
  const text = bytes.findIndex((_, i) => data.every((byte, k) => bytes[i + k] === byte));
  for (const at of [text + data.length, bytes.length - magic - 4]) bytes.fill(0, at, at + 4);
  return bytes;
}

const certificate = certificateText({
  format: 'elbowroom-certificate/1',
  trajectory: '00ff',
  duration: 2.5,
  pairs: [
    {
      a: 'link',
      partA: 0,
      b: 'wall',
      partB: 1,
      spans: [
        [0, 1, 0, 0, 1],
        [1, 2.5, 1, 0, 0],
      ],
    },
  ],
});

const programCertificate = certificateText({
  format: 'elbowroom-certificate/1',
  trajectory: '00ff',
  duration: 2.5,
  pairs: [],
  segments: [{ from: 0, to: 2.5, pairs: [{ a: 'link', partA: 0, b: 'wall', partB: 1, spans: [[0, 2.5, 0, 0, 1]] }] }],
});

/** Programs for each of the statements that are executed. */
const programs = [
  writers.urscript.write(motion),
  'def go(q, v=1.05):\n  movej(q, a=1.4, v=v, r=0)\n  return True\nend\nglobal q = [0.5, -1.5]\ni = 0\nwhile i < 3:\n  q[0] = q[0] + d2r(10.5)\n  done = go(q, v=1)\n  i = i + 1\nend\n',
  '$ 1 "Program"\ndef main():\n  def up(x, y=[0.25, 1]):\n    if x > 1 and not (x == 3):\n      movej([x, y[1]], 1, 1, 2.5, 0)\n    elif x >= 3 or False:\n      return\n    else:\n      servoj(y, t=2.5)\n      servoj(y, 0, 0, 0.008, 0.1, 300)\n    end\n  end\n  up(2) # twice\n  up(1)\n  up(7 % 4)\nend\n',
  'set_tcp(p[0, 0, 0.1, 0, 0, 0])\nlocal a = [[0, 1.0], [pi / 2, 4 / 2]]\nwhile True:\n  movej(a[0])\n  if length(a) == 2 xor a[0][1] < 0.5:\n    break\n  end\n  continue\nend\nsleep(0.5)\nstopj(2)\ntextmsg("a # b", 3)\nset_digital_out(1, True)\nmovej([floor(2.5), \\\n  sqrt(4.0) * -(1 - 3)])\nhalt\nmovej([9, 9])\n',
];

/** Of the readers of motions and proofs, by their names. */
export const trajectorySamples: Readonly<Record<string, Samples>> = {
  trajectory: texts(
    ...Object.values(writers).flatMap((one) => [one.write(motion), one.write(path), one.write(program)]),
    ...foreign,
  ),
  urscript: texts(...programs),
  mcap: [await recording()],
  recordings: await Promise.all(motionMessages.map((message) => recordingOf(message, encodeCdr(message).bytes))),
  certificate: texts(certificate, programCertificate),
};
