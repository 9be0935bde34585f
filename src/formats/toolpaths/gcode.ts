import { lengthProblem } from '../../core/math/magnitudes.ts';
import { acos, atan2, cos, sin, TWO_PI } from '../../core/math/trigonometry.ts';
import type { InputError } from '../../errors.ts';
import { noteOnWord } from './gcodeNotes.ts';
import { DECIMAL, MAX_WAY_POINTS, placed, quoted, type WayPoint } from './wayPoint.ts';

/** A word of a line: a letter and a number. */
interface Word {
  readonly letter: string;
  readonly value: number;
  /** Position in the line, from 1. */
  readonly column: number;
}

const AXES = ['X', 'Y', 'Z'];
const CENTRES = ['I', 'J', 'K'];
/** Axes of each plane: two in it, in right-handed order, and its normal. */
const PLANES: Readonly<Record<number, ArcPlane>> = { 17: [0, 1, 2], 18: [2, 0, 1], 19: [1, 2, 0] };
/** G words that are read, with what they state: two words of a line do not state the same. */
const G_STATES: Readonly<Record<number, string>> = {
  ...{ 0: 'motion', 1: 'motion', 2: 'motion', 3: 'motion', 17: 'plane', 18: 'plane', 19: 'plane' },
  ...{ 20: 'unit', 21: 'unit', 90: 'distance', 91: 'distance' },
  // no compensation, the first work frame, no canned cycle, feeds per minute: what is the case here anyway
  ...{ 40: 'radius', 49: 'length', 54: 'frame', 80: 'cycle', 94: 'feed' },
};
const isKnownCode = (letter: string, value: number) =>
  letter === 'G' ? Object.hasOwn(G_STATES, value) : letter !== 'M' || value === 2 || value === 30;
const INCH = 0.0254;
const KNOWN =
  'Known are G0 to G3, G17 to G21, G40, G49, G54, G80, G90, G91, G94, F, M2, M30, N, X, Y, Z, I, J, K, R, comments, ' +
  'lines "%" and the name O of the program.';

/**
 * Reads way points from G-code: positions, without orientation. The first one is where X, Y and Z are all known: G0
 * before it may state some of them. Arcs are divided into chords. Throws `InputError` with line and column for words
 * that it does not know; words that state what is the case here anyway, such as G94, are known.
 * @param scale metres per unit before G20 or G21
 */
export function readGcode(text: string, file: string, scale: number): WayPoint[] {
  const program = new GcodeProgram(file, scale);
  for (const [i, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries())
    program.line(line, i + 1);
  return program.finished();
}

class GcodeProgram {
  private readonly points: WayPoint[] = [];
  /** Coordinates that are stated so far, metres: the path begins when all are. */
  private at: readonly (number | undefined)[] = [undefined, undefined, undefined];
  private unit: number;
  private isAbsolute = true;
  private plane = PLANES[17];
  private mode: number | undefined;
  /** m/s. */
  private feed: number | undefined;
  /** What was read: nothing, the line "%" before a program, words, or the end of the program. */
  private state: 'empty' | 'marked' | 'begun' | 'ended' = 'empty';
  private number = 0;

  constructor(
    private readonly file: string,
    scale: number,
  ) {
    this.unit = scale;
  }

  line(text: string, number: number): void {
    this.number = number;
    const blank = (comment: string) => ' '.repeat(comment.length);
    const code = text.replace(/\([^()]*\)/g, blank).replace(/;.*/, blank);
    if (code.trim() === '%') {
      this.state = this.state === 'empty' ? 'marked' : 'ended';
      return;
    }
    const words = this.words(code);
    if (words.length === 0) return;
    if (this.state === 'ended') throw this.error(words[0], 'the program has ended before');
    const isFirst = this.state !== 'begun';
    this.state = words.some(({ letter }) => letter === 'M') ? 'ended' : 'begun';
    if (words[0].letter === 'O' && words.length === 1 && isFirst) return;
    const stated = new Map<string, Word>();
    const codes = new Map<string, number>();
    for (const word of words) {
      const { letter, value } = word;
      if (letter === 'O') throw this.error(word, 'O is not the name of the program', noteOnWord('O'));
      if (letter === 'N' || letter === 'M') continue;
      const what = letter === 'G' ? G_STATES[value] : letter;
      if (codes.has(what)) throw this.error(word, `G${value} contradicts another word of its line`);
      if (stated.has(what)) throw this.error(word, `${letter} is given twice`);
      if (letter === 'G') codes.set(what, value);
      else stated.set(what, word);
    }
    this.set(codes);
    const feed = stated.get('F');
    if (feed !== undefined) {
      if (!(feed.value > 0)) throw this.error(feed, `F is ${feed.value}, must be greater than 0`);
      this.feed = (feed.value * this.unit) / 60;
    }
    this.move(stated, words[0]);
  }

  finished(): WayPoint[] {
    if (this.points.length < 2) throw placed(this.file, this.number, 1, 'it has fewer than two way points');
    return this.points;
  }

  /** Divides a line without comments into words. Of several faults, throws that of an unknown G or M word. */
  private words(line: string): Word[] {
    const words: Word[] = [];
    let fault: InputError | undefined;
    const token = /([A-Za-z])[ \t]*([^A-Za-z\s]*)|\S/g;
    for (let found = token.exec(line); found; found = token.exec(line)) {
      const [whole, given, digits] = found;
      const column = found.index + 1;
      const letter = given?.toUpperCase();
      const isKnown = letter !== undefined && 'GMNOFXYZIJKR'.includes(letter);
      const about = /[#[]/.test(whole) ? '#' : isKnown && letter !== 'O' ? '' : (letter ?? whole);
      const fail = (what: string, note: string) => placed(this.file, this.number, column, what, note);
      const value = letter !== undefined && DECIMAL.test(digits) ? Number(digits) : Number.NaN;
      const problem = lengthProblem(value);
      if (letter === undefined) fault ??= fail(`unexpected ${quoted(whole)}`, noteOnWord(about) || KNOWN);
      else if (Number.isNaN(value)) fault ??= fail(`${quoted(whole)} is no word`, noteOnWord(about) || KNOWN);
      else if (!isKnown) fault ??= fail(`unknown word ${quoted(whole)}`, noteOnWord(about) || KNOWN);
      else if (!isKnownCode(letter, value))
        throw fail(`unknown word ${letter}${value}`, noteOnWord(letter, value) || KNOWN);
      else if (problem !== undefined) fault ??= fail(`${whole} ${problem}`, '');
      else words.push({ letter, value, column });
    }
    if (fault) throw fault;
    return words;
  }

  /** Applies the G words of a line. */
  private set(codes: ReadonlyMap<string, number>): void {
    if (codes.has('cycle')) this.mode = undefined;
    this.mode = codes.get('motion') ?? this.mode;
    this.plane = PLANES[codes.get('plane')!] ?? this.plane;
    if (codes.has('unit')) this.unit = codes.get('unit') === 20 ? INCH : 1e-3;
    if (codes.has('distance')) this.isAbsolute = codes.get('distance') === 90;
  }

  private move(words: ReadonlyMap<string, Word>, first: Word): void {
    const { at, mode, unit, isAbsolute, points, plane } = this;
    const isArc = mode === 2 || mode === 3;
    const place = [...words.values()].find(({ letter }) => letter !== 'F');
    if (place === undefined) return;
    const stray = [...CENTRES, 'R'].find((letter) => words.has(letter));
    if (!isArc && stray !== undefined) throw this.error(words.get(stray)!, `${stray} is for G2 and G3 only`);
    if (mode === undefined) throw this.error(place, `${place.letter} before G0, G1, G2 or G3`);
    const isBegun = isPoint(at);
    if (!isBegun && (isArc || !isAbsolute)) throw this.error(first, BEGINNING, PRECEDE);
    if (mode > 0 && isBegun && this.feed === undefined)
      throw this.error(first, `G${mode} without a feed rate`, 'State F.');
    const to = AXES.map((letter, i) => {
      const word = words.get(letter);
      return word === undefined ? at[i] : word.value * unit + (isAbsolute ? 0 : at[i]!);
    });
    const problem = to.map((value) => value !== undefined && lengthProblem(value)).find((one) => one);
    if (problem) throw this.error(first, `a coordinate ${problem}`);
    this.at = to;
    if (!isPoint(to)) {
      if (mode > 0) throw this.error(first, BEGINNING, PRECEDE);
      return;
    }
    const speed = mode > 0 && isBegun ? { speed: this.feed! } : {};
    const chain = isArc ? this.arc(words, at as Point, to, plane, first) : [to];
    if (points.length + chain.length > MAX_WAY_POINTS)
      throw this.error(first, `it has more than ${MAX_WAY_POINTS} way points`);
    for (const xyz of chain) points.push({ xyz, ...speed });
  }

  private arc(stated: ReadonlyMap<string, Word>, from: Point, to: Point, plane: ArcPlane, first: Word): Point[] {
    const { unit, mode } = this;
    const radius = stated.get('R');
    const across = stated.get(CENTRES[plane[2]]);
    if (across !== undefined) throw this.error(across, `${across.letter} is not in the plane of the arc`);
    const offsets = CENTRES.map((letter) => stated.get(letter));
    const hasCentre = offsets.some((word) => word !== undefined);
    if (hasCentre === (radius !== undefined))
      throw this.error(first, hasCentre ? 'R and a centre are both given' : 'an arc needs its centre or R');
    const centre = hasCentre ? offsets.map((word, i) => from[i] + (word?.value ?? 0) * unit) : undefined;
    const given = centre ?? radius!.value * unit;
    const made = arcPoints(from, to, plane, mode === 3, given, MAX_WAY_POINTS);
    if (typeof made === 'string') throw this.error(first, made);
    return made;
  }

  private error({ column }: Word, what: string, note = '') {
    return placed(this.file, this.number, column, what, note);
  }
}

/** Indices of the two axes of a plane, in right-handed order, and of its normal. */
type ArcPlane = readonly [number, number, number];
type Point = [number, number, number];

const isPoint = (coordinates: readonly (number | undefined)[]): coordinates is Point =>
  !coordinates.includes(undefined);

const BEGINNING = 'the first motion must be G0 or G1 to X, Y and Z in absolute coordinates';
const PRECEDE = 'Put a line such as "G90 G0 X0 Y0 Z10" in front of it.';

/** Largest distance of a chord from its arc, metres. */
const CHORD = 1e-6;
/** Metres, and relative to the radius: differences between the radii at both ends, as files round them. */
const MISMATCH = 5e-6;
const RELATIVE_MISMATCH = 1e-4;
/** Metres: ends that are nearer are one point: a full circle. */
const SAME = 1e-9;
const MIN_PIECES = 4;

/**
 * Returns the points of a circular arc or helix after its start, or why there is none. The radius changes linearly
 * between slightly different distances from the centre.
 * @param given the centre, metres; or the radius, negative for an arc of more than a half turn
 * @param most limit of the number of points
 */
function arcPoints(
  from: readonly number[],
  to: readonly number[],
  [i, j, k]: ArcPlane,
  isCounterclockwise: boolean,
  given: readonly number[] | number,
  most: number,
): Point[] | string {
  const centre = typeof given === 'number' ? centreOf(from, to, [i, j], isCounterclockwise, given) : given;
  if (typeof centre === 'string') return centre;
  const [x, y] = [from[i] - centre[i], from[j] - centre[j]];
  const [u, v] = [to[i] - centre[i], to[j] - centre[j]];
  const r = Math.sqrt(x * x + y * y);
  const end = Math.sqrt(u * u + v * v);
  if (!(r > SAME)) return 'the arc has no radius';
  if (!(Math.abs(end - r) <= MISMATCH + RELATIVE_MISMATCH * r))
    return `the arc begins ${r} m and ends ${end} m from its centre`;
  const isFull = Math.sqrt((u - x) * (u - x) + (v - y) * (v - y)) <= SAME;
  const angle = isFull ? 0 : atan2(x * v - y * u, x * u + y * v);
  const turn = isCounterclockwise ? (angle > 0 ? angle : angle + TWO_PI) : angle < 0 ? angle : angle - TWO_PI;
  const step = 2 * acos(Math.max(-1, 1 - CHORD / r));
  const pieces = Math.max(MIN_PIECES, Math.ceil(Math.abs(turn) / step));
  if (!(pieces <= most)) return `the arc needs more than ${most} way points`;
  const start = atan2(y, x);
  return Array.from({ length: pieces }, (_, n) => {
    const share = (n + 1) / pieces;
    const point: Point = [to[0], to[1], to[2]];
    if (n + 1 === pieces) return point;
    const radius = r + share * (end - r);
    point[i] = centre[i] + radius * cos(start + share * turn);
    point[j] = centre[j] + radius * sin(start + share * turn);
    point[k] = from[k] + share * (to[k] - from[k]);
    return point;
  });
}

/** Returns the centre of the arc of a radius. */
function centreOf(
  from: readonly number[],
  to: readonly number[],
  [i, j]: readonly [number, number],
  isCounterclockwise: boolean,
  radius: number,
): number[] | string {
  const [x, y] = [to[i] - from[i], to[j] - from[j]];
  const half = 0.5 * Math.sqrt(x * x + y * y);
  const size = Math.abs(radius);
  if (!(half > SAME)) return 'an arc with R must end elsewhere than it begins';
  if (!(size >= half * (1 - RELATIVE_MISMATCH))) return `its radius ${size} m is less than half its chord, ${half} m`;
  const height = Math.sqrt(Math.max(0, size * size - half * half));
  const side = (isCounterclockwise ? 1 : -1) * (radius < 0 ? -1 : 1);
  const centre = [...from];
  centre[i] = from[i] + 0.5 * x - (side * height * y) / (2 * half);
  centre[j] = from[j] + 0.5 * y + (side * height * x) / (2 * half);
  return centre;
}
