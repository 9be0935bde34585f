import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { createMcpServer } from '../../../src/host/service/mcp/stdioServer.ts';
import { checker, free, hit, scene, serviceWith } from './shelf.ts';

// The client of the official package, in memory.

const isInstalled = existsSync('node_modules/@modelcontextprotocol/sdk');
if (!isInstalled) console.log('@modelcontextprotocol/sdk is not installed: mcp is not tested');

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: Record<string, never>;
}

async function connected() {
  const load = async (path: string) => await import(`@modelcontextprotocol/sdk/${path}.js` as string);
  const [{ Client }, { InMemoryTransport }] = [await load('client/index'), await load('inMemory')];
  const service = serviceWith();
  const server = await createMcpServer(service);
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'agent', version: '0' });
  await Promise.all([server.connect(theirs), client.connect(mine)]);
  const call = async (name: string, args: object = {}): Promise<Result> => client.callTool({ name, arguments: args });
  const close = async () => {
    await client.close();
    await service.close();
  };
  return { client, call, close };
}

/** Returns the state after the last colon of a text. */
const stateIn = (text: string) => text.split(': ').at(-1)!.split(', ').map(Number);

test.runIf(isInstalled)('an agent gets pair, time and a valid state nearby in words', async () => {
  const { client, call, close } = await connected();
  const { tools } = await client.listTools();
  const names = tools.map((tool: { name: string }) => tool.name);
  expect(names).toEqual(['plan', 'check', 'repair', 'ik', 'describe', 'validate']);
  expect(tools[1].inputSchema.required).toEqual(['trajectory']);
  const [{ text: about }] = (await call('describe')).content;
  expect(about).toContain(
    `Start: ${Array.from(checker.robot.variables, (_, i) => (scene.start as number[])[i]).join(', ')}`,
  );

  const bad = await call('validate', { q: hit });
  expect(bad.content[0].text).toMatch(/^not valid: .* and .* collide/);
  expect(checker.isValid(stateIn(bad.content[0].text))).toBe(true);
  expect(bad.structuredContent).toMatchObject({ valid: false });
  expect((await call('validate', { states: [free, hit] })).content[0].text).toMatch(
    /^state 0: valid\nstate 1: not valid/,
  );

  const joint_names = checker.joints;
  const points = [free, hit].map((positions, i) => ({ positions, time_from_start: 9 * i }));
  const collides = (await call('check', { trajectory: { joint_names, points } })).content[0].text;
  const [, a, b, time] = /(\w+) and (\w+) collide.*At time ([\d.]+) the state is/.exec(collides)!;
  expect([a, b].every((name) => [...checker.robot.links, ...scene.obstacles].some((one) => one.name === name))).toBe(
    true,
  );
  const q = new Float64Array(6);
  new TrajectoryCurve({ jointNames: joint_names, points }).position(q, Number(time));
  expect(checker.isValid(q)).toBe(false);
  expect(checker.isValid(stateIn(collides))).toBe(true);

  const planned = await call('plan', { seed: 2 });
  expect(planned.content[0].text).toMatch(/^solved: a certified motion of \d+ points$/);
  const { trajectory } = planned.structuredContent;
  expect((await call('check', { trajectory })).content[0].text).toMatch(/^valid: certified/);
  expect((await call('repair', { trajectory })).content[0].text).toMatch(/^good: /);
  expect((await call('ik', { pose: { xyz: [9, 9, 9] } })).content[0].text).toMatch(/^no solution: /);
  await close();
});

test.runIf(isInstalled)('wrong parameters and unknown tools are results that state how to correct them', async () => {
  const { call, close } = await connected();
  const short = await call('validate', { q: [1] });
  expect([short.isError, short.content[0].text]).toEqual([true, expect.stringMatching(/params\.q: it has 1 values/)]);
  const unknown = await call('check', { trajektory: {} });
  expect(unknown.content[0].text).toMatch(/trajektory/);
  const none = await call('fly');
  expect([none.isError, none.content[0].text]).toEqual([true, expect.stringMatching(/no tool "fly"/)]);
  await close();
});
