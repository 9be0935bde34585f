// Proofs that no motion exists, attacked: random cells of random chains against GJK in random states (cells, goals)
// and against goals at the pose of a state in the cell (reach), random arms beside posts whose passage is bisected to
// 0.1 mm, where a certified motion exists (passages), and edges that libraries keep among changed obstacles
// (libraries).
//
//   node scripts/attack-infeasible.mjs [--count N] [--seed S] [--kinds cells,goals,reach,passages,libraries]
//
// Exit code 0: no wrong claim, 1: some, printed with their seed.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { attackCells, attackGoals, attackReach } = await importBundled('test/core/certificate/cells/cellAttack.ts');
const { attackPassage } = await importBundled('test/tasks/planning/infeasibility/passageAttack.ts');
const { attackChanges } = await importBundled('test/tasks/planning/motionLibrary/libraryAttack.ts');
const attacks = {
  cells: attackCells,
  goals: attackGoals,
  reach: attackReach,
  passages: attackPassage,
  libraries: attackChanges,
};
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    kinds: { type: 'string', default: Object.keys(attacks).join(',') },
  },
});
const [first, count] = [values.seed, values.count].map(Number);
if (!(Number.isInteger(first) && Number.isInteger(count) && count > 0))
  throw new Error(`--seed and --count are integers, not ${values.seed} and ${values.count}`);
for (const kind of values.kinds.split(',')) {
  if (attacks[kind] === undefined) throw new Error(`--kinds: "${kind}" is none of ${Object.keys(attacks).join(', ')}`);
  const counts = {
    overlaps: 0,
    gaps: 0,
    states: 0,
    scenes: 0,
    kept: 0,
    dropped: 0,
    valid: 0,
    proved: 0,
    bisected: 0,
    wrong: [],
  };
  for (let seed = first; seed < first + count; seed++) attacks[kind](seed, counts);
  for (const line of counts.wrong) console.log(line);
  const { wrong, ...rest } = counts;
  console.log(JSON.stringify({ kind, ...rest, wrong: wrong.length }));
  if (wrong.length > 0) process.exitCode = 1;
}
