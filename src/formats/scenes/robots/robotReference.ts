import type { JointRange, RobotBase } from '../../../core/kinematics/composition/robotBase.ts';
import type { RobotReference } from '../../../core/scene/scene.ts';
import type { MountReference, StatedRobotFiles } from '../../../core/scene/statedRobot.ts';
import { isRobotFileName } from '../../robots/index.ts';
import type { Dimension } from '../../text/numbers.ts';
import { show } from '../../text/schemaDiagnostics.ts';
import type { Path } from '../../text/sourceText.ts';
import { readNotNegative } from '../loads/readMass.ts';
import type { RawRobot } from '../sceneSchema.ts';
import type { Kind, ValueReader } from '../valueReader.ts';
import type { RawBase } from './baseSchema.ts';
import type { RawMount } from './mountSchema.ts';

/** Returns true if the text is a path, not the name of a built-in robot. */
export function isRobotPath(nameOrPath: string): boolean {
  return /[\\/]/.test(nameOrPath) || isRobotFileName(nameOrPath);
}

/** Returns true if a robot file is given as its text, not as a path. */
export const isXmlText = (given: string | undefined): given is string => /^\uFEFF?\s*</.test(given ?? '');

/** Reads the reference to the robot of a scene. */
export function readRobotReference(reader: ValueReader, given: RawRobot, path: Path): RobotReference {
  if (typeof given === 'string') {
    return { ...(isRobotPath(given) ? { urdf: given } : { name: given }), ...robotDefaults };
  }
  const { group, joints, fixed = {}, limits = {}, pose, parts = 'hull', geometry, empty } = given;
  const { base, tool, mounts = [] } = given;
  const mounted = [
    ...(tool === undefined ? [] : [readMount(reader, tool, path, ['tool'])]),
    ...mounts.map((mount, i) => readMount(reader, mount, path, ['mounts', i])),
  ];
  if (group !== undefined && joints !== undefined)
    reader.report([...path, 'group'], 'group and joints exclude each other');
  const efforts = Object.entries(limits).flatMap(([joint, { torque }]): [string, number][] =>
    torque === undefined ? [] : [[joint, reader.positive(torque, 'ratio', [...path, 'limits', joint, 'torque'])]],
  );
  const motors = Object.entries(given.motors ?? {}).map(([joint, values]) => [
    joint,
    Object.fromEntries(
      Object.entries(values).flatMap(([key, raw]) =>
        raw === undefined ? [] : [[key, readNotNegative(reader, raw, [...path, 'motors', joint, key])]],
      ),
    ),
  ]);
  return {
    ...readFiles(reader, given, path),
    ...(mounted.length === 0 ? {} : { mounts: mounted }),
    ...(base === undefined ? {} : { base: readBase(reader, base, [...path, 'base']) }),
    ...(group === undefined ? {} : { group }),
    ...(joints === undefined ? {} : { joints }),
    fixed: Object.fromEntries(
      Object.entries(fixed).map(([joint, value]) => [
        joint,
        reader.jointNumber(value, joint, [...path, 'fixed', joint]),
      ]),
    ),
    limits: Object.fromEntries(
      Object.entries(limits).map(([joint, kinds]) => [joint, readLimits(reader, joint, kinds, path)]),
    ),
    ...(efforts.length === 0 ? {} : { efforts: Object.fromEntries(efforts) }),
    ...(motors.length === 0 ? {} : { motors: Object.fromEntries(motors) }),
    pose: reader.pose(pose, [...path, 'pose']),
    parts,
    ...(geometry === undefined ? {} : { geometry }),
    ...(empty === undefined ? {} : { empty }),
  };
}

function readLimits(
  reader: ValueReader,
  joint: string,
  kinds: Readonly<Record<string, number | string | undefined>>,
  path: Path,
): Record<string, number> {
  return Object.fromEntries(
    (['velocity', 'acceleration', 'jerk'] as const).flatMap((kind, i) => {
      const value = kinds[kind];
      if (value === undefined) return [];
      const at = [...path, 'limits', joint, kind];
      const limit = reader.jointNumber(value, joint, at, (i + 1) as Dimension['perSecond']);
      reader.check(limit > 0, value, at, 'must be greater than 0');
      return [[kind, limit]];
    }),
  );
}

/** Reads which files a robot is made from. */
function readFiles(
  reader: ValueReader,
  given: Omit<RawMount, 'link' | 'pose' | 'prefix'>,
  path: Path,
): StatedRobotFiles {
  const { name, urdf, args, srdf, joint_limits, calibration, meshes, packages = {} } = given;
  if (meshes !== undefined && !isXmlText(urdf))
    reader.report([...path, 'meshes'], 'they need a urdf that is given as text');
  if (joint_limits !== undefined && isXmlText(urdf))
    reader.report([...path, 'joint_limits'], 'a robot that is given as text has no files', 'State them as limits.');
  if (calibration !== undefined && isXmlText(urdf))
    reader.report([...path, 'calibration'], 'a robot that is given as text has no files', 'Put it into the origins.');
  if (args !== undefined && urdf === undefined) reader.report([...path, 'args'], 'they need a urdf (a xacro file)');
  if ((name === undefined) === (urdf === undefined)) {
    reader.report(path, 'it must have either a name (of a built-in robot) or a urdf (a path)');
  }
  return {
    ...(urdf === undefined ? { name: name ?? '' } : isRobotPath(urdf) ? { urdf } : { name: urdf }),
    ...(args === undefined ? {} : { args: readArguments(args) }),
    ...(srdf === undefined ? {} : { srdf }),
    ...(joint_limits === undefined ? {} : { jointLimits: joint_limits }),
    ...(calibration === undefined ? {} : { calibration }),
    ...(meshes === undefined ? {} : { meshes }),
    packages,
  };
}

function readMount(reader: ValueReader, given: RawMount, path: Path, place: Path): MountReference {
  const { link, pose, prefix = '' } = given;
  return {
    ...readFiles(reader, given, [...path, ...place]),
    ...(link === undefined ? {} : { link }),
    pose: reader.pose(pose, [...path, ...place, 'pose']),
    prefix,
    place,
  };
}

/** Converts YAML numbers and booleans to the text that the command line would pass. */
const readArguments = (args: NonNullable<RawMount['args']>): Record<string, string> =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));

/** What a reference to a robot states besides its files, if the scene states nothing. */
export const robotDefaults = {
  packages: {},
  fixed: {},
  limits: {},
  pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
  parts: 'hull',
} as const;

type Ranges = { readonly [key in 'x' | 'y' | 'z' | 'theta' | 'range']?: readonly (number | string)[] };

/** Reads the base of a robot. */
function readBase(reader: ValueReader, given: RawBase, path: Path): RobotBase {
  if (typeof given === 'string') return { type: given };
  const { x, y, z, theta, range } = given as Ranges;
  const limits = (key: keyof Ranges, values: Ranges[typeof key], kind: Kind = 'length') =>
    values && { [key]: readRange(reader, values, kind, [...path, key]) };
  const plane = { ...limits('x', x), ...limits('y', y) };
  if (given.type === 'planar') return { type: 'planar', ...plane, ...limits('theta', theta, 'angle') };
  if (given.type === 'floating') return { type: 'floating', ...plane, ...limits('z', z) };
  const axis = given.axis.map((value, i) => reader.number(value, 'ratio', [...path, 'axis', i]));
  if (!axis.some((value) => value !== 0) && reader.diagnostics.length === 0 && !reader.needsExpressions)
    reader.report([...path, 'axis'], `${show(given.axis)}, which has no direction`, 'For example [0, 1, 0].');
  return { type: 'rail', axis: [axis[0], axis[1], axis[2]], ...limits('range', range) };
}

function readRange(reader: ValueReader, values: readonly (number | string)[], kind: Kind, path: Path): JointRange {
  const [lower, upper] = values.map((value, i) => reader.number(value, kind, [...path, i]));
  reader.check(lower < upper, values, path, 'the first must be less than the second');
  return [lower, upper];
}
