#!/usr/bin/env node
// Compares the poses of all links of published robots with reference values, and prints a table:
//   node scripts/robots/references.mjs --data DIR [--checkouts DIR]
// DIR/index.json lists the robots: {entries: [{name, kind, file, args, packages: {NAME: folder}, reference}]}, with
// paths relative to DIR; a reference holds {states: [{q: {joint: value}, links: {NAME: [x, y, z, qw, qx, qy, qz]}}]}.
// With --checkouts, files/OWNER+NAME/PATH is read from the checkout OWNER+NAME, without --package, if it is there.
// Exit 0 if all links of all states are within 1e-9 m and 1e-9 rad, 1 otherwise.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const bin = fileURLToPath(new URL('../../bin/elbowroom.js', import.meta.url));
/** Largest difference of a pose, metres and radians. */
const MOST = 1e-9;

const { values } = parseArgs({ options: { data: { type: 'string' }, checkouts: { type: 'string' } } });
if (values.data === undefined) {
  console.error('references: --data DIR is needed');
  process.exit(2);
}
const entries = JSON.parse(readFileSync(path.join(values.data, 'index.json'), 'utf8')).entries;
let worst = 0;
console.log('| robot | file | states | links | position | angle |\n| --- | --- | --: | --: | --: | --: |');
for (const entry of entries.filter(({ kind, reference }) => reference !== undefined && kind !== 'collada')) {
  const { states } = JSON.parse(readFileSync(path.join(values.data, entry.reference), 'utf8'));
  if (states === undefined) continue;
  const { shown, words } = robotOf(entry);
  const [position, angle] = differences(words, states);
  worst = Math.max(worst, position, angle);
  const links = Object.keys(states[0].links).length;
  const cells = [entry.name, shown, states.length, links, `${text(position)} m`, `${text(angle)} rad`];
  console.log(`| ${cells.join(' | ')} |`);
}
console.log(`\nLargest difference: ${text(worst)}; the limit is ${MOST}.`);
process.exitCode = worst <= MOST ? 0 : 1;

/** Returns the operands of a command that name a robot: from its checkout, or else from the data. */
function robotOf({ file, args = {}, packages = {} }) {
  const [, own] = /^files\/(.*)$/.exec(file) ?? [];
  const checkout = values.checkouts === undefined || own === undefined ? undefined : path.join(values.checkouts, own);
  const given = Object.entries(args).flatMap(([name, value]) => ['--arg', `${name}=${value}`]);
  if (checkout !== undefined && existsSync(checkout)) return { shown: `checkout ${own}`, words: [checkout, ...given] };
  const folders = Object.entries(packages).flatMap(([name, folder]) => [
    '--package',
    `${name}=${path.join(values.data, folder)}`,
  ]);
  return { shown: file, words: [path.join(values.data, file), ...given, ...folders] };
}

/** Returns the largest differences of position and angle over all links of all states; infinite for a missing link. */
function differences(words, states) {
  const [file, ...options] = words;
  const joints = JSON.parse(run(['robot', file, ...options, '--json'])).joints;
  const moving = joints.filter(({ type, mimic }) => type !== 'fixed' && !mimic).map(({ name }) => name);
  const input = states.map(({ q }) => `${JSON.stringify({ q: moving.map((name) => q[name] ?? 0) })}\n`).join('');
  const answers = run(['fk', file, '-', ...options], input)
    .trim()
    .split('\n');
  let [position, angle] = [0, 0];
  for (const [i, { links }] of states.entries()) {
    const found = JSON.parse(answers[i]).links;
    for (const [name, [x, y, z, ...quaternion]] of Object.entries(links)) {
      if (found[name] === undefined) return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      const { xyz, quat_wxyz } = found[name];
      position = Math.max(position, Math.hypot(xyz[0] - x, xyz[1] - y, xyz[2] - z));
      angle = Math.max(angle, angleBetween(quat_wxyz, quaternion));
    }
  }
  return [position, angle];
}

/** Angle between two orientations by the chord of their quaternions, which is accurate for small angles. */
function angleBetween(a, b) {
  const chord = (sign) => Math.hypot(...a.map((x, i) => x - sign * b[i]));
  return 4 * Math.asin(Math.min(1, Math.min(chord(1), chord(-1)) / 2));
}

function text(x) {
  return x.toExponential(1);
}

/** Runs a command of the built program. */
function run(words, input = '') {
  return execFileSync(process.execPath, [bin, ...words], {
    input,
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'ignore'],
  }).toString();
}
