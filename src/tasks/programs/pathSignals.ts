import { PassedPoints } from '../../core/cartesian/paths/passedPoints.ts';
import { PathTool, toleranceOf } from '../../core/cartesian/paths/toolPath.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import { never } from '../../core/math/interrupt.ts';
import type { PathStep } from '../../core/scene/program.ts';
import { type StatedSignal, statedSignals } from '../../core/scene/programEvents.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { closedSegments } from '../../core/trajectory/closedSegments.ts';
import { wholeNanoseconds } from '../../core/trajectory/roundedTimes.ts';
import type { Trajectory, TrajectorySignal } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { timelineOf, worldOfStep } from '../timeline.ts';
import { World } from '../world.ts';
import { pathFrame } from './toolPaths.ts';

/**
 * Returns the motion of a program with the signals of its tool paths, each at the time at which the tool passes the way
 * point that states it; without signals if no way point states any.
 * @param trajectory its segments are those of the steps
 */
export function withSignals(robot: RobotModel, scene: Scene, trajectory: Trajectory): Trajectory {
  const stated = statedSignals(scene.steps ?? []);
  const { signals: _, ...motion } = trajectory;
  if (stated.length === 0) return motion;
  const curve = new TrajectoryCurve(motion);
  const timeline = timelineOf(new World(robot, scene), motion, curve);
  const segments = closedSegments(motion.segments ?? [], curve.start, curve.end);
  const signals: TrajectorySignal[] = [];
  for (const step of new Set(stated.map((one) => one.step))) {
    const { from, to } = segments.find((segment) => segment.step === step.index)!;
    const start = worldOfStep(timeline, step.index).scene;
    const tool = new PathTool(robot, tcpOf(robot, scene.tcp), pathFrame(robot, start, step), step, never);
    const passed = passedPoints(tool, step, curve, [from, to]);
    for (const { point, on } of stated.filter((one) => one.step === step)) {
      const found = passed.pointNear(passed.at(point).time);
      const time = Math.min(to, Math.max(from, signals.at(-1)?.time ?? from, wholeNanoseconds(found)));
      signals.push({ step: step.index, time, on });
    }
  }
  return { ...motion, signals };
}

function passedPoints(tool: PathTool, step: PathStep, curve: TrajectoryCurve, span: readonly [number, number]) {
  const q = new Float64Array(curve.dof);
  curve.position(q, span[0]);
  const ideal = tool.ideal(q);
  return new PassedPoints(tool, step, curve, ideal, tool.prover.times.ofLegs(curve, ideal, span, toleranceOf(step)));
}

/**
 * Returns the first signal of a tool path that is not where the tool passes its way point; undefined if there is none.
 * A script calls a signal after the first set point at or beyond the way point.
 * @param signals those of the motion, one for each stated one
 */
export function signalFault(
  passed: PassedPoints,
  step: PathStep,
  stated: readonly StatedSignal[],
  { signals = [], setPoints }: Trajectory,
  curve: TrajectoryCurve,
): string | undefined {
  for (const [k, one] of stated.entries()) {
    if (one.step.index !== step.index) continue;
    const { time } = signals[k];
    const point = passed.at(one.point);
    const isCalled = setPoints === true && point.time <= time && curve.timesBetween(point.time, time).length === 0;
    if (isCalled || passed.isAt(point, time)) continue;
    return `signals[${k}] is at ${time} s, the tool passes way point ${one.point} at ${round(point.time)} s`;
  }
  return undefined;
}

const round = (value: number) => Number(value.toPrecision(9));
