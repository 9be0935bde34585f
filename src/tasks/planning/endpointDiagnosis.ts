import type { CollisionManager } from '../../collision/collisionManager.ts';
import { jointsOutOfLimits } from '../../collision/robotJointSpace.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { TWO_PI } from '../../math/trigonometry.ts';
import { contactExcess, describeExcess, type MeshExcess } from './contactExcess.ts';
import { millimetres } from './millimetres.ts';
import { type NearbyState, nearestFreeState } from './nearestFree.ts';

/** Why planning cannot even begin. */
export type EndStatus =
  | 'start-in-collision'
  | 'goal-in-collision'
  | 'start-out-of-limits'
  | 'goal-out-of-limits'
  | 'goal-unreachable';

/** What is wrong with an end, in a word for programs and in a line for people. */
export interface EndFault {
  readonly status: EndStatus;
  readonly reason: string;
  /** The same once more, as data: one entry, and of several goals, none of which will do, one for each. */
  readonly details: readonly EndDetail[];
}

/** Why one end cannot be used. Fields that do not belong to its kind are left out. */
export interface EndDetail {
  readonly end: 'start' | 'goal';
  /** Of several goals: which one, counted from 0. */
  readonly goal?: number;
  /**
   * Of a pose, `out-of-reach`: certainly, by lengths alone; `beyond-limits`: joints would have to leave theirs; `no-ik-solution`: none found;
   * `ik-solutions-collide`: there are some, and all of them collide.
   */
  readonly kind:
    | 'out-of-limits'
    | 'in-collision'
    | 'out-of-reach'
    | 'beyond-limits'
    | 'no-ik-solution'
    | 'ik-solutions-collide';
  /** Joints that are, or would have to be, out of limits. */
  readonly joints?: readonly string[];
  /** Every pair in collision; of a pose the deepest pair of each solution. */
  readonly contacts?: readonly Overlap[];
  /** The nearest free state that was found; null where none was. Distance: L2 over the joints, rad and m. */
  readonly nearest_free?: { readonly q: readonly number[]; readonly distance: number } | null;
  /** Meshes in contact whose convex parts exceed them notably; left out if there is none. */
  readonly hulls?: readonly MeshExcess[];
  /** Metres that are missing at least. */
  readonly short_by?: number;
  /** How near the link gets to the pose at best: metres and radians. */
  readonly nearest_miss?: { readonly position: number; readonly angle: number };
}

/** Two bodies too near each other; depth in metres, 0 where they are apart but nearer than the padding. */
export interface Overlap {
  readonly pair: readonly [string, string];
  readonly depth: number;
}

/** What is wrong with a configuration that a motion shall start or end at; undefined where nothing is. */
export function endFault(
  robot: RobotModel,
  manager: CollisionManager,
  q: Configuration,
  end: 'start' | 'goal',
): EndFault | undefined {
  const out = jointsOutOfLimits(robot, q);
  if (out.length > 0) {
    const told = robot.variables.flatMap(({ name, limits: { lower, upper } }, i) =>
      out.includes(name) ? [`${name} is ${q[i]}, its limits are ${lower} to ${upper}${inDegrees(robot, i, q[i])}`] : [],
    );
    const reason = `the ${end} is out of limits: ${told.join('; ')}`;
    return { status: `${end}-out-of-limits`, reason, details: [{ end, kind: 'out-of-limits', joints: out }] };
  }
  const contacts = contactsAt(manager, q);
  if (contacts.length === 0) return undefined;
  const [{ pair, depth }] = contacts;
  const how = depth > 0 ? `in collision: ${overlap(pair, depth)}` : `too near: ${tooNear(pair)}`;
  const nearby = nearestFreeState(robot, manager, q);
  const hulls = contactExcess(
    manager,
    q,
    contacts.map((contact) => contact.pair),
  );
  const nearest_free = nearby ? { q: Array.from(nearby.q), distance: nearby.distance } : null;
  return {
    status: `${end}-in-collision`,
    reason: `the ${end} is ${how}; ${wayOut(robot, nearby)}${describeExcess(hulls)}`,
    details: [{ end, kind: 'in-collision', contacts, nearest_free, ...(hulls.length > 0 ? { hulls } : {}) }],
  };
}

/** Angles that only make sense as degrees: many turns, and a whole number. */
function inDegrees({ variables }: RobotModel, joint: number, value: number): string {
  const isLikely = variables[joint].type !== 'prismatic' && Math.abs(value) > 2 * TWO_PI && Number.isInteger(value);
  return isLikely ? ` (numbers are radians: write "${value} deg" for degrees)` : '';
}

function contactsAt(manager: CollisionManager, q: Configuration): Overlap[] {
  if (manager.firstCollision(q) === undefined) return []; // most are free, and this is the quicker question
  return manager.collidingPairs(q).map((pair) => ({ pair, depth: manager.depth(q, pair) }));
}

export const overlap = (pair: readonly string[], depth: number) =>
  `${pair.join(' and ')} overlap by ${millimetres(depth)}`;

export const tooNear = (pair: readonly string[]) => `${pair.join(' and ')} are nearer than the padding`;

/** `the nearest free state found is 0.031 rad away: 0.1, -1.2, …` */
function wayOut(robot: RobotModel, nearby: NearbyState | undefined): string {
  if (nearby === undefined) return 'no free state was found near it';
  const slides = robot.variables.some((joint) => joint.type === 'prismatic');
  const distance = `${Number(nearby.distance.toPrecision(3))}${slides ? '' : ' rad'}`;
  return `the nearest free state found is ${distance} away: ${Array.from(nearby.q).join(', ')}`;
}
