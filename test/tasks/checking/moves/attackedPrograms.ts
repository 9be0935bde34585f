/** Groups of attacked programs, of which `ur:undecided` and `attack-moves` state the share that is not proved. */
import type { CellAttack } from './cellAttack.ts';

/** m, or m and rad: programs whose sampled motions all keep this distance from obstacles and limits count as free. */
const FREE = 2e-3;
/** Endings of faults of programs whose motion the manual does not determine, whatever the obstacles are. */
const OPEN = [
  'exceeds a move beside it',
  'the blends at its ends overlap',
  'are very different',
  'turn the tool too far',
];

/** Returns true if the verdict on a program is that the manual does not determine its motion. */
export const isOpenInManual = ({ fault }: CellAttack) => OPEN.some((reason) => fault?.endsWith(reason));

/**
 * Returns true for a program that the proof should find valid: the arm can follow all sampled motions, and none is near
 * an obstacle or a limit.
 */
export const isFree = (one: CellAttack) =>
  one.unfollowed === 0 && one.gap >= FREE && one.room >= FREE && !isOpenInManual(one);

/** Groups of programs by the kinds of their moves. */
export const groups: Readonly<Record<string, (one: CellAttack) => boolean>> = {
  all: () => true,
  'with movec': ({ kinds }) => kinds.includes('movec'),
  'with a blend beside movec': ({ kinds }) => /movec1?~|~ movec/.test(kinds),
  'without movec': ({ kinds }) => !kinds.includes('movec'),
};
