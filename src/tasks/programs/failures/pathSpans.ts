import type { SlowWays } from '../../../core/cartesian/paths/slowWays.ts';
import { poseOfTransform, transformOfPose } from '../../../core/kinematics/pose.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import { compose, create, type Transform } from '../../../core/math/transform.ts';
import { PI } from '../../../core/math/trigonometry.ts';
import { type MoveStep, type PathStep, stepName } from '../../../core/scene/program.ts';
import type { PathSpan } from '../../planning/planStats.ts';
import type { World } from '../../world.ts';
import { moveEntries } from '../search/moveEntries.ts';
import type { LegFault, StepPath } from '../stepPath.ts';

/** Limit of the configurations at one way point that the path is followed from. */
const MAX_BRANCHES = 8;
/** Limit of the way points between two parts at which configurations are searched. */
const MAX_PROBES = 1000;

/** The farthest motion along a tool path that fails. */
export interface FailedPath {
  /** Where it begins, and the world then. */
  readonly q: Configuration;
  readonly world: World;
  /** Index of the last way point that is reached. */
  readonly reached: number;
  readonly reason: string;
}

/** Follows a part of a tool path from a configuration. */
type Follow = (part: PathStep, q: Configuration, world: World) => StepPath | LegFault;

/** A pose of the frame of a path in the world, at a configuration. */
export interface FramePose {
  readonly q: Configuration;
  readonly T_world_frame: Transform;
}

/**
 * Divides a tool path that cannot be followed into spans: those that are followed in one motion from any inverse
 * kinematics solution at their first way point, and those whose way points have none. A span begins at the last
 * way point of the one before if another solution continues from there.
 * @param frames poses of the frame at which solutions are searched, one after another
 */
export function pathSpans(
  step: PathStep,
  first: FailedPath,
  follow: Follow,
  frames: readonly FramePose[],
  orientation: PathStep['points'][number]['quat_wxyz'],
  interrupt: Interrupt,
): PathSpan[] {
  const last = step.points.length - 1;
  const { world } = first;
  const points = step.points.map((point) => ({ quat_wxyz: orientation!, ...point }));
  const spans: PathSpan[] = [];
  const add = (from: number, to: number, status: PathSpan['status'], reason?: string, start?: Configuration) =>
    spans.push({ step: step.index, from, to, status, ...(reason && { reason }), ...(start && { start: [...start] }) });
  const entries = (k: number) => entriesAt(step, points[k], frames, world, interrupt);
  /** The farthest motion from one of the configurations at a way point. */
  const farthest = (k: number, found: readonly Configuration[]) => {
    let best: { readonly to: number; readonly reason?: string; readonly q?: Configuration } = { to: k };
    for (const q of found.slice(0, MAX_BRANCHES)) {
      if (interrupt()) break;
      const followed = k === last ? undefined : follow({ ...step, points: points.slice(k) }, q, world);
      const failed = followed && 'reason' in followed ? followed : undefined;
      const to = failed ? k + Math.floor(failed.fraction * (last - k) + 1e-6) : last;
      if (best.q && to <= best.to) continue;
      best = { to, q, ...(failed && { reason: failed.reason }) };
      if (to === last) break;
    }
    return best;
  };
  add(0, first.reached, 'reachable', first.reason, first.q);
  let tried = -1; // the way point from whose configurations the path was followed before
  for (let at = first.reached; at < last; ) {
    const again = at === tried ? undefined : farthest(at, entries(at).found);
    if (again && again.to > at) {
      add(at, again.to, 'reachable', again.reason, again.q);
      at = again.to;
      continue;
    }
    const begin = at + 1;
    const stride = Math.max(1, Math.ceil((last - at) / MAX_PROBES));
    let next: Entries = { found: [], reason: INTERRUPTED };
    let reason = INTERRUPTED;
    let k = begin;
    for (; k <= last && !interrupt(); k += stride) {
      next = entries(k);
      if (next.found.length > 0) break;
      if (k === begin) reason = next.reason;
    }
    const isBlocked = next.found.length === 0;
    const end = isBlocked ? last : k - 1;
    if (end >= begin) add(begin, end, 'blocked', reason);
    if (isBlocked) break;
    const best = farthest(k, next.found);
    [at, tried] = [best.to, k];
    add(k, at, 'reachable', best.reason, best.q);
  }
  return spans;
}

const INTERRUPTED = 'the time limit ended the search';

/** Divides a tool path into spans in which its speed is kept, and those in which it is not. */
export function speedSpans(step: PathStep, slow: readonly SlowWays[]): PathSpan[] {
  const spans: PathSpan[] = [];
  const last = step.points.length - 1;
  let next = 0;
  const add = (to: number, status: PathSpan['status'], reason?: string) => {
    if (to >= next) spans.push({ step: step.index, from: next, to, status, ...(reason && { reason }) });
    next = Math.max(next, to + 1);
  };
  for (const { from, to, speed, limit, cause } of slow) {
    if (from > 1) add(from - 1, 'reachable'); // way point 0 belongs to the way to the next one
    const share = cause.share < 0.9 ? `${Math.round(100 * cause.share)} % of ` : '';
    add(to, 'slow', `${round(1000 * speed)} of ${round(1000 * limit)} mm/s: ${cause.what} is at ${share}its limit`);
  }
  add(last, 'reachable');
  return spans;
}

const round = (value: number) => Number(value.toPrecision(3));

/** Valid configurations at a way point, or why there are none. */
interface Entries {
  readonly found: readonly Configuration[];
  readonly reason: string;
}

/** Returns valid configurations with the tool at a way point, at the first pose of the frame at which there are any. */
function entriesAt(
  step: PathStep,
  { xyz, quat_wxyz }: PathStep['points'][number],
  frames: readonly FramePose[],
  world: World,
  interrupt: Interrupt,
): Entries {
  const { isYawFree, tilt, tolerance } = step;
  const share = START_SHARE * tolerance.angle;
  const angle = isYawFree ? ([share + 0.5 * tilt, share + 0.5 * tilt, PI] as const) : share;
  const T = create();
  let reason: string | undefined;
  for (const { q: near, T_world_frame } of frames) {
    compose(T, T_world_frame, transformOfPose({ xyz, quat_wxyz: quat_wxyz! }));
    const pose = { ...poseOfTransform(T), tolerance: { position: START_SHARE * tolerance.position, angle } };
    const goals: MoveStep['goals'] = [{ kind: 'pose', pose }];
    const move: MoveStep = { ...step, kind: 'move', goals };
    const found = moveEntries(world.robot, move, goals, near, world, interrupt);
    if (interrupt()) break;
    if (!('reason' in found)) return { found, reason: INTERRUPTED };
    reason ??= found.reason.slice(`${stepName(move)}: `.length);
  }
  return { found: [], reason: reason ?? INTERRUPTED };
}

/** Share of the tolerance of the poses at which parts begin. */
const START_SHARE = 0.2;
