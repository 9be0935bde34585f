// Random robots, and pairs of their links that are not checked, compared with kinematics, distances and searches that
// are written without the project's code:
//   ranges    proofs that a pair is separated within the limits, of pairs whose least distance is set to −1 µm to 0.1 m
//   made      robots of two or three arms with the pairs of --make-srdf: motions through contacts must not be valid
//   warnings  random SRDFs and scenes: pairs on two arms are named
//
//   node scripts/attack-pairs.mjs [--count N] [--seed S] [--kinds ranges,made,warnings] [--cells 2000]
//
// Exit code 0: all agree, 1: some do not, printed with their seed.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { attackRange } = await importBundled('test/core/collision/selfPairs/rangeAttack.ts');
const { armPairAttacks } = await importBundled('test/tasks/robots/armPairAttack.ts');
const KINDS = ['ranges', 'made', 'warnings'];
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    cells: { type: 'string', default: '2000' },
    kinds: { type: 'string', default: KINDS.join(',') },
  },
});
const [first, count, cells] = [values.seed, values.count, values.cells].map(Number);
if (![first, count, cells].every(Number.isInteger) || count < 1)
  throw new Error('--seed, --count and --cells are integers');
const attacks = {
  ranges: (seed) => {
    const { trouble, ...counts } = attackRange(seed, cells, 2);
    return { counts, trouble };
  },
  ...armPairAttacks,
};
let wrong = 0;
for (const kind of values.kinds.split(',')) {
  if (!KINDS.includes(kind)) throw new Error(`--kinds: "${kind}" is none of ${KINDS.join(', ')}`);
  const sums = {};
  let own = 0;
  for (let seed = first; seed < first + count; seed++) {
    const { counts, trouble } = attacks[kind](seed);
    for (const [name, value] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + value;
    if (trouble.length === 0) continue;
    own++;
    console.log(JSON.stringify({ kind, seed, trouble }));
  }
  wrong += own;
  console.log(JSON.stringify({ kind, robots: count, ...sums, wrong: own }));
}
process.exitCode = wrong > 0 ? 1 : 0;
