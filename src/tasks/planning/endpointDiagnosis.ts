import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { isWithinLimits, jointsOutOfLimits } from '../../core/collision/validators/robotJointSpace.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import { distanceUnit, type RobotModel, unitOf } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import { TWO_PI } from '../../core/math/trigonometry.ts';
import type { JointUnit } from '../../core/trajectory/trajectory.ts';
import { contactExcess, describeExcess, type MeshExcess } from './contactExcess.ts';
import { millimetres } from './millimetres.ts';
import { type NearbyState, nearestValidState } from './nearestFree.ts';

/** Reasons why a query cannot be planned: status of an invalid start or goal. */
export type EndpointStatus =
  | 'start-in-collision'
  | 'goal-in-collision'
  | 'start-out-of-limits'
  | 'goal-out-of-limits'
  | 'goal-unreachable'
  | 'start-breaks-constraint'
  | 'goal-breaks-constraint';

/** An invalid start or goal: status, message, and details as data. */
export interface InvalidEndpoint {
  readonly status: EndpointStatus;
  readonly reason: string;
  /** One entry; if all of several goals are invalid, one entry per goal. */
  readonly details: readonly EndpointDetail[];
}

/** Why one start or goal is invalid. Fields that do not apply to its kind are absent. */
export interface EndpointDetail {
  /** Which end is invalid. */
  readonly end: 'start' | 'goal';
  /** Index of the goal if there are several, from 0. */
  readonly goal?: number;
  /**
   * For a pose, `out-of-reach`: proved unreachable by link lengths; `beyond-limits`: IK solutions exist only outside of
   * joint limits; `no-ik-solution`: none was found; `ik-solutions-collide`: all IK solutions are in collision.
   */
  readonly kind:
    | 'out-of-limits'
    | 'in-collision'
    | 'out-of-reach'
    | 'beyond-limits'
    | 'no-ik-solution'
    | 'ik-solutions-collide'
    | 'breaks-constraint';
  /** Names of the violated constraints. */
  readonly constraints?: readonly string[];
  /** Joints out of limits in this configuration, or in every IK solution. */
  readonly joints?: readonly string[];
  /** Every colliding pair; for a pose, the deepest pair of each IK solution. */
  readonly contacts?: readonly Overlap[];
  /** The nearest valid state found; null if none was found. Distance: L2 over the joints, rad and m. */
  readonly nearest_free?: { readonly q: readonly number[]; readonly distance: number } | null;
  /** Meshes in contact whose convex parts notably exceed them; omitted if there are none. */
  readonly hulls?: readonly MeshExcess[];
  /** Lower bound on the distance between the goal and the reachable region, metres. */
  readonly short_by?: number;
  /** Smallest pose error found: metres and radians. */
  readonly nearest_miss?: { readonly position: number; readonly angle: number };
}

/** A colliding pair; penetration depth in metres, 0 if the two are separated by less than the padding. */
export interface Overlap {
  /** Names of the two links or objects. */
  readonly pair: readonly [string, string];
  /** Penetration depth, metres; 0 if the two are separated by less than the padding. */
  readonly depth: number;
}

/**
 * Checks the limits and collisions of a start or goal configuration; returns why it is invalid, undefined if it is
 * valid.
 * @param interrupt ends the list of colliding pairs after the first, and the search for a valid state nearby
 */
export function diagnoseEndpoint(
  robot: RobotModel,
  manager: CollisionManager,
  q: Configuration,
  end: 'start' | 'goal',
  interrupt: Interrupt = never,
): InvalidEndpoint | undefined {
  if (!isWithinLimits(robot, q)) {
    const out = jointsOutOfLimits(robot, q);
    const described = robot.variables.flatMap(({ name, type, limits: { lower, upper } }, i) =>
      out.includes(name)
        ? [`${describeOutOfLimits(name, q[i], [lower, upper], unitOf({ type }))}${inDegrees(robot, i, q[i])}`]
        : [],
    );
    const reason = `the ${end} is out of limits: ${described.join('; ')}`;
    return { status: `${end}-out-of-limits`, reason, details: [{ end, kind: 'out-of-limits', joints: out }] };
  }
  const contacts = contactsAt(manager, q, interrupt);
  if (contacts.length === 0) return undefined;
  const [{ pair, depth }] = contacts;
  const how =
    depth > 0 ? `in collision: ${describeOverlap(pair, depth)}` : `too near: ${describePaddingViolation(pair)}`;
  const nearby = nearestValidState(robot, manager, q, ConstraintSet.ofScene(robot, manager.model.scene), interrupt);
  const hulls = contactExcess(
    manager,
    q,
    contacts.map((contact) => contact.pair),
  );
  const nearest_free = nearby ? { q: Array.from(nearby.q), distance: nearby.distance } : null;
  const unmoved = describeUnmoved(manager, contacts);
  return {
    status: `${end}-in-collision`,
    reason: `the ${end} is ${how}; ${describeNearby(robot, nearby)}${unmoved}${describeExcess(hulls)}`,
    details: [{ end, kind: 'in-collision', contacts, nearest_free, ...(hulls.length > 0 ? { hulls } : {}) }],
  };
}

/** Checks the constraints at a collision-free start or goal; returns why it is invalid, undefined if it is valid. */
export function diagnoseConstraints(
  robot: RobotModel,
  manager: CollisionManager,
  set: ConstraintSet | undefined,
  q: Configuration,
  end: 'start' | 'goal',
  interrupt: Interrupt = never,
): InvalidEndpoint | undefined {
  const constraints = set?.violated(q) ?? [];
  if (constraints.length === 0) return undefined;
  const nearby = nearestValidState(robot, manager, q, set, interrupt);
  const nearest_free = nearby ? { q: Array.from(nearby.q), distance: nearby.distance } : null;
  const names = constraints.map((label) => JSON.stringify(label)).join(', ');
  return {
    status: `${end}-breaks-constraint`,
    reason: `the ${end} violates the constraint ${names}; ${describeNearby(robot, nearby)}`,
    details: [{ end, kind: 'breaks-constraint', constraints, nearest_free }],
  };
}

/** Describes a joint value out of limits: `elbow is 3.2 rad, its limits are -3.14159 to 3.14159 rad`. */
export function describeOutOfLimits(
  name: string,
  value: number,
  [lower, upper]: readonly [number, number],
  unit: JointUnit,
): string {
  const rounded = [value, lower, upper].map((one) => Number(one.toPrecision(6)));
  const isSame = rounded.indexOf(rounded[0], 1) > 0; // only the digits that are left out differ
  const [shown, ...limits] = isSame ? [value, lower, upper] : rounded;
  return `${name} is ${shown} ${unit}, its limits are ${limits.join(' to ')} ${unit}`;
}

/** Returns a hint for angles that are probably degrees: integers beyond two full turns. */
function inDegrees({ variables }: RobotModel, joint: number, value: number): string {
  const isLikely = variables[joint].type !== 'prismatic' && Math.abs(value) > 2 * TWO_PI && Number.isInteger(value);
  return isLikely ? ` (numbers are radians: write "${value} deg" for degrees)` : '';
}

/** Returns all colliding pairs with their penetration depths; the first ones if it is interrupted. */
function contactsAt(manager: CollisionManager, q: Configuration, interrupt: Interrupt): Overlap[] {
  const first = manager.firstCollision(q);
  if (first === undefined) return []; // most states are valid, and this check is faster
  const contacts: Overlap[] = [];
  for (const pair of interrupt() ? [first] : manager.collidingPairs(q)) {
    contacts.push({ pair, depth: manager.depth(q, pair) });
    if (interrupt()) break;
  }
  return contacts;
}

/** Metres. Deeper overlaps are those of millimetres that are read as metres. */
const DEEP = 10;
const UNIT_HINT = ' (lengths are metres: are millimetres meant?)';

/** Describes a colliding pair: `a and b overlap by 12.3 mm`. */
export const describeOverlap = (pair: readonly string[], depth: number) =>
  `${pair.join(' and ')} overlap by ${millimetres(depth)}${depth > DEEP ? UNIT_HINT : ''}`;

/** Describes a pair that is separated by less than the padding. */
export const describePaddingViolation = (pair: readonly string[]) =>
  `${pair.join(' and ')} are nearer than the padding`;

/** Describes the nearest valid state: `the nearest valid state found is 0.031 rad away: 0.1, -1.2, …`. */
export function describeNearby(robot: RobotModel, nearby: NearbyState | undefined): string {
  if (nearby === undefined) return 'no valid state was found near it';
  const distance = `${Number(nearby.distance.toPrecision(3))} ${distanceUnit(robot)}`;
  return `the nearest valid state found is ${distance} away: ${Array.from(nearby.q).join(', ')}`;
}

/** Returns a hint about a colliding pair that collides in every state; empty if there is none. */
function describeUnmoved({ model: { robot, scene } }: CollisionManager, contacts: readonly Overlap[]): string {
  const isMoved = (name: string): boolean => {
    const linkName = scene.attached.find((object) => object.name === name)?.link ?? name;
    for (let link = robot.links.find((one) => one.name === linkName); link && link.joint >= 0; ) {
      const joint = robot.joints[link.joint];
      if (joint.variable >= 0) return true;
      link = robot.links[joint.parent];
    }
    return false;
  };
  const unmoved = contacts.find(({ pair }) => !pair.some(isMoved));
  if (unmoved === undefined) return '';
  const [a, b] = unmoved.pair;
  return (
    `; no planned joint moves ${a} or ${b}: they collide in every state; ` +
    `if they may touch, allow: [[${a}, ${b}]] in the scene`
  );
}
