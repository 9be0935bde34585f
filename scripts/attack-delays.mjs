// Coordinates random arms, two or more, and runs their schedules with one or all robots late by random amounts within
// the tolerated delay, at 1 kHz, with distances by code that shares nothing with the planner.
//
//   node scripts/attack-delays.mjs [--count N] [--seed S] [--robots 2]
//
// Counts runs. Exit code 0: no collision, 1: collisions, printed with the seed of the meeting.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values } = parseArgs({
  options: { count: { type: 'string' }, seed: { type: 'string' }, robots: { type: 'string', default: '2' } },
});
const [count, first, robots] = [values.count ?? 100_000, values.seed ?? 1, values.robots].map(Number);
if (!(Number.isInteger(first) && count > 0 && Number.isInteger(robots) && robots >= 2))
  throw new Error('--count, --seed and --robots are integers; at least two robots');
const { lateMeeting, lateRun, latePatterns } = await importBundled('test/tasks/coordination/delayPatterns.ts');
const { Random } = await importBundled('src/core/math/random.ts');

const RUNS = 1000;
let [runs, meetings, collisions, least] = [0, 0, 0, Number.POSITIVE_INFINITY];
for (let seed = first; runs < count; seed++) {
  const random = new Random(seed);
  const meeting = lateMeeting(random, robots);
  if (meeting === undefined) continue;
  meetings++;
  for (let k = 0; k < RUNS && runs < count; k++, runs++) {
    const kind = latePatterns[k % latePatterns.length];
    const distance = lateRun(meeting, random, kind);
    least = Math.min(least, distance);
    if (distance >= 0) continue;
    collisions++;
    console.log(`seed ${seed}, run ${k}, ${kind} late: overlap of ${-distance} m`);
  }
  if (meetings % 10 === 0) console.log(`${runs} runs of ${meetings} meetings, ${collisions} collisions`);
}
console.log(JSON.stringify({ runs, meetings, collisions, least_distance: least }));
process.exitCode = collisions > 0 ? 1 : 0;
