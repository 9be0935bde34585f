import { BATCH } from '../../core/collision/states/stateBatch.ts';
import { isWithinLimits, jointsOutOfLimits } from '../../core/collision/validators/robotJointSpace.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { StateScanner } from '../../formats/streams/stateScanner.ts';
import type { StateReader } from '../../formats/streams/states.ts';
import { ByteText } from './byteText.ts';
import type { FirstCollisions, StateVerdict } from './validateStates.ts';

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
export class StateBytes {
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
