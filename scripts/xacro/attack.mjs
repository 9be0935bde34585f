// Expands robots that take as much work and memory as they can, in processes that are replaced as their memory grows:
//
//   node scripts/xacro/attack.mjs [--only PATTERN] [--jobs 2] [--kinds structure,expressions] [--every 1]
//
// `expressions`: each function, method and operator of the evaluator's tables with large operands, a million times;
// `structure`: macros, includes, texts, warnings and YAML that grow. Prints the costliest ones and each that takes more
// than 10 s of processor time or 500 MB; exit code 1 if there is one, or if a process dies. `--every N`: each Nth case.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from '../bundled.mjs';

const MOST_SECONDS = 10;
const MOST_MEGABYTES = 500;
const SHOWN = 15;

/** A process that once needed more is replaced: the most memory of a process cannot be reset. */
const KEPT_MEGABYTES = 350;

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const { expressionCases, structureCases, outcomeOf } = await importBundled('scripts/xacro/costs.ts');
const tables = { structure: structureCases, expressions: expressionCases };
if (process.send === undefined) process.exitCode = await main();
else {
  const cases = Object.fromEntries(Object.entries(tables).map(([kind, table]) => [kind, table()]));
  process.on('message', async ({ kind, at }) => {
    const began = process.cpuUsage();
    const outcome = await outcomeOf(cases[kind][at]);
    const { user, system } = process.cpuUsage(began);
    process.send({ outcome, seconds: (user + system) / 1e6, megabytes: process.resourceUsage().maxRSS / 1024 });
  });
}

async function main() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      jobs: { type: 'string', default: '2' },
      kinds: { type: 'string', default: 'structure,expressions' },
      every: { type: 'string', default: '1' },
    },
  });
  const cases = values.kinds.split(',').flatMap((kind) => tables[kind]().map(({ name }, at) => ({ kind, at, name })));
  const chosen = cases.filter(({ name, at }) => new RegExp(values.only).test(name) && at % Number(values.every) === 0);
  const results = [];
  const work = async () => {
    let child = started();
    for (let next = chosen.pop(); next !== undefined; next = chosen.pop()) {
      const result = await resultOf(child, next);
      results.push(result);
      if (result.megabytes <= KEPT_MEGABYTES) continue;
      child.kill('SIGKILL');
      child = started();
    }
    child.kill();
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  results.sort((a, b) => b.seconds - a.seconds || a.name.localeCompare(b.name));
  const isOver = ({ seconds, megabytes }) => !(seconds <= MOST_SECONDS && megabytes <= MOST_MEGABYTES);
  const over = results.filter(isOver);
  const largest = results.toSorted((a, b) => b.megabytes - a.megabytes);
  for (const result of new Set([...over, ...results.slice(0, SHOWN), ...largest.slice(0, SHOWN)])) {
    const { name, seconds, megabytes, outcome } = result;
    console.log(
      `${seconds.toFixed(1)} s ${megabytes.toFixed(0)} MB${isOver(result) ? ' OVER' : ''}  ${name}: ${outcome.slice(0, 100)}`,
    );
  }
  console.log(JSON.stringify({ cases: results.length, over: over.length }));
  return over.length > 0 ? 1 : 0;
}

function resultOf(child, { kind, at, name }) {
  return new Promise((resolve) => {
    const done = (result) => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve({ name, ...result });
    };
    const died = () => done({ outcome: 'the process died', seconds: Infinity, megabytes: Infinity });
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
    child.on('message', done);
    child.on('exit', died);
    child.send({ kind, at });
  });
}

function started() {
  return fork(fileURLToPath(import.meta.url), { stdio: 'ignore' });
}
