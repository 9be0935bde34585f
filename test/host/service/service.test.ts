import { describe, expect, test } from 'vitest';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../../../src/core/kinematics/pose.ts';
import { Random } from '../../../src/core/math/random.ts';
import { schema } from '../../../src/formats/schemas/jsonSchema.ts';
import { serviceMessages } from '../../../src/formats/schemas/serviceMessages.ts';
import { ask, call, checker, drawn, free, model, open, scene, serviceWith, sessionsWith } from './shelf.ts';

describe('questions', () => {
  const random = new Random(2);
  const states = Array.from({ length: 80 }, () => drawn(random));

  test('states have the verdicts of the checker in this process, one by one, many at once and with details', async () => {
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

  test('describe returns what a client needs, and its start is a state that validate accepts', async () => {
    const session = open();
    const { result } = await call(session, 'describe');
    expect(result).toMatchObject({ scene: 'shelf', robot: 'ur5e', padding: 0, methods: Object.keys(serviceMessages) });
    expect((result!.joints as { name: string }[]).map(({ name }) => name)).toEqual(checker.joints);
    expect((await call(session, 'validate', { q: result!.start })).result).toEqual({ valid: true });
    expect((await call(session, 'validate', { q: result!.goal })).result).toEqual({ valid: true });
  });
});

describe('invalid messages get an error that names the problem', () => {
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
    ['{"jsonrpc":"2.0","id":{"deep":1},"method":"validate","params":{}}', code.request, null],
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

  test('endless nesting returns an error like any other', async () => {
    for (const deep of [
      '['.repeat(1e6) + ']'.repeat(1e6),
      `{"jsonrpc":"2.0","id":1,"method":"validate","params":{"q":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`,
    ]) {
      const { error } = await ask(open(), deep).then((answer) => (Array.isArray(answer) ? answer[0] : answer));
      expect(error!.code).toBeLessThan(0);
    }
  });

  test('notifications get no response; arrays get one for each request, in order', async () => {
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

  test('messages beyond the limits are refused, and the next one is processed', async () => {
    const own = sessionsWith({ batch: 3, states: 4, answer: 300, bodies: scene.obstacles.length + 1, objects: 3000 });
    const session = open(own);
    const request = { jsonrpc: '2.0', id: 1, method: 'validate', params: { q: free } };
    expect((await ask(session, [request, request, request, request])).error!.code).toBe(code.large);
    expect((await call(session, 'validate', { states: Array(5).fill(free) })).error!.message).toMatch(
      /the limit is 4$/,
    );
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
    expect((await call(session, 'scene.add', ball('b'))).error!.message).toMatch(/objects, which is the limit/);
    expect(own.takenMemory).toBeGreaterThan(0);
    session.close();
    expect(own.takenMemory).toBe(0);
    expect((await ask(open(own), request)).result).toEqual({ valid: true });
  });

  test('a question that takes too long ends with an error, and those that a client leaves behind end too', async () => {
    const own = sessionsWith({ time: 0.05 });
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

test('a long request does not delay short ones of other sessions; those of its own session follow it', async () => {
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

test('sessions beyond the number of cached checkers get the same results, each for its own scene', async () => {
  const own = sessionsWith({ checkers: 2 });
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
