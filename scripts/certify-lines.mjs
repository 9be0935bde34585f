#!/usr/bin/env node
// Plans random straight lines of the TCP of bundled robots, from all inverse-kinematics solutions of their start:
//   node scripts/certify-lines.mjs [--lines 1000] [--seed 1] [--robots ur5e,ur10e,arm7] [--obstacles | --elbow]
// With --obstacles, programs of a free motion and the line are planned among random obstacles. An independent program
// samples each proved line; a search over inverse-kinematics solutions at steps of a millimetre tries each refused one
// (arm7, srs7: 200 solutions). With --elbow (arm7, srs7), lines begin at given configurations, and a sphere is where
// the elbow would pass: self-motion avoids it on a part of them. `duration_ratio`: durations relative to the minimum
// ones of the same joint paths, by a numeric optimum on a grid (without obstacles; not for redundant arms). Prints one
// JSON line per robot. Exit code 0 if no proved line deviates, jumps or collides, and at most 2 % of the refused ones
// are feasible, 1 otherwise.
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';

const TOOLS = { ur3e: 'tool0', ur5e: 'tool0', ur10e: 'tool0', arm7: 'flange', srs7: 'flange' };
const REDUNDANT = ['arm7', 'srs7'];

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    robots: { type: 'string', default: 'ur5e,ur10e,arm7' },
    obstacles: { type: 'boolean', default: false },
    elbow: { type: 'boolean', default: false },
  },
});
const [lines, seed] = [values.lines, values.seed].map(Number);
const robots = values.robots.split(',');
if (![lines, seed].every((x) => Number.isInteger(x) && x >= 0) || !robots.every((name) => Object.hasOwn(TOOLS, name))) {
  console.error(`certify-lines: --lines and --seed are whole numbers, --robots some of ${Object.keys(TOOLS)}`);
  process.exit(2);
}

if (values.elbow) {
  const { linesPastElbow } = await importBundled('test/core/cartesian/elbowLines.ts');
  const numbers = Array.from({ length: 100 * lines }, (_, i) => i);
  for (const robot of robots.filter((name) => REDUNDANT.includes(name))) {
    const found = await linesPastElbow(robot, seed, numbers, lines);
    console.log(JSON.stringify(found));
    if (found.wrong.length > 0) process.exitCode = 1;
  }
  process.exit();
}

const certify = values.obstacles
  ? (await importBundled('test/core/cartesian/attackLines.ts')).attackLines
  : (await importBundled('test/core/cartesian/certifyLines.ts')).certifyLines;
process.exitCode = 0;
for (const robot of robots) {
  const started = performance.now();
  const { missed, wrong, ratios = [], ...counts } = await certify(robot, TOOLS[robot], lines, seed);
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const ratioAt = (share) => Number(ratios[Math.floor(share * (ratios.length - 1))]?.toFixed(3));
  const duration = ratios.length > 0 ? { duration_ratio: { median: ratioAt(0.5), most: ratioAt(1) } } : {};
  console.log(JSON.stringify({ ...counts, ...duration, missed: missed.length, wrong: wrong.length, seconds }));
  for (const one of [...wrong, ...missed]) console.log(one);
  if (wrong.length > 0 || missed.length > 0.02 * (lines - counts.proved)) process.exitCode = 1;
}
