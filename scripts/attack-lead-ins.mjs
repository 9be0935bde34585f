// Random chains and trajectories whose first point is later than time 0, is their only one, or is not the start, and
// motions whose angles jump by full turns: check, repair and certificates, compared with controllers and distances
// that are written without the project's code.
//
//   node scripts/attack-lead-ins.mjs [--count N] [--seed S] [--kinds later,single,far,turns]
//
// Exit code 0: all agree, 1: some do not, printed with their seed.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { leadInAttacks } = await importBundled('test/tasks/checking/leadInAttack.ts');
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    kinds: { type: 'string', default: Object.keys(leadInAttacks).join(',') },
  },
});
const [first, count] = [values.seed, values.count].map(Number);
const kinds = values.kinds.split(',');
const unknown = kinds.find((kind) => leadInAttacks[kind] === undefined);
if (unknown !== undefined) throw new Error(`--kinds: "${unknown}" is none of ${Object.keys(leadInAttacks).join(', ')}`);
if (!(Number.isInteger(first) && Number.isInteger(count) && count > 0))
  throw new Error(`--seed and --count are integers, not ${values.seed} and ${values.count}`);
let wrong = 0;
for (const kind of kinds) {
  const statuses = {};
  let own = 0;
  for (let seed = first; seed < first + count; seed++) {
    const { status, trouble } = leadInAttacks[kind](seed);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (trouble.length === 0) continue;
    own++;
    console.log(JSON.stringify({ kind, seed, status, trouble }));
  }
  wrong += own;
  console.log(JSON.stringify({ kind, ...statuses, wrong: own }));
}
process.exitCode = wrong > 0 ? 1 : 0;
