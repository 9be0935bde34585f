import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { hasSegment, type MotionStep, type Step, type WaitStep } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { closedSegments } from '../../../core/trajectory/closedSegments.ts';
import { type Arc, arcsOf, partOf } from '../../../core/trajectory/retiming/arc.ts';
import type { Trajectory } from '../../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { timelineOf, worldOfStep } from '../../timeline.ts';
import { World } from '../../world.ts';

/** Segment of a program with its arcs, its step, and the scene at that time. */
export interface ProgramPart {
  readonly step: MotionStep | WaitStep;
  /** Index in the segments of the trajectory. */
  readonly segment: number;
  /** Empty for a segment that takes no time. */
  readonly arcs: readonly Arc[];
  readonly world: World;
}

/** Rad/s or m/s: a lower speed counts as rest, as in the check of programs. */
const REST = 1e-6;

/**
 * Divides a trajectory of a program, whose segments and events are those of the steps, into runs: parts of consecutive
 * segments between which the robot does not stop. Joints are in the order of the robot.
 */
export function runsOf(robot: RobotModel, scene: Scene, trajectory: Trajectory): ProgramPart[][] {
  const curve = new TrajectoryCurve(trajectory);
  const segments = closedSegments(trajectory.segments!, curve.start, curve.end);
  const arcs = arcsOf(trajectory);
  const timeline = timelineOf(new World(robot, scene), trajectory, curve);
  let time = curve.start;
  const runs: ProgramPart[][] = [];
  let isJoined = false;
  for (const step of scene.steps!) {
    if (!hasSegment(step)) {
      isJoined = false;
      continue;
    }
    const segment = segments.findIndex((one) => one.step === step.index);
    const to = segments[segment].to;
    const part = { step, segment, arcs: arcsWithin(arcs, time, to), world: worldOfStep(timeline, step.index) };
    if (isJoined && step.kind !== 'wait') runs[runs.length - 1].push(part);
    else runs.push([part]);
    isJoined = canBlend(step) && part.arcs.length > 0 && !isAtRest(part.arcs[part.arcs.length - 1]);
    time = to;
  }
  return runs;
}

const canBlend = (step: Step) => hasSegment(step) && step.kind !== 'wait' && step.blend > 0;

const isAtRest = ({ to }: Arc) => to.velocities.every((v) => Math.abs(v) <= REST);

/** Seconds: ends of segments nearer to a point of the trajectory than this are at the point. */
const SAME_TIME = 1e-9;

function arcsWithin(arcs: readonly Arc[], from: number, to: number): Arc[] {
  return arcs.flatMap((arc) => {
    const span = arc.given!;
    const start = Math.max(0, from - span.from);
    const end = Math.min(arc.duration, to - span.from);
    if (!(end - start > SAME_TIME)) return [];
    return [partOf(arc, start <= SAME_TIME ? 0 : start, end >= arc.duration - SAME_TIME ? arc.duration : end)];
  });
}
