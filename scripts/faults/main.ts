import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from '../../src/core/math/random.ts';
import { type Addresses, Findings, runClient } from './clients.ts';
import { type Oracle, oracleIn, POINT_RADIUS, RADIUS, SCENE } from './oracle.ts';

/** `--idle` of the service, s: sessions over HTTP that are left open end after it. */
const IDLE = 10;
/** Longest time that a request may need after the clients have stopped, s, and for sessions to end. */
const DRAIN = 60;
/** Most that the resident memory may grow from the second quarter of the run to the last. */
const GROWTH = 1.25;
const GROWTH_BYTES = 48 * 1024 * 1024;

/** Runs the service with faulty clients. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '60' },
      clients: { type: 'string', default: '60' },
      pythons: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
    },
  });
  const [seconds, clients, pythons, seed] = [values.seconds, values.clients, values.pythons, values.seed].map(Number);
  if (![seconds, clients, pythons, seed].every((value) => Number.isFinite(value) && value >= 0))
    throw new Error('--seconds, --clients, --pythons and --seed are numbers');
  const folder = mkdtempSync(join(tmpdir(), 'elbowroom-faults-'));
  const socket = join(folder, 'service.sock');
  const sessions = Math.max(1000, 4 * clients); // sessions over HTTP that clients have left end after `IDLE` only
  const limits = ['--idle', String(IDLE), '--sessions', String(sessions)];
  const options = ['--socket', socket, '--port', '0', ...limits, '--jobs', '2'];
  const service = spawn(process.execPath, ['bin/elbowroom.js', 'serve', SCENE, ...options]);
  try {
    const url = await urlOf(service);
    const oracle = await oracleIn(folder, seed);
    const run = { addresses: { socket, url }, oracle, seed, until: performance.now() + 1000 * seconds, seconds };
    const findings = new Findings();
    const memory: number[] = [];
    await Promise.all([
      ...Array.from({ length: clients }, (_, i) =>
        runClient(run.addresses, oracle, new Random(seed + 17 * i), findings, run.until),
      ),
      ...Array.from({ length: hasPython() ? pythons : 0 }, (_, i) => pythonClients(folder, run, i, findings)),
      sample(url, memory, run.until),
    ]);
    await requireIdle(url, findings);
    requireFlat(memory, findings);
    return report(findings, memory);
  } finally {
    service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits for the address that the service prints; later output is discarded. */
async function urlOf(service: ChildProcess): Promise<string> {
  let text = '';
  return await new Promise((resolve, reject) => {
    service.once('exit', () => reject(new Error(`the service has ended: ${text}`)));
    service.stderr!.on('data', (chunk: Buffer) => {
      text = `${text}${chunk}`.slice(-10_000);
      const [url] = /http:\S+/.exec(text) ?? [];
      if (url) resolve(url);
    });
  });
}

const hasPython = () => spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).status === 0;

interface Run {
  readonly addresses: Addresses;
  readonly oracle: Oracle;
  readonly seed: number;
  readonly until: number;
  readonly seconds: number;
}

/** Runs a Python process with several sessions, kills it at a random time, and starts the next one. */
async function pythonClients(folder: string, run: Run, index: number, findings: Findings): Promise<void> {
  const random = new Random(run.seed + 1000 + index);
  const path = join(folder, `oracle-${index}.json`);
  writeFileSync(path, JSON.stringify({ ...run.oracle, radius: RADIUS, point_radius: POINT_RADIUS }));
  const { socket, url } = run.addresses;
  for (let round = 0; ; round++) {
    const left = (run.until - performance.now()) / 1000;
    if (left < 1) return;
    const given = [path, socket, url, `${run.seed}/${index}/${round}`, String(left)];
    const child = spawn('python3', ['scripts/faults/client.py', ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
    const isKilled = left > 4;
    const timer = isKilled
      ? setTimeout(() => child.kill('SIGKILL'), 1000 * random.between(1, Math.min(20, left - 2)))
      : undefined;
    readFindings(child, findings);
    const [code] = await once(child, 'close');
    clearTimeout(timer);
    if (isKilled && code === null) findings.count('killed Python processes');
    else if (code !== 0) findings.wrong.push(`a Python process ended with code ${code}`);
  }
}

function readFindings(child: ChildProcess, findings: Findings): void {
  let rest = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const { wrong, counts = {} } = JSON.parse(line) as { wrong?: string; counts?: Record<string, number> };
      if (wrong !== undefined) findings.wrong.push(wrong);
      for (const [what, count] of Object.entries(counts)) findings.count(what, count);
    }
  });
}

async function metrics(url: string): Promise<Record<string, number>> {
  const text = await page(`${url}/metrics`, 3);
  return Object.fromEntries(
    [...text.matchAll(/^elbowroom_(\w+) ([\d.e+]+)$/gm)].map(([, key, value]) => [key, +value]),
  );
}

/** Fetches a page; again if the service closed a connection that was idle just before it was used. */
async function page(url: string, attempts: number): Promise<string> {
  try {
    return await (await fetch(url)).text();
  } catch (error) {
    if (attempts <= 1) throw error;
    return await page(url, attempts - 1);
  }
}

/** Samples the resident memory once a second. */
async function sample(url: string, memory: number[], until: number): Promise<void> {
  while (performance.now() < until) {
    memory.push((await metrics(url))['resident_bytes']);
    await sleep(1000);
  }
}

/** Everything that clients held must be released once they are gone. */
async function requireIdle(url: string, findings: Findings): Promise<void> {
  const until = performance.now() + 1000 * DRAIN;
  const busy = async () => {
    const found = await metrics(url);
    const held = ['sessions', 'under_way', 'on_threads', 'memory_bytes'].filter((key) => found[key] !== 0);
    return held.map((key) => `${key} ${found[key]}`);
  };
  let left = await busy();
  while (left.length > 0 && performance.now() < until) {
    await sleep(250);
    left = await busy();
  }
  findings.expect(left.length === 0, () => `after ${DRAIN} s without clients: ${left.join(', ')}`);
}

function requireFlat(memory: readonly number[], findings: Findings): void {
  if (memory.length < 20) return; // too short: caches are still being filled
  const [early, late] = quarters(memory);
  findings.expect(late <= GROWTH * early + GROWTH_BYTES, () => `resident memory grows from ${early} to ${late} bytes`);
}

/** Greatest values in the second and in the last quarter. */
function quarters(memory: readonly number[]): [number, number] {
  const quarter = Math.floor(memory.length / 4);
  return [Math.max(...memory.slice(quarter, 2 * quarter)), Math.max(...memory.slice(-quarter))];
}

function report({ counts, wrong }: Findings, memory: readonly number[]): number {
  for (const [what, count] of [...counts].sort()) console.log(`${String(count).padStart(9)} ${what}`);
  const mib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
  if (memory.length >= 20)
    console.log(`resident memory, 2nd and last quarter: ${quarters(memory).map(mib).join(', ')}`);
  const kinds = new Map<string, number>();
  for (const text of wrong) {
    const kind = text.replace(/[0-9a-f]{8}-[0-9a-f-]+|\d+/g, '#');
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  for (const [kind, count] of kinds) console.log(`finding, ${count} times: ${kind}`);
  for (const text of wrong.slice(0, 10)) console.log(`for example: ${text}`);
  console.log(wrong.length === 0 ? 'no findings' : `${wrong.length} findings`);
  return wrong.length === 0 ? 0 : 1;
}
