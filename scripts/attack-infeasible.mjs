// Proofs that no motion exists, attacked: random cells of random chains against GJK in random states (cells, goals),
// goals at the pose of a state in the cell (reach) and states that walls separate (behind); random arms beside posts
// whose passage is bisected to 0.1 mm, where a certified motion exists, with states (passages) and poses (poses) as
// goals, and their proofs, also changed ones (refused), in scenes with a motion; edges that libraries keep among
// changed obstacles (libraries), and plans with them, judged by check and verify (answers).
//
//   node scripts/attack-infeasible.mjs [--count N] [--seed S] [--kinds cells,goals,…] [--results FILE]
//
// --results FILE: the counts of each seed, as one line; seeds that it has are not run again, and are counted.
// Exit code 0: no wrong claim, 1: some, printed with their seed.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';
import { keptResults } from './keptResults.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { attackBehind, attackCells, attackGoals, attackReach } = await importBundled(
  'test/core/certificate/cells/cellAttack.ts',
);
const { attackPassage, attackPosePassage } = await importBundled('test/tasks/planning/infeasibility/passageAttack.ts');
const { attackUnsolvable } = await importBundled('test/tasks/planning/infeasibility/unsolvableAttack.ts');
const { attackAnswers, attackChanges } = await importBundled('test/tasks/planning/motionLibrary/libraryAttack.ts');
const attacks = {
  cells: attackCells,
  goals: attackGoals,
  reach: attackReach,
  behind: attackBehind,
  passages: attackPassage,
  poses: attackPosePassage,
  libraries: attackChanges,
  answers: attackAnswers,
  unsolvable: attackUnsolvable,
};
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    kinds: { type: 'string', default: Object.keys(attacks).join(',') },
    results: { type: 'string' },
  },
});
const [first, count] = [values.seed, values.count].map(Number);
if (!(Number.isInteger(first) && Number.isInteger(count) && count > 0))
  throw new Error(`--seed and --count are integers, not ${values.seed} and ${values.count}`);
const newCounts = () => ({
  overlaps: 0,
  gaps: 0,
  states: 0,
  scenes: 0,
  kept: 0,
  dropped: 0,
  valid: 0,
  proved: 0,
  bisected: 0,
  refused: 0,
  wrong: [],
});
const kept = keptResults(values.results);
const done = new Map(kept.results.map(({ kind, seed, ...counts }) => [`${kind} ${seed}`, counts]));
for (const kind of values.kinds.split(',')) {
  if (attacks[kind] === undefined) throw new Error(`--kinds: "${kind}" is none of ${Object.keys(attacks).join(', ')}`);
  const total = newCounts();
  for (let seed = first; seed < first + count; seed++) {
    const counts = done.get(`${kind} ${seed}`) ?? newCounts();
    if (!done.has(`${kind} ${seed}`)) {
      await attacks[kind](seed, counts);
      kept.append({ kind, seed, ...counts });
    }
    for (const key of Object.keys(total)) total[key] = total[key].concat?.(counts[key]) ?? total[key] + counts[key];
  }
  for (const line of total.wrong) console.log(line);
  const { wrong, ...rest } = total;
  console.log(JSON.stringify({ kind, ...rest, wrong: wrong.length }));
  if (wrong.length > 0) process.exitCode = 1;
}
