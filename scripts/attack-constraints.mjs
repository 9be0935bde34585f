// Plans under random constraints with all planners, and samples each segment of the trajectories 200 times with forward
// kinematics and constraint functions that share nothing with the planner.
//
//   node scripts/attack-constraints.mjs [--count N] [--seed S]
//
// Counts trajectories, not problems. Exit code 0: no violation, 1: violations, printed with the seed of the problem.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string' } } });
const count = Number(values.count ?? 1000);
const { randomPlan } = await importBundled('test/core/constraints/randomPlans.ts');
const { loadScene } = await importBundled('src/host/node/files.ts');
const worlds = await Promise.all(['waiter', 'arm7-alcove'].map((name) => loadScene(`scenes/${name}.yaml`)));

const tolerance = 2e-9;
const statuses = {};
let [plans, samples, violations, worst] = [0, 0, 0, Number.NEGATIVE_INFINITY];
for (let seed = Number(values.seed ?? 1); plans < count; seed++) {
  const plan = randomPlan(worlds, seed);
  statuses[plan.status] = (statuses[plan.status] ?? 0) + 1;
  if (plan.status !== 'solved') continue;
  plans++;
  samples += plan.samples;
  worst = Math.max(worst, plan.worst);
  if (plan.worst > tolerance) {
    violations++;
    console.log(`seed ${seed}: ${plan.worst} ${JSON.stringify(plan.options)}`);
  }
  if (plans % 500 === 0)
    console.log(`${plans} plans, ${samples} samples, worst excess ${worst}, ${violations} violations`);
}
console.log(JSON.stringify({ plans, samples, violations, worst, statuses }));
process.exitCode = violations > 0 ? 1 : 0;
