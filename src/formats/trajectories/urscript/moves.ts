import { PI } from '../../../math/trigonometry.ts';
import { ScriptProblem } from './tokens.ts';

/** An executed motion statement. */
export interface Move {
  readonly name: 'movej' | 'servoj';
  readonly positions: readonly number[];
  /** Seconds. Duration of a servoj, 0 for movej. */
  readonly t: number;
  readonly line: number;
}

/**
 * rad/s. An arm whose last set points are slower is considered at rest: at the default deceleration of 1.4 rad/s² it
 * stops within 0.15 mrad.
 */
const REST_SPEED = 0.02;
/** rad/s. Speed of the fastest joint of the series (180°/s), with tolerance for rounding. */
const MAX_SPEED = PI * 1.001;

/**
 * Records the moves of a program and rejects sequences in which the arm leaves the straight lines between the points: a
 * stream of set points that is interrupted or ends at speed, and a jump to the first set point of a stream.
 */
export class MoveRecorder {
  readonly moves: Move[] = [];
  /** The statement that ended the preceding stream of set points. */
  private ended: { readonly name: string; readonly line: number } | undefined;

  movej(positions: readonly number[], line: number): void {
    this.requireRest('movej', line);
    this.ended = undefined;
    this.moves.push({ name: 'movej', positions, t: 0, line });
  }

  servoj(positions: readonly number[], t: number, line: number): void {
    if (this.ended !== undefined)
      throw new ScriptProblem(
        this.ended.line,
        `${this.ended.name} between two servoj`,
        'The arm leaves its line if set points are interrupted: send them without interruption, or continue with movej.',
      );
    this.moves.push({ name: 'servoj', positions, t, line });
  }

  /** Records a statement that takes time or stops the arm. */
  pause(name: string, line: number): void {
    if (this.moves.at(-1)?.name === 'servoj') this.ended ??= { name, line };
  }

  /** Checks the complete program: its last set points and the speed of each set point. */
  finish(): void {
    const { moves } = this;
    if (moves.every(({ name }) => name === 'servoj') || moves.every(({ name }) => name === 'movej')) return;
    this.requireRest('the end of the program', moves[moves.length - 1].line);
    for (const [i, { name, line }] of moves.entries()) {
      const speed = name === 'servoj' && i > 0 ? speedTo(moves, i) : 0;
      if (speed <= MAX_SPEED) continue;
      throw new ScriptProblem(
        line,
        `servoj to a point that requires ${speed.toPrecision(3)} rad/s`,
        'No joint is that fast: the arm would leave its straight line. Move to the first set point with movej.',
      );
    }
  }

  private requireRest(what: string, line: number): void {
    const { moves } = this;
    const last = moves.length - 1;
    if (last < 0 || moves[last].name !== 'servoj') return;
    const speed = last === 0 ? 0 : speedTo(moves, last);
    if (speed <= REST_SPEED) return;
    throw new ScriptProblem(
      line,
      `${what} while the arm moves at ${speed.toPrecision(3)} rad/s`,
      'Let the last set points of servoj slow down to rest.',
    );
  }
}

/** Returns the maximum joint speed (rad/s) between points i − 1 and i. */
function speedTo(moves: readonly Move[], i: number): number {
  const [before, { positions, t }] = [moves[i - 1], moves[i]];
  return Math.max(...positions.map((value, j) => Math.abs(value - before.positions[j]) / t));
}
