// Sequential quadratic programming in a trust region, on numbers that know their gradient [Nocedal06 §18.5].
import { QpSolver } from 'elbowroom/collision';
import { affine, variables } from './gradients.mjs';

const largest = (rows) => Math.max(...rows.map(([value]) => value));
const total = (values) => values.reduce((sum, value) => sum + value, 0);

/**
 * Brings down ½ Σ squared² + price Σ max(group of soft), with all `hard` at most 0, from x on, which keeps the hard
 * ones: they are linear. A price above the multipliers makes the groups at most 0, too [Nocedal06 §17.2].
 * @param problemOf what x makes: rows of `squared` and `hard`, groups of rows of `soft`, and whatever else the caller
 *   wants to see at the end
 */
export function minimize(problemOf, x, price) {
  const costOf = ({ squared, soft }) => total(squared.map(([r]) => (r * r) / 2)) + price * total(soft.map(largest));
  let problem = problemOf(x);
  let rounds = 0;
  for (let trust = 1; rounds < 100; rounds++) {
    const { step, cost } = improve(problem, x.length, price, trust);
    const promised = costOf(problem) - cost;
    if (!(promised > 1e-9)) break;
    const next = x.map((value, i) => value + step[i]);
    const nextProblem = problemOf(next);
    const kept = (costOf(problem) - costOf(nextProblem)) / promised;
    trust *= kept > 0.75 ? 2 : kept < 0.25 ? 0.3 : 1;
    if (kept > 0.1) [x, problem] = [next, nextProblem];
  }
  return { ...problem, rounds };
}

/**
 * The best step of at most `trust` in each unknown if all is as linear as here, and its cost: a program in the step and
 * the groups' maxima.
 */
function improve({ squared, hard, soft }, n, price, trust) {
  const size = n + soft.length;
  const P = new Float64Array(size * size);
  const c = new Float64Array(size).fill(price, n);
  for (const [r, ...slope] of squared) {
    for (let i = 0; i < n; i++) {
      c[i] += r * slope[i];
      for (let j = 0; j < n; j++) P[size * i + j] += slope[i] * slope[j];
    }
  }
  const [G, h] = [[], []];
  const atMost = ([value, ...slope], group) => {
    G.push(...slope, ...soft.map((_, i) => (i === group ? -1 : 0)));
    h.push(-value);
  };
  for (const unknown of variables(new Float64Array(n))) {
    atMost(affine(unknown, 1, -trust));
    atMost(affine(unknown, -1, -trust));
  }
  for (const row of hard) atMost(row);
  for (const [group, rows] of soft.entries()) for (const row of rows) atMost(row, group);

  const solver = new QpSolver(size, h.length);
  solver.solve(P, c, G, h);
  const [step, maxima] = [solver.x.slice(0, n), solver.x.slice(n)];
  const after = squared.map(([r, ...slope]) => r + total(slope.map((d, i) => d * step[i])));
  return { step, cost: total(after.map((r) => (r * r) / 2)) + price * total(maxima) };
}
