import { PI } from '../../../core/math/trigonometry.ts';
import type { PathStep, StepBase, StepRules } from '../../../core/scene/program.ts';
import { show } from '../../text/schemaDiagnostics.ts';
import type { Path } from '../../text/sourceText.ts';
import { isToolPathName } from '../../toolpaths/index.ts';
import { orientedPoints } from '../../toolpaths/orientedPoints.ts';
import type { WayPoint } from '../../toolpaths/wayPoint.ts';
import { readAngleLimit } from '../readConstraints.ts';
import type { SceneReader } from '../sceneReader.ts';
import type { RawPose, RawStep } from '../sceneSchema.ts';

type RawPath = Extract<RawStep, { readonly path: unknown }>;
type RawKeys = RawPath['path'];
type RawPoint = NonNullable<RawKeys['points']>[number];

/** Keys that a path may state beside it or in it. */
const SHARED = ['speed', 'tolerance', 'blend', 'free', 'tilt'] as const;

/**
 * Reads the step of a tool path; the way points of a file are added when it is read.
 * @param rulesOf reads the rules of the step from keys at a place
 */
export function readPathStep(
  reader: SceneReader,
  step: RawPath,
  base: StepBase,
  rulesOf: (given: Omit<RawPath, 'path' | 'speed'>) => StepRules,
  place: Path,
): PathStep {
  const { path: inner } = step;
  const at: Path = [...place, 'path'];
  for (const key of SHARED)
    if (step[key] !== undefined && inner[key] !== undefined)
      reader.report([...at, key], 'it is stated beside path, too', 'State it once.');
  const stated = <K extends (typeof SHARED)[number]>(key: K): readonly [RawPath[K], Path] =>
    inner[key] !== undefined ? [inner[key] as RawPath[K], [...at, key]] : [step[key], [...place, key]];
  const [speed, speedPlace] = stated('speed');
  const [free = []] = stated('free');
  const [tilt, tiltPlace] = stated('tilt');
  const { path: _, speed: __, ...rest } = step;
  const rules = rulesOf({
    ...rest,
    ...(inner.tolerance && { tolerance: inner.tolerance }),
    ...(inner.blend !== undefined && { blend: inner.blend }),
  });
  const angle = tilt === undefined ? 0 : readAngleLimit(reader, tilt, tiltPlace);
  if (tilt !== undefined && free.length === 0)
    reader.report(tiltPlace, 'the rotation about the axis of the tool is not free', 'Add free: [z], or leave it out.');
  if (angle > MAX_TILT) reader.report(tiltPlace, `${show(tilt)}, more than 80 deg`);
  return {
    kind: 'path',
    ...base,
    ...rules,
    // a default is meant for the ends of motions: corners of a path are rounded by a blend of its own only
    blend: stated('blend')[0] === undefined ? 0 : rules.blend,
    points: readPoints(reader, inner, base.index, at),
    frame: inner.frame ?? 'world',
    isYawFree: free.length > 0,
    tilt: angle,
    ...(speed === undefined ? {} : { pathSpeed: reader.positive(speed, 'length', speedPlace, 1) }),
  };
}

/** Radians: larger tilts leave the axis of the tool nearly free. */
const MAX_TILT = (80 * PI) / 180;

function readPoints(reader: SceneReader, { points, file, scale }: RawKeys, step: number, at: Path): PathStep['points'] {
  if ((points === undefined) === (file === undefined))
    reader.report(
      at,
      points ? 'points and file are both given' : 'neither points nor file is given',
      'Give one of them.',
    );
  if (points !== undefined && scale !== undefined)
    reader.report([...at, 'scale'], 'it is for files: points are in metres, or have units');
  if (scale !== undefined && !(scale > 0)) reader.report([...at, 'scale'], `${show(scale)}, must be greater than 0`);
  if (file !== undefined && !isToolPathName(file))
    reader.report([...at, 'file'], `${show(file)}: unknown ending of a tool path`, 'Use .csv, .nc, .gcode or .ngc.');
  if (file !== undefined) reader.toolPaths.push({ step, file: reader.address(file), scale, path: [...at, 'file'] });
  if (points === undefined) return [];
  const read = points.map((point, i) => readPoint(reader, point, [...at, 'points', i]));
  const isOriented = ({ quat_wxyz, normal }: WayPoint) => quat_wxyz !== undefined || normal !== undefined;
  const other = read.findIndex((point) => isOriented(point) !== isOriented(read[0]));
  if (other >= 0)
    reader.report(
      [...at, 'points', other],
      'the orientation is stated at some points only',
      'State it at all or none.',
    );
  const silent = read.findIndex(({ on }) => (on === undefined) !== (read[0].on === undefined));
  if (silent >= 0)
    reader.report(
      [...at, 'points', silent],
      'the signal "on" is stated at some points only',
      'State it at all or none.',
    );
  return orientedPoints(read);
}

function readPoint(reader: SceneReader, point: RawPoint, place: Path): WayPoint {
  const { speed, normal, rpy, quat_wxyz, on } = point;
  const pose = reader.pose(point as RawPose, place);
  if (normal !== undefined && (rpy !== undefined || quat_wxyz !== undefined))
    reader.report([...place, 'normal'], 'an orientation is given, too', 'Give one of them.');
  const direction = normal && reader.numbers(normal, 'ratio', [...place, 'normal']);
  if (direction && !(Math.hypot(...direction) > 1e-9) && !reader.needsExpressions)
    reader.report([...place, 'normal'], 'it has no direction');
  return {
    xyz: pose.xyz,
    ...((rpy !== undefined || quat_wxyz !== undefined) && { quat_wxyz: pose.quat_wxyz }),
    ...(direction && { normal: direction as unknown as NonNullable<WayPoint['normal']> }),
    ...(speed === undefined ? {} : { speed: reader.positive(speed, 'length', [...place, 'speed'], 1) }),
    ...(on === undefined ? {} : { on: on === true || on === 1 }),
  };
}
