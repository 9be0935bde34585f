import { describe, expect, test } from 'vitest';
import { schema } from '../../src/formats/schema.ts';
import { serviceMessages } from '../../src/formats/serviceMessages.ts';
import { forwardKinematics, RobotState } from '../../src/kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../../src/kinematics/pose.ts';
import { Random } from '../../src/math/random.ts';
import { loadScene } from '../../src/node/files.ts';
import { Service, type Session } from '../../src/service/service.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { StateValidityChecker } from '../../src/tasks/stateValidityChecker.ts';

const { scene, robot } = await loadScene('scenes/shelf.yaml');
const model = createSceneRobot({ scene, robot });
const serviceWith = (limits = {}) => new Service({ robot: model, scene, version: '0', limits });
const service = serviceWith();
const checker = new StateValidityChecker(model, scene);
const free = [-0.558, -0.925, 1.257, -0.314, 1.012, 1.571];

interface Answer {
  readonly id?: unknown;
  // What a method answers is held against its schema by `call`.
  readonly result?: Record<string, never>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly note: string } };
}

async function ask(session: Session, message: unknown): Promise<Answer & Answer[]> {
  return JSON.parse(await session.answer(typeof message === 'string' ? message : JSON.stringify(message)));
}

/** Asks one question; its result is as the schema says. */
async function call(session: Session, method: keyof typeof serviceMessages, params: object = {}): Promise<Answer> {
  const answer = await ask(session, { jsonrpc: '2.0', id: 7, method, params });
  expect(answer.id).toBe(7);
  if (answer.result) serviceMessages[method].result.parse(answer.result);
  return answer;
}

const open = (of = service) => of.openSession()!;

function drawn(random: Random): number[] {
  return Array.from(checker.lower, (low, i) => random.between(low, checker.upper[i]));
}

describe('questions', () => {
  const random = new Random(2);
  const states = Array.from({ length: 80 }, () => drawn(random));

  test('states are valid where the checker in this process says so, one by one, many at once and with details', async () => {
    const session = open();
    const expected = states.map((q) => checker.isValid(q));
    expect(new Set(expected).size).toBe(2);
    expect((await call(session, 'validate', { states })).result).toEqual({ valid: expected });
    for (const [i, q] of states.slice(0, 20).entries()) {
      expect((await call(session, 'validate', { q })).result).toEqual({ valid: expected[i] });
      const { result } = await call(session, 'validate', { q, details: true });
      expect(result).toMatchObject({ valid: expected[i], limits: [] });
      expect((result!.collisions as unknown[]).length).toBe(expected[i] ? 0 : 1);
    }
    const outside = [...free.slice(0, 5), 9];
    expect((await call(session, 'validate', { q: outside, details: true })).result).toMatchObject({
      valid: false,
      limits: ['wrist_3_joint'],
    });
  });

  test('motions are valid where they are proved, and have a first contact where they are not', async () => {
    const session = open();
    const motions = states
      .slice(1)
      .map((q, i) => [states[i], q.map((x, k) => states[i][k] + 0.2 * (x - states[i][k]))]);
    const expected = motions.map(([from, to]) => checker.isValidMotion(from, to));
    expect(new Set(expected).size).toBe(2);
    expect((await call(session, 'validate_motion', { motions })).result).toEqual({ valid: expected });
    const { result } = await call(session, 'validate_motion', { motions, details: true });
    for (const [i, answer] of (result!.answers as Record<string, unknown>[]).entries()) {
      const { contact, verdict } = checker.judgeMotion(motions[i][0], motions[i][1]);
      expect(answer).toMatchObject({ valid: expected[i], verdict });
      expect(answer.contact).toEqual(
        contact && { pair: contact.pair, free_until: contact.freeUntil, time: contact.time },
      );
    }
    const [from, to] = motions[0];
    expect((await call(session, 'validate_motion', { from, to })).result).toEqual({ valid: expected[0] });
  });

  test('clearance and gradient, and link poses, are those of the library', async () => {
    const session = open();
    const { result } = await call(session, 'clearance', { states: states.slice(0, 9), gradient: true });
    for (const [i, answer] of (result!.answers as object[]).entries())
      expect(answer).toEqual(checker.clearance(states[i], { gradient: true }));
    expect((await call(session, 'clearance', { q: free })).result).toEqual(checker.clearance(free));
    const state = new RobotState(model);
    forwardKinematics(state, Float64Array.from(free));
    const links = Object.fromEntries(
      model.links.map(({ name, index }) => [name, poseOfTransform(state.T_world_link[index])]),
    );
    expect((await call(session, 'fk', { q: free })).result).toEqual({ links });
    expect((await call(session, 'fk', { states: [free], links: ['tool0'] })).result).toEqual({
      answers: [{ links: { tool0: links['tool0'] } }],
    });
  });

  test('describe says what a client needs, and its start is a state that validate takes', async () => {
    const session = open();
    const { result } = await call(session, 'describe');
    expect(result).toMatchObject({ scene: 'shelf', robot: 'ur5e', padding: 0, methods: Object.keys(serviceMessages) });
    expect((result!.joints as { name: string }[]).map(({ name }) => name)).toEqual(checker.joints);
    expect((await call(session, 'validate', { q: result!.start })).result).toEqual({ valid: true });
    expect((await call(session, 'validate', { q: result!.goal })).result).toEqual({ valid: true });
  });
});

describe('a session changes its own scene', () => {
  const cup = { name: 'cup', type: 'cylinder', radius: 0.03, length: 0.1 };
  const names = (answer: Answer) => answer.result as unknown as { obstacles: string[]; attached: string[] };

  test('an obstacle moved into the arm hits it, in this session alone, until the reset', async () => {
    const [one, other] = [open(), open()];
    await call(one, 'scene.move', { name: 'board_1', pose: { xyz: [0.3, 0, 0.4] } });
    expect((await call(one, 'validate', { q: free, details: true })).result).toMatchObject({
      valid: false,
      collisions: [['forearm_link', 'board_1']],
    });
    expect((await call(other, 'validate', { q: free })).result).toEqual({ valid: true });
    await call(one, 'scene.reset');
    expect((await call(one, 'validate', { q: free })).result).toEqual({ valid: true });
  });

  test('after any changes the answers are those of a scene that was made so from the beginning', async () => {
    const session = open();
    const random = new Random(4);
    await call(session, 'scene.add', { body: { ...cup, pose: { xyz: [0.4, 0.4, 0.3], rpy: [0.3, 0, 0] } } });
    await call(session, 'scene.add', {
      body: {
        name: 'tool',
        type: 'box',
        size: [0.04, 0.04, 0.2],
        link: 'tool0',
        pose: { xyz: [0, 0, 0.12] },
        touches: ['wrist_3_link'],
      },
    });
    await call(session, 'scene.move', { name: 'jar', pose: { xyz: [0.5, -0.3, 0.2] } });
    expect(names(await call(session, 'scene.remove', { name: 'board_2' })).obstacles).not.toContain('board_2');
    const half = Math.sin(0.15);
    const changed = {
      ...scene,
      obstacles: [
        ...scene.obstacles
          .filter(({ name }) => name !== 'board_2')
          .map((body) =>
            body.name === 'jar' ? { ...body, pose: { xyz: [0.5, -0.3, 0.2], quat_wxyz: [1, 0, 0, 0] } as const } : body,
          ),
        {
          name: 'cup',
          parts: [{ shape: { type: 'cylinder', radius: 0.03, length: 0.1 } }],
          pose: { xyz: [0.4, 0.4, 0.3], quat_wxyz: [Math.sqrt(1 - half * half), half, 0, 0] } as const,
        },
      ],
      attached: [
        {
          name: 'tool',
          link: 'tool0',
          touches: ['wrist_3_link'],
          parts: [{ shape: { type: 'box', size: [0.04, 0.04, 0.2] } }],
          pose: { xyz: [0, 0, 0.12], quat_wxyz: [1, 0, 0, 0] } as const,
        },
      ],
    };
    const fresh = new StateValidityChecker(model, changed);
    let same = 0;
    for (let i = 0; i < 60; i++) {
      const q = drawn(random);
      const { result } = await call(session, 'clearance', { q });
      expect(result!.distance).toBeCloseTo(fresh.clearance(q).distance, 9);
      expect((await call(session, 'validate', { q })).result).toEqual({ valid: fresh.isValid(q) });
      if (checker.clearance(q).distance === fresh.clearance(q).distance) same++;
    }
    expect(same).toBeLessThan(60); // the changes mattered
  });

  test('a body taken up moves with the link, and put down it stays: three clearances from one pose', async () => {
    const session = open();
    const pose = { xyz: [0.5, 0.1, 0.8], rpy: [0.2, 0.1, 0.4] };
    const posed = async () => {
      const { obstacles, attached } = (await call(session, 'describe')).result as unknown as {
        obstacles: { name: string; pose: { xyz: number[]; quat_wxyz: number[] } }[];
        attached: { name: string; link: string; pose: { xyz: number[]; quat_wxyz: number[] } }[];
      };
      return [...obstacles, ...attached].find((body) => body.name === 'cup')!.pose;
    };
    await call(session, 'scene.add', { body: { ...cup, pose } });
    const before = await posed();
    const clear = (await call(session, 'clearance', { q: free })).result!;
    expect(names(await call(session, 'scene.attach', { name: 'cup', link: 'tool0', q: free })).attached).toEqual([
      'cup',
    ]);
    const turned = [...free.slice(0, 5), free[5] + 1];
    expect(names(await call(session, 'scene.detach', { name: 'cup', q: free })).attached).toEqual([]);
    const after = await posed();
    for (const key of ['xyz', 'quat_wxyz'] as const)
      for (const [i, x] of after[key].entries()) expect(x).toBeCloseTo(before[key][i], 12);
    expect((await call(session, 'clearance', { q: free })).result!.distance).toBeCloseTo(clear.distance, 9);
    await call(session, 'scene.attach', { name: 'cup', link: 'tool0', q: free });
    await call(session, 'scene.detach', { name: 'cup', q: turned });
    expect((await posed()).xyz[0]).not.toBeCloseTo(before.xyz[0], 3);
  });

  test.each([
    ['scene.move', { name: 'bord_1', pose: {} }, /no body that can be changed "bord_1"/, 'Did you mean "board_1"?'],
    ['scene.remove', { name: 'tool0' }, /no body that can be changed "tool0"/, ''],
    ['scene.add', { body: { ...cup, name: 'jar' } }, /the name "jar" is taken/, ''],
    ['scene.add', { body: { ...cup, name: 'forearm_link' } }, /is taken by another body \(link\)/, ''],
    ['scene.add', { body: { ...cup, radius: -1 } }, /radius is -1/, ''],
    [
      'scene.add',
      { body: { ...cup, type: 'cilinder' } },
      /params.body.type: it is "cilinder"/,
      'Did you mean "cylinder"?',
    ],
    ['scene.add', { body: { ...cup, link: 'tool1' } }, /there is no body "tool1"/, 'Did you mean "tool0"?'],
    ['scene.add', { body: { ...cup, pose: { xyz: [0, 0] } } }, /params.body.pose.xyz: it has 2 values/, ''],
    ['scene.add', { body: { ...cup, pose: { quat_wxyz: [0, 0, 0, 0] } } }, /which is no rotation/, ''],
    [
      'scene.add',
      { body: { ...cup, pose: { rpy: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } } },
      /rpy and quat_wxyz/,
      'Give one',
    ],
    ['scene.add', { body: { ...cup, link: 'tool0', touches: ['nobody'] } }, /there is no body "nobody"/, ''],
    ['scene.attach', { name: 'jar', link: 'tool0' }, /where\?/, 'Give `pose`, or `q`'],
    ['scene.attach', { name: 'jar', link: 'elbow', pose: {} }, /there is no body "elbow"/, ''],
    ['scene.attach', { name: 'jar', link: 'elbow', q: free }, /there is no link "elbow"/, ''],
    ['scene.detach', { name: 'jar', pose: {} }, /no carried body "jar"/, ''],
  ] as const)('%s %j is refused, and nothing changes', async (method, params, message, note) => {
    const session = open();
    const { scene: before } = { scene: session.scene.current };
    const { error } = await call(session, method, params);
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
    expect(error!.data?.note ?? '').toContain(note);
    expect(session.scene.current).toBe(before);
  });

  test('allowed pairs of a body that is taken away wait for it', async () => {
    const loaded = await loadScene('scenes/table-top.yaml');
    const own = new Service({ robot: createSceneRobot(loaded), scene: loaded.scene, version: '0' });
    const session = own.openSession()!;
    const table = loaded.scene.obstacles.find(({ name }) => name === 'table')!;
    const q = (await call(session, 'describe')).result!.start;
    await call(session, 'scene.remove', { name: 'table' });
    expect((await call(session, 'validate', { q })).result).toEqual({ valid: true });
    const body = { name: 'table', ...table.parts[0].shape, pose: table.pose };
    await call(session, 'scene.add', { body });
    expect((await call(session, 'validate', { q, details: true })).result).toMatchObject({ valid: true });
  });
});

describe('bad messages get an error that says what is wrong', () => {
  const code = { parse: -32700, request: -32600, method: -32601, params: -32602, large: -32001, time: -32002 };

  test.each([
    ['nonsense', code.parse, null],
    ['{"jsonrpc": "2.0", "id": 1', code.parse, null],
    ['[]', code.request, null],
    ['5', code.request, null],
    ['null', code.request, null],
    ['{}', code.request, null],
    ['{"jsonrpc":"1.0","id":4,"method":"describe"}', code.request, 4],
    ['{"jsonrpc":"2.0","id":4}', code.request, 4],
    ['{"jsonrpc":"2.0","id":"a","method":"validat"}', code.method, 'a'],
    ['{"jsonrpc":"2.0","id":1,"method":"__proto__"}', code.method, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"toString"}', code.method, 1],
    ['{"jsonrpc":"2.0","id":{"deep":1},"method":"validate","params":{}}', code.params, null],
    ['{"jsonrpc":"2.0","id":1,"method":"validate","params":[1]}', code.params, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"validate","params":{}}', code.params, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"validate","params":{"q":[1,2,3]}}', code.params, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"validate","params":{"q":[1,2,3,4,5,1e999]}}', code.params, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"validate","params":{"q":[1,2,3,4,5,null]}}', code.params, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"validate","params":{"q":[0,0,0,0,0,0],"states":[]}}', code.params, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"validate","params":{"Q":[0,0,0,0,0,0]}}', code.params, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"validate_motion","params":{"from":[0,0,0,0,0,0]}}', code.params, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"validate_motion","params":{"motions":[[[0,0,0,0,0,0]]]}}', code.params, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"fk","params":{"q":[0,0,0,0,0,0],"links":["tool1"]}}', code.params, 1],
  ])('%s', async (text, expected, id) => {
    const answer = await ask(open(), text);
    expect(answer).toMatchObject({ jsonrpc: '2.0', id, error: { code: expected } });
    expect(answer).not.toHaveProperty('result');
  });

  test('nesting without end is an answer like any other', async () => {
    for (const deep of [
      '['.repeat(1e6) + ']'.repeat(1e6),
      `{"jsonrpc":"2.0","id":1,"method":"validate","params":{"q":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`,
    ]) {
      const { error } = await ask(open(), deep).then((answer) => (Array.isArray(answer) ? answer[0] : answer));
      expect(error!.code).toBeLessThan(0);
    }
  });

  test('notifications get no answer; arrays get one for each request that wants one, in order', async () => {
    const session = open();
    expect(await session.answer('{"jsonrpc":"2.0","method":"describe"}')).toBe('');
    expect(await session.answer('{"jsonrpc":"2.0","method":"validat"}')).toBe('');
    const request = (id: number | undefined, params: object) => ({ jsonrpc: '2.0', id, method: 'validate', params });
    const answers = await ask(session, [
      request(3, { q: free }),
      request(undefined, { q: free }),
      1,
      request(1, { q: [] }),
    ]);
    expect(answers.map(({ id, result, error }) => [id, result ?? error?.code])).toEqual([
      [3, { valid: true }],
      [null, code.request],
      [1, code.params],
    ]);
    expect(await session.answer(JSON.stringify([request(undefined, { q: free })]))).toBe('');
  });

  test('what is more than the limits allow is refused, and the next message answered', async () => {
    const own = serviceWith({ batch: 3, states: 4, answer: 300, bodies: scene.obstacles.length + 1, memory: 300 });
    const session = open(own);
    const request = { jsonrpc: '2.0', id: 1, method: 'validate', params: { q: free } };
    expect((await ask(session, [request, request, request, request])).error!.code).toBe(code.large);
    expect((await call(session, 'validate', { states: Array(5).fill(free) })).error!.message).toMatch(/more than 4/);
    expect((await call(session, 'fk', { states: [free, free] })).error!.message).toMatch(/longer than 300 characters/);
    const long = { ...request, method: 'describe', params: {} };
    const answers = await ask(session, [request, long, request]);
    expect(answers.map(({ error }) => error?.code)).toEqual([undefined, code.large, undefined]);
    const points = Array.from({ length: 100 }, (_, i) => [i, i * i, 0]);
    expect((await call(session, 'scene.add', { body: { name: 'big', type: 'convex', points } })).error!.code).toBe(
      code.large,
    );
    const ball = (name: string) => ({ body: { name, type: 'sphere', radius: 0.01, pose: { xyz: [0, 0, 5] } } });
    expect((await call(session, 'scene.add', ball('a'))).error).toBeUndefined();
    expect((await call(session, 'scene.add', ball('b'))).error!.message).toMatch(/bodies, more are not taken/);
    expect(own.memory.taken).toBeGreaterThan(0);
    session.close();
    expect(own.memory.taken).toBe(0);
    expect((await ask(open(own), request)).result).toEqual({ valid: true });
  });

  test('a question that takes too long ends with an error, and those that a client leaves behind end too', async () => {
    const own = serviceWith({ time: 0.05 });
    const motions = Array(20_000).fill([free, free.map((x) => x + 1)]);
    const text = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'validate_motion',
      params: { motions, details: true },
    });
    expect((await ask(open(own), text)).error!.code).toBe(code.time);
    const session = open();
    const answer = ask(session, text);
    session.close();
    expect((await answer).error!.code).toBe(code.time);
  });

  test('only so many sessions at a time, and messages without a session change nothing', async () => {
    const own = serviceWith({ sessions: 2 });
    const [first, second, third] = [own.openSession(), own.openSession(), own.openSession()];
    expect([first, second, third].map((session) => session !== undefined)).toEqual([true, true, false]);
    first!.close();
    first!.close();
    expect([own.openSession(), own.openSession()].map((session) => session !== undefined)).toEqual([true, false]);
    const shared = own.sharedSession();
    expect((await call(shared, 'validate', { q: free })).result).toEqual({ valid: true });
    expect((await call(shared, 'scene.reset')).error!.message).toMatch(/needs a session/);
  });
});

test('a long question holds up nobody: short ones of others are answered while it runs, its own successors after it', async () => {
  const [one, other] = [open(), open()];
  const motions = Array(3000).fill([free, free.map((x) => x + 0.3)]);
  const request = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const order: string[] = [];
  const long = Promise.resolve(one.answer(request('validate_motion', { motions }))).then(() => order.push('long'));
  const after = Promise.resolve(one.answer(request('validate', { q: free }))).then(() => order.push('after'));
  const short = Promise.resolve(other.answer(request('validate', { q: free }))).then(() => order.push('short'));
  await Promise.all([long, after, short]);
  expect(order).toEqual(['short', 'long', 'after']);
});

test('sessions beyond the checkers that are kept get the same answers, each about its own scene', async () => {
  const own = serviceWith({ checkers: 2 });
  const sessions = Array.from({ length: 5 }, () => open(own));
  for (const [i, session] of sessions.entries())
    await call(session, 'scene.add', {
      body: { name: 'ball', type: 'sphere', radius: 0.1, pose: { xyz: [0, 0, 1.5 + i] } },
    });
  for (const round of [0, 1])
    for (const [i, session] of sessions.entries()) {
      const { obstacles } = (await call(session, 'describe')).result as unknown as {
        obstacles: { pose: { xyz: number[] } }[];
      };
      expect(obstacles.at(-1)!.pose.xyz[2], `round ${round}`).toBe(1.5 + i);
      expect((await call(session, 'validate', { q: free })).result).toEqual({ valid: true });
    }
});

test('the schema of the messages takes what the service takes, and names every method', async () => {
  const { $defs, title } = (await schema('service')) as {
    title: string;
    $defs: Record<string, Record<string, unknown>>;
  };
  expect(title).toBe('elbowroom-service/1');
  const requests = $defs['request'].oneOf as { title: string; properties: { params: { $ref: string } } }[];
  expect(requests.map((request) => request.title)).toEqual(Object.keys(serviceMessages));
  for (const { properties } of requests)
    expect($defs).toHaveProperty([properties.params.$ref.slice('#/$defs/'.length)]);
  expect($defs['validate.params']).toMatchObject({
    type: 'object',
    additionalProperties: false,
    properties: { states: { type: 'array', items: { type: 'array', items: { type: 'number' } } } },
  });
});
