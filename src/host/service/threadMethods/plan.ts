import { infeasibilityText } from '../../../core/certificate/cells/infeasibility.ts';
import { type Certificate, certificateText } from '../../../core/certificate/certificate.ts';
import { checkers } from '../../../core/narrowphase/index.ts';
import { planners } from '../../../core/planning/index.ts';
import { kindOf } from '../../../core/scene/movingScene.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { withQuery } from '../../../formats/scenes/sceneQuery.ts';
import { type Params, readParams } from '../../../formats/schemas/serviceMessages.ts';
import { writers } from '../../../formats/trajectories/index.ts';
import { queryOf } from '../../../tasks/createPlanner.ts';
import { explainPlan } from '../../../tasks/explainPlan.ts';
import { unstatedForces } from '../../../tasks/forces/sceneArm.ts';
import { unsupportedOptions } from '../../../tasks/lazyPlan.ts';
import { edgeValidations } from '../../../tasks/planning/edgeValidation.ts';
import type { PlanMotionResult } from '../../../tasks/planning/planMotion.ts';
import { type NamedPlanOptions, planDefaults, plannerOptions } from '../../../tasks/planning/planOptions.ts';
import { clampStart } from '../../../tasks/planning/startTolerance.ts';
import { TimeLimit } from '../../../tasks/planning/stopwatch.ts';
import { partialGoalNotes } from '../../../tasks/programs/completeGoals.ts';
import { optimizedPlan } from '../../../tasks/reports/optimizedPlan.ts';
import { objectText, oneLine, requireParameter, type ThreadContext, within, withoutOptions } from './context.ts';

/** Plans a motion or a program; the result is that of the command `plan` with the same options. */
export async function plan(given: unknown, context: ThreadContext): Promise<string> {
  const { robot, clock, progress } = context;
  const params = readParams('plan', given);
  const stated = await withQuery(context.scene, robot.description, params, ['params']);
  requireQuery(stated, params);
  const settings = settingsOf(params, context);
  const { scene, note } = within('params.start_tolerance', () =>
    clampStart(robot, stated, params.start_tolerance ?? 0, context.checker),
  );
  const own = note === undefined ? [] : [note];
  const notes = [...own, ...unstatedForces(robot, scene), ...partialGoalNotes(robot, scene)];
  const problem = { scene, robot: robot.description, model: robot };
  const report = (iterations: number, ms: number) =>
    progress({ phase: 'planning', message: `${(ms / 1000).toFixed(1)} s, ${iterations} iterations` });
  progress({ phase: 'planning' });
  const planned = context.planner().plan({ ...queryOf(scene), ...settings }, { clock, progress: report });
  const answer = params.optimize ? optimized(planned, { scene, settings, context }) : planned;
  const explain = params.explain && answer.status !== 'solved';
  const onStep = (message: string) => progress({ phase: 'explaining', message });
  const explanation = explain ? explainPlan(problem, answer, settings, { clock, onStep }).explanation : undefined;
  return answerText(answer, settings.certificate, explanation, notes);
}

function optimized(
  planned: PlanMotionResult,
  { scene, settings, context }: { scene: Scene; settings: NamedPlanOptions; context: ThreadContext },
): PlanMotionResult {
  const { robot, clock, progress } = context;
  progress({ phase: 'optimizing' });
  const { planning_ms, shortcut_ms, timing_ms, check_ms } = planned.stats;
  const spent = (planning_ms + shortcut_ms + timing_ms + check_ms) / 1000;
  return optimizedPlan({ scene, model: robot }, planned, new TimeLimit(clock, settings.timeLimit - spent));
}

/** Throws `InputError` if start or goal are missing, and for options that plan single motions only. */
function requireQuery(scene: Scene, { optimize, explain, infeasible }: Params<'plan'>): void {
  const wanted = Object.entries({ optimize, explain, infeasible }).flatMap(([name, value]) => (value ? [name] : []));
  for (const { options, why } of unsupportedOptions(scene)) {
    const name = wanted.find((one) => options.includes(one));
    if (name !== undefined) throw new InputError(`params.${name}: ${why}`, 'Leave it out.');
  }
  if (scene.start === undefined) throw new InputError('params.start: missing, and the scene has none', 'Give a start.');
  if (kindOf(scene) !== 'program' && scene.goals.length === 0)
    throw new InputError('params.goal: missing, and the scene has none', 'Give a goal, goals or steps.');
}

function settingsOf(params: Params<'plan'>, { checker, timeLimit }: ThreadContext): NamedPlanOptions {
  const planner = requireParameter(planners, 'planner', params.planner ?? planDefaults.planner);
  const options = { ...planDefaults, planner, plannerOptions: params.planner_options ?? {} };
  within('params.planner_options', () => plannerOptions(planners[planner], options));
  return {
    ...options,
    checker: requireParameter(checkers, 'checker', params.checker ?? checker),
    edges: requireParameter(edgeValidations, 'edges', params.edges ?? planDefaults.edges),
    seed: params.seed ?? planDefaults.seed,
    iterations: params.iterations,
    timeLimit: Math.min(params.time_limit ?? planDefaults.timeLimit, timeLimit),
    certificate: params.certificate ?? false,
    infeasible: params.infeasible ?? false,
  };
}

function answerText(
  answer: PlanMotionResult,
  certified: boolean,
  explanation: object | undefined,
  notes: readonly string[],
): string {
  const { status, reason, trajectory, certificate, infeasibility, stats } = answer;
  const proof = certified && infeasibility !== undefined ? infeasibilityText(infeasibility) : undefined;
  return objectText({
    status: JSON.stringify(status),
    reason: JSON.stringify(withoutOptions(reason)),
    trajectory: trajectory && oneLine(writers.json.write(trajectory)),
    certificate: certificate ? oneLine(certificateText(certificate)) : proof && oneLine(proof),
    explanation: explanation && JSON.stringify(explanation),
    warnings: warningsText([...notes, ...missingCertificate(answer, certified, certificate)]),
    stats: JSON.stringify(rounded({ ...stats, status })),
  });
}

const warningsText = (all: readonly string[]) => (all.length === 0 ? undefined : JSON.stringify(all));

function missingCertificate(
  { trajectory, isCertificateCut }: PlanMotionResult,
  certified: boolean,
  certificate: Certificate | undefined,
): string[] {
  if (!trajectory || !certified || certificate) return [];
  const why = isCertificateCut
    ? 'the time limit ended its computation'
    : 'the motion is proved collision-free, but no planes prove it: it is too close to the padding, or passes ' +
      'between points of a cloud';
  return [`no certificate: ${why}`];
}

/** Rounds times to the resolution of the clock, 1 µs. */
const rounded = (stats: object) =>
  Object.fromEntries(
    Object.entries(stats).map(([key, value]) => [key, key.endsWith('_ms') ? Number(value.toFixed(3)) : value]),
  );
