import type * as z from 'zod';
import type { JointDescription, Pose } from '../../../core/kinematics/robotModel.ts';
import { acos, PI } from '../../../core/math/trigonometry.ts';
import { type Diagnostic, parseSource } from '../../text/sourceText.ts';
import { structureDiagnostics } from '../../text/structure.ts';
import { quaternionFromRpy } from '../../text/xmlNumbers.ts';
import type { calibrationSchema } from './calibrationSchema.ts';

type Triple = readonly [number, number, number];

/** Origin of a joint: metres; roll, pitch and yaw in radians, as in URDF. */
export interface CalibratedOrigin {
  readonly xyz: Triple;
  readonly rpy: Triple;
}

/** Calibration of one arm. */
export interface Calibration {
  /** Hash of the calibration, as the driver states it. */
  readonly hash: string;
  /** Origins by the names of joints. */
  readonly origins: ReadonlyMap<string, CalibratedOrigin>;
}

/**
 * Metres and radians: farther from the description, an origin is taken for that of another arm. Calibrations of robots
 * deviate by about 1 mm and 7 mrad; the origins of a UR3 and a UR3e by 19 mm, of other models by more.
 */
const [MAX_SHIFT, MAX_TURN] = [0.01, 0.05];

/** Parts of a file in the order of their joints; `${part}_link` is the link that the joint moves. */
const PARTS = ['shoulder', 'upper_arm', 'forearm', 'wrist_1', 'wrist_2', 'wrist_3'] as const;

/**
 * Reads the calibration that `ur_calibration` of the ROS drivers of Universal Robots extracts, for the one arm of a
 * robot. Throws errors with file and line if the robot has no such arm or several, if keys are missing or unknown, and
 * if an origin deviates by more than `MAX_SHIFT` or `MAX_TURN` from that of the robot.
 */
export async function readCalibration(
  text: string,
  file: string,
  joints: readonly JointDescription[],
): Promise<Calibration> {
  const source = await parseSource(text, file, '1.1');
  const { calibrationSchema } = await import('./calibrationSchema.ts');
  const found = structureDiagnostics(calibrationSchema, source.data);
  if (found.length > 0) throw await source.errors(found.map((one) => ({ note: FORM, ...one })));
  const { kinematics } = source.data as z.output<typeof calibrationSchema>;
  const arms = armsOf(joints);
  if (arms.length !== 1) {
    const what = arms.length === 0 ? 'the robot is no arm of Universal Robots' : `the robot has ${arms.length} arms`;
    const note =
      arms.length === 0
        ? `It has no revolute joints to the links ${PARTS.map((part) => `${part}_link`).join(', ')}.`
        : 'State the calibration of each arm in a file of its own: mount the arms in a scene.';
    throw await source.errors([{ path: ['kinematics'], what, note }]);
  }
  const diagnostics: Diagnostic[] = [];
  const origins = new Map<string, CalibratedOrigin>();
  for (const [i, part] of PARTS.entries()) {
    const { x, y, z, roll, pitch, yaw } = kinematics[part];
    const origin: CalibratedOrigin = { xyz: [x, y, z], rpy: [roll, pitch, yaw] };
    const joint = arms[0][i];
    const what = deviation(joint.origin, origin);
    if (what !== undefined) diagnostics.push({ path: ['kinematics', part], what, note: OTHER });
    origins.set(joint.name, origin);
  }
  if (diagnostics.length > 0) throw await source.errors(diagnostics);
  return { hash: kinematics.hash, origins };
}

const FORM = 'The form is that of ur_calibration: kinematics: {shoulder: {x, y, z, roll, pitch, yaw}, …, hash}.';
const OTHER = 'Give the calibration of an arm of this model; lengths are metres, angles radians.';

/** Returns the joints of each arm, which are connected and whose links have the names of the parts after a prefix. */
function armsOf(joints: readonly JointDescription[]): JointDescription[][] {
  const [first] = PARTS;
  const prefixes = joints.flatMap(({ child }) =>
    child.endsWith(`${first}_link`) ? [child.slice(0, -`${first}_link`.length)] : [],
  );
  return prefixes.flatMap((prefix) => {
    const arm = PARTS.map((part) => joints.find(({ child }) => child === `${prefix}${part}_link`));
    const isArm = arm.every(
      (joint, i) =>
        (joint?.type === 'revolute' || joint?.type === 'continuous') &&
        joint.mimic === undefined &&
        (i === 0 || joint.parent === arm[i - 1]?.child),
    );
    return isArm ? [arm as JointDescription[]] : [];
  });
}

/** Describes how an origin deviates from that of the robot; undefined if it may be of the same model. */
function deviation({ xyz, quat_wxyz }: Pose, { xyz: stated, rpy }: CalibratedOrigin): string | undefined {
  const [a, b] = [quat_wxyz, quaternionFromRpy(rpy)];
  const cosine = Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
  const turn = 2 * acos(Math.min(1, cosine));
  const shift = Math.sqrt(stated.reduce((sum, value, k) => sum + (value - xyz[k]) ** 2, 0));
  if (!(shift <= MAX_SHIFT))
    return (
      `x, y, z are ${stated.join(', ')}, ${millimetres(shift)} mm from those of the joint, ${xyz.join(', ')}; at ` +
      `most ${millimetres(MAX_SHIFT)} mm are plausible`
    );
  if (!(turn <= MAX_TURN))
    return (
      `roll, pitch, yaw are ${rpy.join(', ')}, which turns the joint by ${degrees(turn)} deg; at most ` +
      `${degrees(MAX_TURN)} deg are plausible`
    );
  return undefined;
}

const millimetres = (metres: number): string => String(Number((1000 * metres).toPrecision(3)));
const degrees = (radians: number): string => String(Number(((180 * radians) / PI).toPrecision(3)));
