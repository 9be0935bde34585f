import type { AngleTolerance } from '../../core/kinematics/pose.ts';
import type { ToolCenterPoint } from '../../core/kinematics/toolCenterPoint.ts';
import type { Goal } from '../../core/scene/scene.ts';
import { show } from '../text/schemaDiagnostics.ts';
import type { Path } from '../text/sourceText.ts';
import type { RawGoal, RawJointValues, RawPoseGoal, RawTcp } from './sceneSchema.ts';
import type { ValueReader } from './valueReader.ts';

/** Default tolerance of pose goals: metres, radians. */
const DEFAULT_TOLERANCE = { position: 1e-4, angle: 1e-3 };

/** Reads a goal: joint values, the name of a state, or a pose. */
export function readGoal(reader: ValueReader, given: RawGoal, path: Path): Goal {
  if (typeof given === 'string' || Array.isArray(given) || !isPoseGoal(given))
    return { kind: 'joints', joints: reader.jointGoal(given as RawJointValues, path) };
  if (!Array.isArray(given.xyz)) {
    // The schema accepts texts and numbers here, because they are valid as joint values.
    reader.report([...path, 'xyz'], `${show(given.xyz)}, must be a list`);
    return { kind: 'joints', joints: {} };
  }
  const { link, relative_to, tolerance = {} } = given;
  const { position, angle } = tolerance;
  const place = [...path, 'tolerance'];
  return {
    kind: 'pose',
    pose: {
      ...(link === undefined ? {} : { link }),
      ...reader.pose(given, path),
      ...(relative_to === undefined ? {} : { relativeTo: relative_to }),
      tolerance: {
        position:
          position === undefined
            ? DEFAULT_TOLERANCE.position
            : readTolerance(reader, position, 'length', [...place, 'position']),
        angle: angle === undefined ? DEFAULT_TOLERANCE.angle : readAngles(reader, angle, [...place, 'angle']),
      },
    },
  };
}

/** Reads the tool center point. */
export function readTcp(reader: ValueReader, { link, ...pose }: RawTcp, path: Path): ToolCenterPoint {
  return { ...(link === undefined ? {} : { link }), pose: reader.pose(pose, path) };
}

/** Speed of a tool center point, m/s, above that of all robot arms: a larger value is probably in mm/s. */
const FAST_TCP = 20;

/**
 * Reads a limit of the speed of the tool center point. Adds a warning if it is so large that the unit is probably
 * missing.
 */
export function readTcpSpeed(reader: ValueReader, given: number | string, path: Path): number {
  const speed = reader.positive(given, 'length', path, 1);
  if (speed > FAST_TCP) reader.warnOnce(path, `${show(given)}: ${speed} m/s, faster than any arm; 250 mm/s has a unit`);
  return speed;
}

type RawAngles = NonNullable<NonNullable<RawPoseGoal['tolerance']>['angle']>;

function readAngles(reader: ValueReader, given: RawAngles, path: Path): AngleTolerance {
  if (!Array.isArray(given)) return readTolerance(reader, given, 'angle', path);
  const [x, y, z] = given.map((one, i) => readTolerance(reader, one, 'angle', [...path, i]));
  return [x, y, z];
}

function readTolerance(reader: ValueReader, given: number | string, kind: 'length' | 'angle', path: Path): number {
  const read = reader.positive(given, kind, path);
  if (kind === 'angle') reader.warnOfDegrees([given], [read], path);
  return read;
}

/** A mapping with a list under `xyz`, or with `link` and `xyz`, is a pose; other mappings are joint values. */
function isPoseGoal(goal: object): goal is RawPoseGoal {
  if (!Object.hasOwn(goal, 'xyz')) return false;
  return Object.hasOwn(goal, 'link') || Array.isArray((goal as { xyz: unknown }).xyz);
}
