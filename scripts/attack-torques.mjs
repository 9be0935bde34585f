// Attacks the proof of torques: random arms with turning, sliding and mimic joints, drives with friction, payloads and
// mounts; motions sampled at 1/6400 s by an oracle that shares no dynamics with the prover; limits near the greatest
// sampled torque; changed certificates and scenes.
//
//   node scripts/attack-torques.mjs [--count N] [--seed S] [--rate 6400] [--results FILE]
//
// With --results, outcomes are appended to FILE as JSON lines, and a run continues after the last seed in it. Exit code
// 1: a proved motion exceeds a limit at a sample, or a false certificate is accepted.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';
import { keptResults } from './keptResults.mjs';

const options = Object.fromEntries(['count', 'seed', 'rate', 'results'].map((name) => [name, { type: 'string' }]));
const { count = '1000', seed: first = '1', rate = '6400', results } = parseArgs({ options }).values;
const { attackTorques } = await importBundled(
  fileURLToPath(new URL('../test/tasks/forces/torqueAttack.ts', import.meta.url)),
);

const kept = keptResults(results);
const outcomes = kept.results;
const next = outcomes.reduce((most, { seed }) => Math.max(most, seed + 1), Number(first));
for (let seed = next; outcomes.length < Number(count); seed++) {
  const outcome = attackTorques(seed, Number(rate));
  outcomes.push(outcome);
  kept.append(outcome);
}

const number = (condition) => outcomes.filter(condition).length;
const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
const wrong = number(({ isProved, factor }) => isProved && factor < 1);
const accepted = sum('accepted');
console.log(
  JSON.stringify({
    motions: outcomes.length,
    samples: sum('samples'),
    proved: number(({ isProved }) => isProved),
    verified: number(({ isVerified }) => isVerified),
    exceeded_and_proved: wrong,
    margin_2_percent: number(({ factor }) => factor >= 1.02),
    of_these_not_proved: number(({ isProved, factor }) => factor >= 1.02 && !isProved),
    false_certificates: sum('changes'),
    of_these_accepted: accepted,
  }),
);
process.exitCode = wrong + accepted > 0 ? 1 : 0;
