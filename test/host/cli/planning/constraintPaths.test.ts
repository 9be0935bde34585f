import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { serviceMessages } from '../../../../src/formats/schemas/serviceMessages.ts';
import { commands } from '../../../../src/host/cli/commands/index.ts';
import { type Outcome, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

// Every command and every method of the service judges the path constraints of its scene, or has a reason not to. The
// motion is a straight line in joint space that swings the tool out of the lane between two states that are inside it.

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const START = [-1.43, -1.38, 2.1, -2.29, 1.57, 0];
const MIDDLE = [-0.74, -1.24, 1.9, -2.23, 1.57, 0];
const GOAL = [-0.05, -1.1, 1.7, -2.17, 1.57, 0];
/** Pose of the tool at `MIDDLE`: 75 mm outside the lane. */
const OUTSIDE = { xyz: [0.494, -0.271, 0.4235], quat_wxyz: [0.915, 0, 0, 0.4035] };

const free = `format: elbowroom-scene/1
robot: ur5e
tcp: {link: tool0}
start: [${START}]
goal: [${GOAL}]
obstacles:
  - {name: box, type: box, size: [0.1, 0.1, 0.1], pose: {xyz: [0, 0, 1.6]}}
`;
const lane = `{type: box, size: [1, 0.1, 1]}, pose: {xyz: [0.41, -0.175, 0.42], rpy: [0, 0, 0.918]}`;
const constrained = `${free}constraints: [{name: lane, type: region, shape: ${lane}}]\n`;
const program = (scene: string) => scene.replace(/goal: (.*)/, 'steps: [{move: $1}]');

const [scene, motion, proof] = ['lane.yaml', 'motion.json', 'proof.json'].map(at);

beforeAll(async () => {
  writeFileSync(at('free.yaml'), free);
  writeFileSync(scene, constrained);
  writeFileSync(at('program.yaml'), program(constrained));
  writeFileSync(at('free-program.yaml'), program(free));
  writeFileSync(at('two.yaml'), `${constrained}robots: [{name: other, robot: ur5e, pose: {xyz: [3, 0, 0]}}]\n`);
  for (const [name, to, certificate] of [
    ['free.yaml', 'motion.json', 'proof.json'],
    ['free-program.yaml', 'program.json', 'program-proof.json'],
  ])
    expect((await elbowroom(['plan', at(name), '-o', at(to), '--certificate', at(certificate)])).code).toBe(0);
}, 60_000);

/** Arguments of a run in the scene with the constraint, and what it must say. */
interface Run {
  readonly args: () => readonly string[];
  readonly input?: string;
  readonly expected: (result: Outcome) => void | Promise<void>;
}

const says =
  (code: number, stream: 'stdout' | 'stderr', what: RegExp) =>
  (result: Outcome): void => {
    expect(result[stream]).toMatch(what);
    expect(result.code).toBe(code);
  };
const isValid = async (file: string) => (await elbowroom(['check', scene, file])).code === 0;

/** How each command judges constraints, or why there is nothing to judge. */
const table: Readonly<Record<string, readonly Run[] | string>> = {
  plan: [
    {
      args: () => ['plan', scene, '-o', at('plan.json')],
      expected: async () => expect(await isValid(at('plan.json'))).toBe(true),
    },
    {
      args: () => ['plan', at('program.yaml'), '-o', at('planned.json')],
      expected: async () => expect((await elbowroom(['check', at('program.yaml'), at('planned.json')])).code).toBe(0),
    },
    {
      args: () => ['plan', scene, '--edges', 'sampled', '--optimize', '-o', at('sampled.json')],
      expected: async () => expect(await isValid(at('sampled.json'))).toBe(true),
    },
    {
      args: () => ['plan', scene, '--start', String(MIDDLE)],
      expected: says(1, 'stderr', /the start violates the constraint "lane"/),
    },
  ],
  validate: [
    {
      args: () => ['validate', scene],
      input: JSON.stringify(MIDDLE),
      expected: says(1, 'stdout', /"constraints":\["lane"\]/),
    },
    {
      args: () => ['validate', scene, '--motions'],
      input: JSON.stringify({ from: START, to: GOAL }),
      expected: says(1, 'stdout', /"constraints":\["lane"\]/),
    },
  ],
  check: [
    { args: () => ['check', scene, motion], expected: says(1, 'stdout', /constraint \\"lane\\" is violated/) },
    {
      args: () => ['check', at('program.yaml'), at('program.json')],
      expected: says(1, 'stdout', /constraint \\"lane\\" is violated/),
    },
  ],
  verify: [
    { args: () => ['verify', proof, scene, motion], expected: says(1, 'stdout', /constraint \\"lane\\" is violated/) },
    {
      args: () => ['verify', at('program-proof.json'), at('program.yaml'), at('program.json')],
      expected: says(1, 'stdout', /constraint \\"lane\\" is violated/),
    },
  ],
  recertify: [
    {
      args: () => ['recertify', scene, motion, '--certificates', folder],
      expected: says(1, 'stdout', /"status":"out-of-limits".*constraint \\"lane\\" is violated/),
    },
  ],
  library: [
    {
      args: () => ['library', 'build', scene, '-o', at('lane.elb')],
      expected: says(2, 'stderr', /a library has no motions for path constraints/),
    },
  ],
  repair: [
    {
      args: () => ['repair', scene, motion, '-o', at('repaired.json')],
      expected: async () => expect(await isValid(at('repaired.json'))).toBe(true),
    },
  ],
  optimize: [
    { args: () => ['optimize', scene, motion], expected: says(1, 'stderr', /refused: the input motion is not valid/) },
  ],
  coordinate: [
    {
      args: () => ['coordinate', at('two.yaml'), motion, motion],
      expected: says(1, 'stderr', /motion.json: constraint "lane" is violated/),
    },
  ],
  time: [
    {
      args: () => ['time', scene, motion, '--replace-times'],
      expected: says(1, 'stderr', /not timed: .*lane/),
    },
  ],
  ik: [
    {
      args: () => ['ik', '--scene', scene, '--xyz', String(OUTSIDE.xyz), '--quat', String(OUTSIDE.quat_wxyz)],
      expected: says(1, 'stderr', /violate constraints, the first "lane"/),
    },
  ],
  report: [
    {
      // without a certificate, the page shows that the motion is not proved
      args: () => ['report', scene, motion],
      expected: ({ stdout }) => expect(stdout.includes('"elbowroom-certificate/1"')).toBe(false),
    },
    {
      args: () => ['report', at('free.yaml'), motion],
      expected: ({ stdout }) => expect(stdout.includes('"elbowroom-certificate/1"')).toBe(true),
    },
  ],
  gate: [
    {
      args: () => {
        writeFileSync(at('proposal.jsonl'), JSON.stringify({ now: 0, points: read(motion).points.map(lateByLead) }));
        return ['gate', scene, at('proposal.jsonl'), '--deterministic'];
      },
      expected: ({ stdout }) => {
        expect(JSON.parse(stdout).verdict).toBe('trimmed');
        expect(JSON.parse(stdout).reason).toContain('constraint "lane" is violated');
      },
    },
  ],
  experiment: 'runs plan, see planMotion',
  serve: 'its methods have a table of their own',
  view: 'a page that calls planMotion, verifyCertificate and ConstraintSet in the browser',
  mcp: 'its tools call the methods of the service',
  demo: 'a scene of its own',
  convert: 'writes scenes',
  settle: 'moves no robot',
  fk: 'judges nothing',
  dynamics: 'judges nothing',
  scene: 'judges nothing',
  query: 'has no scene',
  robot: 'has no scene',
  schema: 'has no scene',
  init: 'has no scene',
  completion: 'has no scene',
};

test('the table has every command', () => {
  expect(Object.keys(table).sort()).toEqual(Object.keys(commands).sort());
});

describe('commands', () => {
  const runs = Object.entries(table).flatMap(([, given]) => (typeof given === 'string' ? [] : given));
  test.each(runs.map((run) => [() => run.args().join(' '), run] as const))(
    '%#',
    async (name, { args, input, expected }) => {
      const result = await elbowroom(args(), input === undefined ? {} : { input: `${input}\n` });
      expect(result.stderr, name()).not.toMatch(/\n\s+at /);
      await expected(result);
    },
  );
});

/** Parameters of a request in a session with the constraint, and its result; or why there is nothing to judge. */
const methods: Readonly<Record<string, readonly (readonly [() => object, (result: Answer) => void])[] | string>> = {
  validate: [
    [() => ({ q: MIDDLE }), ({ valid }) => expect(valid).toBe(false)],
    [() => ({ q: MIDDLE, details: true }), ({ constraints }) => expect(constraints).toEqual(['lane'])],
    [() => ({ states: [START, MIDDLE, GOAL] }), ({ valid }) => expect(valid).toEqual([true, false, true])],
  ],
  validate_motion: [
    [() => ({ from: START, to: GOAL }), ({ valid }) => expect(valid).toBe(false)],
    [() => ({ from: START, to: GOAL, details: true }), ({ constraints }) => expect(constraints).toEqual(['lane'])],
  ],
  ik: [
    [
      () => ({ pose: OUTSIDE, collision_free: true }),
      ({ solutions, reason }) => expect([solutions, reason]).toEqual([[], expect.stringMatching(/"lane"/)]),
    ],
  ],
  plan: [
    [() => ({ start: MIDDLE }), ({ status }) => expect(status).toBe('start-breaks-constraint')],
    [() => ({ goal: MIDDLE }), ({ status }) => expect(status).toBe('goal-breaks-constraint')],
  ],
  check: [[() => ({ trajectory: read(motion) }), ({ valid }) => expect(valid).toBe(false)]],
  verify: [
    [() => ({ trajectory: read(motion), certificate: read(proof) }), ({ proved }) => expect(proved).toBe(false)],
  ],
  repair: [[() => ({ trajectory: read(motion) }), ({ status }) => expect(status).toBe('repaired')]],
  recertify: [
    [
      () => ({ trajectory: read(motion), certificate: read(proof) }),
      ({ status, faults }) => expect([status, faults?.length]).toEqual(['out-of-limits', 1]),
    ],
  ],
  watch: [
    [
      () => ({ trajectory: read(motion), certificate: read(proof) }),
      ({ certified_until, faults }) => expect([certified_until, faults?.length]).toEqual([0, 1]),
    ],
  ],
  'gate.open': 'judges nothing',
  'gate.propose': [
    [
      () => ({ gate: 1, now: 0, points: read(motion).points.map(lateByLead) }),
      ({ verdict, reason }) => expect([verdict, reason]).toEqual(['trimmed', expect.stringContaining('"lane"')]),
    ],
  ],
  'gate.tick': 'judges what is committed again',
  'gate.state': 'judges nothing',
  'gate.close': 'judges nothing',
  dynamics: 'judges nothing',
  query: 'uses no scene',
  'watch.advance': 'reports what `watch` has proved',
  'watch.end': 'judges nothing',
  describe: 'judges nothing',
  clearance: 'a distance',
  fk: 'judges nothing',
  'scene.move': 'keeps the constraints of the session',
  'scene.add': 'keeps the constraints of the session',
  'scene.remove': 'keeps the constraints of the session',
  'scene.attach': 'keeps the constraints of the session',
  'scene.detach': 'keeps the constraints of the session',
  'scene.reset': 'keeps the constraints of the session',
};

interface Answer {
  readonly valid?: boolean | readonly boolean[];
  readonly constraints?: readonly string[];
  readonly solutions?: readonly unknown[];
  readonly reason?: string;
  readonly status?: string;
  readonly verdict?: string;
  readonly proved?: boolean;
  readonly faults?: readonly string[];
  readonly certified_until?: number | null;
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** Returns a point of a trajectory on the clock of a gate that begins at 0, late enough for its lead. */
const lateByLead = ({ time_from_start: time, ...point }: { readonly time_from_start: number }) => ({
  ...point,
  time: time + 0.1,
});

test('methods of the service', async () => {
  expect(Object.keys(methods).sort()).toEqual(Object.keys(serviceMessages).sort());
  const asked = Object.entries(methods).flatMap(([method, cases]) =>
    typeof cases === 'string' ? [] : cases.map(([params, expected]) => ({ method, params, expected })),
  );
  const move = { method: 'scene.move', params: { name: 'box', xyz: [0, 0, 1.7] } };
  const requests = [
    move,
    { method: 'gate.open', params: {} },
    ...asked.map(({ method, params }) => ({ method, params: params() })),
  ];
  const input = requests.map((one, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...one })}\n`).join('');
  const { stdout } = await elbowroom(['serve', scene, '--stdio'], { input });
  const answers = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ id, result, error }) => [id, result ?? error]),
  );
  for (const [k, { method, expected }] of asked.entries()) {
    const answer = answers.get(k + 2);
    expect(answer, method).toBeDefined();
    expected(answer as Answer);
  }
});
