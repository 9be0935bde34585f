import type { JointType } from '../../../core/kinematics/robotModel.ts';
import { mimicProblem } from '../../../core/math/magnitudes.ts';
import { create, relative, rotate, rotateBack, type Transform } from '../../../core/math/transform.ts';
import { suggestion } from '../../../errors.ts';
import { attributeOf, childOf, quote, type XmlElement } from '../../text/xmlDocument.ts';
import { driveOf, warnUnknown } from '../inertials.ts';
import type { PivotJoint, Triple } from '../jointChain.ts';
import { type Mutable, setRange } from '../jointRange.ts';
import type { SdfFrames } from './sdfFrames.ts';
import { MODEL_FRAME, partsOf, type SdfFrame, type SdfModel } from './sdfModel.ts';
import type { SdfText } from './sdfText.ts';

const JOINT_TYPES: readonly string[] = ['revolute', 'continuous', 'prismatic', 'fixed'];
const REFUSED_TYPES: readonly string[] = ['revolute2', 'universal', 'ball', 'screw', 'gearbox'];

/** Limits of at least this size mean none, as the default of SDF before 1.9. */
const UNLIMITED = 1e16;
/** Length of a vector below which it has no direction. */
const NO_DIRECTION = 1e-12;

/** Elements of a joint and of its axis that describe how it is simulated. */
const SILENT = ['physics', 'sensor', 'gearbox_ratio', 'gearbox_reference_body', 'thread_pitch', 'screw_thread_pitch'];

/** The model of a link or joint, and the readers of its file. */
export interface SdfContext {
  readonly model: SdfModel;
  readonly frames: SdfFrames;
  readonly text: SdfText;
}

/**
 * Reads a joint.
 * @param T_model_child pose of the link that it moves, in the frame of the model
 */
export function readSdfJoint(frame: SdfFrame, T_model_child: Transform, context: SdfContext): PivotJoint {
  const { model, frames, text } = context;
  const { numbers } = text;
  const { name, element } = frame;
  const joint: Mutable<PivotJoint['joint']> = { name: model.prefix + name, type: 'fixed' };
  const place = `joint "${joint.name}"`;
  text.checkAttributes(element, ['name', 'type'], place);
  text.checkChildren(element, ['parent', 'child', 'pose', 'axis', 'axis2'], SILENT, place);
  joint.type = jointType(element, place, text);
  const T_model_joint = frames.poseOfFrame(frame, model);
  const T_child_joint = relativeTo(T_model_child, T_model_joint);
  const pivot: Triple = [T_child_joint[3], T_child_joint[7], T_child_joint[11]];
  const fixed: PivotJoint = { joint, axis: [1, 0, 0], pivot: [0, 0, 0], reference: 0 };
  const axis = numbers.onlyChild(element, 'axis', place);
  if (joint.type === 'fixed') return fixed;
  if (axis === undefined) {
    numbers.addProblem(element, place, `a ${joint.type} joint needs an <axis>`);
    return fixed;
  }
  text.checkChildren(
    axis,
    ['xyz', 'limit', 'mimic', 'use_parent_model_frame'],
    ['dynamics', 'initial_position'],
    place,
  );
  readLimits(joint, axis, place, text);
  readMimic(joint, axis, place, context);
  return { joint, axis: readAxis(axis, T_model_joint, T_model_child, place, context), pivot, reference: 0 };
}

function jointType(element: XmlElement, place: string, { numbers }: SdfText): JointType {
  const type = attributeOf(element, 'type') ?? '';
  if (JOINT_TYPES.includes(type)) return type as JointType;
  const known = REFUSED_TYPES.includes(type);
  const note = known
    ? 'Write revolute and prismatic joints with links between them, or make it fixed.'
    : suggestion(type, JOINT_TYPES);
  numbers.addProblem(element, place, known ? `${type} joints are not supported` : `unknown joint type "${type}"`, note);
  return 'fixed';
}

/** Reads the direction of the axis, in the frame of the moved link. */
function readAxis(
  axis: XmlElement,
  T_model_joint: Transform,
  T_model_child: Transform,
  place: string,
  { model, frames, text }: SdfContext,
): Triple {
  const { numbers } = text;
  const xyz = numbers.onlyChild(axis, 'xyz', place);
  const stated = text.flag(axis, 'use_parent_model_frame', place);
  const isRemoved = model.file.version >= 7;
  if (stated && isRemoved)
    numbers.warn(axis, place, 'SDF 1.7 has no <use_parent_model_frame>: the axis is in the frame of the joint');
  const inModel = model.file.version < 5 || (stated && !isRemoved);
  if (xyz !== undefined) text.checkAttributes(xyz, ['expressed_in'], place);
  const expressedIn = (xyz && attributeOf(xyz, 'expressed_in')) || (inModel ? MODEL_FRAME : undefined);
  const [x, y, z] = (xyz === undefined ? [0, 0, 1] : numbers.content(xyz, 3, place)) ?? [0, 0, 1];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > NO_DIRECTION) || !Number.isFinite(length)) {
    numbers.addProblem(xyz ?? axis, place, `its axis is ${[x, y, z].join(' ')}, which has no direction`);
    return [0, 0, 1];
  }
  const direction = Float64Array.of(x / length, y / length, z / length);
  const T_model_stated = expressedIn && frames.poseOf(expressedIn, model, xyz ?? axis, place);
  rotate(direction, T_model_stated || T_model_joint, direction);
  rotateBack(direction, T_model_child, direction);
  return [direction[0], direction[1], direction[2]];
}

function readLimits(joint: Mutable<PivotJoint['joint']>, axis: XmlElement, place: string, text: SdfText): void {
  const { numbers } = text;
  const dynamics = childOf(axis, 'dynamics');
  const drive = dynamics && driveOf((key) => childOf(dynamics, key)?.textContent ?? undefined);
  if (drive !== undefined) joint.drive = drive;
  warnUnknown(numbers, place, dynamics, drive);
  const limit = numbers.onlyChild(axis, 'limit', place);
  if (limit === undefined) {
    if (joint.type === 'revolute') joint.type = 'continuous';
    return;
  }
  text.checkChildren(limit, ['lower', 'upper', 'velocity', 'effort'], ['stiffness', 'dissipation'], place);
  const bound = (name: string, absent: number) => {
    const value = readBound(limit, name, place, text);
    return value === undefined || Math.abs(value) >= UNLIMITED ? absent : value;
  };
  const [lower, upper] = [bound('lower', Number.NEGATIVE_INFINITY), bound('upper', Number.POSITIVE_INFINITY)];
  const isLimited = lower > Number.NEGATIVE_INFINITY || upper < Number.POSITIVE_INFINITY;
  if (joint.type === 'continuous') {
    if (isLimited) numbers.warnings.push(`${place} is continuous: its limits are ignored`);
  } else if (isLimited) {
    setRange(joint, [lower, upper], limit, place, numbers, {
      swapped: (lowest, highest) => `<lower>${lowest}</lower> <upper>${highest}</upper>`,
      unlimited: 'leave <lower> and <upper> out',
    });
  } else if (joint.type === 'revolute') joint.type = 'continuous';
  for (const quantity of ['velocity', 'effort'] as const) {
    const value = readLeadingNumber(limit, quantity, place, text);
    if (value !== undefined && value >= 0 && value < UNLIMITED) joint[quantity] = value; // negative: not limited
  }
}

/**
 * Reads a number that does not affect link poses. Published files have characters after it, which other SDF readers
 * ignore; here with a warning.
 */
function readLeadingNumber(limit: XmlElement, name: string, place: string, text: SdfText): number | undefined {
  const child = text.numbers.onlyChild(limit, name, place);
  const [, number, rest = ''] =
    /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(.*)$/is.exec(child?.textContent ?? '') ?? [];
  if (number === undefined || rest.trim() === '') return readBound(limit, name, place, text);
  text.numbers.warn(child!, place, `<${name}> is ${quote(child!.textContent ?? '')}, read as ${number}`);
  return Number(number);
}

/** Reads a number that may be infinite. */
function readBound(limit: XmlElement, name: string, place: string, { numbers }: SdfText): number | undefined {
  const child = numbers.onlyChild(limit, name, place);
  const [, sign, infinite] = /^\s*([+-]?)(inf|infinity)\s*$/i.exec(child?.textContent ?? '') ?? [];
  if (infinite !== undefined) return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return child && numbers.content(child, 1, place)?.[0];
}

/** Reads `<mimic>`: value = multiplier (leader − reference) + offset. */
function readMimic(
  joint: Mutable<PivotJoint['joint']>,
  axis: XmlElement,
  place: string,
  { model, text }: SdfContext,
): void {
  const { numbers } = text;
  const mimic = numbers.onlyChild(axis, 'mimic', place);
  if (mimic === undefined) return;
  text.checkAttributes(mimic, ['joint', 'axis'], place);
  text.checkChildren(mimic, ['multiplier', 'offset', 'reference'], [], place);
  const number = (name: string, absent: number) => {
    const child = numbers.onlyChild(mimic, name, place);
    return (child && numbers.content(child, 1, place)?.[0]) ?? absent;
  };
  const leader = attributeOf(mimic, 'joint') ?? '';
  const ofModel = partsOf(model)
    .filter(({ kind }) => kind === 'joint')
    .map(({ name }) => name);
  const onSecondAxis = (attributeOf(mimic, 'axis') ?? 'axis') !== 'axis';
  if (onSecondAxis) numbers.addProblem(mimic, place, 'it mimics the second axis of a joint, which is not supported');
  if (model.prefix + leader === joint.name) numbers.addProblem(mimic, place, 'it cannot mimic itself');
  else if (!ofModel.includes(leader) && !leader.includes('::'))
    numbers.addProblem(mimic, place, `it mimics "${leader}", which is not a joint`, numbers.suggest(leader, ofModel));
  const multiplier = number('multiplier', 1);
  const offset = number('offset', 0) - multiplier * number('reference', 0);
  const problem = mimicProblem(multiplier, offset);
  if (problem !== undefined) numbers.addProblem(mimic, place, problem);
  joint.mimic = { joint: model.prefix + leader, multiplier, offset };
}

/** Returns the pose of frame c in frame b. */
export function relativeTo(T_a_b: Transform, T_a_c: Transform): Transform {
  const T_b_c = create();
  relative(T_b_c, T_a_b, T_a_c);
  return T_b_c;
}
