import { attackCell } from '../../test/tasks/checking/moves/cellAttack.ts';
import { loadFamily } from '../../test/tasks/checking/moves/randomCell.ts';
import type { Table } from '../measure.ts';

/** Programs, motions of each, and metres or radians that those which count as free keep. */
const [COUNT, MEMBERS, FREE] = [Number(process.env.COUNT ?? 200), 20, 2e-3];

const KINDS: readonly (readonly [string, (kinds: string) => boolean])[] = [
  ['all', () => true],
  ['with movec', (kinds) => kinds.includes('movec')],
  ['with a blend beside movec', (kinds) => /movec1?~|~ movec/.test(kinds)],
  ['without movec', (kinds) => !kinds.includes('movec')],
];

/** Reasons for which the manual leaves open where the arm goes, whatever is in its way. */
const OPEN = [
  'exceeds a move beside it',
  'the blends at its ends overlap',
  'are very different',
  'turn the tool too far',
];

const isOpenInManual = (fault: string | undefined) => OPEN.some((reason) => fault?.endsWith(reason));

/** Verdicts on random programs of random arms, beside sampled motions of their sets. */
export async function attackedTable(): Promise<Table> {
  const family = await loadFamily();
  const all = Array.from({ length: COUNT }, (_, k) => attackCell(family, k + 1, MEMBERS) ?? []).flat();
  const judged = all.filter(({ members }) => members > 0);
  const rows = KINDS.map(([kind, has]) => {
    const some = judged.filter(({ kinds }) => has(kinds));
    const free = some.filter(({ gap, room, fault }) => gap >= FREE && room >= FREE && !isOpenInManual(fault));
    const open = free.filter(({ verdict }) => verdict !== 'valid').length;
    return {
      programs: kind,
      judged: some.length,
      valid: some.filter(({ verdict }) => verdict === 'valid').length,
      wrong: some.filter(({ wrong }) => wrong !== undefined).length,
      free: free.length,
      'free, undecided': open,
      'undecided %': free.length > 0 ? (100 * open) / free.length : 0,
    };
  });
  return {
    title: `verdicts on ${COUNT} random programs of random arms, ${MEMBERS} sampled motions each (COUNT=N for others)`,
    rows,
    notes: [
      'targets: none wrong, at most 5 % undecided; free: no sampled motion is nearer than 2 mm to an obstacle or 2 mm or mrad to a limit',
    ],
  };
}
