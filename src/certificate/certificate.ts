import { InputError, InputErrors, jsonText } from '../errors.ts';

/** What a certificate file says of its form. */
export const CERTIFICATE_FORMAT = 'elbowroom-certificate/1';

/** From, to, and the unit direction (from a to b, in b's own frame) that parts the two all the while: [t0, t1, nx, ny, nz]. */
export type Span = readonly [number, number, number, number, number];

/** One pair of convex parts: `a` a link or carried body, `b` an obstacle or another link or carried body. Parts count from 0. */
export interface CertificatePair {
  readonly a: string;
  readonly partA: number;
  readonly b: string;
  readonly partB: number;
  readonly spans: readonly Span[];
}

/** A list of separating planes that proves one motion free. Times are seconds; they count waypoints for a path. */
export interface Certificate {
  readonly format: typeof CERTIFICATE_FORMAT;
  /** `trajectoryHash` of the motion. */
  readonly trajectory: string;
  /**
   * Of motions whose file states it: timed straight lines, or cubics through points with accelerations. The hash is of the points alone, which
   * make another curve without that statement.
   */
  readonly interpolation?: 'linear' | 'cubic';
  readonly duration: number;
  readonly pairs: readonly CertificatePair[];
}

/** The certificate as JSON, a line for each pair. Numbers keep every digit: a plane may hold by no more than its last ones. */
export function certificateText({ format, trajectory, interpolation, duration, pairs }: Certificate): string {
  const head = JSON.stringify({ format, trajectory, interpolation, duration }).slice(0, -1);
  const lines = pairs.map(({ a, partA, b, partB, spans }) => JSON.stringify({ a, partA, b, partB, spans }));
  return `${head},"pairs":[\n${lines.join(',\n')}\n]}\n`;
}

/** Complaints about one file beyond this many help nobody. */
const MOST_COMPLAINTS = 10;

const OF_US = `A certificate is what "elbowroom plan --certificate FILE" writes, of format ${CERTIFICATE_FORMAT}.`;

/** Reads what `certificateText` writes, whoever wrote it. Throws InputErrors that name each place, `file` first; what it proves is not looked at. */
export function readCertificate(text: string, file: string): Certificate {
  const data = parse(text, file);
  const complaints: InputError[] = [];
  const complain: Complain = (place, value, wanted, note = '') => {
    const what = value === undefined ? 'missing' : `${shown(value)} is not ${wanted}`;
    complaints.push(new InputError(`${file}: ${place}${what}`, note));
  };
  if (!isRecord(data)) complain('', data, 'a certificate', OF_US);
  else if (data.format !== CERTIFICATE_FORMAT) complain('format: ', data.format, CERTIFICATE_FORMAT, OF_US);
  else {
    if (typeof data.trajectory !== 'string') complain('trajectory: ', data.trajectory, 'a hash');
    if (data.interpolation !== undefined && data.interpolation !== 'linear' && data.interpolation !== 'cubic')
      complain('interpolation: ', data.interpolation, 'linear or cubic');
    if (!Number.isFinite(data.duration)) complain('duration: ', data.duration, 'a finite number');
    if (!Array.isArray(data.pairs)) complain('pairs: ', data.pairs, 'a list of pairs');
    else for (const [i, pair] of data.pairs.entries()) checkPair(pair, `pairs[${i}]`, complain);
  }
  if (complaints.length > 0) throw new InputErrors(complaints.slice(0, MOST_COMPLAINTS));
  return data as unknown as Certificate;
}

type Complain = (place: string, value: unknown, wanted: string, note?: string) => void;

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new InputError(`${file}: not JSON`, OF_US);
  }
}

function checkPair(pair: unknown, place: string, complain: Complain): void {
  if (!isRecord(pair)) {
    complain(`${place}: `, pair, 'a pair', 'A pair has a, partA, b, partB and spans.');
    return;
  }
  for (const key of ['a', 'b'])
    if (typeof pair[key] !== 'string') complain(`${place}.${key}: `, pair[key], 'the name of a body');
  for (const key of ['partA', 'partB'])
    if (!Number.isInteger(pair[key])) complain(`${place}.${key}: `, pair[key], 'a whole number');
  if (!Array.isArray(pair.spans)) {
    complain(`${place}.spans: `, pair.spans, 'a list of spans');
    return;
  }
  for (const [k, span] of pair.spans.entries())
    if (!Array.isArray(span) || span.length !== 5 || !span.every(Number.isFinite))
      complain(`${place}.spans[${k}]: `, span, 'five numbers', 'A span is [from, to, nx, ny, nz], all finite.');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as a message shows it, cut where it is long. */
function shown(value: unknown): string {
  const text = jsonText(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
