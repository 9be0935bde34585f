import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { quantile, type Table } from './measure.ts';

export const about =
  'fresh processes, shell to answer: robots from their files, a first plan, a mesh of a million triangles';

const ROUNDS = 9;
const SHARED = '../shared/data/robots';
const PROBLEMS = '../shared/data/problems/mbm-ur5';

/** What is run, and what it may take at most; undefined: no target is set. */
interface Run {
  readonly what: string;
  readonly args: readonly string[];
  /** One state. */
  readonly input?: string;
  /** Milliseconds on the clock. */
  readonly target?: number;
  /** CPU time relative to that of a bare Node. */
  readonly targetToBare?: number;
  /** True if hulls are read from the cache of earlier rounds. */
  readonly isCached?: boolean;
  /** File of further root certificates. */
  readonly certificates?: string | undefined;
}

/** Makes Node 20 parse all its root certificates at each start. */
const CERTIFICATES = 'NODE_EXTRA_CA_CERTS';

/** Each command in turn with a bare Node, as whole processes. */
export async function* run(): AsyncGenerator<Table> {
  const folder = mkdtempSync(path.join(tmpdir(), 'elbowroom-loading-'));
  try {
    const bare: Run = { what: 'node -e 0', args: ['-e', '0'] };
    const certificates = process.env[CERTIFICATES];
    const withCertificates: Run = { ...bare, what: `node -e 0, ${CERTIFICATES}`, certificates };
    const runs = [bare, ...(certificates ? [withCertificates] : []), ...commands(folder)];
    const times = runs.map((): Cost[] => []);
    for (const one of runs) if (one.isCached) costOf(one, folder); // fills the cache
    for (let round = 0; round < ROUNDS; round++)
      for (const [i, one] of runs.entries()) times[i].push(costOf(one, folder));
    const bareCpu = medianOf(times[0].map(({ cpu }) => cpu));
    const rows = runs.map(({ what, target, targetToBare }, i) => {
      const cpu = medianOf(times[i].map((cost) => cost.cpu));
      return {
        process: what,
        'CPU ms': cpu,
        'to bare': cpu / bareCpu,
        'to bare, target': targetToBare ?? '',
        'clock ms, least': Math.min(...times[i].map(({ clock }) => clock)),
        'clock ms, target': target ?? '',
      };
    });
    yield { title: 'fresh processes, shell to answer', rows, notes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const notes = [
  `median and least of ${ROUNDS} rounds, each command once a round; CPU: of all threads, the compiler's and the ` +
    `collector's among them`,
  'clock: wall-clock time, which includes other work of the machine',
  'poses: `fk` of one state, which reads every mesh; a state: `validate` in a scene of one box, with hulls and ' +
    'all else that a plan needs',
  `${CERTIFICATES} and NODE_OPTIONS are not set, except in the row that names the first, with which Node 20 parses ` +
    'all its root certificates at each start',
  'cached: data of scenes and robots, and hulls with their search structures, are read from the cache folder; the ' +
    'other rows have ELBOWROOM_CACHE=off',
];

function commands(folder: string): Run[] {
  const bin = path.resolve('bin/elbowroom.js');
  const ways = (what: string, urdf: string, joints: number, target: number): Run[] => {
    if (!existsSync(urdf)) return [];
    const scene = path.join(folder, `${what.replaceAll(/\W+/g, '-')}.yaml`);
    writeFileSync(scene, sceneWith(path.resolve(urdf)));
    const input = `${JSON.stringify(new Array(joints).fill(0))}\n`;
    return [
      { what: `${what}: poses`, args: [bin, 'fk', urdf], input },
      { what: `${what}: a state`, args: [bin, 'validate', scene], input },
      { what: `${what}: a state, cached`, args: [bin, 'validate', scene], input, target, isCached: true },
    ];
  };
  const plans = (what: string, scene: string, targetToBare?: number): Run[] => {
    if (!existsSync(scene.split('#')[0])) return [];
    const args = [bin, 'plan', scene, '-o', path.join(folder, 'motion.json')];
    return [
      { what, args },
      { what: `${what}, cached`, args, ...(targetToBare !== undefined && { targetToBare }), isCached: true },
    ];
  };
  return [
    ...plans('plan, table-top', 'scenes/table-top.yaml'),
    ...plans('plan, shelf', 'scenes/shelf.yaml', 2.3),
    ...plans('plan, a problem of MotionBenchMaker, UR5', `${PROBLEMS}/box.json#box/0001`, 3),
    ...ways('UR5e, bundled', 'robots/ur5e/ur5e.urdf', 6, 150),
    ...ways('UR5e, published', `${SHARED}/ur5e/ur5e.urdf`, 6, 150),
    ...ways('Baxter, published', `${SHARED}/baxter/baxter.urdf`, 17, 400),
    ...ways('STL of 1,000,000 triangles', bumpyBall(folder), 1, 2000),
  ];
}

const sceneWith = (urdf: string) => `format: elbowroom-scene/1
name: ready
robot: ${JSON.stringify(urdf)}
obstacles:
  - {name: box, type: box, size: [0.1, 0.1, 0.1], pose: {xyz: [9, 0, 0]}}
`;

interface Cost {
  readonly cpu: number;
  readonly clock: number;
}

/**
 * Measures one run; exit code 1 is a valid result. The second line of the shell's `times` is the user and system time
 * of its children: in milliseconds in bash, in hundredths of a second in other shells.
 */
function costOf({ what, args, input = '', isCached = false, certificates }: Run, folder: string): Cost {
  const begun = performance.now();
  const script = '"$@" > /dev/null; code=$?; times; exit $code';
  const { NODE_OPTIONS: _, [CERTIFICATES]: __, ...environment } = process.env;
  const cache = isCached ? path.join(folder, 'cache') : 'off';
  const env = { ...environment, ELBOWROOM_CACHE: cache, XDG_DATA_HOME: folder };
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], {
    input,
    encoding: 'utf8',
    env: certificates ? { ...env, [CERTIFICATES]: certificates } : env,
  });
  const clock = performance.now() - begun;
  if (status !== 0 && status !== 1) throw new Error(`${what}: ${stderr}`);
  const seconds = stdout
    .trim()
    .split('\n')[1]
    .split(' ')
    .map((time) => {
      const [, minutes, rest] = /^(\d+)m([\d.]+)s$/.exec(time) ?? [];
      return 60 * Number(minutes) + Number(rest);
    });
  return { cpu: 1000 * (seconds[0] + seconds[1]), clock };
}

const medianOf = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

/** A robot of one link: a ball of 0.3 m with dents, as a scan has them, 2 · 1000 · 500 triangles in binary STL. */
function bumpyBall(folder: string): string {
  const [around, down] = [1000, 500];
  const point = (i: number, j: number): number[] => {
    const [turn, fall] = [(2 * Math.PI * (i % around)) / around, (Math.PI * j) / down];
    const radius = 0.3 * (1 + 0.25 * Math.sin(5 * turn) * Math.sin((7 * j) / down) + 1e-3 * Math.sin(i * i + 7 * j));
    return [Math.sin(fall) * Math.cos(turn), Math.sin(fall) * Math.sin(turn), Math.cos(fall)].map((x) => radius * x);
  };
  const bytes = Buffer.alloc(84 + 50 * 2 * around * down);
  bytes.writeUInt32LE(2 * around * down, 80);
  let at = 84;
  const add = (...corners: number[][]): void => {
    for (const [k, x] of corners.flat().entries()) bytes.writeFloatLE(x, at + 12 + 4 * k);
    at += 50;
  };
  for (let j = 0; j < down; j++) {
    for (let i = 0; i < around; i++) {
      const [a, b, c, d] = [point(i, j), point(i + 1, j), point(i, j + 1), point(i + 1, j + 1)];
      add(a, b, d);
      add(a, d, c);
    }
  }
  writeFileSync(path.join(folder, 'ball.stl'), bytes);
  const urdf = path.join(folder, 'ball.urdf');
  writeFileSync(
    urdf,
    `<robot name="ball"><link name="base"/><link name="ball"><collision><geometry><mesh filename="ball.stl"/></geometry></collision></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="ball"/><axis xyz="0 0 1"/></joint></robot>\n`,
  );
  return urdf;
}
