import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import { withFullTurns } from '../../core/kinematics/fullTurns.ts';
import type { IkAnswer, IkMiss, IkOptions, IkSolution } from '../../core/kinematics/ikSearch.ts';
import { InverseKinematics } from '../../core/kinematics/inverseKinematics.ts';
import { type PoseTolerance, transformOfPose } from '../../core/kinematics/pose.ts';
import type { Pose, RobotModel } from '../../core/kinematics/robotModel.ts';
import { linkFrameOf, type ToolCenterPoint } from '../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { Random } from '../../core/math/random.ts';
import type { Transform } from '../../core/math/transform.ts';
import { PI } from '../../core/math/trigonometry.ts';
import { describeOverlap, describePaddingViolation, type Overlap } from './endpointDiagnosis.ts';
import { millimetres } from './millimetres.ts';

/** An inverse kinematics query. */
export interface IkQuery {
  /** Link whose frame is moved to the pose; undefined: the tool center point. */
  readonly link?: string;
  /** Tool center point; default: the frame of the last link of the planned chain. */
  readonly tcp?: ToolCenterPoint;
  /** Target pose in the world frame. */
  readonly pose: Pose;
  /** Maximum error of a solution; default 1e-6 m, 1e-6 rad. */
  readonly tolerance?: PoseTolerance;
  /** Solutions are sorted by their distance to this configuration; joints that do not move the link keep its values. */
  readonly near: Configuration;
  /** Seed of the random starts of a numerical search; unused with a closed form. */
  readonly seed?: number;
  /** Maximum number of solutions of a numerical search; a closed form returns all. */
  readonly solutions?: number;
  /** Include all solutions that differ by full turns within limits, not only the nearest. */
  readonly fullTurns?: boolean;
}

/** Result of an inverse kinematics query: solutions, the nearest first, or the reason why there is none. */
export interface IkResult {
  /**
   * Solutions within limits and tolerance; if collisions are checked, collision-free and within the path constraints of
   * the scene.
   */
  readonly solutions: readonly IkSolution[];
  /** Solutions in collision, if collisions are checked. */
  readonly colliding: readonly IkSolution[];
  /** Solutions that violate path constraints, if collisions are checked; they may collide, too. */
  readonly violating: readonly IkSolution[];
  /** Reason why there is no solution; undefined if there is one. */
  readonly reason: string | undefined;
}

/** The tool center point in messages. */
export const THE_TCP = 'the TCP';

/** Names, for messages, of the frame that is moved to a pose and of its link. */
export interface MovedFrame {
  readonly name: string;
  readonly link: string;
}

/** Limit of configurations that differ from one solution by full turns. */
const MAX_TURNS = 1000;

/**
 * Computes configurations within limits that move a link, or the tool center point, to a pose. Throws `InputError` if
 * the link is unknown, or if none is given and the tool center point is ambiguous.
 * @param manager collision manager of the scene: only collision-free solutions within its path constraints are
 *   returned; without it, neither is checked
 * @param check called before each step; may throw to end the search
 */
export function solveIk(
  robot: RobotModel,
  query: IkQuery,
  manager?: CollisionManager,
  check: () => void = () => {},
): IkResult {
  const { pose, tolerance, near, seed = 1, fullTurns = false } = query;
  const { link, T_link_frame } = linkFrameOf(robot, query.link, query.tcp);
  const ik = new InverseKinematics(robot, link, T_link_frame);
  const options = {
    ...(tolerance === undefined ? {} : { tolerance }),
    ...(query.solutions === undefined ? {} : { solutions: query.solutions }),
  };
  const T_target = transformOfPose(pose);
  const constraints = manager && ConstraintSet.ofScene(robot, manager.model.scene);
  const isAllowed = (q: Configuration) => constraints?.isSatisfied(q) !== false;
  const { solutions, refused, miss } = manager
    ? collisionFreeIk(ik, manager, T_target, near, seed, options, isAllowed, check)
    : ik.solve(T_target, near, new Random(seed), { ...options, onDescent: check });
  let reason = miss && describeMiss({ name: query.link ?? THE_TCP, link: robot.links[link].name }, miss);
  const colliding = refused.filter(({ q }) => isAllowed(q));
  const violating = refused.filter(({ q }) => !isAllowed(q));
  if (!miss && manager && solutions.length === 0) {
    const states = colliding.map(({ q }) => q);
    const parts = states.length > 0 ? [ikCollisions(manager, states, '', check).reason] : [];
    if (violating.length > 0) parts.push(describeViolations(violating.length, constraints!.violated(violating[0].q)));
    reason = parts.join('; ');
  }
  const turned = fullTurns ? solutions.flatMap((solution) => turnsOf(robot, solution, near)) : solutions;
  const allowed = turned.filter(({ q }) => isAllowed(q)); // full turns may leave the range of a joint constraint
  return { solutions: nearestFirst(allowed, near, ({ q }) => q), colliding, violating, reason };
}

/** Describes the IK solutions that violate path constraints, by the constraints that the first one violates. */
function describeViolations(count: number, labels: readonly string[]): string {
  const names = labels.map((label) => JSON.stringify(label)).join(', ');
  return count === 1
    ? `one IK solution violates ${names}`
    : `${count} IK solutions violate constraints, the first ${names}`;
}

const turnsOf = (robot: RobotModel, solution: IkSolution, near: Configuration): IkSolution[] =>
  withFullTurns(robot, solution.q, near, { perJoint: MAX_TURNS, most: MAX_TURNS }).map((q) => ({ ...solution, q }));

/** Returns the items sorted by the distance of their configurations to `near` (L2, not weighted). */
export function nearestFirst<T>(items: readonly T[], near: Configuration, qOf: (item: T) => Configuration): T[] {
  return items
    .map((item) => ({
      item,
      away: qOf(item).reduce((sum, value, i) => sum + (value - near[i]) * (value - near[i]), 0),
    }))
    .sort((a, b) => a.away - b.away)
    .map(({ item }) => item);
}

/** Multiple of the reach beyond which a position is probably in millimetres. */
const FAR = 5;

/**
 * Describes why a pose has no IK solution: proved out of reach and by how much, beyond limits, or not found and the
 * smallest error.
 */
export function describeMiss(
  { name, link }: MovedFrame,
  { shortfall, beyondLimits, nearest, starts, isSearch }: IkMiss,
): string {
  if (shortfall) {
    const { by, of, distance, shell } = shortfall;
    const what = of === 'origin' ? link : 'the wrist';
    const bound =
      distance > shell.outer ? `at most ${millimetres(shell.outer)}` : `no nearer than ${millimetres(shell.inner)}`;
    const turned = of === 'origin' ? '' : ' in this orientation';
    const centre = Array.from(shell.centre, (x) => Number(x.toFixed(4))).join(', ');
    return (
      `out of reach by at least ${millimetres(by)}${turned}: ${what} gets ${bound} away from [${centre}], not ` +
      `${millimetres(distance)}${distance > FAR * shell.outer ? '; lengths are metres: are millimetres meant?' : ''}`
    );
  }
  if (beyondLimits.length > 0) {
    const searched = isSearch ? `the search from ${starts} start configurations failed, and ` : '';
    return `no IK solution within limits: ${searched}${beyondLimits.join(', ')} would exceed their limits`;
  }
  const { positionError, angleError } = nearest;
  const angle = `${Number(((180 / PI) * angleError).toPrecision(3))} deg`;
  return (
    `no IK solution: from ${starts} start configurations, ${name} gets within ${millimetres(positionError)} and ` +
    `${angle} at best`
  );
}

/**
 * Number of start configurations of the second search, which arms without closed form need if every solution of the
 * first one collides.
 */
const EXTENDED_STARTS = 1000;

/**
 * Computes collision-free IK solutions. Those in collision are returned as `refused`. If all solutions of a search are
 * refused, it is repeated from more starts.
 * @param isAllowed solutions for which it returns false are refused, too
 * @param check called before each step; may throw to end the search
 */
export function collisionFreeIk(
  ik: InverseKinematics,
  manager: CollisionManager,
  T_world_link: Transform,
  near: Configuration,
  seed: number,
  options: Partial<IkOptions>,
  isAllowed: (q: Configuration) => boolean = () => true,
  check: () => void = () => {},
): IkAnswer {
  const accept = (q: Configuration): boolean => {
    check();
    return isAllowed(q) && manager.isCollisionFree(q);
  };
  const solve = (more: Partial<IkOptions>) =>
    ik.solve(T_world_link, near, new Random(seed), { ...options, ...more, accept, onDescent: check });
  const found = solve({});
  const mayHaveMore = found.solutions.length === 0 && found.refused.length > 0 && !ik.closedForm;
  return mayHaveMore ? solve({ starts: EXTENDED_STARTS }) : found;
}

/**
 * Collisions of a pose whose IK solutions all collide: the deepest pair of each solution, and a line that describes the
 * smallest of these depths.
 */
interface IkCollisions {
  readonly contacts: readonly Overlap[];
  readonly reason: string;
}

/**
 * Computes the deepest colliding pair of each IK solution. All solutions must be in collision.
 * @param what qualifier after "IK solutions" in the line, such as ` of the goal`
 * @param check called before each step; may throw to end the computation
 */
export function ikCollisions(
  manager: CollisionManager,
  solutions: readonly Configuration[],
  what = '',
  check: () => void = () => {},
): IkCollisions {
  const contacts = solutions.map((q): Overlap => {
    check();
    const { distance, pair } = manager.clearance(q);
    return { pair: pair ?? manager.firstCollision(q)!, depth: Math.max(0, -distance) };
  });
  const { pair, depth } = contacts.reduce((best, one) => (one.depth < best.depth ? one : best));
  const how = depth > 0 ? describeOverlap(pair, depth) : describePaddingViolation(pair);
  const reason =
    solutions.length === 1
      ? `the only IK solution${what} collides: ${how}`
      : `all ${solutions.length} IK solutions${what} collide, the shallowest: ${how}`;
  return { contacts, reason };
}
