import { BATCH } from '../../core/collision/states/stateBatch.ts';
import { isWithinLimits, jointsOutOfLimits } from '../../core/collision/validators/robotJointSpace.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { MotionReader } from '../../formats/streams/motions.ts';
import { StateScanner } from '../../formats/streams/stateScanner.ts';
import { type ReaderPlace, StateReader } from '../../formats/streams/states.ts';
import { withWiderLimits } from '../planning/startTolerance.ts';
import { ByteText } from './byteText.ts';
import { type LineCounts, LineResults } from './lineResults.ts';
import { createMotionValidator, type MotionValidityResult } from './validateMotions.ts';
import {
  createStateValidator,
  type FirstCollisions,
  type StateVerdict,
  type ValidationOptions,
} from './validateStates.ts';

/** Options of `ValidationLines`. */
export interface ValidationLinesOptions extends ValidationOptions {
  /** True if the lines are straight motions instead of states. */
  readonly motions?: boolean;
  /** Joint values out of limits by at most this are accepted, and checked as they are: rad or m; default 0. */
  readonly startTolerance?: number;
}

/** Checks a list of states or motions line by line. Contains caches, on which the results do not depend. */
export class ValidationLines implements LineCounts {
  /** Number of invalid states or motions. */
  invalid = 0;
  private readonly reader: StateReader | MotionReader;
  private readonly results: {
    readonly read: number;
    readonly unreadable: number;
    process(lines: readonly string[]): string;
  };
  /** Checks lines of bytes; undefined if a verdict needs more than one check of each state. */
  private readonly bytes: StateBytes | undefined;
  private readInBytes = 0;

  /** @param name name of the list, for error messages */
  constructor(stated: RobotModel, scene: Scene, options: ValidationLinesOptions, name: string) {
    const robot = withWiderLimits(stated, options.startTolerance ?? 0);
    const joints = robot.variables.map((joint) => joint.name);
    if (options.motions) {
      const check = createMotionValidator(robot, scene, options);
      const reader = new MotionReader(joints);
      this.reader = reader;
      this.results = new LineResults(reader, ({ qFrom, qTo }) => motionText(this.counted(check(qFrom, qTo))));
    } else {
      const check = createStateValidator(robot, scene, options);
      const reader = new StateReader(joints, name, !check.isStill);
      this.reader = reader;
      this.results = new LineResults(reader, ({ q, t }) => verdictText(this.counted(check(q, t))), {
        size: BATCH,
        copy: (line) => ({ ...line, q: line.q.slice() }),
        prepare: (batch) => check.prepare(batch.map(({ q }) => q)),
      });
      this.bytes = check.first && new StateBytes(robot, check.first, reader, this, verdictText);
    }
  }

  get read(): number {
    return this.results.read + this.readInBytes;
  }

  get unreadable(): number {
    return this.results.unreadable;
  }

  /** Position of the reader in its list, as plain data. Undefined until the format of the list is known. */
  get place(): ReaderPlace | undefined {
    return this.reader.place;
  }

  /** Continues from a position in the same list. */
  resumeAt(place: ReaderPlace): void {
    this.reader.resumeAt(place);
  }

  /** Returns the results of some lines, each with its newline. */
  to(lines: readonly string[]): string {
    return this.results.process(lines);
  }

  /** Returns the results of complete lines of ASCII, the last one with its newline, as UTF-8. */
  toBytes(lines: Uint8Array): Uint8Array {
    if (this.bytes !== undefined) return this.bytes.process(lines);
    const text = new TextDecoder('latin1').decode(lines.subarray(0, -1));
    return new TextEncoder().encode(this.to(text.split('\n')));
  }

  /** Counts lines that `toBytes` read by itself. @internal */
  countRead(lines: number): void {
    this.readInBytes += lines;
  }

  private counted<Verdict extends { readonly valid: boolean }>(verdict: Verdict): Verdict {
    if (!verdict.valid) this.invalid++;
    return verdict;
  }
}

/** Returns the fields after the id. */
function motionText({ valid, verdict, limits, constraints, contact }: MotionValidityResult): string {
  const where = contact && { pair: contact.pair, free_until: contact.freeUntil, time: contact.time };
  return JSON.stringify({ valid, verdict, limits, constraints, contact: where }).slice(1, -1);
}

/**
 * Returns the fields after the id. Formatted without `JSON.stringify` for speed: most states of a long list are valid.
 */
function verdictText(given: StateVerdict): string {
  const { valid, collisions, limits, constraints, clearance, gradient, differentiable } = given;
  const basis = valid
    ? '"valid":true,"collisions":[],"limits":[]'
    : `"valid":false,"collisions":${JSON.stringify(collisions)},"limits":${JSON.stringify(limits)}`;
  const verdict = constraints === undefined ? basis : `${basis},"constraints":${JSON.stringify(constraints)}`;
  if (clearance === undefined) return verdict;
  const known = `${verdict},"clearance":${Number.isFinite(clearance) ? clearance : null}`;
  return gradient ? `${known},"gradient":${JSON.stringify(gradient)},"differentiable":${differentiable}` : known;
}

/** The checks of lines one by one, and the counts of all lines. */
interface LinesOneByOne {
  invalid: number;
  countRead(lines: number): void;
  /** Returns the results of some lines. */
  to(lines: readonly string[]): string;
}

/** Bytes of results that are allocated at least. */
const MIN_SIZE = 1024;
const NEWLINE = 10;
const QUOTE = Uint8Array.of(0x22);
const NO_PAIR = -1;

/**
 * Validates states in lines of bytes, several at a time. Lines of the common forms are processed without strings; all
 * others are passed to `others`, which returns the same results more slowly.
 */
class StateBytes {
  private scanner: StateScanner | undefined;
  private readonly rows: readonly Float64Array[];
  /** Line, and begin and end of the id, of each row. */
  private readonly lines = new Float64Array(BATCH);
  private readonly ids = new Int32Array(2 * BATCH);
  private readonly pairs = new Int32Array(BATCH);
  private count = 0;
  /** Ends of results of states within limits, by pair in collision. */
  private readonly ends = new Map<number, Uint8Array>();

  /**
   * @param first checks of several states at a time
   * @param reader reader of the lines that are checked one by one; it holds the position in the whole list
   * @param textOf formats a verdict: the fields after the id
   */
  constructor(
    private readonly robot: RobotModel,
    private readonly first: FirstCollisions,
    private readonly reader: StateReader,
    private readonly others: LinesOneByOne,
    private readonly textOf: (verdict: StateVerdict) => string,
  ) {
    this.rows = Array.from({ length: BATCH }, () => new Float64Array(robot.dof));
  }

  /** Returns the results of complete lines of ASCII, each with its newline. */
  process(bytes: Uint8Array): Uint8Array {
    const out = new ByteText(Math.max(MIN_SIZE, bytes.length));
    for (let from = 0; from < bytes.length; ) {
      const newline = this.scanner?.read(bytes, from, this.rows[this.count]) ?? -1;
      if (newline >= 0) {
        this.keepRow();
        if (this.count === BATCH) this.finish(out, bytes);
        from = newline + 1;
        continue;
      }
      this.finish(out, bytes);
      const end = bytes.indexOf(NEWLINE, from);
      out.addString(this.others.to([textOfBytes(bytes, from, end)]));
      this.createScanner();
      from = end + 1;
    }
    this.finish(out, bytes);
    return out.toBytes();
  }

  /** Creates the scanner as soon as the reader knows the format of the list. */
  private createScanner(): void {
    const { place } = this.reader;
    if (place !== undefined) this.scanner ??= new StateScanner(place, this.robot.dof);
  }

  private keepRow(): void {
    const { scanner, ids, lines, count } = this;
    lines[count] = this.reader.countLine();
    ids[2 * count] = scanner!.idFrom;
    ids[2 * count + 1] = scanner!.idEnd;
    this.count++;
  }

  /** Writes the results of the rows. */
  private finish(out: ByteText, bytes: Uint8Array): void {
    const { rows, first, count, pairs } = this;
    if (count === 0) return;
    this.count = 0;
    first.write(pairs, rows, count);
    for (let i = 0; i < count; i++) {
      out.add(HEAD);
      this.addId(out, bytes, i);
      out.add(isWithinLimits(this.robot, rows[i]) ? this.endWithin(pairs[i]) : this.endBeyond(pairs[i], rows[i]));
    }
    this.others.countRead(count);
  }

  private addId(out: ByteText, bytes: Uint8Array, i: number): void {
    const { ids, lines } = this;
    if (ids[2 * i] < 0) {
      out.addInteger(lines[i]);
      return;
    }
    const isQuoted = this.scanner!.isIdQuoted;
    if (isQuoted) out.add(QUOTE);
    out.add(bytes, ids[2 * i], ids[2 * i + 1]);
    if (isQuoted) out.add(QUOTE);
  }

  /** End of the result of a state within limits: all after the id. */
  private endWithin(pair: number): Uint8Array {
    if (pair !== NO_PAIR) this.others.invalid++;
    const known = this.ends.get(pair);
    if (known !== undefined) return known;
    const end = this.endOf({ valid: pair === NO_PAIR, collisions: this.collisionsOf(pair), limits: [] });
    this.ends.set(pair, end);
    return end;
  }

  private endBeyond(pair: number, q: Float64Array): Uint8Array {
    this.others.invalid++;
    const limits = jointsOutOfLimits(this.robot, q);
    return this.endOf({ valid: false, collisions: this.collisionsOf(pair), limits });
  }

  private collisionsOf(pair: number): [string, string][] {
    return pair === NO_PAIR ? [] : [this.first.namesOf(pair)];
  }

  private endOf(verdict: StateVerdict): Uint8Array {
    return encoder.encode(`,${this.textOf(verdict)}}\n`);
  }
}

const encoder = new TextEncoder();
const HEAD = encoder.encode('{"id":');

/** The text of bytes that are ASCII. */
function textOfBytes(bytes: Uint8Array, from: number, end: number): string {
  return new TextDecoder('latin1').decode(bytes.subarray(from, end));
}
