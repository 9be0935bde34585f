// Attacks verdicts on UR programs: random programs of moves with blends, of random arms of Universal Robots in random
// scenes (obstacles, padding, limits), each by 20 random motions of its set, sampled at 1/400 of each move and blend
// with bisection about the minima, by code that shares nothing with the proof.
//
//   node scripts/attack-moves.mjs [--count N] [--seed S] [--members N] [--results FILE]
//
// With --results, one JSON line per program is appended to FILE, and programs that it has are not judged again; totals
// are those of all of them. Exit code 0: nothing is wrong, 1: something is, printed with its seed.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';
import { keptResults } from './keptResults.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    members: { type: 'string', default: '20' },
    results: { type: 'string' },
  },
});
const [count, first, members] = [values.count, values.seed, values.members].map(Number);
if (![count, first, members].every((x) => Number.isInteger(x) && x > 0))
  throw new Error('--count, --seed and --members are whole numbers above 0');
const { attackCell } = await importBundled('test/tasks/checking/moves/cellAttack.ts');
const { groups, isFree, isOpenInManual } = await importBundled('test/tasks/checking/moves/attackedPrograms.ts');
const { loadFamily } = await importBundled('test/tasks/checking/moves/randomCell.ts');
const family = await loadFamily();

const { results: lines, append } = keptResults(values.results);
const done = new Set(lines.map(({ seed }) => seed));
for (let seed = first; seed < first + count; seed++) {
  if (done.has(seed)) continue;
  const line = { seed, ...attackCell(family, seed, members) };
  lines.push(line);
  append(line);
  if (line.wrong) console.log(JSON.stringify(line));
}
console.log(JSON.stringify(totals(lines), undefined, 1));
process.exitCode = lines.some(({ wrong }) => wrong) ? 1 : 0;

/** Counts programs by verdict, and free ones that are not proved by the kinds of their moves and by reason. */
function totals(all) {
  const judged = all.filter(({ verdict, members: sampled }) => verdict && sampled > 0);
  const free = judged.filter(isFree);
  const lost = free.filter(({ verdict }) => verdict !== 'valid');
  const counts = (names) => {
    const out = {};
    for (const name of names) out[name] = (out[name] ?? 0) + 1;
    return Object.fromEntries(Object.entries(out).sort(([, a], [, b]) => b - a));
  };
  const shareOf = (isOne) => {
    const [some, open] = [free, lost].map((list) => list.filter(isOne).length);
    return `${open} of ${some}`;
  };
  return {
    seeds: all.length,
    programs: judged.length,
    verdicts: counts(judged.map(({ verdict }) => verdict)),
    wrong: all.filter(({ wrong }) => wrong).length,
    verified: all.filter(({ isVerified }) => isVerified).length,
    motions: judged.reduce((sum, one) => sum + one.members, 0),
    states: judged.reduce((sum, one) => sum + one.states, 0),
    cpuSeconds: Math.round(judged.reduce((sum, { ms }) => sum + ms, 0) / 1000),
    openInManual: judged.filter(isOpenInManual).length,
    undecidedOfFree: Object.fromEntries(Object.entries(groups).map(([kind, has]) => [kind, shareOf(has)])),
    reasons: counts(lost.map(({ fault }) => fault.replace(/line \d+: /, '').replace(/obstacle\d+/, 'an obstacle'))),
  };
}
