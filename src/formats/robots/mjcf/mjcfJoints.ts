import { jointValueProblem } from '../../../core/math/magnitudes.ts';
import { attributeOf, type XmlElement } from '../../text/xmlDocument.ts';
import { driveOf, plainNumbers, warnUnknown } from '../inertials.ts';
import type { PivotJoint, Triple } from '../jointChain.ts';
import { type Mutable, setRange } from '../jointRange.ts';
import type { Compiler } from './mjcfCompiler.ts';
import type { WithDefaults } from './mjcfDefaults.ts';
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
export const readJointType = (given: WithDefaults): MjcfJointType | undefined =>
  given.holder('type') === undefined ? 'hinge' : (given.keyword('type', JOINT_TYPES) as MjcfJointType | undefined);

/**
 * Reads a hinge or slide. The body is at its stated pose when the joint has the value `ref`. Returns undefined if a
 * problem was added.
 */
export function readJoint(
  given: WithDefaults,
  type: 'hinge' | 'slide',
  name: string,
  { angleUnit, autoLimits }: Compiler,
): MjcfJoint | undefined {
  const { element, place, numbers } = given;
  const unit = type === 'hinge' ? angleUnit : 1;
  const axis = readAxis(given);
  const pivot = readPoint(given, 'pos') ?? [0, 0, 0];
  const reference = readReference(given, unit);
  const joint: Mutable<PivotJoint['joint']> = { name, type: type === 'hinge' ? 'continuous' : 'prismatic' };
  const range = readRange(given, unit, autoLimits);
  if (range !== undefined) {
    if (type === 'hinge') joint.type = 'revolute';
    setRange(joint, range, given.holder('range')!, place, numbers, {
      swapped: (lowest, highest) => `range="${lowest / unit} ${highest / unit}"`,
      unlimited: 'write limited="false"',
    });
  }
  const drive = driveOf((key) => given.value(DRIVE_KEYS[key]));
  if (drive !== undefined) joint.drive = drive;
  warnUnknown(numbers, place, element, drive);
  const forces = given.value('actuatorfrcrange');
  const [weakest, strongest] = plainNumbers(forces, 2) ?? [0, 0];
  if (forces !== undefined && !(weakest < 0 && strongest > 0))
    numbers.warn(
      element,
      place,
      `actuatorfrcrange is "${forces}", taken as unlimited: it must be from below 0 to above 0`,
    );
  if (weakest < 0 && strongest > 0) joint.effort = Math.min(-weakest, strongest);
  return axis && { element, joint, axis, pivot, reference };
}

/** Attributes that state the drive of a joint. */
const DRIVE_KEYS = { armature: 'armature', damping: 'damping', friction: 'frictionloss' } as const;

function readAxis(given: WithDefaults): Triple | undefined {
  if (given.holder('axis') === undefined) return [0, 0, 1];
  const axis = given.list('axis', 3) as Triple | undefined;
  const unit = axis && normalized(axis);
  if (axis !== undefined && unit === undefined)
    given.addProblem('axis', `its axis is ${axis.join(' ')}, which has no direction`);
  return unit;
}

function readReference(given: WithDefaults, unit: number): number {
  const value = given.number('ref');
  if (value === undefined) return 0;
  const problem = jointValueProblem(value * unit);
  if (problem !== undefined) given.addProblem('ref', `ref is ${value}, which ${problem}`);
  return problem === undefined ? value * unit : 0;
}

/** Reads the limits, rad or m; undefined if the joint has none. */
function readRange(given: WithDefaults, unit: number, autoLimits: boolean): readonly [number, number] | undefined {
  const limited = given.keyword('limited', ['false', 'true', 'auto']);
  const element = given.holder('range');
  const range = given.list('range', 2);
  if (limited === 'false') return undefined;
  if (limited === 'true' && element === undefined) given.addProblem('limited', 'it is limited, but has no range');
  if (range === undefined) return undefined;
  const [lower, upper] = range;
  if (limited === 'true') {
    if (lower === upper) given.addProblem('range', `its range is the single value ${lower}`);
    return [lower * unit, upper * unit];
  }
  if (lower === 0 && upper === 0) return undefined;
  if (!autoLimits) {
    const note = 'Write limited="true" or limited="false", or <compiler autolimits="true"/>.';
    given.addProblem('range', 'it has a range, and does not state whether it is limited', note);
    return undefined;
  }
  if (lower !== upper) return [lower * unit, upper * unit];
  const what = `its range is the single value ${lower}: without limited="true" it is no limit`;
  given.numbers.warn(element!, given.place, what);
  return undefined;
}

/** Returns the name of an element; undefined if it has none or an empty one. */
export const statedName = (element: XmlElement): string | undefined => attributeOf(element, 'name') || undefined;
