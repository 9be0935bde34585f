#!/usr/bin/env node
// Prints docs/accuracy.md: the worst error of every narrow-phase solver for every pair of shapes.
//   node scripts/accuracy.mjs > docs/accuracy.md
import { importBundled } from './bundled.mjs';

const { measureAccuracy } = await importBundled('test/core/narrowphase/certificates/accuracy.ts');

const rows = [...measureAccuracy()];
const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
const show = (value) => (typeof value === 'number' ? value.toExponential(0) : (value ?? '–'));
console.log(`# Accuracy

Printed by \`node scripts/accuracy.mjs\`. Each row: 200 random pairs of about 1 m, thin and flat ones to 1000:1 among them, half of the
poses overlapping. The figures are maximum errors: of a distance or a depth (epa) in metres, of a growth distance relative to itself
if that is more than 1.

- Solvers use their defaults, which bound distances to 1e-12 of their value and growth distances to 1.5e-8; in the last column the
  tolerance of growth distances is 1e-12.
- The error is an upper bound on the difference between either of a solver's bounds and the true value. If a closed form exists (a sphere
  against any shape that does not contain its center, a half-space against any shape), that is the true value. Otherwise the true value is
  between certified bounds: the best plane and the nearest witness points that any solver found, measured by formulas that share nothing
  with the solvers. The width of those bounds counts as error, so the true error may be less than shown, never more.
- Depths of overlapping shapes without closed form are between the depth along the best plane and the depth that the polytope of \`epa\`
  encloses. On polytopes and rounded polytopes the two agree; on round shapes \`epa\` stops at its limit of 500 vertices, with its bounds.
- Growth distances are compared with the values that their planes prove by these independent formulas; shapes whose inner radii add up
  to less than 0.1 mm are excluded, as are half-spaces, whose growth distance is itself a formula.
`);
console.log(`| ${columns.join(' | ')} |`);
console.log(`| ${columns.map((column) => (typeof rows[0][column] === 'number' ? '---:' : '---')).join(' | ')} |`);
for (const row of rows) console.log(`| ${columns.map((column) => show(row[column])).join(' | ')} |`);
