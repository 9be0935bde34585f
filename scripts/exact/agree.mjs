// Runs both checkers on the same random motions and on mutations that no certificate survives:
//   node scripts/exact/agree.mjs [--blocks 20] [--first 0] [--worlds 25] [--mutations 20] [-o FILE]
// A block has worlds · mutations cases. Finished blocks are kept in FILE (a line each), and not run again.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from '../bundled.mjs';
import { keptResults } from '../keptResults.mjs';

const python = fileURLToPath(new URL('../../clients/python', import.meta.url));
const run = (args, input) =>
  execFileSync('python3', ['-m', ...args.map(String)], {
    cwd: python,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
    .split('\n')
    .filter((line) => line !== '');

/**
 * One block: counts, and a line for each disagreement. `subject` has certified and verified of subject.ts.
 */
export async function block(subject, { worlds, mutations, seed }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'elbowroom-exact-'));
  try {
    run(['tests.exact.cases', 'generate', folder, worlds, seed]);
    const motions = [];
    let programs = 0;
    for (let i = 0; i < worlds; i++) {
      const [scene, motion, cert] = ['scene', 'motion', 'cert'].map((name) =>
        path.join(folder, `${i}`, `${name}.json`),
      );
      const text = await subject.certified(scene, motion);
      if (text === undefined) continue;
      writeFileSync(cert, text);
      motions.push(['none', cert, scene, motion]);
      if (JSON.parse(text).segments) programs++;
    }
    const mutated = run(['tests.exact.mutations', folder, mutations, seed]).map((line) => JSON.parse(line));
    const all = [...motions, ...mutated];
    const second = run(
      ['tests.exact.cases', 'verify'],
      all.map(([, ...files]) => `${JSON.stringify(files)}\n`).join(''),
    );
    const result = {
      seed,
      motions: motions.length,
      programs,
      proved: 0,
      mutations: mutated.length,
      refused: 0,
      wrong: [],
    };
    for (const [k, [what, ...files]] of all.entries()) {
      const first = await subject.verified(...files);
      const isWanted =
        what === 'none' ? first === 0 && second[k] === '0' : first !== 0 && ['1', '2'].includes(second[k]);
      if (isWanted) result[what === 'none' ? 'proved' : 'refused']++;
      else
        result.wrong.push(
          `${what}, world ${path.basename(path.dirname(files[1]))}: verify ${first}, elbowroom_verify ${second[k]}`,
        );
    }
    return result;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      blocks: { type: 'string', default: '20' },
      first: { type: 'string', default: '0' },
      worlds: { type: 'string', default: '25' },
      mutations: { type: 'string', default: '20' },
      output: { type: 'string', short: 'o', default: 'agree.jsonl' },
    },
  });
  const [blocks, first, worlds, mutations] = ['blocks', 'first', 'worlds', 'mutations'].map((key) =>
    Number(values[key]),
  );
  const subject = await importBundled('scripts/exact/subject.ts');
  const { results, append } = keptResults(values.output);
  const done = new Map(results.map((one) => [one.seed, one]));
  for (let seed = first; seed < first + blocks; seed++) {
    if (done.has(seed)) continue;
    const result = await block(subject, { worlds, mutations, seed });
    done.set(seed, result);
    append(result);
  }
  const sum = (key) => [...done.values()].reduce((total, one) => total + one[key], 0);
  const wrong = [...done.values()].flatMap((one) => one.wrong.map((line) => `seed ${one.seed}: ${line}`));
  for (const line of wrong) console.log(line);
  console.log(
    `${sum('proved')} of ${sum('motions')} motions, ${sum('programs')} of them programs, proved by both, ${sum('refused')} of ${sum('mutations')} mutations refused by both`,
  );
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
