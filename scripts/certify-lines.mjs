#!/usr/bin/env node
// Plans random straight lines of the TCP of UR5e, UR10e and arm7, from all inverse-kinematics solutions of their start:
//   node scripts/certify-lines.mjs [--lines 1000] [--seed 1]
// An independent program samples each proved line a thousand times; a search over all inverse-kinematics solutions at
// steps of a millimetre tries each refused line of the arms with a closed form. Prints one JSON line per robot. Exit
// code 0 if no proved line deviates and at most 2 % of the refused ones are feasible, 1 otherwise.
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';

const { values } = parseArgs({
  options: { lines: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const [lines, seed] = [values.lines, values.seed].map(Number);
if (![lines, seed].every((x) => Number.isInteger(x) && x >= 0)) {
  console.error('certify-lines: --lines and --seed are whole numbers');
  process.exit(2);
}

const { certifyLines } = await importBundled('test/cartesian/certifyLines.ts');
process.exitCode = 0;
for (const [robot, link] of [
  ['ur5e', 'tool0'],
  ['ur10e', 'tool0'],
  ['arm7', 'flange'],
]) {
  const started = performance.now();
  const { missed, wrong, ...counts } = await certifyLines(robot, link, lines, seed);
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  console.log(JSON.stringify({ ...counts, missed: missed.length, wrong: wrong.length, seconds }));
  for (const one of [...wrong, ...missed]) console.log(one);
  if (wrong.length > 0 || missed.length > 0.02 * (lines - counts.proved)) process.exitCode = 1;
}
