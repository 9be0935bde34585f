import { PassedPoints } from '../../../core/cartesian/paths/passedPoints.ts';
import { speedExcess } from '../../../core/cartesian/paths/timedPath.ts';
import { PathTool, toleranceOf } from '../../../core/cartesian/paths/toolPath.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { LinkFrame } from '../../../core/kinematics/toolCenterPoint.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import type { PathStep } from '../../../core/scene/program.ts';
import { statedSignals } from '../../../core/scene/programEvents.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import type { Trajectory, TrajectorySegment } from '../../../core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { signalFault } from '../pathSignals.ts';
import { pathFrame } from '../toolPaths.ts';
import { deviationOf, type LegDeviation } from './legChecks.ts';

/**
 * Proves that a trajectory follows a tool path, leg by leg, within its limits of speed, and that its signals change at
 * their way points; returns why not.
 * @param scene scene at the start of the step
 * @param trajectory has a signal for each that the steps state
 */
export function toolPathDeviation(
  robot: RobotModel,
  tcp: LinkFrame,
  scene: Scene,
  step: PathStep,
  trajectory: Trajectory,
  curve: TrajectoryCurve,
  { from, to }: Pick<TrajectorySegment, 'from' | 'to'>,
  interrupt: Interrupt,
): LegDeviation | undefined {
  const tool = new PathTool(robot, tcp, pathFrame(robot, scene, step), step, interrupt);
  const q = new Float64Array(robot.dof);
  curve.position(q, from);
  const ideal = tool.ideal(q);
  const { faults, times } = tool.prover.prove(curve, ideal, [from, to], toleranceOf(step));
  if (faults.length > 0) {
    const [{ verdict, leg }] = faults;
    const deviation = deviationOf(verdict);
    return { ...deviation, what: `${deviation.what}, before way point ${ideal.legs[leg].point}` };
  }
  const limits = ideal.legs.map(({ speed }) => speed);
  const fast = speedExcess(tool.speed, curve, limits, times);
  if (fast === undefined) {
    const passed = new PassedPoints(tool, step, curve, ideal, times);
    const wrong = signalFault(passed, step, statedSignals(scene.steps ?? []), trajectory, curve);
    return wrong === undefined ? undefined : { what: wrong, time: from, isUndecided: false };
  }
  const { value, time, limit } = fast;
  const what = `speed along the path ${round(value)} m/s at ${round(time)} s, its limit is ${limit} m/s`;
  return { what, time, isUndecided: interrupt() };
}

const round = (value: number) => Number(value.toPrecision(6));
