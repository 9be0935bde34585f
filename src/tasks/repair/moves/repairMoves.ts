import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { MoveProgram } from '../../../core/scene/moves/moveProgram.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { MoveText } from '../../../formats/trajectories/urscript/moveText.ts';
import { moveProgramOf } from '../../checking/moves/readMoveProgram.ts';
import { TimeLimit } from '../../planning/stopwatch.ts';
import { ProgramJudge, partFault } from '../../programs/moves/moveJudge.ts';
import { movesReport } from '../../reports/movesReport.ts';
import { World } from '../../world.ts';
import { type RepairOptions, type RepairResult, repairDefaults } from '../repairOptions.ts';
import type { MoveChange } from './moveChange.ts';
import { movesAround } from './movesAround.ts';
import { smallerRadius } from './smallerRadius.ts';

/** Result of the repair of a program of moves. `good`: every motion of the given one is proved. */
export interface MovesRepair {
  readonly status: RepairResult['status'];
  /** One line that describes the status. */
  readonly reason: string;
  /** Lines of the given program that are changed, or before which moves are added. */
  readonly changed: readonly number[];
  /** The text of the given program if it is good, or of the repaired one; undefined if the repair failed. */
  readonly text: string | undefined;
  /** Faults of the given program. */
  readonly faults: readonly string[];
}

const BYTE_ORDER_MARK = '\uFEFF';
/** Limit of the changes of one program. */
const MAX_CHANGES = 60;
/** rad, m: tolerance for targets that are kept. */
const SAME = 1e-6;

/**
 * Changes the text of a program of moves until every motion that the manual allows for it is proved: first smaller
 * blend radii, then way points before a move that is blocked, or a joint move instead of it. All targets are kept, and
 * all characters of the text but those of the moves that are changed. Throws `InputError` as `movesReport`.
 * @param hooks clock: monotonic, milliseconds; without it the time limit has no effect
 */
export function repairMoves(
  whole: string,
  file: string,
  robot: RobotModel,
  scene: Scene,
  options: Partial<Pick<RepairOptions, 'seed' | 'timeLimit'>> = {},
  hooks: { readonly clock?: () => number } = {},
): MovesRepair {
  const mark = whole.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const given = whole.slice(mark.length);
  const { seed, timeLimit } = { ...repairDefaults, ...options };
  const limit = new TimeLimit(hooks.clock, timeLimit);
  const read = (text: string) => moveProgramOf(text, file, robot, scene)!;
  const first = read(given);
  const report = (program: MoveProgram) =>
    movesReport(robot, scene, program, { checker: 'growth-distance', place: file, interrupt: limit.isOver }).report;
  const { valid, faults } = report(first);
  if (valid) return { status: 'good', reason: 'every motion is proved', changed: [], text: whole, faults };
  const failed = (reason: string): MovesRepair => {
    const cut = limit.hasEnded ? `; the time limit of ${timeLimit} s ended the search` : '';
    return { status: 'failed', reason: `${reason}${cut}`, changed: [], text: undefined, faults };
  };
  const world = new World(robot, scene);
  let judge = new ProgramJudge(world, first, limit.isOver);
  const { states } = judge;
  const isKept = (one: ProgramJudge) => keepsStates(states, one.states) && hasSameEvents(first, one.program);
  const lines = given.split('\n').map((_, i) => i + 1);
  const changes: MoveChange[] = [];
  let text = given;
  for (let from = 0; changes.length < MAX_CHANGES && !limit.isOver(); ) {
    const change = nextChange(judge, new MoveText(text), from, { seed, limit });
    if (change === undefined) {
      const after = report(judge.program);
      if (after.valid) return { status: 'repaired', ...summary(changes), text: mark + text, faults };
      if (from === 0) return failed(after.faults.join('; '));
      from = 0; // a line that is executed again
      continue;
    }
    if ('reason' in change) return failed(change.reason);
    const next = change.texts
      .flatMap((one) => readable(one, read) ?? [])
      .find(([, program]) => isKept(new ProgramJudge(world, program, limit.isOver)));
    if (next === undefined) return failed(`line ${change.line}: a target or an event would change by ${change.what}`);
    from = Math.max(0, judge.program.moves.findIndex(({ line }) => line === change.line) - 1);
    changes.push({ ...change, line: lines[change.line - 1] });
    const removed = change.added - (next[0].split('\n').length - lines.length);
    lines.splice(change.line, removed);
    lines.splice(change.line - 1, 0, ...new Array<number>(change.added).fill(lines[change.line - 1]));
    text = next[0];
    judge = new ProgramJudge(world, next[1], limit.isOver);
  }
  return failed(`it is not valid after ${changes.length} changes`);
}

/** Returns a text with its program; undefined if it cannot be read. */
function readable(text: string, read: (text: string) => MoveProgram): [string, MoveProgram][] | undefined {
  try {
    return [[text, read(text)]];
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function summary(changes: readonly MoveChange[]): Pick<MovesRepair, 'reason' | 'changed'> {
  const lines = [...new Set(changes.map(({ line }) => line))].sort((a, b) => a - b);
  return { reason: changes.map(({ line, what }) => `line ${line}: ${what}`).join('; '), changed: lines };
}

/**
 * Returns the change for the first part of a program, from a move on, that is not proved; the reason if there is none,
 * undefined if all parts are proved.
 */
function nextChange(
  judge: ProgramJudge,
  text: MoveText,
  from: number,
  effort: { readonly seed: number; readonly limit: TimeLimit },
): MoveChange | { readonly reason: string } | undefined {
  const { moves } = judge.program;
  const [wrong] = judge.steps?.verdicts ?? [];
  if (wrong) return { reason: wrong.reason! };
  for (const part of judge.parts) {
    if (part.move < from) continue;
    const own = judge.judgeOf(part.move);
    const found = own.judge(part, moves[part.move]);
    if (found.verdict === 'valid') continue;
    if (own.isOfSpeed(found.constraint) && !part.isBlend)
      return { reason: `line ${moves[part.move].line}: ${partFault(found)}, and speeds are not changed` };
    if (part.isBlend || part.set === undefined) return smallerRadius(judge, text, part);
    return movesAround(judge, text, part, effort);
  }
  return undefined;
}

/** Returns true if all states of a list occur in another one, in order. */
function keepsStates(states: readonly Configuration[], others: readonly Configuration[]): boolean {
  let k = 0;
  for (const q of others) if (k < states.length && states[k].every((value, j) => Math.abs(value - q[j]) <= SAME)) k++;
  return k === states.length;
}

const hasSameEvents = (one: MoveProgram, other: MoveProgram) =>
  JSON.stringify([one.stepCalls, one.waits?.map(({ step, duration }) => [step, duration])]) ===
  JSON.stringify([other.stepCalls, other.waits?.map(({ step, duration }) => [step, duration])]);
