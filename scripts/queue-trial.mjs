#!/usr/bin/env node
// Runs an experiment over Redis while its processes are killed:
//   node scripts/queue-trial.mjs [--runs 5000] [--every 2] [--cli bin/elbowroom.js]
// Workers are killed every --every seconds, the collecting command is killed once, Redis is stopped once and killed
// once. At the end every run must have exactly one result, with the hash that the same run has if one process executes
// them all.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const option = (name, byDefault) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? byDefault : process.argv[at + 1];
};
const runs = Number(option('runs', 5000));
const every = 1000 * Number(option('every', 2));
const cli = path.resolve(option('cli', path.join(root, 'bin/elbowroom.js')));
const WORKERS = 2;
/** Nothing may take longer, ms. */
const PATIENCE = 600_000;

if (spawnSync('redis-server', ['--version']).status !== 0) {
  console.log('redis-server is not installed: nothing was tried (apt-get install redis-server)');
  process.exit(0);
}

const folder = mkdtempSync(path.join(tmpdir(), 'elbowroom-queue-'));
const results = path.join(folder, 'results');
const experiment = path.join(folder, 'trial.yaml');
const scene = path.join(root, 'test/host/cli/fixtures/posts.yaml');
writeFileSync(experiment, `format: elbowroom-experiment/1\nscenes: ${scene}\nseeds: ${runs}\n`);
const port = await freePort();
const url = `redis://127.0.0.1:${port}`;
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
setTimeout(() => fail(`not finished after ${PATIENCE / 1000} s`), PATIENCE).unref();

const seen = { workersKilled: 0, collectorsKilled: 0, redisStops: 0 };
const begun = performance.now();
let redis = await startRedis();
const workers = Array.from({ length: WORKERS }, startWorker);
let collector = startCollector();
const made = () => linesIn(path.join(results, 'runs.jsonl')).length;

// A worker that has had time to take runs dies, and another one begins; on a busy machine that takes as long as it
// takes.
let killing = true;
const killer = setInterval(() => {
  const i = workers.findIndex(({ readyAt }) => performance.now() - readyAt >= every / 2);
  if (!killing || i < 0) return;
  workers[i].kill('SIGKILL');
  seen.workersKilled++;
  workers.splice(i, 1);
  workers.push(startWorker());
}, every);

for (const [share, stop] of [
  [0.2, () => restartRedis('SIGTERM')],
  [0.4, killCollector],
  [0.6, () => restartRedis('SIGKILL')],
]) {
  await until(() => made() >= share * runs);
  await stop();
}
const code = await collector.ended;
const seconds = (performance.now() - begun) / 1000;
clearInterval(killer);
killing = false;
if (code !== 0) fail(`the collecting command ended with ${code}`);
for (const worker of workers) worker.kill('SIGKILL');

const alone = path.join(folder, 'alone');
const single = start(cli, ['experiment', experiment, '-o', alone]);
if ((await single.ended) !== 0) fail('the run in one process failed');
const expected = answersIn(path.join(alone, 'runs.jsonl'));
const lines = made();
const answers = answersIn(path.join(results, 'runs.jsonl'));
const lost = [...expected.keys()].filter((id) => !answers.has(id)).length;
const twice = lines - answers.size;
const different = [...expected].filter(([id, hash]) => answers.has(id) && answers.get(id) !== hash).length;
console.log(
  JSON.stringify({ runs: expected.size, lost, twice, different, ...seen, seconds: Number(seconds.toFixed(1)) }),
);
process.exit(lost === 0 && twice === 0 && different === 0 && expected.size === runs ? 0 : 1);

function start(file, args, options = {}) {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'ignore', 'inherit'], ...options });
  children.add(child);
  child.ended = new Promise((resolve) => child.on('exit', (exit) => resolve(exit)));
  child.ended.then(() => children.delete(child));
  return child;
}

function startWorker() {
  const args = ['experiment', 'worker', '--queue', url, '--jobs', '1'];
  const worker = start(cli, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  worker.readyAt = Number.POSITIVE_INFINITY;
  worker.stderr.setEncoding('utf8').on('data', (text) => {
    if (text.includes(': ready')) worker.readyAt = performance.now();
  });
  return worker;
}

function startCollector() {
  return start(cli, ['experiment', experiment, '-o', results, '--queue', url], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
}

async function killCollector() {
  collector.kill('SIGKILL');
  await collector.ended;
  seen.collectorsKilled++;
  collector = startCollector();
}

async function startRedis() {
  const data = path.join(folder, 'redis');
  mkdirSync(data, { recursive: true });
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', data, '--appendonly', 'yes', '--save', ''],
    { stdio: 'ignore' },
  );
  children.add(server);
  server.ended = new Promise((resolve) => server.on('exit', resolve));
  await until(
    () => spawnSync('redis-cli', ['-p', String(port), 'ping'], { encoding: 'utf8' }).stdout?.trim() === 'PONG',
  );
  return server;
}

async function restartRedis(signal) {
  redis.kill(signal);
  await redis.ended;
  children.delete(redis);
  seen.redisStops++;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  redis = await startRedis();
}

function linesIn(file) {
  if (!statSync(file, { throwIfNoEntry: false })) return [];
  return readFileSync(file, 'utf8').split('\n').slice(0, -1); // a line that is being written has no end yet
}

function answersIn(file) {
  return new Map(
    linesIn(file)
      .map((line) => JSON.parse(line))
      .map(({ id, status, hash }) => [id, `${status} ${hash}`]),
  );
}

async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 50));
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function fail(why) {
  console.error(`queue-trial: ${why}`);
  process.exit(1);
}
