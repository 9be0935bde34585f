import { FrameSpeed } from '../../../core/cartesian/frameSpeed.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { tcpOf } from '../../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { ProgramMove } from '../../../core/scene/moves/moveProgram.ts';
import { isMotionStep, tcpSpeedLimit } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { isSameFrame } from './stepVerdicts.ts';

/** Relative tolerance of speeds. */
const RATE_TOLERANCE = 1e-6;

/**
 * Returns why the speed limits of the tool center point, of a scene and its steps, are not proved to be kept; undefined
 * if they are. Without a blend and a time `t`, the speed of a move is at most the stated one: of the tool for lines and
 * arcs, of the leading axis for `movej`, whose joints are in proportion.
 * @param states at the beginning of each move, and at the end of the last one
 */
export function tcpSpeedFault(
  robot: RobotModel,
  scene: Scene,
  moves: readonly ProgramMove[],
  states: readonly Configuration[],
): string | undefined {
  const speed = new FrameSpeed(robot, tcpOf(robot, scene.tcp));
  const stepOf = new Map((scene.steps ?? []).filter(isMotionStep).map((step) => [step.index, step]));
  const k = moves.findIndex((move, i) => {
    const limit = tcpSpeedLimit(scene, stepOf.get(move.step ?? -1) ?? {});
    if (limit === Number.POSITIVE_INFINITY) return false;
    if (move.radius > 0 || (moves[i - 1]?.radius ?? 0) > 0 || move.time > 0) return true;
    if (move.joints) return speed.excess(constantRate(states[i], states[i + 1], move.speed), limit) !== undefined;
    const isOfTcp = isSameFrame(robot, move.frame, tcpOf(robot, scene.tcp));
    return !isOfTcp || !(move.speed <= limit * (1 + RATE_TOLERANCE));
  });
  return k < 0 ? undefined : `line ${moves[k].line}: the speed of the TCP is not proved to be within its limit`;
}

/** Returns the line between two states, along which the leading axis has a constant speed. */
export function constantRate(from: Configuration, to: Configuration, rate: number): TrajectoryCurve {
  const distance = from.reduce((most, value, j) => Math.max(most, Math.abs(to[j] - value)), 0);
  const points = [from, to].map((q, i) => ({
    time_from_start: (i * Math.max(distance, 1e-9)) / rate,
    positions: Array.from(q),
  }));
  return new TrajectoryCurve({
    jointNames: points[0].positions.map((_, j) => `${j}`),
    points,
    interpolation: 'linear',
  });
}
