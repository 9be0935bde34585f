import type { ProgramPart } from '../../../core/cartesian/moves/programSets.ts';
import type { MoveText } from '../../../formats/trajectories/urscript/moveText.ts';
import { decimal } from '../../../formats/trajectories/urscript/stepCalls.ts';
import type { ProgramJudge } from '../../programs/moves/moveJudge.ts';
import type { MoveChange } from './moveChange.ts';

/** Radii that are tried: as many, each this share of the one before. */
const [TRIALS, SHARE] = [12, 0.7];

/**
 * Returns the change to the largest of a few smaller radii with which a blend is proved, and does not overlap others;
 * to a stop if there is none.
 * @param part a blend, or a move whose blends overlap
 */
export function smallerRadius(judge: ProgramJudge, text: MoveText, part: ProgramPart): MoveChange {
  const { moves } = judge.program;
  const before = moves[part.move - 1]?.radius ?? 0;
  const corner = !part.isBlend && before > moves[part.move].radius ? part.move - 1 : part.move;
  const { line, radius: given } = moves[corner];
  let radius = 0;
  let most = given;
  for (let k = 0; k < TRIALS && radius === 0; k++) {
    most *= SHARE;
    const tried = Math.floor(1e4 * most) / 1e4;
    if (tried > 0 && isProvedWith(judge, corner, tried)) radius = tried;
  }
  const what = `blend radius ${decimal(given)} m reduced to ${decimal(radius)} m`;
  return { line, what, added: 0, texts: [text.withRadius(line, radius)] };
}

/** Returns true if the blend at the end of a move is proved with a radius, and the moves beside it remain. */
function isProvedWith(judge: ProgramJudge, corner: number, radius: number): boolean {
  const { sets, states, program } = judge;
  const first = Math.max(0, corner - 1);
  const moves = program.moves
    .slice(first, corner + 3)
    .map((move, i) => (first + i === corner ? { ...move, radius } : move));
  const parts = sets.parts(states[first], moves);
  const blend = parts.find(({ move, isBlend }) => isBlend && first + move === corner);
  const beside = parts.filter(({ move, isBlend }) => !isBlend && Math.abs(first + move - corner - 0.5) < 1);
  const isWhole = beside.every(({ set }) => set !== undefined);
  return isWhole && judge.judgeOf(corner).judge(blend!, moves[corner - first]).verdict === 'valid';
}
