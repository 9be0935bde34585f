import type { MeshDecomposerName } from '../../core/hulls/meshParts.ts';
import type { Pose } from '../../core/kinematics/robotModel.ts';
import { jointValueProblem, lengthProblem } from '../../core/math/magnitudes.ts';
import { lengthIfNotUnit, normalizedQuaternion, UNIT_QUATERNION } from '../../core/math/quaternion.ts';
import type { JointGoal } from '../../core/scene/scene.ts';
import { requireKind } from '../../core/shapes/checks.ts';
import { createShape, shapes } from '../../core/shapes/index.ts';
import type { ShapeSpec } from '../../core/shapes/shape.ts';
import { InputError } from '../../errors.ts';
import { degreesHint, FULL_TURN, isBareNumber } from '../text/degrees.ts';
import { type Dimension, type Evaluate, nameOf, readQuantity } from '../text/numbers.ts';
import { show } from '../text/schemaDiagnostics.ts';
import type { Diagnostic, Path } from '../text/sourceText.ts';
import { quaternionFromRpy } from '../text/xmlNumbers.ts';
import { readCloudUse, readFieldUse } from './bulkObjects.ts';
import { readFree } from './free/freeObjects.ts';
import { type BareLength, isLong } from './lengthWarnings.ts';
import type { RawMass } from './loads/massSchema.ts';
import { readMass } from './loads/readMass.ts';
import type { BareAngle, MeshUse, ObjectDraft, ToolPathFile, UnitUse, WrittenQuantity } from './objectDraft.ts';
import { readMotion } from './obstacleMotion.ts';
import type { RawBody, RawJointValues, RawPose, StatedBody } from './sceneSchema.ts';

type Triple = [number, number, number];

/** Notes on how to write a value with a dimension, and one without. */
const QUANTITY = 'Write a number, or for example "-90 deg", "20 mm", "pi/2".';
const PLAIN = 'Write a number without unit; times are in seconds, masses in kilograms.';

/** Quantity of a field; 'joint' is an angle or a length, depending on the robot's joint. */
export type Kind = 'length' | 'angle' | 'ratio' | 'joint';

/** Converts values whose structure has been checked to numbers, poses and bodies, and collects diagnostics. */
export class SceneReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly warnings: Diagnostic[] = [];
  readonly unitUses: UnitUse[] = [];
  /** Joint values without unit beyond a full turn: to be checked against the limits of their joint. */
  readonly bareAngles: BareAngle[] = [];
  /** Values of numbers that are written as texts: expressions, units, percentages. */
  readonly quantities: WrittenQuantity[] = [];
  /** Lengths without unit, probably in millimetres if they are far beyond the reach of the robot; the first 1000. */
  readonly bareLengths: BareLength[] = [];
  /** Files of way points that steps name. */
  readonly toolPaths: ToolPathFile[] = [];
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
    if (!(value > 0 && value <= 1) && !this.needsExpressions)
      this.report(path, `${show(given)}, must be above 0 and at most 1`, 'Write for example 0.5 or "50 %".');
    return value;
  }

  /** Reads a length, or a speed with `perSecond` 1, that is 0 or more. */
  atLeastZero(given: number | string, path: Path, perSecond: Dimension['perSecond'] = 0): number {
    const value = this.number(given, 'length', path, perSecond);
    if (!(value >= 0)) this.report(path, `${show(given)}, must be 0 or more`);
    return value;
  }

  numbers(given: readonly (number | string)[], kind: Kind, path: Path): number[] {
    return given.map((item, i) => this.number(item, kind, [...path, i]));
  }

  /** Reads named numbers, each greater than 0. */
  positiveNumbers(given: Readonly<Record<string, number | string>>, kind: Kind, path: Path): Record<string, number> {
    return Object.fromEntries(
      Object.entries(given).map(([name, raw]) => {
        const value = this.number(raw, kind, [...path, name]);
        if (!(value > 0)) this.report([...path, name], `${show(raw)}, must be greater than 0`);
        return [name, value];
      }),
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

  /** Reads an obstacle or an attached object; `fallback` is its name if it has none. */
  body(given: RawBody, path: Path, fallback: string): ObjectDraft {
    const {
      name = fallback,
      type,
      pose,
      margin: rawMargin,
      link,
      touches,
      free,
      motion: rawMotion,
      unknown_speed: rawSpeed,
      mass,
      density,
      center,
      inertia,
      ...fields
    } = given as StatedBody & RawMass;
    const margin = rawMargin === undefined ? 0 : this.atLeastZero(rawMargin, [...path, 'margin']);
    const round = lengthProblem(margin) === undefined ? margin : 0; // reported already
    const carried = link === undefined ? {} : { link, touches: touches ?? [] };
    const motion = rawMotion && readMotion(this, rawMotion, path, String(type));
    if (motion !== undefined && pose !== undefined)
      this.report([...path, 'pose'], 'pose and motion are both given', 'The poses of a motion are in the world.');
    if (motion !== undefined && free !== undefined)
      this.report([...path, 'free'], 'the object has a motion, too', 'A free object moves by itself.');
    const placed = motion ? { pose: motion.poses[0], motion } : { pose: this.pose(pose, [...path, 'pose']) };
    const unseen = rawSpeed !== undefined && {
      unknownSpeed: this.atLeastZero(rawSpeed, [...path, 'unknown_speed'], 1),
    };
    const loose = { ...unseen, ...(free !== undefined && { free: readFree(this, free, String(type), path) }) };
    const load = readMass(this, { mass, density, center, inertia }, String(type), path);
    const common = { path, name, ...placed, ...carried, ...loose, ...(load && { mass: load }) };
    if (type === 'mesh') return { ...common, mesh: this.mesh(fields, round, path) };
    if (type === 'cloud') return { ...common, cloud: readCloudUse(this, fields, round, path) };
    if (type === 'heightfield') return { ...common, field: readFieldUse(this, fields, round, path) };
    return { ...common, shape: this.shape(String(type), fields, round, path) };
  }

  private shape(type: string, fields: Readonly<Record<string, unknown>>, margin: number, path: Path): ShapeSpec {
    const spec: Record<string, unknown> = margin > 0 ? { type, margin } : { type };
    const before = this.diagnostics.length;
    for (const [field, kind] of Object.entries(shapes[type].fields)) {
      spec[field] = this.field(fields[field], kind === 'direction' ? 'ratio' : 'length', [...path, field]);
      // values that have not been evaluated yet cannot be checked
      if (this.needsExpressions || this.diagnostics.length > before) continue;
      this.runCheck(() => requireKind(field, kind, spec[field]), path, field);
    }
    const wellRead = !this.needsExpressions && this.diagnostics.length === before;
    // hulls need no further check
    if (wellRead && type !== 'convex') this.runCheck(() => createShape(spec as ShapeSpec), path);
    return spec as ShapeSpec;
  }

  /** Reads the numbers of a field, in nested lists of any depth. */
  private field(value: unknown, kind: Kind, path: Path): unknown {
    if (Array.isArray(value)) return value.map((item, i) => this.field(item, kind, [...path, i]));
    return this.number(value as number | string, kind, path);
  }

  private mesh(fields: Readonly<Record<string, unknown>>, margin: number, path: Path): MeshUse {
    const {
      file,
      scale = 1,
      parts = 'hull',
    } = fields as { file: string; scale?: number | number[]; parts?: MeshDecomposerName };
    return { file: this.address(file), scale: this.scale(scale, path), margin, parts };
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

  /** Runs a check, and reports an error that a shape throws about its fields: `size[1] is -0.2, …`. */
  private runCheck(check: () => void, path: Path, field = '\\w*'): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const [, name = '', indices = '', what = ''] =
        new RegExp(`^(${field})((?:\\[\\d+\\])*) ((?:is|has) [\\s\\S]*)$`).exec(error.message) ?? [];
      const place = [...indices.matchAll(/\d+/g)].map((match) => Number(match[0]));
      if (what === '') this.report(path, error.message, error.note);
      else this.report([...path, name, ...place], `it ${what}`, error.note);
    }
  }
}
