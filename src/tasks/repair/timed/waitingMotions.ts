import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import { jointQuery } from '../../../core/scene/jointQuery.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { type Arc, arcsOf, partOf } from '../../../core/trajectory/retiming/arc.ts';
import { type RetimedMotion, retime } from '../../../core/trajectory/retiming/retime.ts';
import { laterPoints, type Trajectory, type TrajectoryPoint } from '../../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { earlierScene } from '../../../core/world/shiftedScene.ts';
import type { TimeLimit } from '../../planning/stopwatch.ts';
import { motionLimitsOf } from '../../sceneRobot.ts';
import { planAmongMoving } from '../../spaceTime/planAmongMoving.ts';
import type { World } from '../../world.ts';
import { complementOf, spansOf } from '../changedSpans.ts';
import { metadataOf } from '../repairedMotion.ts';
import { createSpeedExcess } from '../speedExcess.ts';

/** Number of points between the start and the first contact at which the robot may wait. */
const STOPS = 16;
/** Seconds: resolution of waits, and distance of the times at which states are checked. */
const WAIT_STEP = 0.05;
const SAMPLE_STEP = 0.02;
/** Bounds on the number of states of a motion that are checked. */
const MAX_SAMPLES = 500;
/** Number of motions that are proposed for one point: samples may miss a collision. */
const PROPOSALS = 4;
/** Rad or m: distance of resampled segments from the curve. */
const RESAMPLING = 2e-7;

/** World of a repair. */
export interface WaitWorld {
  readonly world: World;
  readonly interrupt: Interrupt;
}

/** A motion with a wait. */
export interface WaitingMotion {
  readonly trajectory: Trajectory;
  /** Description of the wait. */
  readonly what: string;
  /** Times of the given motion at which the pace is another one. */
  readonly changed: readonly (readonly [number, number])[];
}

/** The given motion with a stop: the parts before and after it, the latter as without a wait. */
interface Stopped {
  readonly head: readonly TrajectoryPoint[];
  readonly tail: readonly TrajectoryPoint[];
  readonly changed: readonly (readonly [number, number])[];
}

/**
 * Proposes motions along the given curve with one wait until moving objects have passed: at the start, or at a point
 * before the first contact, latest points first. Waits are the shortest ones that samples find. No motion is proved.
 * @param given motion that is valid without what moves, its joints in the order of the robot
 * @param contact time of its first contact with what moves, seconds
 */
export function* waitingMotions(setting: WaitWorld, given: Trajectory, contact: number): Generator<WaitingMotion> {
  const start = given.points[0].time_from_start!;
  for (let k = 0; k <= STOPS && !setting.interrupt(); k++) {
    const time = k === 0 ? start : start + (1 - (k - 0.5) / STOPS) * (contact - start);
    const stopped = k === 0 ? stoppedAtStart(setting, given) : stoppedAt(setting, given, time);
    if (stopped === undefined) continue;
    const { head, tail, changed } = stopped;
    let proposals = 0;
    for (const wait of sampledWaits(setting, given, stopped)) {
      const points = [...head, ...laterPoints(tail, wait)];
      const where = k === 0 ? 'at the start' : `at ${Number(time.toPrecision(4))} s`;
      yield { trajectory: { ...metadataOf(given), points }, what: `waits ${wait.toFixed(2)} s ${where}`, changed };
      if (++proposals === PROPOSALS) break;
    }
  }
}

/** Stops the motion before its first segment, which keeps its curve and pace unless it begins with an acceleration. */
function stoppedAtStart(setting: WaitWorld, given: Trajectory): Stopped | undefined {
  const { points } = given;
  const { time_from_start: start, positions } = points[0];
  const head = [{ time_from_start: start!, positions, velocities: positions.map(() => 0) }];
  const isCubic = points.every(({ velocities, accelerations }) => velocities && !accelerations);
  if (isCubic) return { head, tail: points, changed: [[start!, start!]] };
  const tail = paced(setting, arcsOf(given), start!);
  return tail && { head, tail: tail.motion.points, changed: tail.changed };
}

/** Stops the motion at a time: both parts keep the curve, and their pace where the stop allows it. */
function stoppedAt(setting: WaitWorld, given: Trajectory, time: number): Stopped | undefined {
  const { head, tail } = dividedAt(arcsOf(given), time);
  if (head.length === 0 || tail.length === 0) return undefined;
  const first = paced(setting, head, given.points[0].time_from_start!);
  const last = first && paced(setting, tail, first.motion.points.at(-1)!.time_from_start!);
  if (last === undefined) return undefined;
  return {
    head: first!.motion.points,
    tail: last.motion.points,
    changed: complementOf([...first!.kept, ...last.kept], given),
  };
}

/** Returns the motion until a stop at a time, and the times of the arcs that keep their pace; undefined if it fails. */
export function headUntil(setting: WaitWorld, given: Trajectory, time: number) {
  const { head } = dividedAt(arcsOf(given), time);
  const found = head.length === 0 ? undefined : paced(setting, head, given.points[0].time_from_start!);
  return found && { points: found.motion.points, kept: found.kept };
}

/** Returns the arcs with a stop at both ends, and the times of those that keep their pace. */
function paced({ world, interrupt }: WaitWorld, arcs: readonly Arc[], start: number) {
  const { robot, scene } = world;
  const speeds = createSpeedExcess(robot, world.still.scene, interrupt);
  const motion: RetimedMotion | undefined = retime(arcs, {
    limits: motionLimitsOf(robot, scene),
    jointNames: robot.variables.map(({ name }) => name),
    start,
    tolerance: RESAMPLING,
    interrupt,
    speeds,
  });
  if (motion === undefined) return undefined;
  const kept = spansOf(arcs.filter((_, k) => motion.kept[k]));
  const [from, to] = [arcs[0].given!.from, arcs[arcs.length - 1].given!.to];
  const ends = { jointNames: [], points: [from, to].map((t) => ({ time_from_start: t, positions: [] })) };
  return { motion, kept, changed: complementOf(kept, ends) };
}

/** Divides arcs at a time of the given trajectory. */
function dividedAt(arcs: readonly Arc[], time: number): { head: Arc[]; tail: Arc[] } {
  const [head, tail]: [Arc[], Arc[]] = [[], []];
  for (const arc of arcs) {
    const { from, to } = arc.given!;
    if (to <= time) head.push(arc);
    else if (from >= time) tail.push(arc);
    else {
      head.push(partOf(arc, 0, time - from));
      tail.push(partOf(arc, time - from, arc.duration));
    }
  }
  return { head, tail };
}

/** Returns the waits, shortest first, after which all sampled states are valid at their times. */
function* sampledWaits(setting: WaitWorld, { jointNames }: Trajectory, { head, tail }: Stopped): Generator<number> {
  const { world, interrupt } = setting;
  const { end } = world.tree;
  const curve = new TrajectoryCurve({ jointNames, points: tail });
  const count = Math.min(MAX_SAMPLES, Math.max(2, Math.ceil((curve.end - curve.start) / SAMPLE_STEP)));
  const times = Array.from({ length: count + 1 }, (_, i) => curve.start + (i / count) * (curve.end - curve.start));
  const states = times.map((t) => {
    const q = new Float64Array(curve.dof);
    curve.position(q, t);
    return q;
  });
  const arrival = head[head.length - 1].time_from_start!;
  const isFreeAfter = (wait: number, i: number) => world.isFreeAt(states[i], times[i] + wait);
  const restsFree = (from: number) => {
    for (let t = from; t < end; t += WAIT_STEP) if (!world.isFreeAt(states[count], t)) return false;
    return world.isFreeAt(states[count], Math.max(from, end));
  };
  let blocked = 0; // begin with the sample that was in collision after the last wait
  for (let n = 1; arrival + (n - 1) * WAIT_STEP <= end && !interrupt(); n++) {
    const wait = n * WAIT_STEP;
    if (!world.isFreeAt(states[0], arrival + wait)) return;
    if (!isFreeAfter(wait, blocked)) continue;
    const hit = states.findIndex((_, i) => !isFreeAfter(wait, i));
    if (hit >= 0) blocked = hit;
    else if (restsFree(curve.end + wait)) yield wait;
  }
}

/** Places at which the robot may leave its curve: shares of the time until the first contact, late ones first. */
const SHARES = [0.85, 0.6, 0.3];

/**
 * Proposes motions that follow a given one, stop before its first contact with what moves, and continue by a plan in
 * joints and time, which may wait several times and take another path; the last one is planned from the start. No
 * motion is proved.
 * @param given motion that is valid without what moves, its joints in the order of the robot
 * @param contact time of its first contact with what moves, seconds
 */
export function* detours(
  setting: WaitWorld & { readonly robot: RobotModel; readonly scene: Scene; readonly seed: number },
  given: Trajectory,
  contact: number,
  limit: TimeLimit,
): Generator<WaitingMotion> {
  const { robot, scene, seed } = setting;
  const { points } = given;
  const start = points[0].time_from_start!;
  const goal = points[points.length - 1].positions;
  const rest = metadataOf(given);
  for (const share of [...SHARES, 0]) {
    if (limit.isOver()) return;
    const time = start + share * (contact - start);
    const head = share > 0 ? headUntil(setting, given, time) : { points: points.slice(0, 1).map(atRest), kept: [] };
    if (head === undefined) continue;
    const stop = head.points[head.points.length - 1];
    const query = jointQuery(earlierScene(scene, stop.time_from_start!), stop.positions, goal);
    const timeLimit = limit.remaining < Number.POSITIVE_INFINITY ? { timeLimit: limit.remaining } : {};
    const hooks = limit.clock === undefined ? {} : { clock: limit.clock };
    const planned = planAmongMoving(
      { scene: query, robot: robot.description, model: robot },
      { seed, ...timeLimit },
      hooks,
    );
    if (planned.trajectory === undefined) continue;
    const later = laterPoints(planned.trajectory.points, stop.time_from_start!);
    const what = share > 0 ? `leaves its curve at ${Number(time.toPrecision(4))} s` : 'replaced by another motion';
    const trajectory = { ...rest, points: [...head.points.slice(0, -1), ...later] };
    yield { trajectory, what: `${what}, to avoid moving objects`, changed: complementOf(head.kept, given) };
  }
}

const atRest = ({ positions, time_from_start }: TrajectoryPoint): TrajectoryPoint => ({
  time_from_start: time_from_start!,
  positions,
  velocities: positions.map(() => 0),
});
