import { jointValueProblem } from '../../../core/math/magnitudes.ts';
import { attributeOf, type XmlElement } from '../../text/xmlDocument.ts';
import { driveOf, plainNumbers } from '../inertials.ts';
import type { PivotJoint, Triple } from '../jointChain.ts';
import { type Mutable, setRange } from '../jointRange.ts';
import { keywordOf } from './mjcfCompiler.ts';
import type { WithDefaults } from './mjcfDefaults.ts';
import type { MjcfModel } from './mjcfModel.ts';
import { normalized, readPoint } from './mjcfPose.ts';

const JOINT_TYPES = ['hinge', 'slide', 'ball', 'free'] as const;

/** Type of a joint. */
export type MjcfJointType = (typeof JOINT_TYPES)[number];

/** Number of values of a joint in `qpos`. */
export const POSITIONS: Readonly<Record<MjcfJointType, number>> = { hinge: 1, slide: 1, ball: 4, free: 7 };

/** A joint of a body, in the frame of the body. */
export interface MjcfJoint extends PivotJoint {
  readonly element: XmlElement;
}

/** Reads the type of a joint; undefined if it is unknown, which is a problem. */
export function readJointType(given: WithDefaults, name: string, { numbers }: MjcfModel): MjcfJointType | undefined {
  const holder = given.holder('type');
  if (holder === undefined) return 'hinge';
  return keywordOf(holder, 'type', JOINT_TYPES, `joint "${name}"`, numbers) as MjcfJointType | undefined;
}

/**
 * Reads a hinge or slide. The body is at its stated pose when the joint has the value `ref`. Returns undefined if a
 * problem was added.
 */
export function readJoint(
  given: WithDefaults,
  type: 'hinge' | 'slide',
  name: string,
  { numbers, compiler }: MjcfModel,
): MjcfJoint | undefined {
  const place = `joint "${name}"`;
  const { element } = given;
  const unit = type === 'hinge' ? compiler.angleUnit : 1;
  const axis = readAxis(given, place, numbers);
  const pivot = readPoint(given, 'pos', place, numbers) ?? [0, 0, 0];
  const reference = readReference(given, unit, place, numbers);
  const joint: Mutable<PivotJoint['joint']> = { name, type: type === 'hinge' ? 'continuous' : 'prismatic' };
  const range = readRange(given, unit, compiler.autoLimits, place, numbers);
  if (range !== undefined) {
    if (type === 'hinge') joint.type = 'revolute';
    setRange(joint, range.values, range.element, place, numbers, {
      swapped: (lowest, highest) => `range="${lowest / unit} ${highest / unit}"`,
      unlimited: 'write limited="false"',
    });
  }
  const drive = driveOf((key) => given.value(DRIVE_KEYS[key]));
  if (drive !== undefined) joint.drive = drive;
  const [weakest, strongest] = plainNumbers(given.value('actuatorfrcrange'), 2) ?? [0, 0];
  if (weakest < 0 && strongest > 0) joint.effort = Math.min(-weakest, strongest);
  return axis && { element, joint, axis, pivot, reference };
}

/** Attributes that state the drive of a joint. */
const DRIVE_KEYS = { armature: 'armature', damping: 'damping', friction: 'frictionloss' } as const;

function readAxis(given: WithDefaults, place: string, numbers: MjcfModel['numbers']): Triple | undefined {
  const element = given.holder('axis');
  if (element === undefined) return [0, 0, 1];
  const axis = numbers.triple(element, 'axis', place);
  const unit = axis && normalized(axis);
  if (axis !== undefined && unit === undefined)
    numbers.addProblem(element, place, `its axis is ${axis.join(' ')}, which has no direction`);
  return unit;
}

function readReference(given: WithDefaults, unit: number, place: string, numbers: MjcfModel['numbers']): number {
  const element = given.holder('ref');
  const value = element && numbers.number(element, 'ref', place);
  if (value === undefined) return 0;
  const problem = jointValueProblem(value * unit);
  if (problem !== undefined) numbers.addProblem(element!, place, `ref is ${value}, which ${problem}`);
  return problem === undefined ? value * unit : 0;
}

/** Reads the limits, rad or m; undefined if the joint has none. */
function readRange(
  given: WithDefaults,
  unit: number,
  autoLimits: boolean,
  place: string,
  numbers: MjcfModel['numbers'],
): { readonly values: readonly [number, number]; readonly element: XmlElement } | undefined {
  const limitedHolder = given.holder('limited');
  const limited = limitedHolder && keywordOf(limitedHolder, 'limited', ['false', 'true', 'auto'], place, numbers);
  const element = given.holder('range');
  const range = element && numbers.list(element, 'range', 2, place);
  if (limited === 'false') return undefined;
  const [lower, upper] = range ?? [0, 0];
  if (limited === 'true') {
    if (element === undefined) numbers.addProblem(limitedHolder!, place, 'it is limited, but has no range');
    if (range === undefined) return undefined;
    if (lower === upper) numbers.addProblem(element!, place, `its range is the single value ${lower}`);
    return { values: [lower * unit, upper * unit], element: element! };
  }
  if (range === undefined || (lower === 0 && upper === 0)) return undefined;
  if (!autoLimits) {
    const note = 'Write limited="true" or limited="false", or <compiler autolimits="true"/>.';
    numbers.addProblem(element!, place, 'it has a range, and does not state whether it is limited', note);
    return undefined;
  }
  if (lower === upper) {
    numbers.warn(element!, place, `its range is the single value ${lower}: without limited="true" it is no limit`);
    return undefined;
  }
  return { values: [lower * unit, upper * unit], element: element! };
}

/** Returns the name of an element; undefined if it has none or an empty one. */
export const statedName = (element: XmlElement): string | undefined => attributeOf(element, 'name') || undefined;
