import { withKeptJoints } from '../kinematics/composition/compositeRobot.ts';
import { forwardKinematics, RobotState } from '../kinematics/forwardKinematics.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import { linkNamed, tcpOf } from '../kinematics/toolCenterPoint.ts';
import { type Interrupt, never } from '../math/interrupt.ts';
import { changedScene, movingAttachment } from '../scene/changedScene.ts';
import { constraintLabel, isForceConstraint } from '../scene/constraints.ts';
import {
  changesScene,
  hasEvent,
  hasSegment,
  type JointMoveStep,
  movesJoints,
  type Step,
  stepName,
} from '../scene/program.ts';
import { isEventOf } from '../scene/programEvents.ts';
import type { Scene } from '../scene/scene.ts';
import { requireJointMoves } from '../scene/steps/jointMoves.ts';
import { closedSegments } from '../trajectory/closedSegments.ts';
import { isTimed, type Trajectory } from '../trajectory/trajectory.ts';
import { createSceneWorld, type SceneWorld, worldOfJointMove } from '../world/sceneWorld.ts';
import type { Certificate, CertificateSegment } from './certificate.ts';
import type { ConstraintProver } from './constraints/constraintProver.ts';
import { jointRates, type MotionPiece, motionPieces, pieceAt } from './motionPieces.ts';
import type { RestClaim } from './torques/verifyTorques.ts';
import { type ClaimedInterval, endOf, type Misfit, othersOf, verifyMotion } from './verify.ts';
import type { VerifyResult } from './verifyPairs.ts';

/** Absolute, seconds: differences between the times of segments, events and the certificate that are accepted. */
const TIME_TOLERANCE = 1e-9;
/** Absolute, seconds: difference of the duration of a step from the stated one that is accepted. */
const DURATION_TOLERANCE = 1e-6;
/** Absolute, rad and m, and per second: motion of the arm while other joints move that is accepted. */
const REST_TOLERANCE = 1e-9;

/**
 * Verifies that a certificate proves the trajectory of a program collision-free: for each interval between events that
 * change the scene, in the scene as it is then. The events are those of the steps, at the times at which the segments
 * before them end; goals, lines, limits and signals are not checked, nor are collisions in a scene that lasts no time,
 * as between two events at the same time; but the state after the last event is proved, also if the motion ends with
 * it. Limits of torque must hold the arm at rest before and after each event. Moving obstacles and other robots are
 * covered from time 0 until all is at rest. Path constraints of the scene and of steps are proved.
 * Throws `InputError` for joints that are not the robot's, and for steps that name missing objects.
 * @param interrupt ends the verification, which then has not proved the certificate
 */
export function verifyProgram(
  certificate: Certificate,
  robot: RobotModel,
  scene: Scene,
  trajectory: Trajectory,
  interrupt: Interrupt = never,
): VerifyResult {
  requireJointMoves(robot, scene);
  const linkOfTcp = robot.links[tcpOf(robot, scene.tcp).link].name;
  return verifyMotion(certificate, robot, scene, trajectory, interrupt, {
    problems: (motion) => [
      ...(certificate.segments ? [] : ['it has no segments: it is not the certificate of a program']),
      ...(certificate.torques || certificate.stops || certificate.stop_pairs
        ? ['it states torques or stops outside of its segments']
        : []),
      ...(isTimed(motion) ? [] : ['the motion has no times: it does not carry out a program']),
      ...structureProblems(scene.steps ?? [], motion, linkOfTcp),
    ],
    intervals: (world, motion, whole) => claimedIntervals(certificate.segments!, world, motion, whole),
    constraints: (prover, motion) => constraintProblems(prover, scene, motion),
  });
}

/** Returns the intervals between events, with the segments that claim them; a problem if the certificate has others. */
function claimedIntervals(
  segments: readonly CertificateSegment[],
  world: SceneWorld<Scene>,
  motion: Trajectory,
  whole: Trajectory,
): readonly ClaimedInterval[] | Misfit {
  const { intervals: given, moving } = intervalsOf(world, motion, whole.points[0].time_from_start!);
  if (moving.length > 0) return { problems: moving };
  let rests: readonly RestClaim[] = [];
  // Intervals of rounding size are not skipped: a motion may be arbitrarily fast.
  const intervals = given.flatMap((one, k) => {
    const { from, to, world: during } = one;
    // At events, the arm is held with what it carries before and after them.
    const times = [...(k > 0 ? [from] : []), ...(k + 1 < given.length ? [to] : [])];
    rests = [...rests, ...times.map((time) => ({ time, scene: during.scene }))];
    if (!(to > from) && k + 1 < given.length) return []; // no time passes between its events
    const own = { ...one, rests };
    rests = [];
    return [own];
  });
  if (segments.length !== intervals.length)
    return misfit(`it has ${segments.length} segments, the events divide the motion into ${intervals.length}`);
  for (const [k, { from, to }] of intervals.entries()) {
    const claim = segments[k];
    if (claim.from !== from || claim.to !== to)
      return misfit(`segments[${k}]: it is from ${claim.from} to ${claim.to}, the events are at ${from} and ${to}`);
  }
  const scaleOf = accelerationScales(world.given.steps ?? [], motion);
  return intervals.map((interval, k) => ({ ...interval, claim: segments[k], place: `segments[${k}]: `, scaleOf }));
}

/** Returns the least scale of accelerations of the steps to whose segments a piece of the motion belongs. */
function accelerationScales(steps: readonly Step[], { segments = [], points }: Trajectory) {
  const closed = closedSegments(segments, points[0].time_from_start!, points[points.length - 1].time_from_start!);
  const scales = closed.map(({ step }) => {
    const own = steps.find(({ index }) => index === step);
    return own !== undefined && 'acceleration' in own ? own.acceleration : 1;
  });
  return ({ start, end }: MotionPiece): number =>
    closed.reduce((least, { from, to }, k) => (from < end && to > start ? Math.min(least, scales[k]) : least), 1);
}

const misfit = (problem: string): Misfit => ({ problems: [problem] });

/**
 * Returns the problems of the constraints of the scene, and of those of each step in its segment, which begins where
 * the one before it ends.
 */
function constraintProblems(prover: ConstraintProver, scene: Scene, motion: Trajectory): string[] {
  const { points } = motion;
  const segments = closedSegments(motion.segments ?? [], points[0].time_from_start!, endOf(motion));
  const ofSteps = (scene.steps ?? []).filter(hasSegment).flatMap((step, k) => {
    if (!('constraints' in step)) return [];
    const { from, to } = segments[k];
    const force = step.constraints.find(isForceConstraint);
    if (force) return [`${stepName(step)}: constraint "${constraintLabel(force)}" of a step is not supported`];
    return prover.problems(step.constraints, from, to).map((problem) => `${stepName(step)}: ${problem}`);
  });
  return [...prover.problems(othersOf(scene)), ...ofSteps];
}

/** Returns the differences between the segments and events of a motion and the steps of the program. */
function structureProblems(
  steps: readonly Step[],
  { segments = [], events = [], points }: Trajectory,
  linkOfTcp: string,
): string[] {
  const timed = steps.filter(hasSegment);
  const instant = steps.filter(hasEvent);
  if (segments.length !== timed.length)
    return [`the motion has ${segments.length} segments instead of ${timed.length}`];
  if (events.length !== instant.length) return [`the motion has ${events.length} events instead of ${instant.length}`];
  const problems: string[] = [];
  const start = points[0]?.time_from_start ?? 0;
  let end = start;
  for (const [k, { step, from, to, kind, name }] of segments.entries()) {
    const wanted = timed[k];
    if (step !== wanted.index || kind !== wanted.kind || name !== wanted.name)
      problems.push(`segments[${k}] is of step ${step} (${kind}) instead of ${stepName(wanted)}`);
    if (!(Math.abs(from - end) <= TIME_TOLERANCE && to >= from))
      problems.push(`segments[${k}] is from ${from} to ${to}, the one before it ends at ${end}`);
    end = to;
  }
  if (!(Math.abs(end - (points.at(-1)?.time_from_start ?? 0)) <= TIME_TOLERANCE))
    problems.push(`the segments end at ${end}, before or after the motion`);
  for (const [k, event] of events.entries()) {
    const wanted = instant[k];
    const before = segments.findLast((segment) => segment.step < wanted.index)?.to ?? start;
    if (event.step !== wanted.index || !(Math.abs(event.time - before) <= TIME_TOLERANCE))
      problems.push(
        `events[${k}] is of step ${event.step} at ${event.time} instead of ${stepName(wanted)} at ${before}`,
      );
    else if (!isEventOf(event, wanted, linkOfTcp))
      problems.push(`events[${k}] is ${JSON.stringify(event)}, another one than ${stepName(wanted)}`);
  }
  return problems;
}

/** An interval of time between events that change the scene, seconds. */
interface WorldInterval {
  readonly from: number;
  readonly to: number;
  readonly world: SceneWorld<Scene>;
}

/**
 * Returns the world of each interval between events that change it, and a problem for each obstacle that is attached
 * while it moves. If anything moves by itself, the intervals begin at time 0 and end when all is at rest.
 * @param begin time at which the motion begins, lead-in included
 */
function intervalsOf(first: SceneWorld<Scene>, motion: Trajectory, begin: number) {
  const { planned, given: scene, sources, end: rest } = first;
  const { points } = motion;
  const [start, end] = [points[0].time_from_start!, points[points.length - 1].time_from_start!];
  const segments = closedSegments(motion.segments ?? [], start, end);
  const isAlone = sources.length === 0 && rest === 0;
  const linkOfTcp = planned.links[tcpOf(planned, scene.tcp).link].name;
  const pieces = motionPieces(motion);
  const intervals: WorldInterval[] = [];
  const moving: string[] = [];
  let world = first;
  let from = isAlone ? begin : 0;
  for (const step of scene.steps ?? []) {
    if (!changesScene(step)) continue;
    const stated = segments.findLast((segment) => segment.step < step.index)?.to ?? start;
    const time = Math.min(end, Math.max(start, stated)); // may be off by TIME_TOLERANCE
    intervals.push({ from, to: time, world });
    from = time;
    if (movesJoints(step)) {
      const to = Math.min(end, segments.find((segment) => segment.step === step.index)?.to ?? time);
      const fault = jointMoveFault(motion, step, from, to);
      if (fault !== undefined) return { intervals, moving: [`${stepName(step)}: ${fault}`] };
      intervals.push({ from, to, world: worldOfJointMove(world, step, from, to) });
      world = createSceneWorld(withKeptJoints(world.planned, step.moves.joints), world.given);
      from = to;
      continue;
    }
    const fault = movingAttachment(world.given, step, time);
    if (fault !== undefined) moving.push(`${stepName(step)}: ${fault}`);
    const { planned: robot } = world;
    const state = new RobotState(robot);
    forwardKinematics(state, jointRates(pieces[pieceAt(pieces, time)], time, time, time).position);
    const poseOf = (link: string) => state.T_world_link[linkNamed(robot, link)].slice();
    world = createSceneWorld(robot, changedScene(world.given, step, linkOfTcp, poseOf), world);
  }
  return { intervals: [...intervals, { from, to: isAlone ? end : Math.max(end, rest), world }], moving };
}

/** Returns what is wrong with the segment of a step that moves joints: it rests for the stated time. */
function jointMoveFault(motion: Trajectory, step: JointMoveStep, from: number, to: number): string | undefined {
  if (!(to > from && Math.abs(to - from - step.duration) <= DURATION_TOLERANCE))
    return `its segment takes ${to - from} s instead of ${step.duration} s`;
  const isMoving = motionPieces(motion).some(({ start, end, rates }) => {
    return start < to && end > from && rates.some((rate) => !(rate * (1 + end - start) <= REST_TOLERANCE));
  });
  return isMoving ? 'the arm moves in its segment' : undefined;
}
