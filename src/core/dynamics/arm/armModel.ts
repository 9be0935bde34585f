import { InputError } from '../../../errors.ts';
import { anchorsOf } from '../../kinematics/forwardKinematics.ts';
import { transformOfPose } from '../../kinematics/pose.ts';
import type { JointDrive, MassProperties, RobotModel } from '../../kinematics/robotModel.ts';
import { linkNamed } from '../../kinematics/toolCenterPoint.ts';
import { derived } from '../../math/derived.ts';
import { compose, create, type Transform } from '../../math/transform.ts';
import type { Load } from '../../scene/loads.ts';

/** What the dynamics of a robot depend on besides its description. */
export interface ArmOptions {
  /** Acceleration of gravity in the world, m/s²; default: (0, 0, −9.81). */
  readonly gravity?: readonly [number, number, number] | undefined;
  /** Bodies that links carry. */
  readonly loads?: readonly Load[];
}

/** A joint that moves, and the rigid body that it moves: its link, the links fixed to it and their loads. */
export interface ArmJoint {
  /** Index of the moving joint above it; −1: the root. */
  readonly parent: number;
  /** Index of the planned joint that it follows. */
  readonly variable: number;
  /** Factor of the value of that joint. */
  readonly multiplier: number;
  /** Offset of its value. */
  readonly offset: number;
  /** True if it is prismatic. */
  readonly slides: boolean;
  /** Unit vector in the frame of the body. */
  readonly axis: Float64Array;
  /** Pose of the joint frame in the frame of the parent body, at value 0. */
  readonly T_parent_joint: Transform;
  /** Mass of the body, kg. */
  readonly mass: number;
  /** Mass times center of mass, kg m, in the frame of the body. */
  readonly moment: Float64Array;
  /** Inertia about the origin of the frame, kg m²: xx, yy, zz, xy, xz, yz. */
  readonly inertia: Float64Array;
}

/** Rigid bodies and drives of a robot. Immutable. */
export interface ArmModel {
  /** Number of planned joints. */
  readonly dof: number;
  /** Moving joints, parents first. */
  readonly joints: readonly ArmJoint[];
  /** Pose of the root in the world. */
  readonly T_world_root: Transform;
  /** Acceleration of gravity in the world, m/s². */
  readonly gravity: readonly [number, number, number];
  /** By planned joint: armature of all joints that follow it. */
  readonly armature: Float64Array;
  /** Their damping. */
  readonly damping: Float64Array;
  /** Their Coulomb friction. */
  readonly friction: Float64Array;
}

/** Acceleration of gravity where a scene states none, m/s². */
export const STANDARD_GRAVITY = [0, 0, -9.81] as const;

/**
 * Computes the rigid bodies of a robot: links that no planned joint separates are one body. Links fixed to the root do
 * not move and are left out. Throws `InputError` for links and joints that are not there, and for links whose mass is
 * not known (`massFaults`).
 */
export function createArmModel(robot: RobotModel, options: ArmOptions = {}): ArmModel {
  const { gravity = STANDARD_GRAVITY, loads = [] } = options;
  const { bodies, drives, anchors, indexOf } = unloadedArm(robot);
  const joints = [...bodies];
  for (const { link, pose, properties } of loads) {
    const { link: carrier, T_anchor_link } = anchors[linkNamed(robot, link)];
    const joint = indexOf.get(carrier);
    if (joint === undefined) continue;
    const T = create();
    compose(T, T_anchor_link, transformOfPose(pose));
    joints[joint] = withMass(joints[joint], properties, T);
  }
  return { dof: robot.dof, joints, T_world_root: robot.T_world_root, gravity, ...drives };
}

/** The bodies and drives of a robot without loads; anchors of its links, and the index of the body of each anchor. */
const unloadedArm = derived((robot: RobotModel) => {
  requireMasses(robot);
  const anchors = anchorsOf(robot);
  const indexOf = new Map<number, number>();
  const bodies: ArmJoint[] = [];
  for (const { variable, multiplier, offset, type, axis, parent, child, T_parent_joint } of robot.joints) {
    if (variable < 0) continue;
    const { link, T_anchor_link } = anchors[parent];
    const T = create();
    compose(T, T_anchor_link, T_parent_joint);
    indexOf.set(child, bodies.length);
    bodies.push({
      parent: indexOf.get(link) ?? -1,
      variable,
      multiplier,
      offset,
      slides: type === 'prismatic',
      axis,
      T_parent_joint: T,
      mass: 0,
      moment: new Float64Array(3),
      inertia: new Float64Array(6),
    });
  }
  const indices = new Map(robot.links.map(({ name }, index) => [name, index]));
  for (const { name, inertial } of robot.description.links) {
    const { link, T_anchor_link } = anchors[indices.get(name)!];
    const body = indexOf.get(link);
    if (inertial && body !== undefined) bodies[body] = withMass(bodies[body], inertial, T_anchor_link);
  }
  return { bodies: bodies as readonly ArmJoint[], drives: drivesOf(robot), anchors, indexOf };
});

/** Returns a joint whose body has another part, with properties in the frame T of the body. */
function withMass(joint: ArmJoint, { mass, center, inertia }: MassProperties, T: Transform): ArmJoint {
  const c = [0, 1, 2].map(
    (i) => T[4 * i] * center[0] + T[4 * i + 1] * center[1] + T[4 * i + 2] * center[2] + T[4 * i + 3],
  );
  const [xx, yy, zz, xy, xz, yz] = inertia;
  const local = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
  const square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  const about = (i: number, k: number) => {
    let sum = mass * ((i === k ? square : 0) - c[i] * c[k]);
    for (let m = 0; m < 3; m++) for (let n = 0; n < 3; n++) sum += T[4 * i + m] * local[3 * m + n] * T[4 * k + n];
    return sum;
  };
  return {
    ...joint,
    mass: joint.mass + mass,
    moment: joint.moment.map((x, i) => x + mass * c[i]),
    inertia: joint.inertia.map((x, n) => x + about(ROW[n], COLUMN[n])),
  };
}

/** Row and column of each of the six numbers of an inertia. */
const ROW = [0, 1, 2, 0, 0, 1];
const COLUMN = [0, 1, 2, 1, 2, 2];

/** Joints that follow another one add to its drive as seen from it. */
function drivesOf({ dof, joints }: RobotModel) {
  const [armature, damping, friction] = [0, 1, 2].map(() => new Float64Array(dof));
  for (const { variable, multiplier, drive } of joints) {
    if (variable < 0 || drive === undefined) continue;
    armature[variable] += multiplier * multiplier * (drive.armature ?? 0);
    damping[variable] += multiplier * multiplier * (drive.damping ?? 0);
    friction[variable] += Math.abs(multiplier) * (drive.friction ?? 0);
  }
  return { armature, damping, friction };
}

/** Throws `InputError` that names the links whose mass properties are missing or not physical. */
function requireMasses(robot: RobotModel): void {
  const [first] = massFaults(robot);
  if (first === undefined) return;
  const names = first.links.map((link) => JSON.stringify(link)).join(', ');
  throw new InputError(
    `robot "${robot.name}": ${names}: ${first.what}: its torques are not known`,
    'Complete <inertial> with mass, origin and inertia; robot --doctor examines all links.',
  );
}

/** Links of which the same is wrong. */
export interface MassFault {
  /** Names of the links. */
  readonly links: readonly string[];
  /** What is wrong. */
  readonly what: string;
}

/**
 * Returns why the torques of a robot are not known: links that joints move and that have geometry but no inertia, or
 * one that is not complete, a negative mass, and planned joints that move no mass at all.
 */
export function massFaults(robot: RobotModel): MassFault[] {
  const anchors = anchorsOf(robot);
  const moved = new Set(robot.links.filter((_, i) => anchors[i].link !== 0).map(({ name }) => name));
  const links = robot.description.links.filter(({ name }) => moved.has(name));
  const missing = links.filter(({ inertial, collisions }) =>
    inertial === undefined ? collisions.length > 0 : Number.isNaN(inertial.mass),
  );
  const negative = links.filter(({ inertial }) => inertial !== undefined && inertial.mass < 0);
  const massOf = new Map(links.map(({ name, inertial }) => [name, inertial?.mass ?? 0]));
  const carried = robot.links.map(({ name }) => massOf.get(name) ?? 0);
  for (let i = robot.links.length - 1; i > 0; i--) carried[robot.links[i].parent] += carried[i];
  const bare = robot.joints.filter(({ variable, child }) => variable >= 0 && carried[child] === 0);
  const unclear = robot.joints.filter(({ drive, variable }) => variable >= 0 && !isDrive(drive));
  return [
    { links: unclear.map(({ child }) => robot.links[child].name), what: 'its joint has friction that is no number' },
    { links: missing.map(({ name }) => name), what: 'no complete <inertial>: no inertia' },
    { links: negative.map(({ name }) => name), what: 'its mass is negative' },
    { links: bare.map(({ child }) => robot.links[child].name), what: 'neither it nor any link after it has inertia' },
  ].filter((fault) => fault.links.length > 0);
}

/** Returns true if all values of a drive are numbers of 0 or more. */
const isDrive = (drive: JointDrive = {}): boolean => Object.values(drive).every((value) => value >= 0);
