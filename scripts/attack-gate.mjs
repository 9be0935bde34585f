// Attacks the gate: random worlds, world changes and policies (smooth, noisy, without velocities, bisected to graze a
// contact, late, elsewhere). Every committed motion is judged by code that shares nothing with the gate: it continues
// the one before, keeps all limits, ends at rest, and touches nothing that was known when it was committed.
//
//   node scripts/attack-gate.mjs [--count N] [--seed S] [--messages N] [--results FILE] [--forces]
//
// --forces: arms with limits of torque, momentum and power, that take and put down a part.
// With --results, sums are appended to FILE after every 100 runs, and the next call continues after the last of them.
// Exit code 0: nothing is wrong, 1: something is, printed with its seed.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';
import { keptResults } from './keptResults.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    messages: { type: 'string', default: '30' },
    results: { type: 'string' },
    forces: { type: 'boolean', default: false },
  },
});
const attack = values.forces
  ? (await importBundled('test/tasks/gate/torqueGate.ts')).attackTorqueGate
  : (await importBundled('test/tasks/gate/gateAttack.ts')).attackGate;
const kept = keptResults(values.results);
const last = kept.results.at(-1);
const first = last ? last.next : Number(values.seed);
const sums = last ?? { next: first, messages: 0, verdicts: {}, free: 0, missed: 0, detours: 0, faults: 0 };
for (let seed = first; seed < first + Number(values.count); seed++) {
  const { verdicts, free, missed, missedIds, detours = 0, faults } = attack(seed, Number(values.messages));
  for (const [verdict, n] of Object.entries(verdicts)) {
    sums.verdicts[verdict] = (sums.verdicts[verdict] ?? 0) + n;
    sums.messages += n;
  }
  sums.free += free;
  sums.missed += missed;
  sums.detours += detours;
  sums.faults += faults.length;
  sums.next = seed + 1;
  if (faults.length > 0) console.log(JSON.stringify({ seed, faults: faults.slice(0, 3) }));
  if (missed > 0 && process.env.SHOW_MISSED) console.log(JSON.stringify({ seed, missedIds }));
  if (sums.next % 100 === 0) kept.append(sums);
}
console.log(JSON.stringify(sums));
process.exitCode = sums.faults > 0 ? 1 : 0;
