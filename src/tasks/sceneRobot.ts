import { createRobotModel } from '../core/kinematics/createRobotModel.ts';
import { turnableVariables } from '../core/kinematics/fullTurns.ts';
import { plannedJoints } from '../core/kinematics/planningGroups.ts';
import {
  type JointLimits,
  type JointType,
  type PlannedJoint,
  type RobotDescription,
  type RobotModel,
  unitOf,
} from '../core/kinematics/robotModel.ts';
import { derived } from '../core/math/derived.ts';
import { limitFault, MOTION_LIMITS } from '../core/scene/motionLimits.ts';
import type { OtherRobot } from '../core/scene/movingScene.ts';
import type { MotionScene, Scene } from '../core/scene/scene.ts';
import type { MotionLimits } from '../core/trajectory/trajectory.ts';
import { InputError } from '../errors.ts';
import { type ForceScene, unstatedForces } from './forces/sceneArm.ts';

/** A scene and the robot that it names: the input of every task. */
export interface Problem {
  /** The scene, with the convex parts of its meshes. */
  readonly scene: Scene;
  /** Description of the robot of the scene. */
  readonly robot: RobotDescription;
  /** Robot model for the scene, if it exists already: problems of a suite share one. */
  readonly model?: RobotModel;
}

/** The parts of a problem that determine the robot model. */
export type RobotProblem = Pick<Problem, 'robot' | 'model'> & {
  readonly scene: Pick<Scene, 'robot'> & Partial<Pick<Scene, 'name' | 'drop'>>;
};

/**
 * Returns the robot model with the planned joints, fixed values, limits and pose of the scene: `model` if it is given,
 * otherwise a new one.
 */
export function createSceneRobot({ scene, robot, model }: RobotProblem): RobotModel {
  if (scene.drop !== undefined)
    throw new InputError(`scene "${scene.name ?? ''}" has objects that have not been dropped yet`, 'Settle it first.');
  if (model) return model;
  const joints = plannedJoints(robot, scene.robot);
  const created = createRobotModel(robot, { ...scene.robot, joints });
  requireMotionLimits(created);
  return created;
}

/** Robot models of problems: those with the same robot and equal settings of it share one. */
export class RobotModels {
  private readonly known = derived((_: RobotDescription) => new Map<string, RobotModel>());

  /** Returns the model of the robot of a problem; creates it if there is none. */
  of(problem: RobotProblem): RobotModel {
    const models = this.known(problem.robot);
    const key = JSON.stringify(problem.scene.robot);
    const model = models.get(key) ?? createSceneRobot(problem);
    models.set(key, model);
    return model;
  }
}

/** Returns the model of another robot of a scene. */
export const otherRobotModel = ({ robot, description }: Pick<OtherRobot, 'robot' | 'description'>): RobotModel =>
  createSceneRobot({ scene: { robot }, robot: description });

/**
 * Throws InputError if the velocity, acceleration or jerk limit of a planned joint is not greater than 0, or if no
 * value of it keeps the joints that follow it within their limits.
 */
function requireMotionLimits({ name, variables }: RobotModel): void {
  for (const joint of variables) {
    const { lower, upper } = joint.limits;
    if (joint.narrowedBy && !(lower <= upper))
      throw new InputError(
        `robot "${name}": joint "${joint.name}": no value keeps ${quoted(joint.narrowedBy)}, which follow it, within ` +
          'their limits',
        'Correct their ranges, multipliers and offsets in the file, or leave the joint out of `joints`.',
      );
    const kind = MOTION_LIMITS.find((one) => !(joint.limits[one] > 0));
    if (kind === undefined) continue;
    const { what, note } = limitFault(joint.name, kind, joint.limits[kind]);
    throw new InputError(`robot "${name}": ${what}`, note);
  }
}

/** Absolute, rad or m: rounding of the value of a mimic joint. */
const LIMIT_ROUNDING = 1e-9;

const quoted = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ');

/** Velocities that no arm reaches, per second: the fastest axes of small SCARA robots turn at 2700 deg/s. */
const FAST = { rad: 60, m: 15 };

/** Returns true if no arm reaches a velocity limit, rad/s or m/s: it is a placeholder, or in other units. */
export const isImplausiblyFast = (type: JointType, velocity: number): boolean =>
  velocity > FAST[type === 'prismatic' ? 'm' : 'rad'];

/** Returns warnings about the ranges of joints: values out of them, and those that joints that follow narrow. */
function rangeWarnings({ variables, name, joints, description }: RobotModel): string[] {
  const kept = new Map(joints.flatMap((joint) => (joint.variable < 0 ? [[joint.name, joint.offset] as const] : [])));
  const outside = description.joints.flatMap(({ name: joint, type, lower, upper }) => {
    const value = kept.get(joint);
    if (value === undefined || type === 'continuous' || type === 'fixed') return [];
    const [least, most] = [lower ?? Number.NEGATIVE_INFINITY, upper ?? Number.POSITIVE_INFINITY];
    if (value >= least - LIMIT_ROUNDING && value <= most + LIMIT_ROUNDING) return [];
    return [`robot "${name}": "${joint}" is kept at ${value}, out of its limits ${lower} to ${upper}`];
  });
  const narrowed = variables.flatMap(({ name: joint, narrowedBy }) =>
    narrowedBy === undefined
      ? []
      : [`robot "${name}": the limits of "${joint}" are narrowed to those of ${quoted(narrowedBy)} (mimic)`],
  );
  const contradicting = variables.flatMap(({ name: joint, contradictedBy }) =>
    contradictedBy === undefined
      ? []
      : [
          `robot "${name}": the range of ${quoted(contradictedBy)} (mimic) is not applied, since it would leave ` +
            `"${joint}" at most one value; correct it, or state it in the scene's limits`,
        ],
  );
  return [...outside, ...narrowed, ...contradicting];
}

/**
 * Returns warnings about joints without velocity limit or with an implausible one, assumed acceleration limits, limits
 * that are narrowed by joints that follow, joints that are kept at values out of their limits, and torques and masses
 * that are not stated.
 */
export function limitWarnings(robot: RobotModel, scene: ForceScene = { attached: [], obstacles: [] }): string[] {
  const { variables, name } = robot;
  const unbounded = variables.filter(({ limits }) => limits.velocity === Number.POSITIVE_INFINITY);
  const isAssumed = (joint: PlannedJoint) => joint.accelerationAssumed && scene.torque === undefined;
  const assumed = variables.filter((joint) => isAssumed(joint) && !unbounded.includes(joint));
  const list = (joints: readonly PlannedJoint[]) => joints.map((joint) => joint.name).join(', ');
  const wheels = unbounded.filter(({ type }) => type === 'continuous');
  const others = variables.filter((joint) => !wheels.includes(joint));
  const fast = variables.filter(({ type, limits }) => isImplausiblyFast(type, limits.velocity));
  return [
    ...rangeWarnings(robot),
    ...(unbounded.length === 0
      ? []
      : [`robot "${name}": no velocity limit is stated for ${list(unbounded)}; add one, or durations are meaningless`]),
    ...(wheels.length === 0 || others.length === 0
      ? []
      : [
          `robot "${name}": ${list(wheels)} ${wheels.length === 1 ? 'turns' : 'turn'} without limits, as wheels do; ` +
            `to keep ${wheels.length === 1 ? 'it' : 'them'} fixed, plan the other joints: robot: {joints: ` +
            `[${list(others)}]}`,
        ]),
    ...fast
      .filter((joint) => !unbounded.includes(joint))
      .map(
        ({ name: joint, type, limits }) =>
          `robot "${name}": the velocity limit of ${joint} is ${limits.velocity} ` +
          `${type === 'prismatic' ? 'm' : 'rad'}/s, more than any arm reaches; if it is a ` +
          'placeholder, state the true one in robot.limits',
      ),
    ...(assumed.length === 0
      ? []
      : [
          `robot "${name}": no acceleration limit is stated for ${list(assumed)}; four times the velocity limit ` +
            'per second is assumed',
        ]),
    ...unstatedForces(robot, scene),
  ];
}

/**
 * Returns the limits of the planned joints, with velocity and acceleration limits scaled as the scene states, and at
 * most its limits of joint speeds: one array per kind, in the order of q. Limits of torque replace accelerations that
 * are not stated. Throws `InputError` for scales that are not
 * above 0 and at most 1.
 */
export function motionLimitsOf(
  robot: RobotModel,
  { speed = 1, acceleration = 1, constraints = [], torque }: MotionScene,
): MotionLimits {
  const { variables } = robot;
  const turnable = turnableVariables(robot);
  for (const [key, scale] of Object.entries({ speed, acceleration }))
    if (!(scale > 0 && scale <= 1))
      throw new InputError(`scene: ${key} is ${scale}`, 'It scales the limits of all joints: above 0, at most 1.');
  const row = (kind: keyof JointLimits, scale = 1) => variables.map((joint) => scale * joint.limits[kind]);
  return {
    lower: row('lower'),
    upper: row('upper'),
    velocity: row('velocity', speed).map((limit, j) => {
      const rules = constraints.flatMap((one) =>
        one.type === 'joint_speed' && one.joint === variables[j].name ? [one.most] : [],
      );
      return Math.min(limit, ...rules);
    }),
    acceleration: variables.map(({ limits, accelerationAssumed }) =>
      torque && accelerationAssumed ? Number.POSITIVE_INFINITY : acceleration * limits.acceleration,
    ),
    jerk: row('jerk'),
    units: variables.map(unitOf),
    isContinuous: variables.map(({ type }, j) => type === 'continuous' && turnable[j]),
  };
}
