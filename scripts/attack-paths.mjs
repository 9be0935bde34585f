// Plans random tool paths (turning, with reversals, in the frames of moving links, with free axes), and compares the
// proofs of their motions, of changed motions and of changed way points with an independent program.
//
//   node scripts/attack-paths.mjs [--robots NAME,NAME] [--jerk J] [--count N] [--seed S] [--samples N] [--results FILE]
//   node scripts/attack-paths.mjs --ladder DEGREES [--count N] [--seed S]
//   node scripts/attack-paths.mjs --programs [--count N] [--seed S] [--samples N] [--results FILE]
//
// --jerk: limit of all joints, rad/s³ or m/s³.
//
// With --ladder DEGREES, random paths with a free rotation are followed within narrow limits by the search of the
// whole path and by brute force over all inverse kinematics solutions of ur5e at so many degrees; printed is how often
// which of them succeeds, and the seeds of paths that only brute force follows (exit code 1).
//
// With --programs, rasters, spirals and seams on random surfaces, among boxes, are planned as programs, with a torch,
// by five robots in turn (--robots has no effect). Motions are sampled as above, and for collisions; paths that are
// refused are tried by brute force: at 1 degree of the free rotation and of a redundant joint, at 5 if both are free; a
// rail at 20 mm.
//
// One JSON line per path; with --results, they are appended to FILE, and those that it has are not planned again.
// Exit code 0: no motion that leaves its path is proved, 1: some are, printed with their seed.
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';
import { keptResults } from './keptResults.mjs';

const { values } = parseArgs({
  options: {
    robots: { type: 'string', default: 'ur5e,arm7,scara4,weld-seam,turntable' },
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    samples: { type: 'string', default: '1500' },
    jerk: { type: 'string' },
    results: { type: 'string' },
    ladder: { type: 'string' },
    programs: { type: 'boolean', default: false },
  },
});
const [count, first, samples] = [values.count, values.seed, values.samples].map(Number);
if (![count, first, samples].every((x) => Number.isInteger(x) && x > 0))
  throw new Error('--count, --seed and --samples are whole numbers above 0');
if (values.ladder !== undefined) await compareLadders(Number(values.ladder));
else if (values.programs) await attackPrograms();
else await attack();

async function compareLadders(degrees) {
  const { ladderCase } = await importBundled('test/core/cartesian/paths/pathLadder.ts');
  const { pathRobot } = await importBundled('test/core/cartesian/paths/toolPathAttack.ts');
  const robot = await pathRobot('ur5e');
  const total = { paths: count, followed: 0, bySearchOnly: 0, byBruteForceOnly: [] };
  for (let seed = first; seed < first + count; seed++) {
    const { greedy, search, bruteForce } = ladderCase(robot, seed, degrees);
    if (greedy || search) total.followed++;
    if (search && !greedy) total.bySearchOnly++;
    if (bruteForce && !greedy && !search) total.byBruteForceOnly.push(seed);
  }
  console.log(JSON.stringify(total));
  if (total.byBruteForceOnly.length > 0) process.exitCode = 1;
}

async function attackPrograms() {
  const { attackPathProgram, programRobots } = await importBundled('test/tasks/programs/pathProgramAttack.ts');
  const { append, known: done } = recorded();
  const totals = Object.fromEntries(
    programRobots.map((robot) => [
      robot,
      { followed: 0, refused: 0, 'blocked-start': 0, wrong: 0, ladders: 0, found: 0 },
    ]),
  );
  for (let seed = first; seed < first + count; seed++) {
    const robot = programRobots[seed % programRobots.length];
    const known = done.get(keyOf({ robot, seed }));
    const line = known ?? { robot, seed, ...(await attackPathProgram(robot, seed, { samples, degrees: 1 })) };
    if (!known) append(line);
    const total = totals[robot];
    total[line.outcome]++;
    total.wrong += line.wrong.length;
    if (line.ladder !== undefined) total.ladders++;
    if (line.ladder) total.found++;
    if (line.ladder || line.wrong.length > 0) console.log(JSON.stringify(line));
  }
  for (const [robot, total] of Object.entries(totals)) {
    console.log(JSON.stringify({ robot, ...total }));
    if (total.wrong > 0) process.exitCode = 1;
  }
}

/** Returns the results that are known, by robot and seed, and what appends one. */
function recorded() {
  const { results, append } = keptResults(values.results);
  return { known: new Map(results.map((line) => [keyOf(line), line])), append };
}

function keyOf({ robot, seed }) {
  return `${robot} ${seed}`;
}

async function attack() {
  const { attackToolPath, pathRobot } = await importBundled('test/core/cartesian/paths/toolPathAttack.ts');
  const { append, known: done } = recorded();
  process.exitCode = 0;
  for (const name of values.robots.split(',')) {
    const robot = await pathRobot(name, values.jerk && Number(values.jerk));
    const total = { robot: name, paths: count, planned: 0, proved: 0, refused: 0, wrong: 0 };
    for (let seed = first; seed < first + count; seed++) {
      const known = done.get(keyOf({ robot: name, seed }));
      const line = known ?? { robot: name, seed, ...attackToolPath(robot, seed, samples) };
      if (!known) append(line);
      const { proved = 0, refused = 0, wrong } = line;
      if (wrong) total.planned++;
      total.proved += proved;
      total.refused += refused;
      total.wrong += wrong?.length ?? 0;
      if (wrong?.length > 0) console.log(JSON.stringify(line));
    }
    console.log(JSON.stringify(total));
    if (total.wrong > 0) process.exitCode = 1;
  }
}
