import { InputError, InputErrors, jsonText, parseJson } from '../../errors.ts';

/** Value of `format` in certificate files. */
export const CERTIFICATE_FORMAT = 'elbowroom-certificate/1';

/**
 * Time interval and the normal of a plane that separates the pair in it: [t0, t1, nx, ny, nz], unit vector from a to b
 * in the frame of b.
 */
export type Span = readonly [number, number, number, number, number];

/**
 * Pair of convex parts: `a` is a link or attached object, `b` an obstacle or another link or attached object. Parts are
 * counted from 0.
 */
export interface CertificatePair {
  /** Name of the link or attached object A. */
  readonly a: string;
  /** Index of the convex part within A. */
  readonly partA: number;
  /** Name of the obstacle, link or attached object B. */
  readonly b: string;
  /** Index of the convex part within B. */
  readonly partB: number;
  /** Spans without gaps, from the start to the end of the motion. */
  readonly spans: readonly Span[];
}

/** Separating planes that prove one motion collision-free. Times are seconds, or waypoints for a path. */
export interface Certificate {
  /** Identifier of the file format. */
  readonly format: typeof CERTIFICATE_FORMAT;
  /** `trajectoryHash` of the motion. */
  readonly trajectory: string;
  /** Hash of the resolved scene; absent if it is not in a file, or cannot be resolved. */
  readonly scene_hash?: string;
  /** Hash of the robot of the resolved scene. */
  readonly robot_hash?: string;
  /**
   * Stated if the file of the motion states it: timed straight lines, or cubics through points with accelerations. The
   * hash covers the points only, which define a different curve without this statement.
   */
  readonly interpolation?: 'linear' | 'cubic';
  /** End of the motion: seconds, or the number of segments of a path. */
  readonly duration: number;
  /** Empty for a program, whose pairs are those of its segments. */
  readonly pairs: readonly CertificatePair[];
  /** If the scene limits torques: bounds of the torque of each planned joint. Of a program: see its segments. */
  readonly torques?: readonly CertificateTorques[];
  /** Present if the scene limits stops; in the order of time. Of a program: see its segments. */
  readonly stops?: readonly CertificateStop[];
  /** If something else moves: for each stop, planes of the pairs that it may touch. Of a program: see its segments. */
  readonly stop_pairs?: readonly (readonly CertificatePair[])[];
  /** Of a program: one per interval of positive length between events that change the objects or what may touch. */
  readonly segments?: readonly CertificateSegment[];
}

/** Separating planes of one interval of a program: the spans of each pair cover it. */
export interface CertificateSegment {
  /** Seconds. */
  readonly from: number;
  /** Seconds. */
  readonly to: number;
  /** Every pair of convex parts that is checked in the interval. */
  readonly pairs: readonly CertificatePair[];
  /** If the scene limits torques. */
  readonly torques?: readonly CertificateTorques[];
  /** If the scene limits stops: those that begin in the interval, which end in it, too. */
  readonly stops?: readonly CertificateStop[];
  /** If something else moves: for each of these stops, the planes of the pairs that it may touch. */
  readonly stop_pairs?: readonly (readonly CertificatePair[])[];
}

/** Time interval and bounds of a torque in it: [t0, t1, lower, upper], N m or N. */
export type TorqueSpan = readonly [number, number, number, number];

/**
 * A stop along the path of a motion: pairs of a time of the motion and the squared pace there, linear in between, from
 * [t, 1] to a pace of 0 or a rest of the motion. Under limits of jerk, [t, 1] and rows [d, w]: the rate of the pace, 0
 * at t, changes by w per second for d seconds each; then pace and rate fall to 0 together, unless the motion rests
 * there. It also stops the robot from the instants between the beginning of the previous stop and t, at which the robot
 * first follows the motion until t. A robot at a standstill needs none.
 */
export type CertificateStop = readonly (readonly [number, number])[];

/** Bounds of the torque of one planned joint. */
export interface CertificateTorques {
  /** Name of the joint. */
  readonly joint: string;
  /** Spans without gaps, from the start to the end of the motion. */
  readonly spans: readonly TorqueSpan[];
}

/**
 * Writes a certificate as JSON, one line per pair. Numbers keep all digits: the gap of a plane may depend on the last
 * ones.
 */
export function certificateText({ pairs, torques, stops, stop_pairs, segments, ...certificate }: Certificate): string {
  const { format, trajectory, scene_hash, robot_hash, interpolation, duration } = certificate;
  const head = JSON.stringify({ format, trajectory, scene_hash, robot_hash, interpolation, duration }).slice(0, -1);
  if (segments === undefined)
    return `${head},"pairs":${pairsText(pairs)}${torquesText(torques)}${stopsText(stops, stop_pairs)}}\n`;
  const texts = segments.map(
    ({ from, to, pairs: own, torques: bounds, stops: braking, stop_pairs: planes }) =>
      `{"from":${from},"to":${to},"pairs":${pairsText(own)}${torquesText(bounds)}${stopsText(braking, planes)}}`,
  );
  return `${head},"segments":[${texts.join(',')}]}\n`;
}

/** Returns a list of pairs, one line per pair. */
function pairsText(pairs: readonly CertificatePair[]): string {
  const lines = pairs.map(({ a, partA, b, partB, spans }) => JSON.stringify({ a, partA, b, partB, spans }));
  return `[\n${lines.join(',\n')}\n]`;
}

/** Returns the key `torques` with one line per joint; nothing without any. */
function torquesText(torques: readonly CertificateTorques[] | undefined): string {
  if (torques === undefined) return '';
  return `,"torques":[\n${torques.map(({ joint, spans }) => JSON.stringify({ joint, spans })).join(',\n')}\n]`;
}

/** Returns the key `stops` with one line per stop, and the key `stop_pairs`; nothing without any. */
function stopsText(stops: Certificate['stops'], planes: Certificate['stop_pairs']): string {
  if (stops === undefined) return '';
  const text = `,"stops":[\n${stops.map((stop) => JSON.stringify(stop)).join(',\n')}\n]`;
  return planes === undefined ? text : `${text},"stop_pairs":[\n${planes.map(pairsText).join(',\n')}\n]`;
}

/** Maximum number of errors that are reported for one file. */
export const MAX_ERRORS = 10;

const FORMAT_NOTE = `A certificate is what "elbowroom plan --certificate" writes, of format ${CERTIFICATE_FORMAT}.`;

/**
 * Parses a certificate. Throws `InputErrors` that name file and place of each error. Only the form is checked, not the
 * proof.
 */
export function readCertificate(text: string, file: string): Certificate {
  return certificateOf(parseCertificate(text, file), file);
}

/** As `readCertificate`, for parsed JSON; `file` is the prefix of the messages. */
export function certificateOf(data: unknown, file: string): Certificate {
  checkForm(file, (report) => checkCertificate(data, report));
  return { pairs: [], ...(data as object) } as unknown as Certificate;
}

/**
 * Calls a function that reports the errors in the form of a file, at most `MAX_ERRORS`; throws `InputErrors` if there
 * are any.
 */
export function checkForm(file: string, check: (report: ReportError) => void): void {
  const errors: InputError[] = [];
  check((place, value, wanted, note = '') => {
    const what = value === undefined ? 'missing' : `${shown(value)} is not ${wanted}`;
    errors.push(new InputError(`${file}: ${place}${what}`, note));
    if (errors.length === MAX_ERRORS) throw new InputErrors(errors);
  });
  if (errors.length > 0) throw new InputErrors(errors);
}

function checkCertificate(data: unknown, report: ReportError): void {
  if (!isRecord(data)) report('', data, 'a certificate', FORMAT_NOTE);
  else if (data.format !== CERTIFICATE_FORMAT) report('format: ', data.format, CERTIFICATE_FORMAT, FORMAT_NOTE);
  else {
    if (typeof data.trajectory !== 'string') report('trajectory: ', data.trajectory, 'a hash');
    if (data.interpolation !== undefined && data.interpolation !== 'linear' && data.interpolation !== 'cubic')
      report('interpolation: ', data.interpolation, 'linear or cubic');
    for (const key of ['scene_hash', 'robot_hash'])
      if (data[key] !== undefined && typeof data[key] !== 'string') report(`${key}: `, data[key], 'a hash');
    if (!Number.isFinite(data.duration)) report('duration: ', data.duration, 'a finite number');
    checkTorques(data.torques, '', report);
    checkStops(data, '', report);
    for (const key of ['torques', 'stops', 'stop_pairs'])
      if (data.segments !== undefined && data[key] !== undefined)
        report(`${key}: `, data[key], 'used beside segments', 'Those of a program are in its segments.');
    if (data.segments === undefined) checkPairs(data.pairs, 'pairs', report);
    else if (!Array.isArray(data.segments)) report('segments: ', data.segments, 'a list of segments');
    else if (data.pairs !== undefined) report('pairs: ', data.pairs, 'used beside segments', 'Leave one of them out.');
    else for (const [i, segment] of data.segments.entries()) checkSegment(segment, `segments[${i}]`, report);
  }
}

/** Reports one error: where, the value, what it should be, and a note. */
export type ReportError = (place: string, value: unknown, wanted: string, note?: string) => void;

/** Parses the JSON of a certificate. Throws `InputError` if it is none. */
export function parseCertificate(text: string, file: string): unknown {
  return parseJson(text.replace(/^\uFEFF/, ''), file, 'not JSON', FORMAT_NOTE);
}

/** Reports the errors of one segment of the certificate of a program. */
function checkSegment(segment: unknown, place: string, report: ReportError): void {
  if (!isRecord(segment)) {
    report(`${place}: `, segment, 'a segment', 'A segment has from, to and pairs.');
    return;
  }
  for (const key of ['from', 'to'])
    if (!Number.isFinite(segment[key])) report(`${place}.${key}: `, segment[key], 'a finite number');
  checkPairs(segment.pairs, `${place}.pairs`, report);
  checkTorques(segment.torques, `${place}.`, report);
  checkStops(segment, `${place}.`, report);
}

/** Reports the errors of bounds of torques, which may be absent. */
function checkTorques(torques: unknown, place: string, report: ReportError): void {
  if (torques === undefined) return;
  if (!Array.isArray(torques)) report(`${place}torques: `, torques, 'a list of joints');
  for (const [i, one] of Array.isArray(torques) ? torques.entries() : []) {
    const at = `${place}torques[${i}]`;
    if (!isRecord(one) || typeof one.joint !== 'string' || !Array.isArray(one.spans)) {
      report(`${at}: `, one, 'the torques of a joint', 'It has joint and spans.');
      continue;
    }
    for (const [k, span] of one.spans.entries())
      if (!Array.isArray(span) || span.length !== 4 || !span.every(Number.isFinite))
        report(`${at}.spans[${k}]: `, span, 'four numbers', 'A span is [from, to, lower, upper], all finite.');
  }
}

/** Reports the errors of stops and their planes, which may be absent. */
function checkStops(
  { stops, stop_pairs: planes }: Readonly<Record<string, unknown>>,
  place: string,
  report: ReportError,
): void {
  if (planes !== undefined && !Array.isArray(planes))
    report(`${place}stop_pairs: `, planes, 'a list of lists of pairs');
  for (const [i, pairs] of Array.isArray(planes) ? planes.entries() : [])
    checkPairs(pairs, `${place}stop_pairs[${i}]`, report);
  if (stops === undefined) return;
  if (!Array.isArray(stops)) report(`${place}stops: `, stops, 'a list of stops');
  const isKnot = (knot: unknown) => Array.isArray(knot) && knot.length === 2 && knot.every(Number.isFinite);
  for (const [i, stop] of Array.isArray(stops) ? stops.entries() : [])
    if (!Array.isArray(stop) || stop.length === 0 || !stop.every(isKnot))
      report(`${place}stops[${i}]: `, stop, 'a stop', 'It is a list of pairs of numbers.');
}

/** Reports the errors of a list of pairs. */
function checkPairs(pairs: unknown, place: string, report: ReportError): void {
  if (!Array.isArray(pairs)) report(`${place}: `, pairs, 'a list of pairs');
  else for (const [i, pair] of pairs.entries()) checkPair(pair, `${place}[${i}]`, report);
}

/** Reports the errors of one pair. */
export function checkPair(pair: unknown, place: string, report: ReportError): void {
  if (!isRecord(pair)) {
    report(`${place}: `, pair, 'a pair', 'A pair has a, partA, b, partB and spans.');
    return;
  }
  for (const key of ['a', 'b'])
    if (typeof pair[key] !== 'string') report(`${place}.${key}: `, pair[key], 'the name of a link or object');
  for (const key of ['partA', 'partB'])
    if (!Number.isInteger(pair[key])) report(`${place}.${key}: `, pair[key], 'a whole number');
  if (!Array.isArray(pair.spans)) {
    report(`${place}.spans: `, pair.spans, 'a list of spans');
    return;
  }
  for (const [k, span] of pair.spans.entries())
    if (!Array.isArray(span) || span.length !== 5 || !span.every(Number.isFinite))
      report(`${place}.spans[${k}]: `, span, 'five numbers', 'A span is [from, to, nx, ny, nz], all finite.');
}

/** Returns true if a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value as JSON for a message, shortened to 60 characters. */
export function shown(value: unknown): string {
  const text = jsonText(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
