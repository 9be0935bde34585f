import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { CheckerName } from '../../../core/narrowphase/index.ts';
import { isProgram } from '../../../core/scene/movingScene.ts';
import { isMotionStep, requireOnlyPlannedMotion } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import type { PlanMotionResult } from '../../../tasks/planning/planMotion.ts';
import type { Io } from '../io.ts';

/** Throws `InputError` for other options and scenes that `--moves` does not support. */
export function refuseMoves(given: Readonly<Record<string, unknown>>, problems: readonly { readonly scene: Scene }[]) {
  if (given.format !== 'urscript') throw new InputError('--moves: for --format urscript', 'Add --format urscript.');
  const other = ['certificate', 'noTiming'].find((name) => given[name] !== undefined && given[name] !== false);
  if (other !== undefined)
    throw new InputError(`--${other === 'noTiming' ? 'no-timing' : other}: not with --moves`, 'Leave one of them out.');
  for (const { scene } of problems) requireOnlyPlannedMotion(scene, '--moves');
}

/** Returns a problem whose steps end at rest: where one motion blends into the next, no move ends. */
export function withStops<P extends { readonly scene: Scene }>(problem: P): P {
  const { scene } = problem;
  if (!isProgram(scene)) return problem;
  const steps = scene.steps.map((step) => (isMotionStep(step) && step.kind !== 'path' ? { ...step, blend: 0 } : step));
  return { ...problem, scene: { ...scene, steps } };
}

/** Returns the plan and its program of moves; of status `unresolved` if that is not proved. */
export async function planAsMoves(
  io: Io,
  answer: PlanMotionResult,
  { model, scene }: { readonly model: RobotModel; readonly scene: Scene },
  checker: CheckerName,
): Promise<{ answer: PlanMotionResult; content: string | undefined }> {
  const { trajectory, stats } = answer;
  if (trajectory === undefined) return { answer, content: undefined };
  if (model.variables.some(({ limits }) => limits.jerk < Number.POSITIVE_INFINITY))
    io.warn([`${scene.name}: moves do not keep limits of jerk: their acceleration jumps`]);
  const { provedMoveProgram } = await import('../../../tasks/reports/provedMoveProgram.ts');
  const made = io.compute(`${scene.name}: proving the moves`, () =>
    provedMoveProgram(model, scene, trajectory, checker),
  );
  if ('reason' in made) {
    const status = 'unresolved';
    io.say(`${scene.name}: ${made.reason}`);
    const failed = {
      ...answer,
      status,
      reason: made.reason,
      trajectory: undefined,
      stats: { ...stats, status },
    } as const;
    return { answer: failed, content: undefined };
  }
  io.say(`${scene.name}: ${made.duration.toFixed(3)} s of moves`);
  return { answer, content: made.text };
}
