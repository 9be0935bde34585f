import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolTracker } from '../../../core/cartesian/toolTracker.ts';
import { poseOfTransform } from '../../../core/kinematics/pose.ts';
import { tcpOf } from '../../../core/kinematics/toolCenterPoint.ts';
import { create, relative } from '../../../core/math/transform.ts';
import { requireStill } from '../../../core/scene/movingScene.ts';
import { changesScene, type PathStep } from '../../../core/scene/program.ts';
import { InputError } from '../../../errors.ts';
import type { PlainData } from '../../../formats/scenes/resolvedObjects.ts';
import { contentOf, writers } from '../../../formats/trajectories/index.ts';
import { type NamedPlanOptions, planDefaults } from '../../../tasks/planning/planOptions.ts';
import type { PathSpan, PlanMotionResult } from '../../../tasks/planning/planStats.ts';
import { planProgram } from '../../../tasks/programs/planProgram.ts';
import { pathFrame } from '../../../tasks/programs/toolPaths.ts';
import { linkPoses } from '../../../tasks/world.ts';
import { plainScene, type ResolvedScene, resolvedScene } from '../../node/scenes/resolved/resolvedScene.ts';
import { type LoadedScene, loadProblemsIn, loadScene } from '../../node/scenes.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { PlanOutput, pathOf } from './planOutput.ts';
import { type PreparedProblem, withModels } from './planProblems.ts';
import { summaryOf } from './planSummary.ts';

/** Distances by which the tool is retracted along its z axis between two parts, metres: the first that is possible. */
const RETRACTS = [0.05, 0.02, 0.005];
/** Metres: steps of the search for the configuration of the retracted tool. */
const STEP = 0.01;
/** Options of `plan` that apply to one motion or change the scene of the file. */
const OTHERS = [
  ...['start', 'goal', 'speed', 'acceleration', 'jobs', 'explain', 'infeasible', 'library', 'no-timing'],
  ...['optimize', 'moves', 'svg', 'report', 'start-tolerance', 'format', 'planner'],
];
const DEFAULTS: readonly unknown[] = [undefined, false, 0, 'json', planDefaults.planner];

type Given = Readonly<Record<string, unknown>> & ConstructorParameters<typeof PlanOutput>[2];

/** What parts of a program are made from. */
interface Whole {
  readonly problem: PreparedProblem;
  /** The resolved scene. */
  readonly data: PlainData;
  readonly step: PathStep;
  /** Way points of later parts: those without orientation have that at the start of the whole path. */
  readonly points: PathStep['points'];
}

/** A part of a program with its scene. */
interface Part {
  readonly problem: PreparedProblem;
  readonly resolved: ResolvedScene;
  readonly answer: PlanMotionResult;
}

/**
 * Plans a program whose tool path cannot be followed in one motion as several programs: each ends with the tool
 * retracted, and the next one moves it from there to the first way point that follows. Writes their scenes, too.
 */
export async function planParts(io: Io, path: string, given: Given, settings: NamedPlanOptions): Promise<ExitCode> {
  refuseOthers(given);
  const [problem] = withModels([await loadScene(path)], io.clock);
  const data = await plainScene(path);
  const output = new PlanOutput(io, writers.json, given, true);
  const { name } = problem.scene;
  const plan = (one: PreparedProblem) =>
    io.compute(`${one.scene.name}: planning`, () => planProgram(one, settings, { clock: io.clock }));
  const answer = plan(problem);
  const { spans } = answer.stats;
  const step = problem.scene.steps?.[spans?.[0]?.step ?? -1];
  if (answer.trajectory || step?.kind !== 'path' || !spans) {
    io.say(`${name}: ${answer.trajectory ? 'no part of it needs to be planned apart' : answer.reason}`);
    if (!answer.trajectory) return ExitCode.No;
    await addPart(io, output, given, { problem, resolved: resolvedScene(data), answer });
    await output.finish();
    return ExitCode.Ok;
  }
  requireUnchanged(problem, step.index);
  const isWhole = (span: PathSpan) => span.status === 'reachable' && span.to > span.from;
  const left = spans.filter((span, k) => !isWhole(span) && !(span.from === span.to && spans[k + 1]?.from === span.to));
  for (const { from, to, reason = 'a single one' } of left)
    io.say(`${name}: way points ${from} to ${to} are left out: ${reason}`);
  const gaps = spans.filter((span, k) => isWhole(span) && spans[k - 1]?.to === span.from - 1 && isWhole(spans[k - 1]));
  for (const { from } of gaps) io.say(`${name}: the way from way point ${from - 1} to ${from} is left out`);
  let end: readonly number[] | undefined;
  // The first part has the steps before the path, also if the path is not followed from its first way point.
  const followed = spans.filter((one) => one.from === 0 || isWhole(one));
  const whole = { problem, data, step, points: orientedPoints(problem, step, spans[0].start!) };
  refuseOlder(given, name, followed.length + 1);
  for (const [k, span] of followed.entries()) {
    const part = await plannedPart(whole, span, `${name}-${k + 1}`, end, plan);
    const { trajectory, reason } = part.answer;
    const summary = trajectory ? summaryOf(part.answer, part.problem.model) : reason;
    io.say(`${name}-${k + 1}: way points ${span.from} to ${span.to}: ${summary}`);
    if (!trajectory) refuseOlder(given, name, k + 1);
    await addPart(io, output, given, part);
    if (!trajectory) left.push(span);
    end = trajectory?.points.at(-1)?.positions;
    if (!end) break;
  }
  await output.finish();
  return left.length + gaps.length > 0 ? ExitCode.No : ExitCode.Ok;
}

/** Plans a part with the largest possible distance of the retracted tool. */
async function plannedPart(
  whole: Whole,
  span: PathSpan,
  name: string,
  end: readonly number[] | undefined,
  plan: (problem: PreparedProblem) => PlanMotionResult,
): Promise<Part> {
  let part: Part | undefined;
  for (const distance of RETRACTS) {
    const steps = partSteps(whole, span, distance, end !== undefined);
    if (!steps) continue;
    const { hashes, ...own } = whole.data;
    const resolved = resolvedScene({ ...own, name, steps, ...(end && { start: end }), hashes });
    const [problem] = withModels(await loadProblemsIn(resolved.text, `${name}.json`), () => 0);
    part = { problem, resolved, answer: plan(problem) };
    if (part.answer.trajectory) return part;
  }
  if (part) return part;
  throw new InputError(`${name}: the tool cannot be retracted at way point ${span.from}`);
}

/** Returns the steps of a part; undefined if there is no configuration of the retracted tool. */
function partSteps(
  { problem, data, step, points }: Whole,
  { from, to, start }: PathSpan,
  distance: number,
  isMoved: boolean,
): PlainData[] | undefined {
  const steps = data.steps as PlainData[];
  const isLast = to === step.points.length - 1;
  const approach = isMoved ? approachTo(problem, start!, distance) : steps.slice(0, step.index);
  const { file: _, scale: __, ...own } = steps[step.index].path as PlainData;
  const passed = (isMoved ? points : step.points).slice(from, to + 1);
  // the tool is retracted with its signal off
  if (!isLast && passed[0].on !== undefined) passed[passed.length - 1] = { ...passed[passed.length - 1], on: false };
  const part = { ...steps[step.index], path: { ...own, points: passed } };
  const rest = isLast ? steps.slice(step.index + 1) : [{ line: { by: [0, 0, -distance], frame: 'tcp' }, blend: 0 }];
  return approach && [...approach, ...(to > from ? [part] : []), ...rest];
}

/** Returns the way points of a path; those without orientation get that of the tool at a configuration. */
function orientedPoints({ model, scene }: PreparedProblem, step: PathStep, q: readonly number[]): PathStep['points'] {
  const frame = pathFrame(model, scene, step);
  const at = Float64Array.from(q);
  const T = create();
  const T_world_tcp = new ToolTracker(model, tcpOf(model, scene.tcp)).pose(at);
  relative(T, typeof frame === 'number' ? linkPoses(model, at)(step.frame) : frame, T_world_tcp);
  const { quat_wxyz } = poseOfTransform(T);
  return step.points.map((point) => ({ quat_wxyz, ...point }));
}

/** Returns the steps from anywhere to a configuration: a free motion, and a line along the axis of the tool. */
function approachTo(
  { model, scene }: PreparedProblem,
  q: readonly number[],
  distance: number,
): PlainData[] | undefined {
  const tracker = new ToolTracker(model, tcpOf(model, scene.tcp));
  const at = Float64Array.from(q);
  const T = tracker.pose(at).slice();
  const { xyz, quat_wxyz } = poseOfTransform(T);
  for (let done = 0; done < distance - 1e-9; done += STEP) {
    const reach = Math.min(STEP, distance - done);
    for (let i = 3; i < 12; i += 4) T[i] -= reach * T[i - 1];
    if (!tracker.correct(at, T)) return undefined;
  }
  return [{ move: [...at] }, { line: { to: { xyz, quat_wxyz } }, blend: 0 }];
}

async function addPart(io: Io, output: PlanOutput, { output: folder }: Given, part: Part): Promise<void> {
  const { problem, resolved, answer } = part;
  const { name } = problem.scene;
  const certificate = answer.certificate && { ...answer.certificate, ...resolved.identity };
  const content =
    answer.trajectory &&
    (await contentOf(writers.json, answer.trajectory, { robot: problem.model, scene: problem.scene }));
  io.save(join(folder!, `${pathOf(name)}.scene.json`), resolved.text);
  const others = { explanation: undefined, picture: undefined, report: undefined };
  await output.add(undefined, `${name}.scene.json`, { ...answer, ...others, content, certificate }, 0);
}

/** Throws `InputError` if the folder has the motion of a part that this plan has not: the robot is elsewhere then. */
function refuseOlder({ output }: Given, name: string, part: number): void {
  const older = join(output!, `${pathOf(`${name}-${part}`)}.json`);
  if (existsSync(older)) throw new InputError(`${older}: a part of another plan`, 'Remove it, or name another folder.');
}

function refuseOthers(given: Given): void {
  const camel = (name: string) => name.replace(/-(.)/, (_, letter: string) => letter.toUpperCase());
  const other = OTHERS.find((name) => !DEFAULTS.includes(given[camel(name)]));
  if (other !== undefined) throw new InputError(`--${other}: not with --split`, `Leave --${other} out.`);
  if (given.output === undefined) throw new InputError('--split: no output is given', 'Give -o FOLDER.');
}

/** Throws `InputError` if the scene differs after a step. */
function requireUnchanged({ scene }: LoadedScene, index: number): void {
  requireStill(scene, `${scene.name}: --split`);
  if (scene.steps!.slice(0, index).some(changesScene))
    throw new InputError(
      `${scene.name}: --split: objects or fingers move before the tool path, or allowed pairs change`,
      'State the scene as it is at the start of the path.',
    );
}
