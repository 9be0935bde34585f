import { type ObstacleMotion, obstacleMotionFault } from '../../core/scene/movingScene.ts';
import { show } from '../text/schemaDiagnostics.ts';
import type { Path } from '../text/sourceText.ts';
import type { RawMotion } from './motionSchema.ts';
import type { ValueReader } from './valueReader.ts';

/** Kinds of obstacles that cannot move, and why. */
const still: Readonly<Record<string, string>> = {
  halfspace: 'a half-space cannot move',
  heightfield: 'a height field cannot move',
};

/**
 * Reads the motion of an obstacle.
 * @param path of the obstacle
 * @param type kind of the obstacle
 */
export function readMotion(reader: ValueReader, given: RawMotion, path: Path, type: string): ObstacleMotion {
  const place = [...path, 'motion'];
  const before = reader.diagnostics.length;
  if (Object.hasOwn(still, type)) reader.report(place, still[type], 'Use a box.');
  const motion = {
    times: given.times.map((time, i) => readSeconds(reader, time, [...place, 'times', i])),
    poses: given.poses.map((pose, i) => reader.pose(pose, [...place, 'poses', i])),
  };
  // values that have not been evaluated yet cannot be checked
  const fault = reader.needsExpressions || reader.diagnostics.length > before ? undefined : obstacleMotionFault(motion);
  if (fault !== undefined) reader.report([...place, ...fault.path], fault.what, fault.note);
  return motion;
}

/** Reads a time of the scene, seconds; before 0 too. */
export function readSeconds(reader: ValueReader, given: number | string, path: Path): number {
  const time = readDuration(reader, given, path);
  if (!(Math.abs(time) <= MAX_TIME)) reader.report(path, `${show(given)}, must be between -1e6 and 1e6 seconds`);
  return time;
}

/** Reads a number of seconds, or a text with a unit of time: `1.5`, `1.5 s`, `20 ms`, `2 min`. */
export function readDuration(reader: ValueReader, given: number | string, path: Path): number {
  const [, value = given, unit = 's'] = (typeof given === 'string' && WITH_UNIT.exec(given)) || [];
  const number = reader.number(value, 'ratio', path);
  const seconds = unit === 'ms' ? number / 1000 : unit === 'min' ? 60 * number : number;
  if (typeof given === 'string') reader.quantities.push({ path, value: seconds });
  return seconds;
}

/** A number, or an expression in parentheses, and a unit of time. */
const WITH_UNIT = /^(.*[\d.)])\s*(ms|s|min)\s*$/;

/** Seconds; at 1e6 s times are 1e-10 s apart. */
const MAX_TIME = 1e6;
