import type { Pose } from '../../core/kinematics/robotModel.ts';
import { jointValueProblem } from '../../core/math/magnitudes.ts';
import type { Obstacle } from '../../core/scene/scene.ts';
import { InputError, jsonText, parseJson, suggestion } from '../../errors.ts';
import { readMessagePose, readObstacle } from '../scenes/sceneObjects.ts';

/** A point of a proposed motion. */
export interface ProposedPoint {
  /** Seconds on the clock of the gate. */
  readonly time: number;
  /** Joint values: rad, m. */
  readonly positions: readonly number[];
  /** Joint velocities: rad/s, m/s; undefined: chosen by the gate. All points have them, or none. */
  readonly velocities?: readonly number[];
}

/** A change of the world. */
export type SceneChange =
  | { readonly kind: 'move'; readonly name: string; readonly pose: Pose }
  | { readonly kind: 'add'; readonly name: string; readonly obstacle: Obstacle }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'attach'; readonly name: string; readonly link: string; readonly touches: readonly string[] }
  | { readonly kind: 'detach'; readonly name: string };

/** A message to the gate: a proposal, a change of the world, or a tick. */
export interface GateMessage {
  /** Seconds. */
  readonly now: number;
  /** A proposal, see `readPoints`. */
  readonly points?: readonly ProposedPoint[];
  /** Changes of the world as seen at `now`, in order. */
  readonly scene?: readonly SceneChange[];
  /** Measured joint values at `now`, in a tick, see `readMeasured`. */
  readonly q?: readonly number[];
}

/** Latest time of a message, seconds: as of states. Farther from 0, rounding of times changes accelerations. */
export const MAX_TIME = 1e6;
const KEYS = ['id', 'now', 'points', 'scene', 'q'];
const CHANGES = ['move', 'add', 'remove', 'attach', 'detach'];

/** Parses a line. Throws `InputError` unless it is a JSON object. */
export function parseGateLine(text: string): Readonly<Record<string, unknown>> {
  const data = parseJson(text, '');
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Record<string, unknown>;
  throw new InputError('not a message: {"now": …} is expected');
}

/** Reads a parsed message. Throws `InputError` for unknown keys, and values that are missing or not finite. */
export async function readGateMessage(data: Readonly<Record<string, unknown>>): Promise<GateMessage> {
  refuseUnknown(data, KEYS, '');
  const now = timeOf(data.now, 'now');
  const { points, scene, q } = data;
  if (points !== undefined && scene !== undefined)
    throw new InputError('points and scene are both given', 'Send two messages.');
  if (q !== undefined && (points !== undefined || scene !== undefined))
    throw new InputError('q is given with points or scene', 'Send the measured q in a message of its own.');
  return {
    now,
    ...(points === undefined ? {} : { points: points as readonly ProposedPoint[] }),
    ...(scene === undefined ? {} : { scene: await changesOf(scene) }),
    ...(q === undefined ? {} : { q: q as readonly number[] }),
  };
}

/** Reads measured joint values. Throws `InputError` unless they are a finite value for each joint. */
export const readMeasured = (given: unknown, jointNames: readonly string[]): number[] => rowOf(given, 'q', jointNames);

/** Reads the points of a proposal. Throws `InputError` unless all values are finite, and times increase. */
export function readPoints(given: unknown, jointNames: readonly string[]): ProposedPoint[] {
  if (!Array.isArray(given) || given.length === 0)
    throw new InputError(`points: ${Array.isArray(given) ? 'there are none' : 'not a list'}`);
  const points = given.map((point, i) => {
    const place = `points[${i}]`;
    if (typeof point !== 'object' || point === null) throw new InputError(`${place}: not an object`);
    refuseUnknown(point, ['time', 'positions', 'velocities'], `${place}.`);
    const { time, positions, velocities } = point as Record<string, unknown>;
    return {
      time: timeOf(time, `${place}.time`),
      positions: rowOf(positions, `${place}.positions`, jointNames),
      ...(velocities === undefined ? {} : { velocities: rowOf(velocities, `${place}.velocities`, jointNames) }),
    };
  });
  requireOrder(points);
  return points;
}

/** Throws `InputError` unless times increase, and all points have velocities or none. */
function requireOrder(points: readonly ProposedPoint[]): void {
  for (const [i, { time, velocities }] of points.entries()) {
    if (i > 0 && !(time > points[i - 1].time))
      throw new InputError(`points[${i}].time is ${time}, which does not come after ${points[i - 1].time}`);
    if ((velocities === undefined) !== (points[0].velocities === undefined))
      throw new InputError(`points[${i}]: some points have velocities, others have none`, 'Give all of them, or none.');
  }
}

async function changesOf(given: unknown): Promise<SceneChange[]> {
  if (!Array.isArray(given) || given.length === 0)
    throw new InputError(`scene: ${Array.isArray(given) ? 'there are no changes' : 'not a list of changes'}`);
  const changes: SceneChange[] = [];
  for (const [i, change] of given.entries()) changes.push(await changeOf(change, `scene[${i}]`, ['scene', i]));
  return changes;
}

async function changeOf(given: unknown, place: string, path: (string | number)[]): Promise<SceneChange> {
  if (typeof given !== 'object' || given === null) throw new InputError(`${place}: not an object`);
  const data = given as Record<string, unknown>;
  const kinds = CHANGES.filter((key) => Object.hasOwn(data, key));
  if (kinds.length !== 1)
    throw new InputError(`${place}: one change is expected`, `Give one of ${CHANGES.join(', ')} in each entry.`);
  const [kind] = kinds as SceneChange['kind'][];
  const others = { move: ['pose'], add: [], remove: [], attach: ['link', 'touches'], detach: [] }[kind];
  refuseUnknown(data, [kind, ...others], `${place}.`);
  if (kind === 'add') {
    const obstacle = await readObstacle(data.add, [...path, 'add']);
    return { kind, name: obstacle.name, obstacle };
  }
  const name = nameOf(data[kind], `${place}.${kind}`);
  if (kind === 'move') return { kind, name, pose: readMessagePose(data.pose, [...path, 'pose']) };
  if (kind !== 'attach') return { kind, name };
  const { touches = [] } = data;
  if (!Array.isArray(touches)) throw new InputError(`${place}.touches: not a list of names`);
  const link = nameOf(data.link, `${place}.link`);
  return { kind, name, link, touches: touches.map((one, k) => nameOf(one, `${place}.touches[${k}]`)) };
}

function nameOf(given: unknown, place: string): string {
  if (typeof given === 'string') return given;
  throw new InputError(`${place}: ${given === undefined ? 'it is missing' : `it is ${jsonText(given)}, not a name`}`);
}

/** Returns a time on the clock of a gate. Throws `InputError` if it is none. */
export function timeOf(given: unknown, place: string): number {
  if (typeof given === 'number' && given >= 0 && given <= MAX_TIME) return given;
  const what = given === undefined ? 'it is missing' : `it is ${jsonText(given)}`;
  throw new InputError(`${place}: ${what}`, `Times are in seconds from 0 to ${MAX_TIME}.`);
}

function rowOf(given: unknown, place: string, jointNames: readonly string[]): number[] {
  if (!Array.isArray(given)) throw new InputError(`${place}: ${given === undefined ? 'it is missing' : 'not a list'}`);
  if (given.length !== jointNames.length)
    throw new InputError(`${place} has ${given.length} values, the robot has ${jointNames.length} planned joints`);
  const bad = given.findIndex((value) => typeof value !== 'number' || jointValueProblem(value) !== undefined);
  if (bad < 0) return given.slice() as number[]; // callers may use their arrays again
  throw new InputError(`${place}[${bad}] (${jointNames[bad]}) is ${jsonText(given[bad])}, not a joint value`);
}

function refuseUnknown(data: object, known: readonly string[], place: string): void {
  const key = Object.keys(data).find((one) => !known.includes(one));
  if (key !== undefined) throw new InputError(`${place}${key}: unknown key`, suggestion(key, known));
}
