import type { Pose } from '../../core/kinematics/robotModel.ts';
import { jointValueProblem, lengthProblem } from '../../core/math/magnitudes.ts';
import { lengthIfNotUnit, normalizedQuaternion, UNIT_QUATERNION } from '../../core/math/quaternion.ts';
import type { JointGoal } from '../../core/scene/scene.ts';
import { degreesHint, FULL_TURN, isBareNumber } from '../text/degrees.ts';
import { type Dimension, type Evaluate, nameOf, readQuantity } from '../text/numbers.ts';
import { show } from '../text/schemaDiagnostics.ts';
import type { Diagnostic, Path } from '../text/sourceText.ts';
import { quaternionFromRpy } from '../text/xmlNumbers.ts';
import { type BareLength, isLong } from './lengthWarnings.ts';
import type { RawJointValues, RawPose } from './sceneSchema.ts';

type Triple = [number, number, number];

/** Value (SI) of a number that is written as a text, and its place. A later entry of a place replaces earlier ones. */
export interface WrittenQuantity {
  readonly path: Path;
  readonly value: number;
}

/** A joint value with a unit: to be checked against the type of its joint. */
export interface UnitUse {
  readonly path: Path;
  /** Name of the joint, or its index among the planned ones. */
  readonly joint: string | number;
  readonly base: 'length' | 'angle';
}

/** A joint value without unit that exceeds a full turn if it is an angle. */
export interface BareAngle {
  readonly path: Path;
  /** Name of the joint, or its index among the planned ones. */
  readonly joint: string | number;
  readonly value: number;
}

/** Notes on how to write a value with a dimension, and one without. */
const QUANTITY = 'Write a number, or for example "-90 deg", "20 mm", "pi/2".';
const PLAIN = 'Write a number without unit; times are in seconds, masses in kilograms.';
const SHARE = 'Write for example 0.5 or "50 %".';

/** Quantity of a field; 'joint' is an angle or a length, depending on the robot's joint. */
export type Kind = 'length' | 'angle' | 'ratio' | 'joint';

/** Converts values whose structure has been checked to numbers and poses, and collects diagnostics. */
export class ValueReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly warnings: Diagnostic[] = [];
  readonly unitUses: UnitUse[] = [];
  /** Joint values without unit beyond a full turn: to be checked against the limits of their joint. */
  readonly bareAngles: BareAngle[] = [];
  /** Values of numbers that are written as texts: expressions, units, percentages. */
  readonly quantities: WrittenQuantity[] = [];
  /** Lengths without unit, probably in millimetres if they are far beyond the reach of the robot; the first 1000. */
  readonly bareLengths: BareLength[] = [];
  /** True if an expression was found but `evaluate` was not given: the scene must be read again with it. */
  needsExpressions = false;

  /**
   * @param folder folder that the paths of an included file are relative to, itself relative to the scene's folder:
   * `common/`; empty for the scene itself
   */
  constructor(
    private readonly evaluate?: Evaluate,
    private readonly folder = '',
  ) {}

  report(path: Path, what: string, note = ''): void {
    this.diagnostics.push({ path, what, note });
  }

  /** Reports a value that is not valid, unless values have not been evaluated yet. */
  check(isValid: boolean, given: unknown, path: Path, what: string, note = ''): void {
    if (!isValid && !this.needsExpressions) this.report(path, `${show(given)}, ${what}`, note);
  }

  /** Reads a number of the given kind in SI units; returns 0 if it cannot be read. */
  number(given: number | string, kind: Kind, path: Path, perSecond: Dimension['perSecond'] = 0): number {
    if (typeof given === 'number') return this.bounded(given, given, kind, path, perSecond);
    const quantity = readQuantity(given, this.evaluate);
    if (quantity === 'expression') {
      this.needsExpressions = true;
      return 0;
    }
    if (typeof quantity === 'string') {
      this.report(path, `${show(given)}: ${quantity}`, kind === 'ratio' ? PLAIN : QUANTITY);
      return 0;
    }
    const { value, dimension } = quantity;
    const fits = kind === 'joint' || dimension.base === kind;
    if (dimension.base !== 'none' && (!fits || dimension.perSecond !== perSecond)) {
      const wanted =
        kind === 'joint' ? 'an angle or a length' : nameOf({ base: kind === 'ratio' ? 'none' : kind, perSecond: 0 });
      const rate = ['', ' per second', ' per second squared', ' per second cubed'][perSecond];
      this.report(path, `${show(given)}, which is ${nameOf(dimension)}; it must be ${wanted}${rate}`);
    }
    this.quantities.push({ path, value });
    return this.bounded(value, given, kind, path, perSecond);
  }

  /**
   * Reports a position, size, angle or joint value whose magnitude exceeds its bound; rates and ratios must only be
   * finite.
   */
  private bounded(
    value: number,
    given: number | string,
    kind: Kind,
    path: Path,
    perSecond: Dimension['perSecond'],
  ): number {
    const isRate = kind === 'ratio' || perSecond > 0;
    const finite = Number.isFinite(value) ? undefined : 'is not a finite number';
    const problem = isRate ? finite : kind === 'length' ? lengthProblem(value) : jointValueProblem(value);
    if (problem !== undefined) this.report(path, `${show(given)}, which ${problem}`);
    else if (
      kind === 'length' &&
      !isRate &&
      isLong(path, value) &&
      isBareNumber(given) &&
      this.bareLengths.length < 1e3
    )
      this.bareLengths.push({ path, value });
    return value;
  }

  /** Reads a joint value; its unit is checked against the joint later. */
  jointNumber(
    given: number | string,
    joint: string | number,
    path: Path,
    perSecond: Dimension['perSecond'] = 0,
  ): number {
    const value = this.number(given, 'joint', path, perSecond);
    const quantity = typeof given === 'string' ? readQuantity(given, this.evaluate) : undefined;
    if (quantity !== undefined && typeof quantity !== 'string' && quantity.dimension.base !== 'none') {
      this.unitUses.push({ path, joint, base: quantity.dimension.base });
    } else if (perSecond === 0 && isBareNumber(given) && Math.abs(value) > FULL_TURN) {
      this.bareAngles.push({ path, joint, value });
    }
    return value;
  }

  /** Reads a number above 0 and at most 1, or a percentage such as `50 %`. */
  share(given: number | string, path: Path): number {
    const percent = typeof given === 'string' ? /^(.*)%\s*$/.exec(given) : null;
    const value = percent ? this.number(percent[1], 'ratio', path) / 100 : this.number(given, 'ratio', path);
    if (percent) this.quantities.push({ path, value });
    this.check(value > 0 && value <= 1, given, path, 'must be above 0 and at most 1', SHARE);
    return value;
  }

  /** Reads a length, or a speed with `perSecond` 1, that is 0 or more. */
  atLeastZero(given: number | string, path: Path, perSecond: Dimension['perSecond'] = 0): number {
    const value = this.number(given, 'length', path, perSecond);
    if (!(value >= 0)) this.report(path, `${show(given)}, must be 0 or more`);
    return value;
  }

  /** Reads a number that must be greater than 0. */
  positive(given: number | string, kind: Kind, path: Path, perSecond: Dimension['perSecond'] = 0): number {
    const value = this.number(given, kind, path, perSecond);
    this.check(value > 0, given, path, 'must be greater than 0');
    return value;
  }

  numbers(given: readonly (number | string)[], kind: Kind, path: Path): number[] {
    return given.map((item, i) => this.number(item, kind, [...path, i]));
  }

  /** Reads named numbers, each greater than 0. */
  positiveNumbers(given: Readonly<Record<string, number | string>>, kind: Kind, path: Path): Record<string, number> {
    return Object.fromEntries(
      Object.entries(given).map(([name, raw]) => [name, this.positive(raw, kind, [...path, name])]),
    );
  }

  pose(given: RawPose | undefined, path: Path): Pose {
    const { xyz = [0, 0, 0] } = given ?? {};
    return {
      xyz: this.numbers(xyz, 'length', [...path, 'xyz']) as Triple,
      quat_wxyz: this.rotation(given ?? {}, path),
    };
  }

  jointGoal(given: RawJointValues, path: Path): JointGoal {
    if (typeof given === 'string') return given;
    if (Array.isArray(given)) return given.map((value, i) => this.jointNumber(value, i, [...path, i]));
    return Object.fromEntries(
      Object.entries(given).map(([joint, value]) => [joint, this.jointNumber(value, joint, [...path, joint])]),
    );
  }

  scale(given: number | readonly number[], path: Path): Triple {
    const triple = (typeof given === 'number' ? [given, given, given] : given) as Triple;
    if (triple.some((factor) => factor === 0)) this.report([...path, 'scale'], `${show(given)}, no factor may be 0`);
    return triple;
  }

  /** Returns a path relative to the folder of the scene. */
  address(file: string): string {
    return /^([\\/]|[a-z]:[\\/])/i.test(file) ? file : `${this.folder}${file}`;
  }

  private rotation({ rpy, quat_wxyz }: RawPose, path: Path): Pose['quat_wxyz'] {
    if (rpy !== undefined && quat_wxyz !== undefined) {
      this.report(path, 'rpy and quat_wxyz are both given', 'Give one of them.');
    }
    if (quat_wxyz === undefined) {
      const angles = this.numbers(rpy ?? [0, 0, 0], 'angle', [...path, 'rpy']) as Triple;
      this.warnOfDegrees(rpy ?? [], angles, [...path, 'rpy']);
      return quaternionFromRpy(angles);
    }
    const place = [...path, 'quat_wxyz'];
    const before = this.diagnostics.length;
    const parts = this.numbers(quat_wxyz, 'ratio', place);
    const length = lengthIfNotUnit(parts);
    if (length === undefined) return normalizedQuaternion(parts);
    if (!this.needsExpressions && this.diagnostics.length === before)
      this.report(place, `${show(quat_wxyz)}, of length ${length}, must be 1`, UNIT_QUATERNION);
    return [1, 0, 0, 0];
  }

  /** Adds a warning for the first angle without unit that exceeds a full turn. */
  warnOfDegrees(given: readonly (number | string)[], angles: readonly number[], path: Path): void {
    const i = angles.findIndex((angle, k) => Math.abs(angle) > FULL_TURN && isBareNumber(given[k]));
    if (i >= 0)
      this.warnings.push({ path: path.at(-1) === 'rpy' ? [...path, i] : path, what: degreesHint([angles[i]])! });
  }

  /** Adds a warning, unless there is one on the same key: the defaults of steps are read again for each step. */
  warnOnce(path: Path, what: string): void {
    const key = path.join('\n');
    if (!this.warnings.some((warning) => warning.path.join('\n') === key)) this.warnings.push({ path, what });
  }
}
