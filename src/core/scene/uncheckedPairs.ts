import type { JointDescription, RobotDescription, RobotModel } from '../kinematics/robotModel.ts';
import { type AllowedPairs, allowedPairs, robotAllowedPairs } from './allowedCollisions.ts';
import type { CheckedScene, Scene } from './scene.ts';

/** Pairs of links and objects that no verdict covers. */
export interface UncheckedPairs {
  /** Number of pairs. */
  readonly pairs: number;
  /**
   * Number of pairs by reason: that of the SRDF (`unstated` if it states none), `Adjacent`, `Rigid` (a mount),
   * `exclude` (MJCF), `attached` (an object and the link that carries it), `touches` and `allow` (of the scene or its
   * steps), `no geometry` (one of both has visual but no collision geometry); `Never beyond limits`: a joint
   * between both may leave the limits of the robot file, within which they never collide.
   */
  readonly reasons: Readonly<Record<string, number>>;
  /** Pairs of links on two arms that are allowed without the reason `Never`: contacts of them are not found. */
  readonly on_arms?: readonly (readonly [string, string])[];
}

/** Pair of names with the reason why it is not checked. */
type ReasonedPair = readonly [string, string, string];

/** Scene whose pairs are counted. */
type CountedScene = Pick<CheckedScene, 'obstacles' | 'attached' | 'allow'>;

/**
 * Adds the pairs of a world that are not checked to a list: those of which at least one belongs to the planned robot.
 * Pairs without collision geometry do not count.
 * @param allowed those of the world, if they are known
 */
export function addUnchecked(
  list: AllowedPairs,
  robot: RobotModel,
  scene: CountedScene,
  allowed = allowedPairs(robot.description, scene),
): void {
  const solid = robot.links.filter(({ parts }) => parts.length > 0).map(({ name }) => name);
  const attached = scene.attached.map(({ name }) => name);
  const own = new Set([...solid.filter((name) => robot.others?.has(name) !== true), ...attached]);
  const all = new Set([...solid, ...attached, ...scene.obstacles.map(({ name }) => name)]);
  for (const [a, b, reason] of allowed.list())
    if (a !== b && all.has(a) && all.has(b) && (own.has(a) || own.has(b))) list.add(a, b, reason || 'unstated');
}

/** Counts a list of pairs by reason. */
export function countUnchecked(list: AllowedPairs, robot: RobotModel): UncheckedPairs {
  const pairs = withLimits(list.list(), robot);
  const reasons: Record<string, number> = {};
  for (const [, , reason] of pairs) reasons[reason] = (Object.hasOwn(reasons, reason) ? reasons[reason] : 0) + 1;
  const planned = robot.variables.map(({ name }) => name);
  const onArms = pairsOnArms(robot.description, planned, pairs);
  return {
    pairs: pairs.length,
    reasons,
    ...(onArms.length > 0 && { on_arms: onArms.map(([a, b]): [string, string] => [a, b]) }),
  };
}

/** Absolute, rad or m: a value beyond a limit by less is a rounding error. */
const LIMIT_ROUNDING = 1e-9;

/** Returns pairs whose reason `Never` is another one if a joint between both may leave the limits of its file. */
function withLimits(pairs: readonly ReasonedPair[], robot: RobotModel): readonly ReasonedPair[] {
  const { description, variables, fixed } = robot;
  const ranges = new Map(variables.map(({ name, limits: { lower, upper } }) => [name, [lower, upper]]));
  const leaving = description.joints.flatMap(({ name, lower = -Infinity, upper = Infinity, type }) => {
    const kept = Object.hasOwn(fixed, name) ? fixed[name] : undefined;
    const [least, most] = ranges.get(name) ?? [kept ?? upper, kept ?? lower];
    const isBeyond = least < lower - LIMIT_ROUNDING || most > upper + LIMIT_ROUNDING;
    return isBeyond && type !== 'continuous' ? [name] : [];
  });
  if (leaving.length === 0) return pairs;
  const between = new JointsBetween(description.joints, followersOf(description.joints, new Set(leaving)));
  return pairs.map((pair) => {
    const [a, b, reason] = pair;
    return reason === 'Never' && between.counts(a, b).some((count) => count > 0) ? [a, b, 'Never beyond limits'] : pair;
  });
}

/**
 * Returns those of the pairs that two arms hide: two links on different branches, with two or more movable joints
 * between each of them and their common link, that a planned joint moves relative to each other, and that are allowed
 * for another reason than `Never`.
 * @param planned names of the planned joints
 */
export function pairsOnArms(
  { links, joints }: RobotDescription,
  planned: readonly string[],
  pairs: readonly ReasonedPair[],
): ReasonedPair[] {
  const names = new Set(links.map(({ name }) => name));
  const unproved = pairs.filter(([a, b, reason]) => reason !== 'Never' && names.has(a) && names.has(b));
  if (unproved.length === 0) return [];
  const tree = new JointsBetween(joints);
  const moving = new JointsBetween(joints, followersOf(joints, new Set(planned)));
  return unproved.filter(([a, b]) => tree.areOnArms(a, b) && moving.counts(a, b).some((count) => count > 0));
}

/** Returns a predicate for joints that are planned, or follow a planned joint. */
function followersOf(joints: readonly JointDescription[], planned: ReadonlySet<string>) {
  const named = new Map(joints.map((joint) => [joint.name, joint]));
  return (joint: JointDescription): boolean => {
    let leader: JointDescription | undefined = joint;
    for (let steps = 0; leader?.mimic !== undefined && steps <= joints.length; steps++)
      leader = named.get(leader.mimic.joint);
    return leader !== undefined && planned.has(leader.name);
  };
}

/**
 * Returns a warning if the robot or the scene, its steps included, allow links on two arms to collide (see
 * `pairsOnArms`); without a scene, all joints count as planned.
 */
export function armPairWarnings(
  robot: RobotDescription,
  planned: readonly string[],
  { allow, steps = [] }: Pick<Scene, 'allow' | 'steps'> = { allow: [] },
): string[] {
  const ofSteps = steps.flatMap((step) => (step.kind === 'allow' ? step.pairs : []));
  const allowed = robotAllowedPairs(robot);
  for (const [a, b] of [...allow, ...ofSteps]) allowed.add(a, b, 'allow');
  const solid = new Set(robot.links.filter(({ collisions }) => collisions.length > 0).map(({ name }) => name));
  const pairs = pairsOnArms(robot, planned, allowed.list()).filter(([a, b]) => solid.has(a) && solid.has(b));
  if (pairs.length === 0) return [];
  const list = pairs.map(([a, b, reason]) => `${a} and ${b} (${reason || 'unstated'})`).join(', ');
  return [
    `robot "${robot.name}": ${pairs.length === 1 ? 'a pair' : `${pairs.length} pairs`} of links on two arms that are ` +
      `not checked, so that no contact of them is found: ${list}; remove them from the SRDF or from allow, or make ` +
      'an SRDF with robot --make-srdf',
  ];
}

/** Numbers of movable joints between two links and the last link that is above both of them. */
export type JointCounts = readonly [ofA: number, ofB: number];

/** Counts the movable joints between pairs of links of a kinematic tree. */
export class JointsBetween {
  private readonly above: ReadonlyMap<string, JointDescription>;

  /** @param isMovable default: true for all joints that are not fixed, mimic joints included */
  constructor(
    joints: readonly JointDescription[],
    private readonly isMovable: (joint: JointDescription) => boolean = ({ type }) => type !== 'fixed',
  ) {
    this.above = new Map(joints.map((joint) => [joint.child, joint]));
  }

  /** Returns the number of movable joints between each of two links and their common link. */
  counts(a: string, b: string): JointCounts {
    const ofA = this.movedAbove(a);
    let moved = 0;
    for (let link: string | undefined = b; link !== undefined; ) {
      const count = ofA.get(link);
      if (count !== undefined) return [count, moved];
      const joint = this.above.get(link);
      if (joint !== undefined && this.isMovable(joint)) moved++;
      link = joint?.parent;
    }
    return [0, 0]; // of no common tree
  }

  /**
   * Returns true if two links lie on different branches, with two or more movable joints between each of them and their
   * common link: nothing in their structure keeps them from a contact.
   */
  areOnArms(a: string, b: string): boolean {
    return Math.min(...this.counts(a, b)) >= 2;
  }

  /** Returns a link and all links above it, each with the number of movable joints between the two. */
  private movedAbove(link: string): Map<string, number> {
    const counts = new Map([[link, 0]]);
    let moved = 0;
    for (let joint = this.above.get(link); joint !== undefined; joint = this.above.get(joint.parent)) {
      if (this.isMovable(joint)) moved++;
      counts.set(joint.parent, moved);
    }
    return counts;
  }
}
