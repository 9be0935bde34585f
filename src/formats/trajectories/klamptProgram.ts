import { executedPoints, isRepeated, type Trajectory, type TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { InputError, parseJson } from '../../errors.ts';
import { attributeOf, childrenOf, lineOf, parseXml, type XmlElement } from '../text/xmlDocument.ts';
import { programOf } from './programRecord.ts';
import { numberOf, Problems, requireUniform } from './trajectoryFormat.ts';

const PLACE_NOTE = 'Write the file again, or use another format.';

/**
 * Writes a program as a MultiPath of Klampt: one section per segment, which begins with the last milestone of the
 * section before it. Sections state step, kind and name; the settings of the path have the joint names, the events and
 * the signals.
 */
export function writeMultiPath(trajectory: Trajectory): string {
  const { jointNames, segments = [], events = [], signals } = trajectory;
  const points = executedPoints(trajectory);
  requireUniform(points, 'klampt');
  if (!points[0].velocities || points[0].accelerations)
    throw new InputError('klampt carries programs of cubics only', 'Use --format json.');
  const times = points.map((point) => point.time_from_start!);
  const sections = segments.map(({ step, kind, name, from, to }) => {
    const [first, last] = [times.indexOf(from), times.indexOf(to)];
    if (first < 0 || last < 0) throw new InputError(`the trajectory has no point at ${first < 0 ? from : to} s`);
    const settings = attributes({ step: String(step), kind, ...(name !== undefined && { name }) });
    return `  <section${settings}>\n${points
      .slice(first, last + 1)
      .map(milestone)
      .join('')}  </section>\n`;
  });
  const single = segments.length > 0 ? [] : [`  <section>\n${points.map(milestone).join('')}  </section>\n`];
  const settings = attributes({
    joint_names: JSON.stringify(jointNames),
    events: JSON.stringify(events),
    ...(signals && { signals: JSON.stringify(signals) }),
  });
  return `<?xml version="1.0"?>\n<multipath${settings}>\n${[...sections, ...single].join('')}</multipath>\n`;
}

function milestone({ time_from_start: time, positions, velocities }: TrajectoryPoint): string {
  const vector = (values: readonly number[]) => [values.length, ...values].join(' ');
  const values = { time: String(time), config: vector(positions), velocity: vector(velocities!) };
  return `    <milestone${attributes(values)}/>\n`;
}

const attributes = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join('');

/** Escapes characters that attributes cannot contain, and white space that a parser would change. */
const escaped = (text: string) => text.replace(/[&<>"\t\n\r]/g, (character) => `&#${character.codePointAt(0)};`);

/** Reads a program as `writeMultiPath` writes it. Throws `InputError` for anything else. */
export async function readMultiPath(text: string, file: string): Promise<Trajectory> {
  const root = await parseXml(text, file, 'multipath');
  const problems = new Problems(file);
  const at = (element: XmlElement) => (place: string, what: string) =>
    problems.add(lineOf(element), place, what, PLACE_NOTE);
  refuseOthers(root, ['joint_names', 'events', 'signals'], 'section', at(root));
  const jointNames = jsonOf(root, 'joint_names', at(root));
  if (!Array.isArray(jointNames) || jointNames.length === 0 || jointNames.some((name) => typeof name !== 'string'))
    at(root)('joint_names', 'not a list of names');
  problems.throwIfAny();

  const points: TrajectoryPoint[] = [];
  const segments: object[] = [];
  for (const section of childrenOf(root, 'section')) {
    if (problems.isFull) break;
    const report = at(section);
    refuseOthers(section, ['step', 'kind', 'name'], 'milestone', report);
    const own = childrenOf(section).map((one) => pointOf(one, (jointNames as string[]).length, at(one)));
    const [from, to] = [own[0]?.time_from_start, own.at(-1)?.time_from_start];
    if (from === undefined) report('section', 'it has no milestone');
    const fault = continuationFault(points.at(-1), own[0]);
    if (fault !== undefined) report('section', fault);
    for (const point of points.length > 0 ? own.slice(1) : own) points.push(point);
    const [step, kind, name] = ['step', 'kind', 'name'].map((key) => attributeOf(section, key));
    if (step !== undefined || kind !== undefined)
      segments.push({ step: numberOf(step ?? ''), ...(name !== undefined && { name }), kind, from, to });
  }
  for (const [i, point] of points.entries()) {
    const { time_from_start: time } = point;
    const before = points[i - 1];
    if (i > 0 && !(time! > before.time_from_start!) && !isRepeated(point, before))
      problems.add(undefined, `milestone ${i}`, `the time ${time} does not come after ${before.time_from_start}`);
  }
  if (points.length === 0) at(root)('', 'no milestones');
  const report = (path: readonly (string | number)[], what: string) => at(root)(path.join('.'), what);
  const hasSignals = attributeOf(root, 'signals') !== undefined;
  const signals = hasSignals ? jsonOf(root, 'signals', at(root)) : undefined;
  const program = programOf({ segments, events: jsonOf(root, 'events', at(root)), signals }, report);
  problems.throwIfAny();
  return { jointNames: jointNames as string[], points, interpolation: 'cubic', ...program };
}

type Report = (place: string, what: string) => void;

/** Reports attributes and children that are not read. */
function refuseOthers(element: XmlElement, keys: readonly string[], child: string, report: Report): void {
  for (const { name } of Array.from(element.attributes)) if (!keys.includes(name)) report(name, 'unknown attribute');
  for (const { nodeName } of childrenOf(element)) if (nodeName !== child) report(`<${nodeName}>`, 'unknown element');
}

function jsonOf(element: XmlElement, key: string, report: Report): unknown {
  const text = attributeOf(element, key);
  try {
    return parseJson(text ?? '', '', text === undefined ? 'missing' : 'not JSON');
  } catch (error) {
    report(key, (error as Error).message);
    return undefined;
  }
}

function pointOf(element: XmlElement, dof: number, report: Report): TrajectoryPoint {
  refuseOthers(element, ['time', 'config', 'velocity'], '', report);
  const time = numberOf(attributeOf(element, 'time') ?? '');
  if (!Number.isFinite(time)) report('time', 'not a finite number');
  const vector = (key: string) => {
    const [count, ...values] = (attributeOf(element, key) ?? '').split(' ').map(numberOf);
    if (count !== dof || values.length !== dof || !values.every(Number.isFinite))
      report(key, `not ${dof} finite numbers after their count`);
    return values;
  };
  return { time_from_start: time, positions: vector('config'), velocities: vector('velocity') };
}

/** Returns a message if the first milestone of a section does not continue the previous section. */
function continuationFault(end: TrajectoryPoint | undefined, first: TrajectoryPoint | undefined): string | undefined {
  if (end === undefined || first === undefined) return undefined;
  const isSame =
    end.time_from_start === first.time_from_start &&
    [...end.positions, ...end.velocities!].join() === [...first.positions, ...first.velocities!].join();
  return isSame ? undefined : 'its first milestone is not the last one of the section before it';
}
