import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { checkers } from '../../../core/narrowphase/index.ts';
import { planners } from '../../../core/planning/index.ts';
import { kindOf } from '../../../core/scene/movingScene.ts';
import { contentOf, motionFormats } from '../../../formats/trajectories/index.ts';
import { edgeValidations } from '../../../tasks/planning/edgeValidation.ts';
import type { PlanMotionResult } from '../../../tasks/planning/planMotion.ts';
import { type NamedPlanOptions, planDefaults } from '../../../tasks/planning/planOptions.ts';
import type { TimeLimit } from '../../../tasks/planning/stopwatch.ts';
import type { Problem } from '../../../tasks/sceneRobot.ts';
import { blendRules } from '../../../tasks/timing/blendRules.ts';
import { type LoadedScene, loadProblems } from '../../node/files.ts';
import { refuseSceneAsOutput } from '../../node/outputTarget.ts';
import { defineCommand, type Values } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { choice, flag, integer, optionalInteger, pairs, quantity, text } from '../options.ts';
import { explain } from '../plan/explanation.ts';
import { readPrepared } from '../plan/libraryOption.ts';
import { planAsMoves, refuseMoves, withStops } from '../plan/movesOption.ts';
import { namedNumbers, plannerHelp } from '../plan/plannerOptions.ts';
import { PlanOutput } from '../plan/planOutput.ts';
import { clamped, refuseUnsupported, resultsOf, warn, withModels } from '../plan/planProblems.ts';
import { summaryOf } from '../plan/planSummary.ts';
import { certificateAsWritten, missingCertificate, provedResult, remainingLimit } from '../plan/verifyOutput.ts';
import { sceneOperand } from '../sceneOperand.ts';
import { delayJit, restoreJit } from '../v8Flags.ts';

const options = {
  planner: choice(planners, planDefaults.planner, 'search algorithm'),
  plannerOption: pairs('NAME=VALUE', 'planner option, see below'),
  checker: choice(checkers, planDefaults.checker, 'narrow-phase algorithm'),
  weight: pairs('JOINT=VALUE', 'weight of a joint in the path length, see below'),
  edges: choice(edgeValidations, planDefaults.edges, 'edge validation: continuous (certified) or discrete (sampled)'),
  step: quantity(
    planDefaults.step,
    'rad',
    'maximum distance between samples of an edge (L2 over the joints), for --edges sampled',
    { min: 1e-6 },
  ),
  seed: integer(planDefaults.seed, 'seed of all random numbers; equal seeds give equal trajectories', { min: 0 }),
  startTolerance: quantity(
    0,
    'rad or m',
    'joint values of the start out of limits by at most this are clamped, see below',
    { min: 0 },
  ),
  timeLimit: quantity(planDefaults.timeLimit, 's', 'time limit of planning, proof included, see below', {
    min: 0,
    exclusive: true,
  }),
  iterations: optionalInteger("the planner's own", 'iteration limit of the planner', { min: 1 }),
  start: text('Q', 'start configuration instead of that of the scene: "0, -90 deg, pi/2, ...", or the name of a state'),
  goal: text('Q', 'goal instead of that of the scene: as --start, or a pose: "{link: tool0, xyz: [0.4, 0, 0.3]}"'),
  speed: text('SCALE', 'scale of all velocity limits instead of that of the scene: 0.5, or 50%'),
  acceleration: text('SCALE', 'scale of all acceleration limits instead of that of the scene: 0.5, or 50%'),
  jobs: optionalInteger(
    '1',
    'number of threads: problems of a suite in parallel; as many seeds of a single problem, see below',
    {
      min: 1,
      max: 256,
    },
  ),
  explain: flag('explain a failure, see below'),
  infeasible: flag('attempt to prove that no motion exists, see below'),
  library: text('FILE', 'library of motions (library build) that planner library searches: only obstacles may differ'),
  noShortcut: flag('disable shortcutting'),
  noTiming: flag('disable time parameterization: write the path, straight lines without times'),
  optimize: flag(
    'trajectory optimization after planning: shorter duration at no less clearance, if proved; see optimize',
  ),
  corners: choice(blendRules, planDefaults.corners, 'corner blending'),
  certificate: text('FILE', 'output file of the certificate (separating planes), for verify; for a suite: a folder'),
  format: choice(motionFormats, 'json', 'trajectory format'),
  split: flag('tool path that cannot be followed in one motion: its parts as programs, into the folder -o, see below'),
  moves: flag('with --format urscript: movej, movel and movec with named targets, instead of servoj'),
  output: text(
    'FILE',
    'output file, written completely or not at all (default: stdout); for a suite, and for ros-goal: a folder',
    'o',
  ),
  stats: text('FILE', 'output file of one JSON line per problem with times, counts and warnings; - for stdout'),
  svg: text('FILE', 'output file of a drawing of the motion, SVG; for a suite: a folder'),
  report: text(
    'FILE',
    'output file of an HTML page that replays and verifies the motion, or shows the failure; for a suite: a folder',
  ),
};

export const plan = defineCommand({
  summary: 'motion planning: a collision-free trajectory from the start to the goal of a scene',
  operands: [{ name: 'SCENE', meaning: `suite or ${sceneOperand.meaning}` }],
  options,
  details: `Planners and their options:
${plannerHelp(planners)}

Path length is in radians, L2 over the joints. Continuous joints take the shorter direction. A prismatic joint
has a weight in rad/m: one metre counts as the rotation that moves the farthest point of the robot by one metre, and
the whole range as at most a full turn. "weights" of the scene, or --weight (which overrides them), state other weights.

--library FILE (see library) is never written. Its edges hold in the scene if the planes that are stored around them
separate them from the obstacles that have changed; all others are proved again before they are used. If it has no path,
RRT-Connect plans. The trajectory is proved as always. --stats has "library": {"kept", "dropped", "repaired"}, of the
edges that the search tested.

--stats has "active_limits": for how many seconds a motion uses 98 % or more of its limits, by name.

--time-limit covers everything from the collision model to the proved trajectory: search, shortcutting, blends, proof,
--certificate, --optimize, and the proof of the trajectory as --format stores it; not the reading of files and
drawings. Path improvement ends early enough for the proof. If the limit ends the proof, the status is unresolved and
nothing is written; if it ends another phase, the trajectory states "cut_short": true, and another run may have another
result. Each search of --explain has the full limit. The steps of a program share one limit: if it ends their search or
proof, the status is step-failed, with the step that was not completed.

--start-tolerance V: joint values of the start that are out of limits by at most V (radians or metres; less for a joint
that others follow with a larger multiplier) are clamped. The trajectory begins at the clamped state, as stderr states;
the straight motion from the stated start to there is proved collision-free, but is not part of the trajectory. Goals are
not clamped.

With --jobs N, one problem is planned with the seeds S ... S+N-1, S being --seed, in rounds of 256, 512, 1024, ...
iterations. In the first round in which any seed finds a path, the shortest path is the result: byte-identical to that
of the winning seed alone, on every machine.

If planning fails, --explain reports on stderr, and as "explanation" in the line of --stats, which pairs collide at
start or goal and how deep; or the extent of the search from start and goal, its nearest approach, and the objects that
blocked it. It then plans again with the same seed and budget, each time without one of these objects, or with two links
allowed to collide: "without shelf a path exists". For a program, it reports how far each IK solution gets in the
step that fails, and plans again without each object that blocks it.

With --infeasible, a proof that no motion exists is attempted before the search, for at most half of the time limit:
every state of the goal is in collision, or the start or the goal is enclosed by states in collision. Then the status is
infeasible, and --certificate is the file of the proof, which verify checks. What is not proved is planned as without
the option, in the rest of the time.

--moves writes movej, movel and movec with stops, named targets, and calls of steps and events (docs/urscript.md). The
program is read back and proved for every motion that the manual allows for it; else the status is unresolved.

--split plans a tool path that cannot be followed in one motion as several programs (docs/tool-paths.md), and writes
their scenes to -o FOLDER, too. Exit code 0 if all way points are passed.

The trajectory is proved collision-free over continuous time, and within all limits, before it is written.
Exit code 0: solved (suite: all problems), 1: no path found, or proved infeasible, or start or goal is in collision or
out of limits.`,
  examples: [
    ['elbowroom plan scenes/shelf.yaml -o shelf.json', 'a timed trajectory'],
    [
      'elbowroom plan scenes/doorway.yaml --jobs 4 --stats -',
      'the best of four seeds; the statistics contain the winning seed',
    ],
    ['elbowroom plan scenes/shelf.yaml --goal home --seed 3 --format csv', 'another goal and seed, as CSV on stdout'],
    [
      'elbowroom plan scenes/table-top.yaml --goal "{link: tool0, xyz: [0.4, 0.3, 0.2], rpy: [pi, 0, 0]}"',
      'a goal pose, as in a scene file',
    ],
  ],
  run,
});

/** Runs `plan`. All input is read before the first problem is planned, so that bad input leaves no partial results. */
async function run(io: Io, [path]: readonly (string | undefined)[], given: Values<typeof options>): Promise<ExitCode> {
  if (given.split) return (await import('../plan/splitOption.ts')).planParts(io, path!, given, settingsOf(given));
  delayJit();
  const startTime = io.clock();
  const { start, goal, speed, acceleration } = given;
  const loaded = await loadProblems(path!, { overrides: { start, goal, speed, acceleration } });
  const loadMs = io.clock() - startTime;
  const prepared = await clamped(withModels(loaded, io.clock), given);
  if (given.moves) refuseMoves(given, prepared);
  const problems = given.moves ? prepared.map(withStops) : prepared;
  const wholeSuite = loaded[0].suite !== undefined && loaded[0].file === path;
  const hasProgram = problems.some(({ scene }) => kindOf(scene) === 'program');
  refuseUnsupported(given, problems);
  if (wholeSuite || given.jobs !== undefined || hasProgram) restoreJit(); // runs this long repay optimized code
  const warned = problems.map((problem) => warn(io, problem));
  const writer = motionFormats[given.format];
  refuseSceneAsOutput(loaded[0].file, [given.output, given.certificate, given.stats, given.svg, given.report]);
  const output = new PlanOutput(io, writer, given, wholeSuite);
  const settings = settingsOf(given);
  const library = given.library && (await readPrepared(given.library, given, problems.length));
  const searched = { ...settings, library: library || undefined };
  const results = resultsOf(io, problems, searched, given.jobs ?? 1, wholeSuite);
  let unsolved = 0;
  for (const [i, problem] of problems.entries()) {
    const planned = (await results.next()).value!;
    io.say(`${problem.scene.name}: ${planned.trajectory ? summaryOf(planned, problem.model) : planned.reason}`);
    const limit = remainingLimit(io.clock, planned, given.timeLimit);
    const found = given.optimize ? await optimized(io, problem, planned, limit) : planned;
    const moves = given.moves ? await planAsMoves(io, found, problem, given.checker) : undefined;
    const isStored = given.format === 'json';
    const answer = moves?.answer ?? (isStored ? found : await provedResult(io, found, planned, problem, writer, limit));
    if (answer.status !== 'solved') unsolved++;
    const wanted = given.explain && answer.status !== 'solved';
    const explanation = wanted ? await explain(io, problem, answer, settings) : undefined;
    const setting = { robot: problem.model, scene: problem.scene };
    const content = moves?.content ?? (answer.trajectory && (await contentOf(writer, answer.trajectory, setting)));
    const certificate = await certificateAsWritten(answer, problem, writer, limit.isOver);
    if (answer.trajectory && given.certificate && !certificate) {
      warned[i].push(await missingCertificate(problem, answer, limit, given.format));
      io.warn(warned[i]);
    }
    const picture = given.svg && (await pictureOf(problem, answer));
    const report = given.report === undefined ? undefined : await reportOf(problem, answer);
    const warnings = [...new Set([...warned[i], ...io.warnings.filter((one) => !warned.flat().includes(one))])];
    const ofLimits = given.stats === undefined ? {} : await limitsUsed(problem, answer);
    const stats = { ...answer.stats, ...ofLimits, warnings };
    stats.setup_ms += problem.modelMs;
    const shown = { stats, content, certificate, explanation, picture, report };
    const place = wholeSuite ? `${path}#${problem.scene.name}` : path!;
    await output.add(problem.suite, place, { ...answer, ...shown }, i === 0 ? loadMs : 0);
  }
  await output.finish();
  return unsolved > 0 ? ExitCode.No : ExitCode.Ok;
}

/** For how long the planned motion uses each of its limits. */
async function limitsUsed(
  problem: Problem & { readonly model: RobotModel },
  { trajectory }: PlanMotionResult,
): Promise<object> {
  if (!trajectory) return {};
  const { activeLimits } = await import('../../../tasks/forces/limitProfile.ts');
  return activeLimits(problem, trajectory);
}

/** Returns the optimized plan; the optimizer is loaded on use. */
async function optimized(
  io: Io,
  problem: LoadedScene & { readonly model: RobotModel },
  answer: PlanMotionResult,
  limit: TimeLimit,
): Promise<PlanMotionResult> {
  const { optimizedPlan } = await import('../../../tasks/reports/optimizedPlan.ts');
  return io.compute(`${problem.scene.name}: optimizing`, () =>
    optimizedPlan(problem, answer, limit, (line) => io.say(line)),
  );
}

/** Returns the picture of the plan as SVG; the module is loaded on use. */
async function pictureOf(problem: Problem, answer: PlanMotionResult): Promise<string | undefined> {
  const { drawPlan } = await import('../../../tasks/pictures/drawPlan.ts');
  return drawPlan(problem, answer);
}

/** Returns the HTML page of the plan; the module is loaded on use. */
async function reportOf(problem: Problem, answer: PlanMotionResult): Promise<string> {
  const { planReport } = await import('../plan/planReport.ts');
  return planReport(problem, answer);
}

/** Converts the options of the command to those of `planMotion`. */
function settingsOf({
  planner,
  plannerOption,
  weight,
  noShortcut,
  noTiming,
  library,
  ...rest
}: Values<typeof options>): NamedPlanOptions {
  return {
    ...rest,
    planner: library !== undefined && planner === planDefaults.planner ? 'library' : planner,
    plannerOptions: namedNumbers('--planner-option', plannerOption),
    weights: namedNumbers('--weight', weight),
    shortcut: !noShortcut,
    timing: !noTiming,
    library: undefined,
    certificate: rest.certificate !== undefined || rest.report !== undefined,
  };
}
