import { poseOfTransform, transformOfPose } from '../../../core/kinematics/pose.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import { compose, create, type Transform } from '../../../core/math/transform.ts';
import { PI } from '../../../core/math/trigonometry.ts';
import type { MoveStep, PathStep } from '../../../core/scene/program.ts';
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

/**
 * Divides a tool path that cannot be followed into spans: those that are followed in one motion from any inverse
 * kinematics solution at their first way point, and those at whose way points there is none.
 * @param frameAt pose of the frame of the path in the world at a configuration
 */
export function pathSpans(
  step: PathStep,
  first: FailedPath,
  follow: Follow,
  frameAt: (q: Configuration, world: World) => Transform,
  orientation: PathStep['points'][number]['quat_wxyz'],
  interrupt: Interrupt,
): PathSpan[] {
  const last = step.points.length - 1;
  const { world } = first;
  const T_world_frame = frameAt(first.q, world);
  const points = step.points.map((point) => ({ quat_wxyz: orientation!, ...point }));
  const spans: PathSpan[] = [{ from: 0, to: first.reached, status: 'reachable' }];
  let { reached: at, reason } = first;
  while (at < last) {
    const begin = at + 1;
    const stride = Math.max(1, Math.ceil((last - at) / MAX_PROBES));
    let next: readonly Configuration[] = [];
    let k = begin;
    for (; k <= last && !interrupt(); k += stride) {
      next = entriesAt(step, points[k], T_world_frame, first.q, world, interrupt);
      if (next.length > 0) break;
    }
    const isBlocked = next.length === 0;
    const end = isBlocked ? last : k - 1;
    if (end >= begin) spans.push({ from: begin, to: end, status: 'blocked', reason });
    if (isBlocked) break;
    const before = reason;
    at = k;
    for (const q of next.slice(0, MAX_BRANCHES)) {
      if (k === last || interrupt()) break;
      const found = follow({ ...step, points: points.slice(k) }, q, world);
      const reached = 'reason' in found ? k + Math.floor(found.fraction * (last - k) + 1e-6) : last;
      if (reached < at) continue;
      at = reached;
      if ('reason' in found) reason = found.reason;
    }
    spans.push({ from: k, to: at, status: 'reachable', ...(end < begin && { reason: before }) });
  }
  return spans;
}

/** Returns valid configurations with the tool at a way point. */
function entriesAt(
  step: PathStep,
  { xyz, quat_wxyz }: PathStep['points'][number],
  T_world_frame: Transform,
  near: Configuration,
  world: World,
  interrupt: Interrupt,
): readonly Configuration[] {
  const T = create();
  compose(T, T_world_frame, transformOfPose({ xyz, quat_wxyz: quat_wxyz! }));
  const { isYawFree, tilt, tolerance } = step;
  const share = START_SHARE * tolerance.angle;
  const angle = isYawFree ? ([share + 0.5 * tilt, share + 0.5 * tilt, PI] as const) : share;
  const pose = { ...poseOfTransform(T), tolerance: { position: START_SHARE * tolerance.position, angle } };
  const goals: MoveStep['goals'] = [{ kind: 'pose', pose }];
  const found = moveEntries(world.robot, { ...step, kind: 'move', goals }, goals, near, world, interrupt);
  return 'reason' in found ? [] : found;
}

/** Share of the tolerance of the poses at which parts begin. */
const START_SHARE = 0.2;
