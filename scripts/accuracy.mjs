#!/usr/bin/env node
// Prints docs/accuracy.md: the worst error of every narrow-phase solver for every pair of shapes.
//   node scripts/accuracy.mjs > docs/accuracy.md
import { importBundled } from './bundled.mjs';

const { measureAccuracy } = await importBundled('test/narrowphase/certificates/accuracy.ts');

const rows = [...measureAccuracy()];
const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
const show = (value) => (typeof value === 'number' ? value.toExponential(0) : (value ?? '–'));
console.log(`# Accuracy

Printed by \`node scripts/accuracy.mjs\`. Each row: 200 random pairs of about 1 m, thin and flat ones to 1000:1 among them, half of the
poses overlapping. The figures are the worst errors: of a distance or a depth (epa) in metres, of a growth distance relative to itself
where that is more than 1.

- Solvers stand at their defaults, which bound distances to 1e-12 of their value and growth distances to 1.5e-8; the last column asks
  growth for 1e-12.
- An error is the most that either of a solver's bounds may be off the truth. Where a closed form exists (a ball against anything it does
  not hold the centre of, a half-space against anything), that is the truth. Elsewhere the truth lies between certified bounds: the best
  plane and the nearest witness points that any solver found, measured by formulas that share nothing with the solvers. The width of those
  bounds counts as error, so that an error may be less than shown, never more.
- Depths of overlapping bodies without closed form lie between what the best plane shows and what the polytope of \`epa\` has enclosed. On
  polytopes and what is rounded from them the two meet; on round bodies \`epa\` stops at its cap of 500 corners, with its bounds.
- Growth distances are compared with what their plane proves by the judges' formulas; bodies whose inner radii come to less than 0.1 mm
  are left out, as is a half-space, for which growth is a formula itself.
`);
console.log(`| ${columns.join(' | ')} |`);
console.log(`| ${columns.map((column) => (typeof rows[0][column] === 'number' ? '---:' : '---')).join(' | ')} |`);
for (const row of rows) console.log(`| ${columns.map((column) => show(row[column])).join(' | ')} |`);
