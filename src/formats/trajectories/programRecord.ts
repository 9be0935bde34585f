import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import type { Path } from '../text/sourceText.ts';
import { shown } from './trajectoryFormat.ts';

type Fields = Readonly<Record<string, unknown>>;
type Report = (path: Path, what: string, note?: string) => void;

const SEGMENT_KEYS = ['step', 'name', 'kind', 'from', 'to'];
const SEGMENT_KINDS = ['move', 'line', 'arc', 'path', 'wait'];
/** Keys of an event besides `step` and `time`; one of them names its kind. */
const EVENT_KINDS = ['attach', 'detach', 'set', 'allow', 'forbid'];
const EVENT_KEYS = ['step', 'time', 'link', ...EVENT_KINDS];

/** Reads the segments, events and signals of the trajectory of a program; empty if the record has none. */
export function programOf(record: Fields, report: Report): Pick<Trajectory, 'segments' | 'events' | 'signals'> {
  const checks = { segments: checkSegment, events: checkEvent, signals: checkSignal };
  const lists = Object.entries(checks).flatMap(([key, check]) => {
    const list = listOf(record[key], key, report);
    for (const [i, one] of (list ?? []).entries()) check(one, [key, i], report);
    return list ? [[key, list] as const] : [];
  });
  return Object.fromEntries(lists); // as checked
}

/** Returns a list of mappings; undefined if it is absent, or reported as wrong. */
function listOf(given: unknown, key: string, report: Report): readonly Fields[] | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) {
    report([key], `${shown(given)} is not a list`);
    return undefined;
  }
  const wrong = given.findIndex((entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry));
  if (wrong < 0) return given as Fields[];
  report([key, wrong], `${shown(given[wrong])} is not a mapping of keys to values`);
  return undefined;
}

function checkSegment(segment: Fields, path: Path, report: Report): void {
  checkKnown(segment, SEGMENT_KEYS, path, report);
  checkNumbers(segment, ['step', 'from', 'to'], path, report);
  if (!SEGMENT_KINDS.includes(segment.kind as string))
    report([...path, 'kind'], `${shown(segment.kind)} is not a kind`, `Use one of: ${SEGMENT_KINDS.join(', ')}.`);
  checkText(segment, 'name', path, report);
}

function checkEvent(event: Fields, path: Path, report: Report): void {
  checkKnown(event, EVENT_KEYS, path, report);
  checkNumbers(event, ['step', 'time'], path, report);
  const kinds = EVENT_KINDS.filter((kind) => event[kind] !== undefined);
  if (kinds.length !== 1) report(path, `it has ${kinds.length} of ${EVENT_KINDS.join(', ')}`, 'An event has one.');
  for (const key of ['attach', 'detach', 'link']) checkText(event, key, path, report);
}

function checkSignal(signal: Fields, path: Path, report: Report): void {
  checkKnown(signal, ['step', 'time', 'on'], path, report);
  checkNumbers(signal, ['step', 'time'], path, report);
  if (typeof signal.on !== 'boolean') report([...path, 'on'], `${shown(signal.on)} is neither true nor false`);
}

function checkKnown(given: Fields, known: readonly string[], path: Path, report: Report): void {
  for (const key of Object.keys(given))
    if (!known.includes(key)) report([...path, key], 'unknown key', `Known here: ${known.join(', ')}.`);
}

function checkNumbers(given: Fields, keys: readonly string[], path: Path, report: Report): void {
  for (const key of keys)
    if (!Number.isFinite(given[key])) report([...path, key], `${shown(given[key])} is not a finite number`);
}

function checkText(given: Fields, key: string, path: Path, report: Report): void {
  if (given[key] !== undefined && typeof given[key] !== 'string')
    report([...path, key], `${shown(given[key])} is not a text`);
}
