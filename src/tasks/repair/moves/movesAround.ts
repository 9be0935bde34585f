import { walk } from '../../../core/cartesian/moves/moveSet.ts';
import type { ProgramPart } from '../../../core/cartesian/moves/programSets.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import type { ProgramMove } from '../../../core/scene/moves/moveProgram.ts';
import { stepName } from '../../../core/scene/program.ts';
import { lineArc } from '../../../core/trajectory/retiming/arc.ts';
import { jointsText, ratesText } from '../../../formats/trajectories/urscript/moveScript.ts';
import { MoveText } from '../../../formats/trajectories/urscript/moveText.ts';
import { decimal } from '../../../formats/trajectories/urscript/stepCalls.ts';
import type { TimeLimit } from '../../planning/stopwatch.ts';
import { withBlends } from '../../programs/moves/moveBlends.ts';
import { type ProgramJudge, partFault } from '../../programs/moves/moveJudge.ts';
import { leadingRates } from '../../programs/moves/moveProgramOfPlan.ts';
import { repairGeometry } from '../repairGeometry.ts';
import { RepairWorld } from '../repairWorld.ts';
import type { MoveChange } from './moveChange.ts';

/** Shares of a line that are tried as the beginning of its last part. */
const REMAINING = [0.1, 0.25, 0.5, 0.75, 0.9];
/** rad: tolerance for equal states at the end of lines. */
const SAME = 1e-9;
/** Rates of joint moves that state none, rad/s² and rad/s. */
const [ACCELERATION, SPEED] = [1.4, 1.05];

/** Effort of a search. */
interface Effort {
  readonly seed: number;
  readonly limit: TimeLimit;
}

/**
 * Returns the change of a move that is blocked: joint moves through waypoints before it. Of a line, its last part
 * remains if that is proved; other moves to poses become joint moves.
 */
export function movesAround(
  judge: ProgramJudge,
  text: MoveText,
  part: ProgramPart,
  effort: Effort,
): MoveChange | { readonly reason: string } {
  const { states, program } = judge;
  const move = program.moves[part.move];
  const { line, kind, joints } = move;
  const { step } = judge.judgeOf(part.move);
  if (step && step.kind !== 'move') return { reason: `line ${line}: a ${step.kind} of ${stepName(step)} is blocked` };
  const from = states[part.move];
  const to = states[part.move + 1];
  const pair = [from, to].map((q) => judge.judgeOf(part.move).judgeLine(q, q)).find((at) => at.verdict !== 'valid');
  if (pair) return { reason: `line ${line}: ${partFault(pair)} at an end of the ${kind}, which is kept` };
  const last = joints ? undefined : remainingFrom(judge, part);
  const path = (last && pathTo(judge, part.move, from, last, effort)) ?? pathTo(judge, part.move, from, to, effort);
  if (path === undefined || (joints && path.length < 2))
    return { reason: `line ${line}: no valid path is found for the ${kind}` };
  const isToTarget = path[path.length - 1].joints === to;
  const added = isToTarget ? path.slice(0, -1) : path;
  const calls = added.map((one) => `movej(${jointsText(one.joints!)}, ${ratesText(one)})`);
  const points = `${added.length} way ${added.length === 1 ? 'point' : 'points'} before the ${kind}`;
  if (text.withLinesBefore(line, calls) === undefined)
    return { reason: `line ${line}: nothing can be added before the ${kind}` };
  if (!isToTarget || joints) {
    const fixed = joints ? [text.withTarget(line, jointsText(to))] : [];
    const texts = [text.text, ...fixed].map((one) => placed(one, line, calls));
    return { line, what: points, added: calls.length, texts };
  }
  const call = `movej(${jointsText(to)}, ${ratesText({ ...path[path.length - 1], radius: move.radius })})`;
  const what = `${calls.length > 0 ? `${points}, and ` : ''}a movej instead of it`;
  return { line, what, added: calls.length, texts: [placed(text.withCall(line, call), line, calls)] };
}

const placed = (text: string, line: number, calls: readonly string[]) =>
  calls.length > 0 ? new MoveText(text).withLinesBefore(line, calls)! : text;

/** Returns the first of a few states of a line after which the rest of it is proved; undefined if there is none. */
function remainingFrom(judge: ProgramJudge, { set, move: index }: ProgramPart): Configuration | undefined {
  const { sets, states, program } = judge;
  const move = { ...program.moves[index], radius: 0 };
  if (set === undefined || move.via !== undefined) return undefined;
  for (const share of REMAINING) {
    const at = walk(
      set,
      states[index],
      set.origin,
      set.origin.map(() => share),
    );
    if (at === undefined) return undefined;
    const end = sets.endOf(at, move);
    if (!end?.every((value, j) => Math.abs(value - states[index + 1][j]) <= SAME)) continue;
    const [rest] = sets.parts(at, [move]);
    if (judge.judgeOf(index).judge(rest, move).verdict === 'valid') return at;
  }
  return undefined;
}

/** Returns joint moves from a state to another, with blends, that are proved; undefined if none are found. */
function pathTo(
  judge: ProgramJudge,
  index: number,
  from: Configuration,
  to: Configuration,
  { seed, limit }: Effort,
): readonly ProgramMove[] | undefined {
  const own = judge.judgeOf(index);
  const { world, step } = own;
  const { robot, scene } = world;
  const move = judge.program.moves[index];
  const constraints = [...(scene.constraints ?? []), ...(step?.constraints ?? [])];
  const repair = new RepairWorld(robot, { ...scene, constraints }, limit.isOver, world.manager);
  const whole = [lineArc(Array.from(from), Array.from(to), 1)];
  const found = repairGeometry(repair, whole, [false], { straight: true, seed });
  if ('reason' in found) return undefined;
  const { arcs } = found;
  const states = arcs.map(({ to: { positions } }, i) =>
    i + 1 < arcs.length ? Float64Array.from(positions, (value) => Number(decimal(value))) : to,
  );
  const isStated = move.kind === 'movej' && !(move.time > 0);
  const moves = states.map((joints, i): ProgramMove => {
    const most = leadingRates(robot, scene, step, states[i - 1] ?? from, joints);
    const acceleration = Math.min(isStated ? move.acceleration : ACCELERATION, most.acceleration);
    const speed = Math.min(isStated ? move.speed : SPEED, most.speed);
    return { kind: 'movej', line: move.line, frame: move.frame, joints, radius: 0, time: 0, acceleration, speed };
  });
  const isProved = (part: ProgramPart, one: ProgramMove) => own.judge(part, one).verdict === 'valid';
  const isWhole = judge.sets.parts(from, moves).every((part) => isProved(part, moves[part.move]));
  return isWhole ? withBlends(judge.sets, from, moves, isProved) : undefined;
}
