import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { BATCH } from '../../core/collision/states/stateBatch.ts';
import { jointsOutOfLimits } from '../../core/collision/validators/robotJointSpace.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { CheckerName } from '../../core/narrowphase/index.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';
import { World } from '../world.ts';
import { clearanceGradient } from './clearanceGradient.ts';
import { violatedLimits } from './violatedLimits.ts';

/** Options of state validation. */
export interface ValidationOptions {
  /** Returns every colliding pair, not only the first one found. */
  readonly all?: boolean;
  /** Adds the clearance. */
  readonly clearance?: boolean;
  /** Adds the clearance and its gradient with respect to q. */
  readonly gradient?: boolean;
  /** Narrow-phase algorithm; default growth-distance. */
  readonly checker?: CheckerName;
}

/** Result of a state validity check. */
export interface StateVerdict {
  /** True if the state is within limits and every checked pair is proved separated by more than the padding. */
  readonly valid: boolean;
  /**
   * Colliding pairs: link or attached object first, then the obstacle; for self-collisions, in the order of the tree.
   */
  readonly collisions: readonly (readonly [string, string])[];
  /** Joints out of limits. */
  readonly limits: readonly string[];
  /** Names of the violated constraints; present if the scene has constraints. */
  readonly constraints?: readonly string[];
  /**
   * Minimum distance over all checked pairs, metres; negative penetration depth in collision; Infinity if no pair is
   * checked.
   */
  readonly clearance?: number;
  /** Metres per radian (or metre) of each joint. */
  readonly gradient?: readonly number[];
  /** Whether the clearance is differentiable here. */
  readonly differentiable?: boolean;
}

/** Checks the validity of states; see `createStateValidator`. */
export interface StateValidator {
  /** Checks one state at a time, seconds. */
  (q: Configuration, time?: number): StateVerdict;
  /** True if nothing moves by itself: validity does not depend on time. */
  readonly isStill: boolean;
  /**
   * Checks the collisions of up to four states that are passed next: together they cost less than one by one. Other
   * states may be passed in between.
   * @internal
   */
  prepare(states: readonly Configuration[]): void;
  /**
   * Collisions of several states at a time; undefined if verdicts need more than limits and the first collision.
   * @internal
   */
  readonly first: FirstCollisions | undefined;
}

/**
 * First collisions of states at rest.
 * @internal
 */
export interface FirstCollisions {
  /** Writes for each of the first `count` states, at most BATCH, the index of the first colliding pair, or −1. */
  write(out: Int32Array, states: readonly Configuration[], count: number): void;
  /** Names of a pair, as in verdicts. */
  namesOf(pair: number): [string, string];
}

/**
 * Creates a function that checks limits and collisions of a state: one value per planned joint, rad or m, and the time
 * at which moving obstacles and other robots are posed, seconds. It keeps caches, so reuse it for many states.
 */
export function createStateValidator(
  robot: RobotModel,
  scene: Scene,
  { checker = 'growth-distance', ...options }: ValidationOptions = {},
): StateValidator {
  return stateValidatorOf(new World(robot, scene, { checker }), options);
}

/** As `createStateValidator`, with the collision manager of a world. */
export function stateValidatorOf(
  world: World,
  { all = false, clearance = false, gradient = false }: Omit<ValidationOptions, 'checker'> = {},
): StateValidator {
  const { robot, scene, manager, isStill } = world;
  const whole = new Float64Array(world.tree.robot.dof);
  const poseWorld = (state: Configuration, time: number) => {
    if (state.length !== robot.dof)
      throw new InputError(`q has ${state.length} values, "${robot.name}" has ${robot.dof} planned joints`);
    return world.stateAt(state, time, whole);
  };
  const given = scene.constraints ?? [];
  const constraints = given.length === 0 ? undefined : new ConstraintSet(robot, given, scene.tcp);
  const prepared = new PreparedStates(manager);
  const check = (state: Configuration, time = 0): StateVerdict => {
    const limits = jointsOutOfLimits(robot, state);
    const q = isStill ? state : poseWorld(state, time);
    const violated = violatedLimits(constraints, manager, state, q);
    const collisions = all ? manager.collidingPairs(q) : prepared.firstCollision(q);
    const valid = collisions.length === 0 && limits.length === 0 && !violated?.length;
    const verdict = { valid, collisions, limits, ...(violated && { constraints: violated }) };
    if (!gradient) return clearance ? { ...verdict, clearance: manager.clearance(q).distance } : verdict;
    const { distance, gradient: byJoint, differentiable } = clearanceGradient(manager, q);
    return { ...verdict, clearance: distance, gradient: byJoint.slice(0, robot.dof), differentiable };
  };
  const isBatched = !all && isStill;
  const isFirst = isBatched && !clearance && !gradient && constraints === undefined && scene.clearances === undefined;
  return Object.assign(check, {
    isStill,
    first: isFirst ? firstCollisionsOf(manager) : undefined,
    prepare: (states: readonly Configuration[]) => {
      if (isBatched) prepared.prepare(states.filter((q) => q.length === robot.dof).slice(0, BATCH));
    },
  });
}

function firstCollisionsOf(manager: CollisionManager): FirstCollisions {
  return {
    write: (out, states, count) => manager.batch.firstCollidingPairs(out, states, count),
    namesOf: (pair) => manager.model.namesOf(pair),
  };
}

/** First collisions of states that were checked together, by their values. */
class PreparedStates {
  private count = 0;
  private readonly states: readonly Configuration[];
  private readonly pairs = new Int32Array(BATCH);

  constructor(private readonly manager: CollisionManager) {
    this.states = Array.from(this.pairs, () => new Float64Array(manager.model.robot.dof));
  }

  prepare(states: readonly Configuration[]): void {
    this.count = states.length;
    for (const [i, q] of states.entries()) this.states[i].set(q);
    this.manager.batch.firstCollidingPairs(this.pairs, this.states, this.count);
  }

  /** Returns the first colliding pair of a state as a list of at most one. */
  firstCollision(q: Configuration): [string, string][] {
    const { manager, states, pairs, count } = this;
    for (let i = 0; i < count; i++)
      if (states[i].length === q.length && states[i].every((value, k) => value === q[k]))
        return pairs[i] < 0 ? [] : [manager.model.namesOf(pairs[i])];
    const pair = manager.firstCollision(q);
    return pair ? [pair] : [];
  }
}
