import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { cases, isLong } from '../../cases.ts';
import { bin, posts, root, temporaryFolder } from './run.ts';
import { elbowroom } from './runHere.ts';

const folder = temporaryFolder();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A service that has said where it listens; `ended` promises how it ended. */
async function serve(...args: string[]) {
  const child = spawn(process.execPath, [bin, 'serve', ...args]);
  children.push(child);
  let talk = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    talk += text;
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const addresses = () => [...talk.matchAll(/^serving \w+ on (\S+)$/gm)].map(([, address]) => address);
  const asked = args.filter((word) => word === '--socket' || word === '--port').length;
  while (addresses().length < asked) {
    if (child.exitCode !== null) throw new Error(`it ended at once: ${talk}`);
    await Promise.race([once(child.stderr, 'data'), ended]);
  }
  return { child, ended, addresses: addresses() };
}

/** One message, one answer. */
async function ask(path: string, text: string): Promise<string> {
  const socket = net.connect(path);
  socket.end(`${text}\n`);
  let answer = '';
  socket.on('data', (part) => {
    answer += String(part);
  });
  socket.on('error', () => {}); // who is sent away may be so before the question is out
  await new Promise((resolve) => socket.on('close', resolve));
  return answer;
}

const question = '{"jsonrpc":"2.0","id":1,"method":"validate","params":{"q":[1,0]}}';
const yes = '{"jsonrpc":"2.0","id":1,"result":{"valid":true}}\n';

const CLIENTS = cases(1000);

describe('serve', () => {
  test.runIf(isLong)('--warm plans and judges proposals first and says how often; results stay the same', async () => {
    const points = [0.1, 0.2, 0.4].map((time) => ({ time, positions: [1, time - 0.1] }));
    const messages = [
      { method: 'plan', params: { seed: 5 } },
      { method: 'gate.open' },
      { method: 'gate.propose', params: { gate: 1, now: 0, points } },
    ].map((message, id) => JSON.stringify({ jsonrpc: '2.0', id, ...message }));
    const resultsWith = async (...options: string[]) => {
      const { stdout, stderr } = await elbowroom(['serve', posts, '--stdio', '--jobs', '2', ...options], {
        input: messages.join('\n'),
      });
      const answers = stdout.split('\n').filter((line) => line.startsWith('{"jsonrpc":"2.0","id"'));
      const [{ trajectory }, opened, answer] = answers.map((line) => JSON.parse(line).result);
      return { results: [trajectory, opened, answer], stderr };
    };
    const { results, stderr } = await resultsWith('--warm');
    const [, plans, proposals] = /^warmed up by (\d+) plans and (\d+) proposals to a gate in [\d.]+ s$/m.exec(stderr)!;
    expect(Math.min(Number(plans), Number(proposals))).toBeGreaterThanOrEqual(2);
    expect(results[0].points.length).toBeGreaterThan(1);
    expect(results[1]).toMatchObject({ gate: 1 });
    expect(results[2].verdict).toBeDefined();
    expect(results).toEqual((await resultsWith()).results);
  });

  test('--stdio responds line by line, and ends with stdin', async () => {
    const input = `${question}\n{"jsonrpc":"2.0","id":2,"method":"validat"}\n${question}`;
    expect(await elbowroom(['serve', posts, '--stdio'], { input })).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      stdout: [
        yes,
        '{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"there is no method \\"validat\\"","data":{"note":"Did you mean \\"validate\\"? ',
        'Use one of: describe, validate, validate_motion, clearance, fk, ik, dynamics, query, scene.move, scene.add, scene.remove, scene.attach, scene.detach, scene.reset, gate.open, gate.propose, gate.tick, gate.state, gate.close, plan, …."}}}\n',
        yes,
      ].join(''),
    });
  });

  test('a socket and a port at once; SIGTERM ends it with 0, Ctrl-C with 130, and the socket is gone', async () => {
    for (const [signal, code] of [
      ['SIGTERM', 0],
      ['SIGINT', 130],
    ] as const) {
      const path = join(folder, `${signal}.sock`);
      const { child, ended, addresses } = await serve(posts, '--socket', path, '--port', '0');
      expect(addresses).toEqual([`unix:${path}`, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)]);
      expect(await ask(path, question)).toBe(yes);
      expect(await (await fetch(`${addresses[1]}/healthz`)).json()).toEqual({ status: 'ok' });
      child.kill(signal);
      expect(await ended).toBe(code);
      expect(existsSync(path)).toBe(false);
    }
  });

  test('a request received before Ctrl-C gets its response', async () => {
    const path = join(folder, 'finish.sock');
    const { child, ended, addresses } = await serve(posts, '--socket', path, '--port', '0');
    const motions = Array(10_000).fill([
      [1, 0],
      [2, 1],
    ]);
    const answer = ask(path, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'validate_motion', params: { motions } }));
    const isUnderWay = async () =>
      /^elbowroom_under_way 1$/m.test(await (await fetch(`${addresses[1]}/metrics`)).text());
    while (!(await isUnderWay()));
    child.kill('SIGINT');
    expect(JSON.parse(await answer).result.valid).toHaveLength(10_000);
    expect(await ended).toBe(130);
  });

  test('the socket of a service that was killed is taken over; that of one that lives is not', async () => {
    const path = join(folder, 'again.sock');
    const killed = await serve(posts, '--socket', path);
    const refused = await elbowroom(['serve', posts, '--socket', path]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('another service listens there');
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(existsSync(path)).toBe(true);
    await serve(posts, '--socket', path);
    expect(await ask(path, question)).toBe(yes);
  });

  test('a line of a gigabyte is refused, memory stays bounded, and others are served meanwhile', async () => {
    const path = join(folder, 'giga.sock');
    const { addresses } = await serve(posts, '--socket', path, '--port', '0');
    const residentMiB = async () =>
      Number(/^elbowroom_resident_bytes (\d+)/m.exec(await (await fetch(`${addresses[1]}/metrics`)).text())![1]) /
      2 ** 20;
    const before = await residentMiB();
    const socket = net.connect(path);
    let answers = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answers += text;
    });
    const piece = Buffer.alloc(2 ** 20, '[');
    for (let i = 0; i < 1024; i++) {
      if (!socket.write(piece)) await once(socket, 'drain');
      if (i % 128 === 100) {
        expect(await ask(path, question)).toBe(yes);
        expect((await residentMiB()) - before).toBeLessThan(150);
      }
    }
    socket.end(`\n${question}\n`);
    await once(socket, 'close');
    expect(answers).toMatch(
      /^\{"jsonrpc":"2.0","id":null,"error":\{"code":-32001,"message":"a message of more than 8388608 bytes[^\n]*\n/,
    );
    expect(answers.split('\n').slice(1)).toEqual([yes.trimEnd(), '']);
  });

  /** Opens a connection; tries again while the kernel's queue of pending connections is full (EAGAIN). */
  async function connected(path: string): Promise<net.Socket> {
    for (;;) {
      const socket = net.connect(path);
      try {
        await once(socket, 'connect');
        return socket;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        await sleep(5);
      }
    }
  }

  test('many concurrent clients, each with its own scene, all get responses; one more is rejected with an error', async () => {
    const path = join(folder, 'many.sock');
    const { addresses } = await serve(posts, '--socket', path, '--port', '0', '--sessions', `${CLIENTS}`);
    const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => connected(path)));
    const answers = sockets.map(async (socket) => {
      let text = '';
      socket.setEncoding('utf8');
      while (text.split('\n').length < 4) text += String((await once(socket, 'data'))[0]);
      return text;
    });
    for (const [i, socket] of sockets.entries()) {
      const ball = { name: `ball${i}`, type: 'sphere', radius: 0.1, pose: { xyz: [0, 0, 2 + i] } };
      const add = { jsonrpc: '2.0', id: i, method: 'scene.add', params: { body: ball } };
      socket.write(`${question}\n${JSON.stringify(add)}\n${question}\n`);
    }
    for (const [i, text] of (await Promise.all(answers)).entries()) {
      const [first, second, third] = text.split('\n');
      expect(first).toBe(yes.trimEnd());
      expect(JSON.parse(second).result.obstacles.at(-1)).toBe(`ball${i}`);
      expect(third).toBe(yes.trimEnd());
    }
    expect(await ask(path, question)).toMatch(/too many clients/);
    const metrics = await (await fetch(`${addresses[1]}/metrics`)).text();
    expect(metrics).toContain(`elbowroom_sessions ${CLIENTS}\n`);
    for (const socket of sockets) socket.destroy();
    let last = '';
    for (let i = 0; i < 100 && last !== yes; i++) last = await ask(path, question);
    expect(last).toBe(yes);
  });

  test.each([
    [[], 'serve: no transport is given'],
    [['--port', '0', '--host', '0.0.0.0'], '--host 0.0.0.0: other machines could connect'],
    [['--port', '99999'], '--port is "99999"'],
    [['--stdio', '--body', '90'], '--memory 64 is less than --body 90'],
    [['--sokcet', 'x'], 'Did you mean --socket?'],
    [['--socket', posts], 'there is a file of that name'],
  ])('%j is refused in a line', async (args, message) => {
    const { code, stdout, stderr } = await elbowroom(['serve', posts, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

test('the request in docs/serve.md returns a plan', () => {
  const line = readFileSync(join(root, 'docs/serve.md'), 'utf8')
    .split('\n')
    .find((one) => one.trim().startsWith('printf') && one.includes('"method":"plan"'))!;
  const command = line.replace(' > answers.jsonl', '');
  const output = execFileSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' });
  const answers = output
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one));
  expect(answers.at(-1)).toMatchObject({ id: 1, result: { status: 'solved', trajectory: { seed: 3 } } });
  for (const { method } of answers.slice(0, -1)) expect(method).toBe('$/progress');
});
