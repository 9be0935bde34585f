// Plans among random moving objects, with and without padding: motions, and programs that carry an object. Samples what
// was planned by code that shares nothing with the planner.
//
//   node scripts/attack-moving.mjs [--count N] [--seed S] [--kinds plan,program]
//
// Exit code 0: nothing is nearer than the padding, 1: some are, printed with their seed.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { attacks, ROUNDING } = await importBundled('test/core/world/attack.ts');
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    kinds: { type: 'string', default: Object.keys(attacks).join(',') },
  },
});
const [first, count] = [values.seed, values.count].map(Number);
const kinds = values.kinds.split(',');
const unknown = kinds.find((kind) => attacks[kind] === undefined);
if (unknown !== undefined) throw new Error(`--kinds: "${unknown}" is none of ${Object.keys(attacks).join(', ')}`);
if (!(Number.isInteger(first) && Number.isInteger(count) && count > 0))
  throw new Error(`--seed and --count are integers, not ${values.seed} and ${values.count}`);
let wrong = 0;
for (const kind of kinds) {
  const statuses = {};
  let least = Number.POSITIVE_INFINITY;
  for (let seed = first; seed < first + count; seed++) {
    const found = attacks[kind](seed);
    statuses[found.status] = (statuses[found.status] ?? 0) + 1;
    if (found.least === undefined) continue;
    least = Math.min(least, found.least);
    if (found.least >= -ROUNDING && found.trouble.length === 0) continue;
    wrong++;
    console.log(JSON.stringify({ kind, seed, ...found }));
  }
  console.log(JSON.stringify({ kind, ...statuses, least_beyond_padding: least }));
}
process.exitCode = wrong > 0 ? 1 : 0;
