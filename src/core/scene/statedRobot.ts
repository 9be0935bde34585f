import type { RobotBase } from '../kinematics/composition/robotBase.ts';
import type { JointDrive, Pose } from '../kinematics/robotModel.ts';

/** Files of a robot as a scene states them; paths are not resolved. */
export interface StatedRobotFiles {
  /** Name of a built-in robot; otherwise `urdf` is given. */
  readonly name?: string;
  /** File of the robot: URDF, or another format of robot files; or the text of a URDF, which begins with <. */
  readonly urdf?: string;
  /** Values of the arguments of a robot file in xacro; undefined: none. */
  readonly args?: Readonly<Record<string, string>>;
  /** SRDF file, or the text of an SRDF, if any. */
  readonly srdf?: string;
  /** File with joint limits in the style of MoveIt, if any. */
  readonly jointLimits?: string;
  /** File with the calibration of an arm of Universal Robots, if any. */
  readonly calibration?: string;
  /** Of a URDF that is given as text: SHA-256 of the embedded mesh of each address. */
  readonly meshes?: Readonly<Record<string, string>>;
  /** Folder of each package that mesh addresses name. */
  readonly packages: Readonly<Record<string, string>>;
}

/** A robot that is mounted on a link of the robot of a scene, as stated in the file. */
export interface MountReference extends StatedRobotFiles {
  /** Link that it is fixed to; undefined: the end of the robot. */
  readonly link?: string;
  /** Pose of its root in the frame of that link. */
  readonly pose: Pose;
  /** Prefix of the names of its links, joints and groups. */
  readonly prefix: string;
  /** Keys of the mount below the robot in the file. */
  readonly place: readonly (string | number)[];
}

/** Robot of a scene as stated in the file; paths are not resolved. */
export interface RobotReference extends StatedRobotFiles {
  /** Robots mounted on its links: the tool, then the mounts; undefined: none. */
  readonly mounts?: readonly MountReference[];
  /** How the robot moves as a whole; undefined: it stands at its pose. */
  readonly base?: RobotBase;
  /** Planned joints in the order of q; undefined: all active joints, in the order of the URDF. */
  readonly joints?: readonly string[];
  /** Group of the SRDF whose joints are planned, in the order of the robot; undefined: `joints`. */
  readonly group?: string;
  /** Values of joints that are not planned, by name: rad, m. */
  readonly fixed: Readonly<Record<string, number>>;
  /** Limits by joint name, which replace those of the URDF: per s, s², s³. */
  readonly limits: Readonly<
    Record<string, { readonly velocity?: number; readonly acceleration?: number; readonly jerk?: number }>
  >;
  /** Maximum torques (N m) and forces (N) by joint name, which replace those of the file; undefined: none. */
  readonly efforts?: Readonly<Record<string, number>>;
  /** Motors by joint name, whose values replace those of the file; undefined: none. */
  readonly motors?: Readonly<Record<string, JointDrive>>;
  /** Pose of the root link in the world. */
  readonly pose: Pose;
  /** Method that covers meshes with convex parts: the convex hull, or a convex decomposition. */
  readonly parts: 'hull' | 'decompose';
  /** Link geometry that is used for collision checking; undefined: collision. */
  readonly geometry?: 'collision' | 'visual';
  /** Links that intentionally have no collision geometry. */
  readonly empty?: readonly string[];
}
