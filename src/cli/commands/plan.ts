import { CollisionModel } from '../../collision/collisionModel.ts';
import { type AnyWriter, binaryFormats, contentOf, writers } from '../../formats/trajectories/index.ts';
import type { RobotDescription, RobotModel } from '../../kinematics/robotModel.ts';
import { checkers } from '../../narrowphase/index.ts';
import { type LoadedScene, loadProblems } from '../../node/files.ts';
import { PlanThreads } from '../../node/planThreads.ts';
import { planners } from '../../planning/index.ts';
import { edgeChecks } from '../../tasks/planning/edgeValidation.ts';
import { type PlanAnswer, type PlanOptions, planDefaults, planMotion } from '../../tasks/planning/planMotion.ts';
import { cornerRules } from '../../tasks/planning/timedMotion.ts';
import { linkBodies } from '../../tasks/robots/linkGeometry.ts';
import { createSceneRobot, limitWarnings, type Problem } from '../../tasks/sceneRobot.ts';
import { defineCommand, type Values } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { choice, flag, integer, optionalInteger, pairs, quantity, text } from '../options.ts';
import { explain } from '../plan/explanation.ts';
import { namedNumbers, plannerHelp } from '../plan/plannerOptions.ts';
import { PlanOutput } from '../plan/planOutput.ts';
import { KeptRoadmap } from '../plan/roadmapOption.ts';
import { certificateAsWritten, noCertificate, provedAsWritten } from '../plan/verifyOutput.ts';
import { sceneOperand } from '../sceneOperand.ts';
import { optimizeAsUsual, optimizeLater } from '../v8Flags.ts';

const forms: Readonly<Record<string, AnyWriter>> = { ...writers, ...binaryFormats };

const options = {
  planner: choice(planners, planDefaults.planner, 'search algorithm'),
  plannerOption: pairs('NAME=VALUE', 'an option of the planner, see below'),
  checker: choice(checkers, planDefaults.checker, 'narrow phase'),
  model: choice(linkBodies, 'hulls', 'what stands for the links of the robot'),
  weight: pairs('JOINT=VALUE', 'what the travel of a joint counts in the length of a path, see below'),
  edges: choice(edgeChecks, planDefaults.edges, 'how the motions that the planner tries are looked at'),
  step: quantity(planDefaults.step, 'rad', 'greatest distance of two samples of an edge (L2 over the joints)', {
    least: 1e-6,
  }),
  seed: integer(planDefaults.seed, 'of all random numbers; equal seeds give equal trajectories', { least: 0 }),
  timeLimit: quantity(planDefaults.timeLimit, 's', 'give up after this long', { least: 0, above: true }),
  iterations: optionalInteger("the planner's own", 'give up, or stop improving, after as many', { least: 1 }),
  start: text('Q', 'instead of the start of the scene: "0, -90 deg, pi/2, ...", or the name of a state'),
  goal: text('Q', 'instead of the goal of the scene: likewise, or a pose: "{link: tool0, xyz: [0.4, 0, 0.3]}"'),
  jobs: optionalInteger('1', 'threads: they plan the problems of a suite; for one problem, as many seeds', {
    least: 1,
    most: 256,
  }),
  explain: flag('where there is no motion, say why: see below'),
  roadmap: text('FILE', 'begin with the roadmap of prm or lazy-prm that is there, if any, and leave it there grown'),
  noShortcut: flag('leave the path as the planner found it'),
  noTiming: flag('write the path: straight lines without times'),
  optimize: flag('make the motion faster at no less clearance, where one is found that is proved; see optimize'),
  corners: choice(cornerRules, planDefaults.corners, 'how the motion gets past the corners of its path'),
  certificate: text('FILE', 'write the planes that prove it there, for verify; of a suite: a folder'),
  format: choice(forms, 'json', 'form of the trajectory'),
  output: text('FILE', 'write there, whole or not at all, instead of stdout; of a suite: a folder', 'o'),
  stats: text('FILE', 'a line of JSON with times and counts for each problem; - for stdout'),
  svg: text('FILE', 'draw the motion there, as SVG; of a suite: a folder'),
  report: text(
    'FILE',
    'write a page there that replays and verifies the motion, or shows why there is none; of a suite: a folder',
  ),
};

export const plan = defineCommand({
  summary: 'find a collision-free trajectory from the start to the goal of a scene',
  operands: [{ name: 'SCENE', meaning: `suite or ${sceneOperand.meaning}` }],
  options,
  details: `Planners and their options:
${plannerHelp(planners)}

Lengths are radians, L2 over the joints. Joints that turn without end take the short way round. A metre of a slide counts as the angle
that moves the robot's farthest point as far, and all its travel as a full turn at most, unless "weights" of the scene, or --weight over
them, say otherwise.

A roadmap serves all questions about one robot and scene. That of another, or one made with other --edges, is no more than a hint:
each of its motions is looked at again before it is used.

With --jobs N, one problem is planned for with the seeds S ... S+N-1, S being --seed. The shortest path wins among those found
in the earliest round of 256, 512, 1024, ... iterations; the answer is the one that the winning seed gives by itself, on every machine.

Where there is no motion, --explain tells on stderr, and as "explanation" in the line of --stats, what is in the way of an end and how deep;
or how far a search came from either end, where the two came nearest, and which bodies stopped it. Then it plans again with the same seed
and budget, each time without one of the bodies in the way, or with two parts of the robot allowed to touch: "without shelf a path exists".

The answer is proved free of collision over continuous time, and within all limits, before it is written.
Exit code 0: solved (of a suite: all of it), 1: no path found, or an end is in collision or out of limits.`,
  examples: [
    ['elbowroom plan scenes/shelf.yaml -o shelf.json', 'a timed trajectory'],
    [
      'elbowroom plan scenes/doorway.yaml --jobs 4 --stats -',
      'the best of four seeds; the figures tell which one it was',
    ],
    ['elbowroom plan scenes/shelf.yaml --goal home --seed 3 --format csv', 'another goal and seed, as CSV on stdout'],
    [
      'elbowroom plan scenes/table-top.yaml --goal "{link: tool0, xyz: [0.4, 0.3, 0.2], rpy: [pi, 0, 0]}"',
      'to a pose, written as in a scene file',
    ],
  ],
  run,
});

/** Everything is read before the first problem is planned, so that bad input leaves no half of an answer behind. */
async function run(io: Io, [path]: readonly (string | undefined)[], given: Values<typeof options>): Promise<ExitCode> {
  optimizeLater();
  const begun = io.clock();
  const loaded = await loadProblems(path!, { overrides: { start: given.start, goal: given.goal } });
  const problems = withModels(loaded.map((one) => ({ ...one, robot: linkBodies[given.model].of(one.robot) })));
  const wholeSuite = loaded[0].suite !== undefined && loaded[0].file === path;
  if (wholeSuite || given.jobs !== undefined) optimizeAsUsual();
  const loadMs = io.clock() - begun;
  const warnings = problems.flatMap(({ warnings, model }) => [...warnings, ...limitWarnings(model)]);
  io.warn([...new Set(warnings)]);
  const writer = forms[given.format];
  const output = new PlanOutput(io, writer, given, wholeSuite);
  const settings = settingsOf(given);
  const kept = given.roadmap === undefined ? undefined : new KeptRoadmap(given.roadmap, settings, problems);
  const roadmap = await kept?.read(io);
  const answers = answersOf(io, problems, { ...settings, roadmap }, given.jobs ?? 1, wholeSuite);
  let unsolved = 0;
  for (const [i, problem] of problems.entries()) {
    const planned = (await answers.next()).value!;
    io.say(`${problem.scene.name}: ${planned.trajectory ? summaryOf(planned) : planned.reason}`);
    const found = given.optimize ? await optimized(io, problem, planned) : planned;
    const answer = given.format === 'json' ? found : await provedAnswer(io, found, planned, problem, writer);
    if (answer.status !== 'solved') unsolved++;
    await kept?.write(answer);
    const wanted = given.explain && answer.status !== 'solved';
    const explanation = wanted ? await explain(io, problem, answer, { ...settings, roadmap }) : undefined;
    const setting = { robot: problem.model, scene: problem.scene };
    const content = answer.trajectory && (await contentOf(writer, answer.trajectory, setting));
    const certificate = await certificateAsWritten(answer, problem, writer);
    if (answer.trajectory && given.certificate && !answer.certificate)
      io.warn([noCertificate(new CollisionModel(problem.model, problem.scene))]);
    if (answer.certificate && !certificate)
      io.warn([`${problem.scene.name}: as ${given.format} carries it, the motion cannot be proved: no certificate`]);
    const picture = given.svg === undefined ? undefined : await pictureOf(problem, answer);
    const report = given.report === undefined ? undefined : await reportOf(problem, answer);
    const shown = { content, certificate, explanation, picture, report };
    await output.add(problem.suite, { ...answer, ...shown }, i === 0 ? loadMs : 0);
  }
  await output.finish();
  return unsolved > 0 ? ExitCode.No : ExitCode.Ok;
}

/** The answer that is proved as its file would carry it: the optimised one, else the one that was planned, else none. */
async function provedAnswer(
  io: Io,
  found: PlanAnswer,
  planned: PlanAnswer,
  problem: LoadedScene & { readonly model: RobotModel },
  writer: AnyWriter,
): Promise<PlanAnswer> {
  const answer = await provedAsWritten(found, problem, writer);
  if (answer === found) return found;
  io.say(`${problem.scene.name}: ${answer.reason}`);
  if (found === planned) return answer;
  io.say(`${problem.scene.name}: the motion is written as planned, not optimised`);
  const unoptimised = await provedAsWritten(planned, problem, writer);
  if (unoptimised !== planned) io.say(`${problem.scene.name}: ${unoptimised.reason}`);
  return unoptimised;
}

/** The optimiser is loaded where it is asked for. */
async function optimized(
  io: Io,
  problem: LoadedScene & { readonly model: RobotModel },
  answer: PlanAnswer,
): Promise<PlanAnswer> {
  const { optimizedPlan } = await import('../plan/optimizedPlan.ts');
  return optimizedPlan(io, problem, answer);
}

/** The drawing is loaded where it is asked for. */
async function pictureOf(problem: Problem, { trajectory }: PlanAnswer): Promise<string | undefined> {
  if (trajectory === undefined) return undefined;
  const { drawMotion } = await import('../../tasks/pictures/drawMotion.ts');
  return drawMotion(problem, trajectory, { caption: problem.scene.description ?? '' });
}

/** Likewise the page. */
async function reportOf(problem: Problem, answer: PlanAnswer): Promise<string> {
  const { planReport } = await import('../plan/planReport.ts');
  return planReport(problem, answer);
}

/** Each problem with the robot as it wants it; problems that want the same share one. */
function withModels(problems: readonly LoadedScene[]): (LoadedScene & { readonly model: RobotModel })[] {
  const models = new Map<string, { robot: RobotDescription; model: RobotModel }>();
  return problems.map((problem) => {
    const key = JSON.stringify(problem.scene.robot);
    const known = models.get(key);
    if (known?.robot === problem.robot) return { ...problem, model: known.model };
    const model = createSceneRobot(problem);
    models.set(key, { robot: problem.robot, model });
    return { ...problem, model };
  });
}

/** The answers to some problems, in order: from this thread, or from as many as there are jobs. */
async function* answersOf(
  io: Io,
  problems: readonly Problem[],
  settings: PlanOptions,
  jobs: number,
  wholeSuite: boolean,
): AsyncGenerator<PlanAnswer, undefined> {
  const place = (i: number) => (wholeSuite ? `${i + 1} of ${problems.length}, ` : '');
  if (jobs === 1) {
    for (const [i, problem] of problems.entries()) yield planOne(io, problem, settings, place(i));
    return;
  }
  const threads = await PlanThreads.start(problems, wholeSuite ? Math.min(jobs, problems.length) : jobs);
  try {
    const answers = problems.map((problem) =>
      wholeSuite ? threads.plan(problem, settings) : threads.race(problem, settings, jobs),
    );
    for (const answer of answers) answer.catch(() => {}); // it is told when its turn comes
    for (const [i, answer] of answers.entries()) {
      io.progress(`${place(i)}${problems[i].scene.name}: planning with ${jobs} threads`);
      const { stats } = await answer;
      for (const { length, iterations } of stats.improvements) io.say(betterLine(stats.scene, length, iterations));
      yield answer;
    }
  } finally {
    await threads.end();
  }
}

function settingsOf({ plannerOption, weight, noShortcut, noTiming, ...rest }: Values<typeof options>): PlanOptions {
  return {
    ...rest,
    plannerOptions: namedNumbers('--planner-option', plannerOption),
    weights: namedNumbers('--weight', weight),
    shortcut: !noShortcut,
    timing: !noTiming,
    roadmap: undefined,
    certificate: rest.certificate !== undefined || rest.report !== undefined,
  };
}

function planOne(io: Io, problem: Problem, settings: PlanOptions, place: string): PlanAnswer {
  const { name } = problem.scene;
  io.progress(`${place}${name}: planning`);
  const progress = (iterations: number, ms: number) => {
    optimizeAsUsual(); // it takes long enough to be worth it
    io.progress(`${place}${name}: planning, ${(ms / 1000).toFixed(1)} s, ${iterations} iterations`);
  };
  const better = (length: number, iterations: number) => io.say(betterLine(name, length, iterations));
  return io.compute(() => planMotion(problem, settings, { clock: io.clock, progress, better }));
}

/** Of planners that go on improving: as it is found, or with the answer where it comes from another thread. */
const betterLine = (name: string, length: number, iterations: number) =>
  `${name}: a path of ${length.toFixed(4)} rad after ${iterations} iterations`;

/** `solved in 31 ms (planning 12, shortcut 15, timing 1, proof 3): 9 points, 4.21 rad, 3.870 s of motion (1.12 x what limits alone ask for)` */
function summaryOf({ stats }: PlanAnswer): string {
  const phases = [stats.planning_ms, stats.shortcut_ms, stats.timing_ms, stats.check_ms];
  const total = phases.reduce((sum, ms) => sum + ms, 0);
  const [planning, shortcut, timing, proof] = phases.map((ms) => ms.toFixed(0));
  const motion = stats.duration === null ? '' : `, ${stats.duration.toFixed(3)} s of motion${comparison(stats)}`;
  return `solved in ${total.toFixed(0)} ms (planning ${planning}, shortcut ${shortcut}, timing ${timing}, proof ${proof}): ${stats.waypoints} points, ${stats.path_length?.toFixed(2)} rad${motion}`;
}

/** The duration beside the least that any motion between the same ends takes, where there is one. */
function comparison({ duration, least_duration: least }: PlanAnswer['stats']): string {
  return duration && least ? ` (${(duration / least).toFixed(2)} x what limits alone ask for)` : '';
}
