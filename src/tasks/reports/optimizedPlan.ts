import { distanceUnit, type RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { certifyTrajectory } from '../checking/certifyTrajectory.ts';
import { type MotionFigures, optimizeMotion } from '../planning/optimizeMotion.ts';
import type { PlanMotionResult } from '../planning/planMotion.ts';
import type { TimeLimit } from '../planning/stopwatch.ts';
import { stillWorld } from '../world.ts';

/**
 * Returns the plan with its motion optimized and certified again; the plan itself if it has no motion or no better
 * motion is certified within the time limit.
 * @param report receives one line: what was improved, or why not
 */
export function optimizedPlan(
  { scene, model }: { readonly scene: Scene; readonly model: RobotModel },
  plan: PlanMotionResult,
  limit: TimeLimit,
  report: (line: string) => void = () => {},
): PlanMotionResult {
  if (plan.trajectory === undefined) return plan;
  const { manager } = stillWorld(model, scene);
  const given = plan.trajectory;
  limit.keepReserve(plan.stats.check_ms);
  const options = { interrupt: limit.isImprovementOver };
  const result = optimizeMotion(given, model, manager, options);
  const { status, reason, before, after } = result;
  if (status !== 'improved') {
    report(`${scene.name}: the motion is not optimized: ${reason}`);
    return result.cutShort ? cutShort(plan) : plan;
  }
  const trajectory = result.cutShort ? { ...result.trajectory, cutShort: true } : result.trajectory;
  report(`${scene.name}: optimized: ${comparison(before!, after!, model)}`);
  const stats = {
    ...plan.stats,
    duration: after!.duration,
    waypoints: trajectory.points.length,
    optimization: { before, after },
  };
  if (!plan.certificate) return { ...plan, trajectory, stats };
  const certificate = certifyTrajectory(manager.posed, trajectory, undefined, limit.isOver);
  if (!certificate && limit.isOver()) return cutShort(plan); // the unoptimized motion has one
  return { ...plan, trajectory, certificate, stats };
}

/** Marks a plan as one that the time limit ended. */
const cutShort = (plan: PlanMotionResult): PlanMotionResult => ({
  ...plan,
  cutShort: true,
  trajectory: plan.trajectory && { ...plan.trajectory, cutShort: true },
});

/**
 * Returns `1.043 s -> 0.892 s (-14.5 %), 1.40 rad -> 1.40 rad, clearance 2.2 mm -> 2.3 mm, acceleration 2.1 rad/s² ->
 * 2.8 rad/s²`
 */
export function comparison(before: MotionFigures, after: MotionFigures, robot: RobotModel): string {
  const unit = distanceUnit(robot);
  const change = (100 * (after.duration / before.duration - 1)).toFixed(1);
  const pair = (show: (figures: MotionFigures) => string) => `${show(before)} -> ${show(after)}`;
  return [
    `${pair(({ duration }) => `${duration.toFixed(3)} s`)} (${change} %)`,
    pair(({ length }) => `${length.toFixed(2)} ${unit}`),
    `clearance ${pair(({ clearance }) => `${(1000 * clearance).toFixed(1)} mm`)}`,
    `acceleration ${pair(({ acceleration }) => `${acceleration.toFixed(1)} ${unit.replace(' and ', '/s² or ')}/s²`)}`,
  ].join(', ');
}
